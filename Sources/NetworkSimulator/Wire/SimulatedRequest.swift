/// A request as it came in, with what its path says already taken apart.
struct SimulatedRequest: Sendable {
  /// A `HEAD` counts as the `GET` whose headers it asks for (RFC 9110, section 9.3.2).
  let method: String
  let isHead: Bool
  /// The path as received, faults and source included, still encoded.
  let path: String
  /// The query string as received, without its question mark.
  let query: String
  /// Names in lower case.
  let headers: [(name: String, value: String)]
  let body: [UInt8]
  /// What stands before the source's own segment, without its `~`.
  let faults: [String]
  /// The first segment that is no fault; empty when there is none.
  let source: String
  /// What stands behind the source, decoded.
  let route: [String]

  init(
    method: String, target: String, headers: [(name: String, value: String)], body: [UInt8]
  ) {
    var target = target[...]
    // A client that takes this server for its proxy sends the address as a whole (RFC 9112, 3.2.2).
    if target.hasPrefix("http://"), let slash = target.dropFirst(7).firstIndex(of: "/") {
      target = target[slash...]
    }
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    isHead = method == "HEAD"
    self.method = isHead ? "GET" : method
    path = String(halves[0])
    query = halves.count == 2 ? String(halves[1]) : ""
    self.headers = headers
    self.body = body
    var segments = halves[0].split(separator: "/").map {
      PercentDecoding.decode($0, plusIsSpace: false)
    }[...]
    var faults: [String] = []
    while let first = segments.first, first.hasPrefix("~") {
      faults.append(String(first.dropFirst()))
      segments.removeFirst()
    }
    self.faults = faults
    source = segments.popFirst() ?? ""
    route = Array(segments)
  }

  /// The first header of that name, which must be given in lower case.
  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// What the client calls this server.
  var host: String { header("host") ?? "127.0.0.1" }

  /// The token of `Authorization: Bearer`; nil when there is none.
  var bearerToken: String? {
    guard let value = header("authorization"), value.lowercased().hasPrefix("bearer ") else {
      return nil
    }
    return String(value.dropFirst(7))
  }

  var closesConnection: Bool { header("connection")?.lowercased() == "close" }
}
