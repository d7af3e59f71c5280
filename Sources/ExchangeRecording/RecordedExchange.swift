package import FoundationEssentials
package import QueuedHTTP
package import TextFormats

/// A request and how it ended, as an entry of an HTTP archive (HAR 1.2).
///
/// The custom field `_searchagg` holds the data that the format has no field for: the exact arrival and
/// the final address of a response, errors, the response that made a server's queue wait, and which step
/// of the run used it.
package struct RecordedExchange: Sendable {
  package struct Request: Sendable, Hashable {
    package var method: String
    package var url: String
    package var body: [UInt8]
  }

  package var request: Request
  /// The header fields that were sent, without those that carry secrets.
  package var headers: [HTTPHeaders.Field] = []
  package var result: Result<HTTPResponse, HTTPError>
  package var started: Date
  /// The moment at which the response arrived.
  package var arrived: Date
  /// A response that asked for a pause.
  package struct Pause: Sendable {
    package var response: HTTPResponse
    package var moment: Date
    /// Its place among all pauses of the run; nil for that of another request on the lane.
    package var number: Int?
    /// The last step of the run before it.
    package var after = -1
  }

  /// The first pause that the request was asked for; or the latest one on its lane, where it ended because
  /// of that.
  package var pause: Pause?
  /// The lane of a login; nil for any other request.
  package var loginLane: String?
  /// Its place among all exchanges by arrival; nil in an archive of another program.
  package var number: Int?
  /// The place in the plan of the search that it was made for; nil for a request of several searches.
  package var search: Int?
  /// The step of the run that used the response; nil where another request followed before that.
  package var step: Int?
  /// True if the response came after the end of the run.
  package var isIgnored = false
  /// The events between the earlier steps and this exchange.
  package var events: [RunEvent] = []
  /// The secrets in the fields of a login, which are not recorded; its response may repeat them.
  private var loginSecrets: [String] = []

  package init(
    request: Request, result: Result<HTTPResponse, HTTPError>, started: Date, arrived: Date
  ) {
    self.request = request
    self.result = result
    self.started = started
    self.arrived = arrived
  }

  /// True if a replay delivers the response when its turn has come.
  var hasTurn: Bool { !isCancelled && !isIgnored && !isSuccessfulLogin }

  /// True if it belongs to no search, such as a question about a server's software: a replay delivers it at once, and
  /// nothing waits for it.
  var isUnordered: Bool { search == nil && number != nil && loginLane == nil }

  /// True if the run itself canceled the request.
  var isCancelled: Bool {
    if case .failure(let error) = result { error.code == .cancelled } else { false }
  }
}

extension RecordedExchange {
  /// The exchange as one of secrets, of which only the result is recorded.
  ///
  /// - Parameter names: Fields with secrets, besides those that always are.
  func asLogin(on lane: Lane?, hiding names: Set<String>) -> RecordedExchange {
    var login = self
    login.loginSecrets = secrets(in: names)
    login.request.body = []
    login.headers = []
    login.loginLane = lane?.rawValue ?? ""
    if case .success(let response) = result, response.isSuccess, response.mayHoldSession {
      login.result = .success(
        HTTPResponse(status: response.status, headers: HTTPHeaders(), body: HTTPBody([]), url: ""))
    }
    return login
  }

  /// True for a login that succeeded, which a replay need not repeat.
  var isSuccessfulLogin: Bool {
    guard loginLane != nil, case .success(let response) = result else { return false }
    return response.isSuccess && response.body.count == 0
  }
}

extension HTTPResponse {
  /// False for a page or other bytes in the place of a session, which are JSON; they have no secrets.
  fileprivate var mayHoldSession: Bool {
    let first = body.bytes.first { !" \t\r\n".utf8.contains($0) }
    return first == nil || first == UInt8(ascii: "{")
  }
}

// MARK: - Writing

