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
    /// 1.0 without its shim for API v3: another address, other names, cursors.
    case later
  }

  let name: String
  let version: Version

  private static let most = 50
  private static let lastPage = 100

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    let path = version == .later ? ["api", "v4", "search"] : ["api", "v3", "search"]
    // What has no handler is answered by the web framework, with nothing.
    guard request.route == path, request.method == "GET" else {
      return SimulatedAnswer(status: 404, headers: [], body: [])
    }
    let parameters = Parameters(request.query)
    let limit = parameters.integer("limit") ?? (version == .later ? 20 : 10)
    guard (1...Self.most).contains(limit) else {
      return fault("unknown", message: "Fetch limit is > \(Self.most)", status: 400)
    }
    return version == .later
      ? later(parameters, limit, in: world) : earlier(parameters, limit, in: world)
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
    case _: found.sort { ($0.post.likes, $0.post.mark) > ($1.post.likes, $1.post.mark) }
    }
    let page = found.dropFirst((number - 1) * limit).prefix(limit)
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
    let found = type == "posts" || type == "all" ? posts(QueryTerms(query), in: world) : []
    let page = found.dropFirst(offset).prefix(limit)
    let next = offset + page.count
    return .json(
      .members([
        "comments": .emptyArray, "posts": .array(items(page, in: world)),
        "communities": .emptyArray, "multi_communities": .emptyArray, "persons": .emptyArray,
        "next_page": next < found.count ? .string("P" + String(next, radix: 16)) : nil,
      ]), type: "application/json")
  }

  private func posts(_ terms: QueryTerms, in world: SimulatedWorld) -> [LemmyPost] {
    world.posts(terms, network: "lemmy").map { LemmyPost($0, version: version, server: name) }
  }

  /// The posts as they are sent: under `broken-item` it is the inner post that is broken.
  private func items(_ posts: ArraySlice<LemmyPost>, in world: SimulatedWorld) -> [JSONValue] {
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
    case _: fault("unknown", message: ReasonPhrase.of(status), status: status)
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
