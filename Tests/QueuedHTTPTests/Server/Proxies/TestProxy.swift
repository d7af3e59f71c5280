/// A proxy on 127.0.0.1 that passes everything on to one server, whatever its name.
final class TestProxy: Sendable {
  struct Record: Sendable {
    /// What it was asked for: `GET http://…`, `CONNECT host:port` or `SOCKS host:port`.
    var asked: [String] = []
    /// Names and passwords that it was shown.
    var credentials: [String] = []
  }

  let seen = Watched(Record())
  private let listener: Listener

  var port: Int { listener.port }

  /// - Parameter serve: What is done with a connection.
  private init(
    _ serve: @escaping @Sendable (_ wire: Wire, _ seen: Watched<Record>) -> Void
  ) throws {
    let seen = seen
    listener = try Listener { serve($0, seen) }
  }

  func close() { listener.close() }

  /// Speaks HTTP/1.1: addresses as a whole, and `CONNECT`.
  ///
  /// - Parameters:
  ///   - server: The port that everything is passed on to.
  ///   - refusal: The status with which everything is refused, if it is.
  static func http(to server: Int, refusal: Int? = nil) throws -> TestProxy {
    try TestProxy { wire, seen in
      guard let head = wire.readHead(), let request = ReceivedRequest(head: head) else { return }
      seen.change { record in
        record.asked.append("\(request.method) \(request.target)")
        if let shown = request.header("Proxy-Authorization") { record.credentials.append(shown) }
      }
      if let refusal {
        wire.write(Answer.head(refusal, ["Content-Length: 0", "Connection: close"]))
        return
      }
      guard let other = Wire.connected(toPort: server) else { return }
      defer { other.close() }
      if request.method == "CONNECT" {
        wire.write(Answer.head(200, []))
      } else {
        other.write(head)
      }
      wire.exchange(with: other)
    }
  }

  /// Speaks SOCKS 5 (RFC 1928), with a name and a password (RFC 1929) where they are given.
  ///
  /// - Parameter reply: What `CONNECT` is answered with: 0 where it is let through.
  static func socks(
    to server: Int, credentials: String? = nil, reply: UInt8 = 0
  ) throws -> TestProxy {
    try TestProxy { wire, seen in
      guard let greeting = wire.read(2), let methods = wire.read(Int(greeting[1])) else { return }
      let method: UInt8 = credentials == nil ? 0 : 2
      guard methods.contains(method) else {
        wire.write([5, 255])
        return
      }
      wire.write([5, method])
      if let credentials {
        guard wire.read(1) == [1], let name = text(wire), let password = text(wire) else { return }
        seen.change { $0.credentials.append("\(name):\(password)") }
        let isRight = "\(name):\(password)" == credentials
        wire.write([1, isRight ? 0 : 1])
        guard isRight else { return }
      }
      guard let head = wire.read(4), let host = host(wire, kind: head[3]), let port = wire.read(2)
      else { return }
      let number = Int(port[0]) << 8 | Int(port[1])
      seen.change { $0.asked.append("SOCKS \(host):\(number)") }
      wire.write([5, reply, 0, 1, 0, 0, 0, 0, 0, 0])
      guard reply == 0, let other = Wire.connected(toPort: server) else { return }
      defer { other.close() }
      wire.exchange(with: other)
    }
  }

  private static func text(_ wire: Wire) -> String? {
    guard let count = wire.read(1), let bytes = wire.read(Int(count[0])) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func host(_ wire: Wire, kind: UInt8) -> String? {
    switch kind {
    case 1: wire.read(4)?.map(String.init).joined(separator: ".")
    case 3: text(wire)
    default: nil
    }
  }
}
