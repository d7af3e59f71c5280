internal import TextFormats

/// A network's response to a request.
struct SimulatedAnswer: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8]

  init(status: Int = 200, headers: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates a JSON response.
  static func json(
    _ value: JSONValue, status: Int = 200, type: String = "application/json; charset=utf-8"
  ) -> SimulatedAnswer {
    SimulatedAnswer(status: status, headers: [("Content-Type", type)], body: value.bytes)
  }

  /// Creates an HTML response.
  static func html(_ text: String, status: Int = 200) -> SimulatedAnswer {
    SimulatedAnswer(
      status: status, headers: [("Content-Type", "text/html; charset=utf-8")],
      body: Array(text.utf8))
  }

  /// Creates a plain text response for errors of the simulator itself.
  static func plain(_ text: String, status: Int) -> SimulatedAnswer {
    SimulatedAnswer(
      status: status, headers: [("Content-Type", "text/plain; charset=utf-8")],
      body: Array((text + "\n").utf8))
  }

  /// The answer with an error in its JSON object, or instead of its list.
  var withError: SimulatedAnswer {
    guard status == 200 else { return self }
    let error = #""error":"the index is not available""#
    var answer = self
    answer.body =
      body.first == UInt8(ascii: "{") && body.count > 2
      ? Array("{\(error),".utf8) + body.dropFirst() : Array("{\(error)}".utf8)
    return answer
  }

  /// True for statuses without a body (RFC 9112, section 6.3).
  var hasNoBody: Bool { status == 204 || status == 304 }

  /// Returns the response with another header.
  func adding(_ name: String, _ value: String) -> SimulatedAnswer {
    var answer = self
    answer.headers.append((name, value))
    return answer
  }
}

/// The reason phrase after the status code, which some networks repeat in their bodies.
enum ReasonPhrase {
  /// Returns the phrase of RFC 9110 and, for 420, the first search API's own.
  static func of(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 402: "Payment Required"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 410: "Gone"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 420: "Enhance Your Calm"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    default: "Status \(status)"
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue {
  /// An empty array.
  static var emptyArray: JSONValue { .array([]) }

  /// Returns the text, or null for nil.
  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// Returns the texts as an array.
  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
