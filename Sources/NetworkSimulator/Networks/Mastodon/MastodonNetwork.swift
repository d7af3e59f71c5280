internal import TextFormats

/// A Mastodon server. Two of them hold many of the same posts under ids of their own. A third runs
/// Takahē, which finds no words, like Mastodon without Elasticsearch, and rejects a token with 400. A fourth
/// lists nothing under hashtags, which only its settings tell.
///
/// <https://docs.joinmastodon.org/methods/timelines/#tag>
struct MastodonNetwork: MastodonAPI {
  let name: String
  /// The server's domain.
  let domain: String
  var software = "mastodon"
  var listsHashtags = true

  private var isTakahe: Bool { software == "takahe" }

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    let nodeInfo = NodeInfoDocument(
      software: software, version: isTakahe ? "0.11.0" : "4.6.1")
    if let document = nodeInfo.answer(to: request) { return document }
    let route = request.route
    if route == ["api", "v2", "instance"], !isTakahe, request.method == "GET" { return settings }
    let isTimeline = isTimeline(route)
    guard isTimeline || route == ["api", "v2", "search"] else { return refusal(404, to: request) }
    guard request.method == "GET" else { return refusal(404, to: request) }
    if request.header("authorization") != nil,
      request.bearerToken != world.credentials.mastodonAccessToken
    {
      return isTakahe
        ? .html("Invalid Bearer token", status: 400) : refusal(401, to: request)
    }
    return isTimeline ? timeline(route[4], request, in: world) : search(request, in: world)
  }

  /// The settings that concern searches.
  ///
  /// <https://docs.joinmastodon.org/entities/Instance/>
  private var settings: SimulatedAnswer {
    let access = JSONValue.string(listsHashtags ? "public" : "disabled")
    let feeds = JSONValue.members(["local": access, "remote": access])
    return .json(
      .members([
        "domain": .string(domain), "title": .string(domain), "version": "4.6.1",
        "configuration": .members(["timelines_access": .members(["hashtag_feeds": feeds])]),
      ]))
  }

  private func timeline(
    _ tag: String, _ request: SimulatedRequest, in world: SimulatedWorld
  ) -> SimulatedAnswer {
    guard listsHashtags else { return .json(.emptyArray) }
    let parameters = Parameters(request.query)
    let range = MastodonRange(parameters)
    let none = Set(parameters.all("none").prefix(4).map { $0.lowercased() })
    let all = parameters.all("all").prefix(4).map { $0.lowercased() }
    let found = statuses(QueryTerms("#" + tag), in: world).filter { status in
      let tags = Set(status.tags.map { $0.lowercased() })
      return status.isOpen && none.isDisjoint(with: tags) && tags.isSuperset(of: all)
        && !(parameters.isOn("local") && !status.isLocal)
        && !(parameters.isOn("remote") && status.isLocal)
        && !(parameters.isOn("only_media") && !status.post.hasImage)
    }
    let page = range.page(of: found, in: world)
    let isFirstTry = parameters["retry"] == nil
    let isEmpty = world.paging == .emptyPages && isFirstTry && !page.isEmpty
    let items = world.items(
      isEmpty ? [] : page.map(\.json), id: "id", text: ["content"], date: "created_at")
    let answer = SimulatedAnswer.json(.array(items))
    // An empty page is the end, and has no links.
    let repeats = isEmpty || world.paging == .repeatedPages && isFirstTry
    if !page.isEmpty, let link = Self.faultyLink(request, in: world, repeats: repeats) {
      return answer.adding("Link", link)
    }
    guard let newest = page.first, let oldest = page.last else { return answer }
    return answer.adding(
      "Link", range.links(newest: newest.id, oldest: oldest.id, request: request))
  }

  /// The `Link` header of a paging fault: to the same page, with a parameter that only this server
  /// knows, or to nowhere.
  private static func faultyLink(
    _ request: SimulatedRequest, in world: SimulatedWorld, repeats: Bool
  ) -> String? {
    let base = "http://\(request.host)\(request.path)"
    if repeats { return "<\(base)?\(request.query)&retry=1>; rel=\"next\"" }
    switch world.paging {
    case .deadCursor: return "<\(base)>; rel=\"next\""
    case .selfCursor where Parameters(request.query)["max_id"] != nil:
      return "<\(base)?\(request.query)>; rel=\"next\""
    default: return nil
    }
  }

  private func search(_ request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    let parameters = Parameters(request.query)
    guard let query = parameters["q"], !query.isEmpty else {
      return fault("param is missing or the value is empty: q", status: 400)
    }
    let isAnonymous = request.bearerToken == nil
    let offset = max(0, parameters.integer("offset") ?? 0)
    if isAnonymous, offset > 0 {
      return fault(
        "Search queries pagination is not supported without authentication", status: 401)
    }
    let type = parameters["type"]
    var page: [MastodonStatus] = []
    // Without a token there is silence, not an error.
    if !isAnonymous, !isTakahe, type == nil || type == "statuses" {
      let found = statuses(QueryTerms(query), in: world)
      page = MastodonRange(parameters).page(of: Array(found.dropFirst(type == nil ? 0 : offset)))
    }
    let items = world.items(page.map(\.json), id: "id", text: ["content"], date: "created_at")
    return .json(
      .members([
        "accounts": .emptyArray, "statuses": .array(items), "hashtags": .emptyArray,
        "collections": .emptyArray,
      ]))
  }

  private func statuses(_ terms: QueryTerms, in world: SimulatedWorld) -> [MastodonStatus] {
    let known = world.posts(terms, network: "mastodon").map { MastodonStatus($0, on: domain) }
      .filter(\.isKnownHere)
    return world.paging == .oneMoment ? known.sorted { $0.id > $1.id } : known
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    switch status {
    case 401: fault("The access token is invalid", status: status)
    case 403: fault("This action is not allowed", status: status)
    case 404: fault("Record not found", status: status)
    case 422: fault("Validation failed", status: status)
    case 429: fault("Too many requests", status: status)
    case 503:
      fault(
        "There was a temporary problem serving your request, please try again", status: status)
    default: fault(ReasonPhrase.of(status), status: status)
    }
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    refusal(429, to: request).adding("X-RateLimit-Limit", "300")
      .adding("X-RateLimit-Remaining", "0")
      .adding("X-RateLimit-Reset", DateForms.microseconds(wait.end))
  }
}

