internal import TextFormats

/// Stack Exchange's search for questions. A query that begins with `backoff` is answered, and asks
/// for a second without requests, or with `backoff150` for so many.
///
/// <https://api.stackexchange.com/docs/advanced-search>
struct StackExchangeNetwork: SimulatedNetwork {
  let name = "stackexchange"

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.route == ["2.3", "search", "advanced"], request.method == "GET" else {
      return StackExchangeFault.noMethod.answer
    }
    do throws(StackExchangeFault) {
      let parameters = Parameters(request.query)
      if let key = parameters["key"], key != world.credentials.stackExchangeKey {
        throw StackExchangeFault.badParameter("`key` doesn't match a known application")
      }
      let search = try StackExchangeSearch(parameters)
      return .json(search.page(in: world))
    } catch {
      return error.answer
    }
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    switch status {
    case 400: StackExchangeFault.badParameter("page").answer(status: status)
    case 401: StackExchangeFault.wantsToken.answer(status: status)
    case 404: StackExchangeFault.noMethod.answer(status: status)
    case 429: StackExchangeFault.throttled(seconds: 60).answer(status: status)
    case 503: StackExchangeFault.unavailable.answer(status: status)
    default: StackExchangeFault.broken.answer(status: status)
    }
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    StackExchangeFault.throttled(seconds: wait.seconds).answer
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    let key = Parameters(request.query)["key"]
    return Quota(
      key: "stackexchange " + (key ?? ""), limit: key == nil ? 300 : 10_000, seconds: 86_400)
  }
}

/// A search of Stack Exchange with its parameters checked.
struct StackExchangeSearch: Sendable {
  private let site: String
  private let query: String
  private let parameters: Parameters
  private let size: Int
  private let number: Int
  private let moments: ClosedRange<Int>

  private static let sites = ["stackoverflow", "superuser", "serverfault", "askubuntu", "unix"]
  private static let parametersThatChoose = [
    "q", "title", "body", "tagged", "accepted", "answers", "closed", "user", "url", "views",
  ]