extension RecordedExchange {
  /// Header fields that carry secrets, in lower case, besides those that a request names itself.
  private static let secretFields: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key",
  ]

  private static func secretFields(and names: Set<String>) -> Set<String> {
    secretFields.union(names.lazy.map { $0.lowercased() })
  }

  /// The secrets in header fields, recorded or not: credentials without their scheme, and the values of cookies.
  func secrets(in names: Set<String>) -> [String] {
    let hidden = Self.secretFields(and: names)
    return loginSecrets
      + headers.flatMap { field -> [Substring] in
        let (name, value) = (field.name.lowercased(), field.value[...])
        switch name {
        case _ where !hidden.contains(name): return []
        case "authorization", "proxy-authorization":
          return value.split(separator: " ", maxSplits: 1).suffix(1)
        case "cookie":
          return value.split(separator: ";").compactMap { pair in
            pair.split(separator: "=", maxSplits: 1).dropFirst().first
          }
        default: return [value]
        }
      }.map(String.init)
  }

  /// The entry as one line of JSON.
  ///
  /// - Parameters:
  ///   - redaction: Hides secrets in addresses, header fields and bodies.
  ///   - secretHeaders: Further names of fields whose values are hidden.
  package func entry(redaction: Redaction, secretHeaders: Set<String> = []) -> [UInt8] {
    let hidden = Self.secretFields(and: secretHeaders)
    let fields = { (fields: [HTTPHeaders.Field]) in
      Self.value(of: fields, hiding: hidden, redaction: redaction)
    }
    let url = redaction.apply(to: request.url)
    let milliseconds = Int(arrived.timeIntervalSince(started) * 1000)
    var requestMembers: [JSONMember] = [
      JSONMember("method", .string(request.method)), JSONMember("url", .string(url)),
      JSONMember("httpVersion", .string("HTTP/1.1")), JSONMember("cookies", .array([])),
      JSONMember("headers", fields(headers)), JSONMember("queryString", .array([])),
      JSONMember("headersSize", .integer(-1)), JSONMember("bodySize", .integer(request.body.count)),
    ]
    if !request.body.isEmpty {
      let text = String(decoding: redaction.apply(to: request.body), as: UTF8.self)
      requestMembers.append(
        JSONMember("postData", .members(["mimeType": .string(""), "text": .string(text)])))
    }
    var own = ownMembers(redaction: redaction, fields: fields)
    let response: JSONValue
    switch result {
    case .success(let answer):
      response = Self.response(
        status: answer.status, version: answer.version?.description ?? "",
        headers: fields(answer.headers.fields),
        content: Self.content(redaction.apply(to: answer.body.bytes)))
      own.append(JSONMember("url", .string(redaction.apply(to: answer.url))))
    case .failure(let error):
      response = Self.response(
        status: 0, version: "", headers: .array([]), content: Self.content([]))
      own.append(JSONMember("error", Self.value(of: error, redaction: redaction)))
    }
    let entry = JSONValue.members([
      "startedDateTime": .string(RFC3339.format(started)), "time": .integer(milliseconds),
      "request": .object(requestMembers), "response": response, "cache": .object([]),
      "timings": .members([
        "send": .integer(0), "wait": .integer(milliseconds), "receive": .integer(0),
      ]),
      "_searchagg": .object(own),
    ])
    return entry.bytes
  }

  /// The members that the format does not know.
  private func ownMembers(
    redaction: Redaction, fields: ([HTTPHeaders.Field]) -> JSONValue
  ) -> [JSONMember] {
    // A date of the format has milliseconds only.
    var own = [JSONMember("arrived", .number("\(arrived.timeIntervalSince1970)"))]
    if let pause {
      own.append(
        JSONMember(
          "pause",
          .members([
            "status": .integer(pause.response.status),
            "headers": fields(pause.response.headers.fields),
            "content": Self.content(redaction.apply(to: pause.response.body.bytes)),
            "moment": .number("\(pause.moment.timeIntervalSince1970)"),
            "number": pause.number.map { .integer($0) }, "step": .integer(pause.after),
          ])))
    }
    if let loginLane { own.append(JSONMember("login", .string(loginLane))) }
    if let number { own.append(JSONMember("number", .integer(number))) }
    if let search { own.append(JSONMember("search", .integer(search))) }
    if let step { own.append(JSONMember("step", .integer(step))) }
    if isIgnored { own.append(JSONMember("ignored", .bool(true))) }
    if !events.isEmpty { own.append(JSONMember("after", RunEvent.json(events))) }
    return own
  }

  private static func value(
    of fields: [HTTPHeaders.Field], hiding hidden: Set<String>, redaction: Redaction
  ) -> JSONValue {
    .array(
      fields.map { field in
        let isHidden = hidden.contains(field.name.lowercased())
        return .members([
          "name": .string(field.name),
          "value": .string(isHidden ? Redaction.mark : redaction.apply(to: field.value)),
        ])
      })
  }

  private static func response(
    status: Int, version: String, headers: JSONValue, content: JSONValue
  ) -> JSONValue {
    .members([
      "status": .integer(status), "statusText": .string(""), "httpVersion": .string(version),
      "cookies": .array([]), "headers": headers, "content": content, "redirectURL": .string(""),
      "headersSize": .integer(-1), "bodySize": .integer(-1),
    ])
  }

  /// A body as text where it is UTF-8, else in Base64.
  private static func content(_ bytes: [UInt8]) -> JSONValue {
    let text = String(validating: bytes, as: UTF8.self)
    return .members([
      "size": .integer(bytes.count), "mimeType": .string(""),
      "text": .string(text ?? Data(bytes).base64EncodedString()),
      "encoding": text == nil ? .string("base64") : nil,
    ])
  }

  private static func value(of error: HTTPError, redaction: Redaction) -> JSONValue {
    .members([
      "code": .string(error.code.rawValue), "reason": .string(redaction.apply(to: error.reason)),
      "address": .string(redaction.apply(to: error.address)),
      "connected": .bool(error.hasConnected), "answered": .bool(error.hasAnswered),
      "retryMoment": error.retryMoment.map { .number("\($0.timeIntervalSince1970)") },
    ])
  }
}

