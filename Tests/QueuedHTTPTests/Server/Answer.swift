/// What the loopback server does with a request.
indirect enum Answer: Sendable {
  /// A whole response of these raw bytes; the connection stays open.
  case raw([UInt8])
  /// These raw bytes, and then a proper end of the connection.
  case rawThenClose([UInt8])
  /// These raw bytes, and then nothing until the client leaves.
  case rawThenStall([UInt8])
  /// These raw bytes, and then a reset.
  case rawThenReset([UInt8])
  /// These raw bytes, and then the end of what the server sends; it reads on until the client leaves.
  case rawThenHalfClose([UInt8])
  /// These raw bytes, and then one byte after another until the client leaves.
  case rawThenTrickle([UInt8])
  /// These raw bytes, and then others again and again until the client leaves.
  case rawThenRepeat([UInt8], [UInt8])
  /// The pieces one by one, each when the gate lets it.
  case pieces([[UInt8]], Gate)
  /// The answer, once the gate is open.
  case after(Gate, Answer)

  static func ok(_ body: String = "", headers: [String] = []) -> Answer {
    status(200, Array(body.utf8), headers: headers)
  }

  static func status(_ code: Int, _ body: [UInt8] = [], headers: [String] = []) -> Answer {
    .raw(head(code, headers + ["Content-Length: \(body.count)"]) + body)
  }

  static func redirect(_ code: Int = 302, to location: String) -> Answer {
    status(code, headers: ["Location: \(location)"])
  }

  /// The bytes of a whole response.
  var bytes: [UInt8] { if case .raw(let bytes) = self { bytes } else { [] } }

  static let stall = Answer.rawThenStall([])
  static let reset = Answer.rawThenReset([])
  static let close = Answer.rawThenClose([])
  static let garbage = Answer.rawThenClose(Array("no HTTP at all\r\n\r\n".utf8))

  /// A body that is shorter than what was said of it.
  static func cut(said: Int, sent: Int) -> Answer {
    .rawThenClose(head(200, ["Content-Length: \(said)"]) + [UInt8](repeating: 120, count: sent))
  }

  /// A body in chunks of one byte each.
  static func oneByteChunks(_ count: Int) -> Answer {
    let chunks = Array(repeating: Array("1\r\nx\r\n".utf8), count: count).joined()
    return .raw(head(200, ["Transfer-Encoding: chunked"]) + chunks + Array("0\r\n\r\n".utf8))
  }

  /// Header lines without an end.
  static func headerFlood(lines: Int) -> Answer {
    .rawThenClose(
      head(200, (0..<lines).map { "X-Flood-\($0): \(String(repeating: "f", count: 80))" }))
  }

  static func head(_ code: Int, _ headers: [String]) -> [UInt8] {
    Array((["HTTP/1.1 \(code) Status"] + headers + ["", ""]).joined(separator: "\r\n").utf8)
  }
}
