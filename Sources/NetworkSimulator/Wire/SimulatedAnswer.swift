internal import TextFormats

/// What a network says to a request.
struct SimulatedAnswer: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8]

  init(status: Int = 200, headers: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Makes an answer of JSON.
  static func json(
    _ value: JSONValue, status: Int = 200, type: String = "application/json; charset=utf-8"
  ) -> SimulatedAnswer {
    SimulatedAnswer(status: status, headers: [("Content-Type", type)], body: value.bytes)
  }

  /// Makes an answer of HTML.
  static func html(_ text: String, status: Int = 200) -> SimulatedAnswer {
    SimulatedAnswer(
      status: status, headers: [("Content-Type", "text/html; charset=utf-8")],
      body: Array(text.utf8))
  }

  /// Makes an answer of plain text, for what concerns the simulator and no network.
  static func plain(_ text: String, status: Int) -> SimulatedAnswer {
    SimulatedAnswer(
      status: status, headers: [("Content-Type", "text/plain; charset=utf-8")],
      body: Array((text + "\n").utf8))
  }

  /// Whether nothing may stand behind its headers (RFC 9112, section 6.3).
  var hasNoBody: Bool { status == 204 || status == 304 }

  /// Returns the answer with one more header.
  func adding(_ name: String, _ value: String) -> SimulatedAnswer {
    var answer = self
    answer.headers.append((name, value))
    return answer
  }
}
