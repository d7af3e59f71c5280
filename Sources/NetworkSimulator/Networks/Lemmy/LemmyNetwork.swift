internal import TextFormats

/// A Lemmy server of one version.
///
/// <https://join-lemmy.org/docs/contributors/04-api.html>
struct LemmyNetwork: SimulatedNetwork {
  /// The versions whose answers differ.
  enum Version: Sendable, Hashable {
    /// 0.18: dates without a zone.
    case early
    /// 0.19.
    case present
    /// 1.0: another address, other names, cursors, and what is left of API v3.
    case later

    /// As the server names it.
    var number: String {
      switch self {
      case .early: "0.18.5"
      case .present: "0.19.20"
      case .later: "1.0.0-beta.1"
      }
    }
  }

  let name: String
  let version: Version

  private static let most = 50
  private static let lastPage = 100

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    let nodeInfo = NodeInfoDocument(software: "lemmy", version: version.number)
    if let document = nodeInfo.answer(to: request) { return document }
    let isLater = version == .later && request.route == ["api", "v4", "search"]
    // What has no handler is answered by the web framework, with nothing.
    guard request.method == "GET", request.route.count == 3,
      request.route.starts(with: ["api", "v3"]) || isLater
    else { return SimulatedAnswer(status: 404, headers: [], body: []) }
    if request.route[2] == "site" { return site }
    guard request.route[2] == "search" else {
      return SimulatedAnswer(status: 404, headers: [], body: [])
    }
    let parameters = Parameters(request.query)
    if version == .later, !isLater { return shim(parameters, in: world) }
    let limit = parameters.integer("limit") ?? (version == .later ? 20 : 10)
    guard (1...Self.most).contains(limit) else {
      return fault("unknown", message: "Fetch limit is > \(Self.most)", status: 400)
    }
    return version == .later
      ? later(parameters, limit, in: world) : earlier(parameters, limit, in: world)
  }

  private var site: SimulatedAnswer {
    // Version 1.0 has kept the route for clients that look for its version.
    if version == .later {
      return .json(.members(["version": .string(version.number)]), type: "application/json")
    }
    return .json(
      .members([
        "site_view": .members(["site": .members(["id": .integer(1), "name": "Links"])]),
        "admins": .emptyArray, "version": .string(version.number), "all_languages": .emptyArray,
      ]), type: "application/json")
  }

  /// The response of 1.0 to a search by API v3, of which it reads only the words.
  private func shim(_ parameters: Parameters, in world: SimulatedWorld) -> SimulatedAnswer {
    guard let query = parameters["q"] else {
      return fault("unknown", message: "missing field `q`", status: 400)
    }
    let found = Array(hottest(posts(QueryTerms(query), in: world, as: .present)).prefix(20))
    return .json(
      .members([
        "type_": "All", "comments": .emptyArray, "posts": .array(items(found, in: world)),
        "communities": .emptyArray, "users": .emptyArray,
      ]), type: "application/json")
  }

  /// Posts by their score and age, the pinned ones first.
  private func hottest(_ posts: [LemmyPost]) -> [LemmyPost] {
    pinnedFirst(posts.sorted { ($0.post.likes, $0.post.mark) > ($1.post.likes, $1.post.mark) })
  }

  /// Pinned posts come before all others, whatever the order is.
  private func pinnedFirst(_ posts: [LemmyPost]) -> [LemmyPost] {
    posts.filter(\.isPinned) + posts.filter { !$0.isPinned }
  }

  private func earlier(
    _ parameters: Parameters, _ limit: Int, in world: SimulatedWorld
  ) -> SimulatedAnswer {
    guard let query = parameters["q"] else { return .plain("missing field `q`", status: 400) }
    let type = parameters["type_"] ?? "All"
    guard ["All", "Comments", "Posts", "Communities", "Users", "Url"].contains(type) else {
      return .plain("unknown variant `\(type)`", status: 400)
    }
    let sort = parameters["sort"] ?? "Active"
    guard ["Active", "Hot", "New", "Old", "TopAll", "MostComments"].contains(sort) else {
      return .plain("unknown variant `\(sort)`", status: 400)
    }
    let number = parameters.integer("page") ?? 1
    guard (1...Self.lastPage).contains(number) else {
      return fault("unknown", message: "Page is > \(Self.lastPage)", status: 400)
    }
    var found = type == "Posts" || type == "All" ? posts(QueryTerms(query), in: world) : []
    switch sort {
    case "New": break
    case "Old": found.reverse()
    default: found.sort { ($0.post.likes, $0.post.mark) > ($1.post.likes, $1.post.mark) }
    }
    let page = world.cut(
      pinnedFirst(found), at: (number - 1) * limit, size: limit, namesNext: false
    ).shown
    return .json(
      .members([
        "type_": .string(type), "comments": .emptyArray,
        "posts": .array(items(page, in: world)), "communities": .emptyArray, "users": .emptyArray,
      ]), type: "application/json")
  }

  private func later(
    _ parameters: Parameters, _ limit: Int, in world: SimulatedWorld
  ) -> SimulatedAnswer {
    let type = parameters["type_"] ?? "all"
    guard ["all", "comments", "posts", "communities", "users", "multi_communities"].contains(type)
    else { return fault("unknown", message: "unknown variant `\(type)`", status: 400) }
    guard let query = parameters["search_term"] else {
      return fault("unknown", message: "missing field `search_term`", status: 400)
    }
    var offset = 0
    if let cursor = parameters["page_cursor"] {
      guard cursor.hasPrefix("P"), let number = Int(cursor.dropFirst(), radix: 16) else {
        return fault("couldnt_parse_pagination_token", status: 400)
      }
      offset = number
    }
    let all = type == "posts" || type == "all" ? posts(QueryTerms(query), in: world) : []
    // Strangers are shown nothing else unless they ask.
    var found = hottest(all.filter { parameters["show_nsfw"] == "true" || !$0.post.isSensitive })
    if let seconds = parameters["time_range_seconds"] {
      guard let seconds = Int32(seconds) else {
        return fault("unknown", message: "invalid digit found in string", status: 400)
      }
      found = found.filter { $0.post.milliseconds > world.now - Int(seconds) * 1000 }
    }
    let page = world.cut(found, at: offset, size: limit)
    return .json(
      .members([
        "comments": .emptyArray, "posts": .array(items(page.shown, in: world)),
        "communities": .emptyArray, "multi_communities": .emptyArray, "persons": .emptyArray,
        "next_page": world.cursor(page.next.map { "P" + String($0, radix: 16) }),
        "prev_page": parameters["page_cursor"] == nil ? nil : .string("B\(offset)"),
      ]), type: "application/json")
  }

  private func posts(
    _ terms: QueryTerms, in world: SimulatedWorld, as version: Version? = nil
  ) -> [LemmyPost] {
    world.posts(terms, network: "lemmy").map { post in
      // The search is for a text: now and then it is found within longer words alone.
      LemmyPost(
        post.has(44, percent: 10) ? post.hiding(terms.words) : post,
        version: version ?? self.version, server: name)
    }
  }

  /// The posts as they are sent: under `broken-item` it is the inner post that is broken.
  private func items(_ posts: [LemmyPost], in world: SimulatedWorld) -> [JSONValue] {
    let inner = world.items(posts.map(\.json), id: "id", text: ["name"], date: "published")
    return zip(posts, inner).map { post, inner in post.view(of: inner) }
  }

  private func fault(
    _ error: String, message: String? = nil, status: Int
  ) -> SimulatedAnswer {
    let cause = version == .later ? JSONValue.string(error) : nil
    return .json(
      .members([
        "error": .string(error), "message": message.map { .string($0) }, "cause": cause,
      ]), status: status, type: "application/json")
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    switch status {
    case 400: fault("invalid_query", status: status)
    case 401: fault("not_logged_in", status: status)
    case 404: fault("couldnt_find_post", status: status)
    case 429: fault("too_many_requests", status: status)
    default: fault("unknown", message: ReasonPhrase.of(status), status: status)
    }
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    guard version == .later else { return fault("rate_limit_error", status: 400) }
    return fault("too_many_requests", status: 429).adding("retry-after", "\(wait.seconds)")
      .adding("x-ratelimit-limit", "60").adding("x-ratelimit-remaining", "0")
      .adding("x-ratelimit-reset", "\(wait.seconds)")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: name, limit: 60, seconds: 600)
  }

  // Before 1.0 it states nothing.
  func headers(
    stating level: QuotaLevel, for request: SimulatedRequest
  ) -> [(name: String, value: String)] {
    guard version == .later else { return [] }
    return [
      ("x-ratelimit-limit", "\(level.quota.limit)"),
      ("x-ratelimit-remaining", "\(level.remaining)"),
    ]
  }
}
