internal import TextFormats

/// A request, with its path parsed.
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
  /// The segments before the source's own, without their `~`.
  let faults: [String]
  /// The first segment that is not a fault; empty if there is none.
  let source: String
  /// The segments after the source, decoded.
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

  /// The host and port in the request.
  var host: String { header("host") ?? "127.0.0.1" }

  /// The token of `Authorization: Bearer`, or nil.
  var bearerToken: String? {
    guard let value = header("authorization"), value.lowercased().hasPrefix("bearer ") else {
      return nil
    }
    return String(value.dropFirst(7))
  }

  var closesConnection: Bool { header("connection")?.lowercased() == "close" }
}

/// The decoded parameters of a query string, in order.
struct Parameters: Sendable {
  let pairs: [(name: String, value: String)]

  init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

  init(_ query: some StringProtocol) {
    pairs = query.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count == 2 ? PercentDecoding.decode(halves[1], plusIsSpace: true) : ""
      return (PercentDecoding.decode(halves[0], plusIsSpace: true), value)
    }
  }

  /// The first value of a name, or nil.
  subscript(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Returns all values of a name, including those of `name[]`.
  func all(_ name: String) -> [String] {
    pairs.filter { $0.name == name || $0.name == name + "[]" }.map(\.value)
  }

  /// The value of a name as an integer, or nil.
  func integer(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

  /// Returns true if a switch is on, as Rails parses it.
  func isOn(_ name: String) -> Bool {
    self[name].map { !["", "0", "f", "false", "off"].contains($0.lowercased()) } ?? false
  }
}

/// Percent-encoding of RFC 3986.
enum PercentDecoding {
  /// Returns the text with each `%XX` as its byte; in a query a plus sign is a space.
  static func decode(_ text: some StringProtocol, plusIsSpace: Bool) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let high = nibble(rest[rest.startIndex]),
        let low = nibble(rest[rest.startIndex + 1])
      {
        bytes.append(high << 4 | low)
        rest.removeFirst(2)
      } else if byte == UInt8(ascii: "+"), plusIsSpace {
        bytes.append(UInt8(ascii: " "))
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text with all but the unreserved characters as `%XX`.
  static func encode(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// Parses JSON that a client sent.
enum JSONBody {
  /// Calls `visit` with the root; returns nil if the bytes are not JSON.
  static func read<Result>(_ bytes: [UInt8], _ visit: (JSONNode) -> Result?) -> Result? {
    let padded = bytes + [UInt8](repeating: 0, count: JSON.spareBytes)
    return padded.withUnsafeBytes { buffer in
      do {
        return try JSON.read(
          padded: UnsafeRawBufferPointer(rebasing: buffer[..<bytes.count]), visit)
      } catch {
        return nil
      }
    }
  }
}
