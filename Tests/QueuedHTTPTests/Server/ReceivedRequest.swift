/// A request as the loopback server read it.
struct ReceivedRequest: Sendable {
  var method = ""
  var target = ""
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []
  /// How many requests came on its connection before it.
  var earlierOnConnection = 0

  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Reads the head; nil when it is none.
  init?(head: [UInt8]) {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    guard let first = lines.first?.split(separator: " "), first.count == 3 else { return nil }
    method = String(first[0])
    target = String(first[1])
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers.append((String(line[..<colon]), String(value)))
    }
  }
}
