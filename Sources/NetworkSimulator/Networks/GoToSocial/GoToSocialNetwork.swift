internal import TextFormats

/// A GoToSocial server, which speaks Mastodon's API but searches in its own way.
///
/// It needs a token for everything, takes a search for one literal text, searches only the posts of
/// the account that asks and the replies to them, and pages by `max_id`. Unlike the other networks it
/// holds the same posts whatever it is asked, so that a test can know what a search must find.
/// <https://docs.gotosocial.org/en/latest/api/swagger/>
struct GoToSocialNetwork: MastodonAPI {
  let name: String
  /// True if responses name the server's software; a proxy in front of it may remove that.
  let namesItself: Bool

  private static let defaultLimit = 20
  private static let mostPosts = 40

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    identified(ownAnswer(to: request, in: world))
  }

  private func identified(_ answer: SimulatedAnswer) -> SimulatedAnswer {
    namesItself ? answer.adding("Server", "gotosocial") : answer
  }

  private func ownAnswer(
    to request: SimulatedRequest, in world: SimulatedWorld
  ) -> SimulatedAnswer {
    guard request.method == "GET" else { return fault("Method Not Allowed", status: 405) }
    if let document = NodeInfoDocument(software: "gotosocial", version: "0.20.0").answer(
      to: request)
    {
      return document
    }
    let route = request.route
    let isTimeline = isTimeline(route)
    guard isTimeline || route == ["api", "v2", "search"] else {
      return fault("Not Found", status: 404)
    }
    guard let token = request.bearerToken else {
      return fault("Unauthorized: token not supplied", status: 401)
    }
    guard token == world.credentials.mastodonAccessToken else {
      return fault("Unauthorized: invalid token", status: 401)
    }
    let posts = GoToSocialPost.all(seed: world.seed, now: world.now, host: base(of: request))
    return isTimeline
      ? timeline(route[4], request, posts, world) : search(request, posts, world)
  }

  /// The address that the server uses for itself: the host of the request.
  private func base(of request: SimulatedRequest) -> String { "http://\(request.host)" }

  private func timeline(
    _ tag: String, _ request: SimulatedRequest, _ posts: [GoToSocialPost], _ world: SimulatedWorld
  ) -> SimulatedAnswer {
    let tag = tag.lowercased()
    let found = posts.filter { $0.isOpen && $0.tags.contains(tag) }
    guard !found.isEmpty else {
      return fault(
        "Not Found: tag was not found, or not useable/listable on this instance", status: 404)
    }
    let parameters = Parameters(request.query)
    let page = page(of: found, parameters)
    let answer = SimulatedAnswer.json(.array(items(page, world)))
    guard let newest = page.first, let oldest = page.last else { return answer }
    let path = "http://\(request.host)\(request.path)?limit=\(limit(parameters))&"
    return answer.adding(
      "Link",
      "<\(path)max_id=\(oldest.id)>; rel=\"next\", <\(path)min_id=\(newest.id)>; rel=\"prev\"")
  }

  private func search(
    _ request: SimulatedRequest, _ posts: [GoToSocialPost], _ world: SimulatedWorld
  ) -> SimulatedAnswer {
    let parameters = Parameters(request.query)
    let query = (parameters["q"] ?? "").split(separator: " ").joined(separator: " ")
    guard !query.isEmpty else {
      return fault("Bad Request: required key q was not set", status: 400)
    }
    var found: [GoToSocialPost] = []
    // An offset is not supported, and a hashtag or an address is looked up instead of searched for.
    let isSearched = !["#", "http://", "https://"].contains { query.hasPrefix($0) }
    if (parameters.integer("offset") ?? 0) <= 0, isSearched {
      found = page(of: matches(query, posts), parameters)
    }
    return .json(
      .members([
        "accounts": .emptyArray, "statuses": .array(items(found, world)), "hashtags": .emptyArray,
      ]))
  }

  /// The posts of the account that asks, and replies to it, that hold the query as one text; the only
  /// operator is `from:`.
  private func matches(_ query: String, _ posts: [GoToSocialPost]) -> [GoToSocialPost] {
    let words = query.split(separator: " ")
    let author = words.last { $0.hasPrefix("from:") }?.dropFirst("from:".count)
    let text = words.filter { !$0.hasPrefix("from:") }.joined(separator: " ").lowercased()
    return posts.filter { post in
      (post.author == .owner || post.isReplyToOwner)
        && (author.map { post.author.handle == $0.drop { $0 == "@" } } ?? true)
        && (text.isEmpty || post.searchedText.contains(text))
    }
  }

  private func limit(_ parameters: Parameters) -> Int {
    min(max(parameters.integer("limit") ?? Self.defaultLimit, 1), Self.mostPosts)
  }

  private func page(of found: [GoToSocialPost], _ parameters: Parameters) -> [GoToSocialPost] {
    let below = parameters["max_id"].map { most in found.filter { $0.id < most } } ?? found
    return Array(below.prefix(limit(parameters)))
  }

  private func items(_ posts: [GoToSocialPost], _ world: SimulatedWorld) -> [JSONValue] {
    world.items(posts.map(\.json), id: "id", text: ["content"], date: "created_at")
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    identified(
      status == 503
        // While the database is migrated a page says so.
        ? .html(
          "<!DOCTYPE html><html><body>This instance is down for maintenance, starting up, "
            + "or running database migrations.</body></html>", status: status
        )
        .adding("Retry-After", "120")
        : fault(ReasonPhrase.of(status), status: status))
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    identified(
      fault("Too Many Requests: rate limit reached", status: 429)
        .adding("X-RateLimit-Reset", DateForms.microseconds(wait.end)))
  }
}