  init(_ parameters: Parameters) throws(StackExchangeFault) {
    self.parameters = parameters
    guard let site = parameters["site"], !site.isEmpty else {
      throw .badParameter("site is required")
    }
    guard Self.sites.contains(site) else {
      throw .badParameter("No site found for name `\(site)`")
    }
    self.site = site
    guard Self.parametersThatChoose.contains(where: { parameters[$0]?.isEmpty == false }) else {
      throw .badParameter("one of q, title, tagged… must be set")
    }
    guard ["activity", "creation", "votes", "relevance"].contains(parameters["sort"] ?? "activity")
    else { throw .badParameter("sort") }
    size = try Self.integer("pagesize", 30, 0...100, in: parameters)
    // Beyond that a key is needed.
    number = try Self.integer(
      "page", 1, 1...(parameters["key"] == nil ? 25 : 100_000), in: parameters)
    let start = try Self.integer("fromdate", Int.min, Int.min...Int.max, in: parameters)
    let end = try Self.integer("todate", Int.max, Int.min...Int.max, in: parameters)
    moments = start...max(start, end)
    let tags = (parameters["tagged"] ?? "").split(separator: ";").joined(separator: " ")
    let words = (parameters["q"] ?? "").filter { $0 != "[" && $0 != "]" }
    query = [tags, words].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func integer(
    _ name: String, _ defaultValue: Int, _ range: ClosedRange<Int>, in parameters: Parameters
  ) throws(StackExchangeFault) -> Int {
    guard let text = parameters[name] else { return defaultValue }
    guard let number = Int(text), range.contains(number) else { throw .badParameter(name) }
    return number
  }

  /// The seconds without requests that its answers ask for.
  private var backOff: Int? {
    guard query.hasPrefix("backoff") else { return nil }
    let digits = query.dropFirst("backoff".count).prefix { $0.isASCII && $0.isNumber }
    return digits.isEmpty ? 1 : Int(digits)
  }

  /// Returns the page that the search asks for.
  func page(in world: SimulatedWorld) -> JSONValue {
    var found = world.posts(QueryTerms(query), network: "stackexchange " + site)
      .filter { moments.contains($0.seconds) && isChosen($0) }
    if parameters["sort"] != "creation" {
      found = found.byRelevance
    }
    if parameters["order"] == "asc" { found.reverse() }
    let page = world.cut(found, at: (number - 1) * size, size: size)
    let items = world.items(
      page.shown.map(json), id: "question_id", text: ["title"], date: "creation_date")
    return .members([
      "items": .array(items), "has_more": .bool(page.next != nil),
      "quota_max": .integer(parameters["key"] == nil ? 300 : 10_000),
      "quota_remaining": .integer(287),
      "backoff": (backOff ?? (world.paging == .pauses ? 1 : nil)).map { .integer($0) },
    ])
  }

  /// Returns true for a post without excluded tags, by the requested author.
  private func isChosen(_ post: CorpusPost) -> Bool {
    let left = (parameters["nottagged"] ?? "").split(separator: ";").map { $0.lowercased() }
    if post.hashtags.contains(where: { left.contains($0.lowercased()) }) { return false }
    return parameters["user"].map { $0 == "\(post.author.mark % 20_000_000)" } ?? true
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let id = 70_000_000 + post.mark % 900_000_000
    let host = site == "unix" ? "unix.stackexchange.com" : "\(site).com"
    let edited = post.shape == .edited ? JSONValue.integer(post.seconds + 300) : nil
    return .members([
      "tags": .texts(post.hashtags), "owner": owner(post, host: host),
      "is_answered": .bool(post.replies > 3), "view_count": .integer(post.reposts * 40),
      "answer_count": .integer(post.replies),
      // What is disliked is below nothing.
      "score": .integer(post.likes / 10 - 5), "last_activity_date": .integer(post.seconds + 400),
      "creation_date": .integer(post.seconds), "last_edit_date": edited,
      "question_id": .integer(id), "content_license": "CC BY-SA 4.0",
      "link": .string("https://\(host)/questions/\(id)/some-words-of-the-title"),
      "title": .string(Markup.escaped(post.title)),
      "body": parameters["filter"] == "withbody" ? .string(Markup.paragraphs(post.pieces)) : nil,
    ])
  }

  private func owner(_ post: CorpusPost, host: String) -> JSONValue {
    let name = post.author.name.isEmpty ? post.author.handle : post.author.name
    let id = post.author.mark % 20_000_000
    guard !post.has(51, percent: 4) else {
      return .members(["user_type": "does_not_exist", "display_name": .string("user\(id)")])
    }
    return .members([
      "account_id": .integer(id + 7), "reputation": .integer(post.author.mark % 90_000),
      "user_id": .integer(id), "user_type": "registered",
      "display_name": .string(Markup.escaped(name)),
      "link": .string("https://\(host)/users/\(id)/\(post.author.handle)"),
    ])
  }
}

/// A refusal of Stack Exchange: the number is its own, the status nearly always 400.
struct StackExchangeFault: Error {
  let id: Int
  let name: String
  let message: String

  static let noMethod = StackExchangeFault(
    id: 404, name: "no_method", message: "this method cannot be called")
  static let wantsToken = StackExchangeFault(
    id: 401, name: "access_token_required", message: "an access token is required")
  static let unavailable = StackExchangeFault(
    id: 503, name: "temporarily_unavailable", message: "the API is unavailable for a while")
  static let broken = StackExchangeFault(
    id: 500, name: "internal_error", message: "an unexpected error occurred")

  static func badParameter(_ message: String) -> StackExchangeFault {
    StackExchangeFault(id: 400, name: "bad_parameter", message: message)
  }

  static func throttled(seconds: Int) -> StackExchangeFault {
    StackExchangeFault(
      id: 502, name: "throttle_violation",
      message: "too many requests from this IP, more requests available in \(seconds) seconds")
  }

  var answer: SimulatedAnswer { answer(status: 400) }

  func answer(status: Int) -> SimulatedAnswer {
    .json(
      .members([
        "error_id": .integer(id), "error_message": .string(message), "error_name": .string(name),
      ]), status: status)
  }
}