extension HTTPBody {
  fileprivate var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}

// MARK: - Reading

extension RecordedExchange {
  /// The largest body that is read; a run accepts no larger one from a server either.
  private static let largestBody = 32 << 20
  /// More than fit into the longest header that is read.
  private static let mostHeaders = 1 << 16
  private static let ownKeys = [
    "arrived", "url", "pause", "error", "login", "number", "search", "step", "ignored", "after",
  ]

  /// Reads an entry of an archive.
  package init(reading entry: JSONEntry) throws(DocumentError) {
    let members = try Self.members(
      of: entry, ["startedDateTime", "request", "response", "_searchagg"])
    let request = try Self.members(
      of: try Self.required("request", members, entry), ["method", "url", "postData"])
    let requestEntry = members["request"] ?? entry
    let method = try Self.required("method", request, requestEntry)
    let url = try Self.required("url", request, requestEntry)
    var body: [UInt8] = []
    if let data = request["postData"], let text = try Self.members(of: data, ["text"])["text"] {
      body = Array(try text.string(expected: "a string", allowsEmpty: true).utf8)
    }
    self.request = Request(
      method: try method.string(expected: "a method"), url: try url.string(expected: "an address"),
      body: body)
    let date = try Self.required("startedDateTime", members, entry)
    guard let started = RFC3339.parse(try date.string(expected: "a date")) else {
      throw date.fault(expected: "a date such as 2026-11-22T08:00:00Z")
    }
    self.started = started
    var own: [String: JSONEntry] = [:]
    if let entry = members["_searchagg"] {
      own = try Self.members(of: entry, Self.ownKeys)
    }
    arrived = own["arrived"].flatMap { Self.date($0) } ?? started
    if let pause = own["pause"] {
      // Earlier versions did not write when it was asked for.
      let members = try Self.members(of: pause, ["moment", "number", "step"])
      let moment = members["moment"].flatMap { Self.date($0) }
      self.pause = Pause(
        response: try Self.response(pause, url: self.request.url), moment: moment ?? started,
        number: try members["number"]?.integer(in: 0...Int.max),
        after: try members["step"]?.integer(in: -1...Int.max) ?? -1)
    }
    number = try own["number"]?.integer(in: 0...Int.max)
    search = try own["search"]?.integer(in: 0...Int.max)
    step = try own["step"]?.integer(in: 0...Int.max)
    isIgnored = try own["ignored"]?.bool() ?? false
    events = try own["after"].map(RunEvent.list) ?? []
    loginLane = try own["login"]?.string(expected: "a lane", allowsEmpty: true)
    if let error = own["error"] {
      result = .failure(try Self.error(error))
    } else {
      let url = try own["url"]?.string(expected: "an address", allowsEmpty: true)
      result = .success(
        try Self.response(
          try Self.required("response", members, entry), url: url ?? self.request.url))
    }
  }