/// A server that speaks Mastodon's API, with the same paths, errors and quotas.
protocol MastodonAPI: SimulatedNetwork {}

extension MastodonAPI {
  /// Returns true for the path of a hashtag's timeline.
  func isTimeline(_ route: [String]) -> Bool {
    route.count == 5 && Array(route.prefix(4)) == ["api", "v1", "timelines", "tag"]
  }

  func fault(_ message: String, status: Int) -> SimulatedAnswer {
    .json(.members(["error": .string(message)]), status: status)
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: name + " " + (request.bearerToken ?? ""), limit: 300, seconds: 300)
  }

  func headers(
    stating level: QuotaLevel, for request: SimulatedRequest
  ) -> [(name: String, value: String)] {
    [
      ("X-RateLimit-Limit", "\(level.quota.limit)"),
      ("X-RateLimit-Remaining", "\(level.remaining)"),
      ("X-RateLimit-Reset", DateForms.microseconds(level.reset)),
    ]
  }
}

/// Which part of a list is asked for, by ids, as all of Mastodon's lists do it.
struct MastodonRange: Sendable {
  private let parameters: Parameters
  private let limit: Int

  private static let defaultLimit = 20
  private static let most: UInt = 40

  init(_ parameters: Parameters) {
    self.parameters = parameters
    // Large limits are capped silently; invalid numbers count as zero, as in Ruby.
    limit =
      parameters["limit"].map { Int(min((Int($0) ?? 0).magnitude, Self.most)) } ?? Self.defaultLimit
  }

  private func id(_ name: String) -> UInt64? {
    parameters[name].map { UInt64($0.prefix { $0.isASCII && $0.isNumber }) ?? 0 }
  }

  /// Returns the page of `found`; of two posts one was filtered after paging, if pages are short.
  func page(of found: [MastodonStatus], in world: SimulatedWorld) -> [MastodonStatus] {
    let page = page(of: found)
    return world.paging == .shortPages ? Array(page.prefix((page.count + 1) / 2)) : page
  }

  /// Returns the page of `found`, which must be newest first.
  func page(of found: [MastodonStatus]) -> [MastodonStatus] {
    var inside = found[...]
    if let most = id("max_id") { inside = inside.drop { $0.id >= most } }
    if let least = id("min_id") {
      // The page just above an id; `since_id` is the newest page above it.
      return Array(inside.prefix { $0.id > least }.suffix(limit))
    }
    if let least = id("since_id") { inside = inside.prefix { $0.id > least } }
    return Array(inside.prefix(limit))
  }

  /// Returns the `Link` header of a page.
  func links(newest: UInt64, oldest: UInt64, request: SimulatedRequest) -> String {
    let kept = parameters.pairs.filter {
      !["max_id", "since_id", "min_id", "retry"].contains($0.name)
    }
    .map { "\(PercentDecoding.encode($0.name))=\(PercentDecoding.encode($0.value))&" }.joined()
    let base = "http://\(request.host)\(request.path)?\(kept)"
    return "<\(base)max_id=\(oldest)>; rel=\"next\", <\(base)min_id=\(newest)>; rel=\"prev\""
  }
}
