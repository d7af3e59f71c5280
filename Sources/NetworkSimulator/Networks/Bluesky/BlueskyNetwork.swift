internal import TextFormats

/// Bluesky: search, and the sessions that it needs for more than one page.
///
/// <https://docs.bsky.app/docs/api/app-bsky-feed-search-posts>
struct BlueskyNetwork: SimulatedNetwork {
  let name = "bluesky"

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.route.count == 2, request.route[0] == "xrpc" else {
      return refusal(404, to: request)
    }
    switch request.route[1] {
    case "app.bsky.feed.searchPosts":
      guard request.method == "GET" else { return wrongMethod(request, "GET") }
      return search(request, in: world)
    case "com.atproto.server.createSession":
      guard request.method == "POST" else { return wrongMethod(request, "POST") }
      return BlueskySession(world: world, host: request.host).created(for: request)
    case "com.atproto.server.refreshSession":
      guard request.method == "POST" else { return wrongMethod(request, "POST") }
      return BlueskySession(world: world, host: request.host).refreshed(for: request)
    default:
      return BlueskyFault("MethodNotImplemented", "Method Not Implemented", status: 501).answer
    }
  }

  private func search(_ request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    do {
      let isAnonymous = request.header("authorization") == nil
      if !isAnonymous { try BlueskyToken.check(request.bearerToken, scope: .access, world: world) }
      let parameters = Parameters(request.query)
      // The proxy in front of the application rejects an anonymous cursor, and not in JSON.
      if isAnonymous, parameters["cursor"] != nil { return Self.forbidden }
      return .json(try BlueskySearch(parameters).page(in: world))
    } catch {
      return error.answer
    }
  }

  private func wrongMethod(_ request: SimulatedRequest, _ expected: String) -> SimulatedAnswer {
    let message = "Incorrect HTTP method (\(request.method)) expected \(expected)"
    return BlueskyFault("InvalidRequest", message, status: 400).answer
  }

  private static let forbidden = SimulatedAnswer.html(
    """
    <html><body><h1>403 Forbidden</h1>
    Request forbidden by administrative rules.
    </body></html>

    """,
    status: 403)

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    switch status {
    case 400: BlueskyFault("InvalidRequest", "Invalid request", status: 400).answer
    case 401: BlueskyFault("AuthenticationRequired", "Authentication Required", status: 401).answer
    case 403: Self.forbidden
    case 404: BlueskyFault("NotFound", "Not Found", status: 404).answer
    case 429: BlueskyFault("RateLimitExceeded", "Rate Limit Exceeded", status: 429).answer
    case 502: BlueskyFault("UpstreamFailure", "Upstream Failure", status: 502).answer
    case 503: BlueskyFault("NotEnoughResources", "Not Enough Resources", status: 503).answer
    case 504: BlueskyFault("UpstreamTimeout", "Upstream Timeout", status: 504).answer
    default: BlueskyFault("InternalServerError", ReasonPhrase.of(status), status: status).answer
    }
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    refusal(429, to: request).adding("RateLimit-Limit", "3000").adding("RateLimit-Remaining", "0")
      .adding("RateLimit-Reset", "\(wait.endSeconds)").adding("RateLimit-Policy", "3000;w=300")
      .adding("Retry-After", "\(wait.seconds)")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    request.route.last == "com.atproto.server.createSession"
      ? Quota(key: "bluesky sessions", limit: 30, seconds: 300)
      : Quota(key: "bluesky", limit: 3000, seconds: 300)
  }

  func headers(
    stating level: QuotaLevel, for request: SimulatedRequest
  ) -> [(name: String, value: String)] {
    [
      ("RateLimit-Limit", "\(level.quota.limit)"), ("RateLimit-Remaining", "\(level.remaining)"),
      ("RateLimit-Reset", "\(level.reset / 1000)"),
      ("RateLimit-Policy", "\(level.quota.limit);w=\(level.quota.seconds)"),
    ]
  }
}

/// A refusal in the form that all of XRPC has: a name to decide on, and a message.
struct BlueskyFault: Error {
  let name: String
  let message: String
  let status: Int

  init(_ name: String, _ message: String, status: Int) {
    self.name = name
    self.message = message
    self.status = status
  }

  var answer: SimulatedAnswer {
    .json(.members(["error": .string(name), "message": .string(message)]), status: status)
  }
}