  /// Archives have many more members than these.
  private static func members(
    of entry: JSONEntry, _ keys: [String]
  ) throws(DocumentError) -> [String: JSONEntry] {
    try entry.object(knowing: keys, ignoresUnknown: true, expected: "an object")
  }

  private static func required(
    _ key: String, _ members: [String: JSONEntry], _ entry: JSONEntry
  ) throws(DocumentError) -> JSONEntry {
    guard let member = members[key] else { throw entry.fault("missing", at: key) }
    return member
  }

  private static func date(_ entry: JSONEntry) -> Date? {
    guard case .number(let spelling) = entry.value else { return nil }
    return Double(spelling).flatMap(EpochTime.exactDate)
  }

  private static func response(
    _ entry: JSONEntry, url: String
  ) throws(DocumentError) -> HTTPResponse {
    let members = try members(of: entry, ["status", "headers", "content"])
    let status = try required("status", members, entry).integer(in: 100...999)
    var headers = HTTPHeaders()
    let fields = try members["headers"]?.elements(expected: "a list of header fields") ?? []
    guard fields.count <= mostHeaders else {
      throw entry.fault(expected: "at most \(mostHeaders) header fields")
    }
    for field in fields {
      let members = try self.members(of: field, ["name", "value"])
      headers.append(
        try required("name", members, field).string(expected: "a name"),
        try required("value", members, field).string(expected: "a value", allowsEmpty: true))
    }
    let body = try members["content"].map { content throws(DocumentError) in
      try self.body(content)
    }
    return HTTPResponse(status: status, headers: headers, body: HTTPBody(body ?? []), url: url)
  }

  private static func body(_ content: JSONEntry) throws(DocumentError) -> [UInt8] {
    let members = try members(of: content, ["text", "encoding"])
    guard let text = members["text"] else { return [] }
    let bytes = try text.string(expected: "a string", allowsEmpty: true).utf8
    guard bytes.count <= largestBody * 4 / 3 + 4 else {
      throw text.fault("larger than \(largestBody >> 20) MiB")
    }
    guard members["encoding"]?.value == .string("base64") else { return Array(bytes) }
    guard let data = Data(base64Encoded: Data(bytes)) else { throw text.fault("not Base64") }
    return Array(data)
  }

  private static func error(_ entry: JSONEntry) throws(DocumentError) -> HTTPError {
    let members = try members(
      of: entry, ["code", "reason", "address", "connected", "answered", "retryMoment"])
    var timings = Timings()
    timings.reusedConnection = try members["connected"]?.bool() ?? false
    // Older recordings do not say; in their runs a connection was enough.
    let hasAnswered = try members["answered"]?.bool() ?? timings.reusedConnection
    if hasAnswered { timings.firstByte = .nanoseconds(1) }
    return HTTPError(
      HTTPError.Code(
        rawValue: try required("code", members, entry).string(expected: "a code")),
      reason: try required("reason", members, entry).string(expected: "a reason"),
      address: try members["address"]?.string(expected: "an address", allowsEmpty: true) ?? "",
      retryMoment: members["retryMoment"].flatMap { date($0) }, timings: timings)
  }
}
