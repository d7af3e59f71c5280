internal import TextFormats

/// The two retired search APIs of Twitter: the first, and that of API 1.1, which need no credential
/// here.
struct TwitterClassicNetwork: SimulatedNetwork {
  let name = "twitter-classic"

  private static let firstRoute = ["search.json"]
  private static let laterRoute = ["1.1", "search", "tweets.json"]

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.method == "GET" else { return refusal(405, to: request) }
    let parameters = Parameters(request.query)
    switch request.route {
    case Self.firstRoute: return FirstTwitterSearch(parameters, world: world).answer
    case Self.laterRoute: return LaterTwitterSearch(parameters, world: world).answer
    default: return refusal(404, to: request)
    }
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    let message = status == 404 ? "Sorry, that page does not exist" : ReasonPhrase.of(status)
    guard request.route == Self.laterRoute else {
      return .json(.members(["error": .string(message)]), status: status)
    }
    return LaterTwitterSearch.fault(Self.codes[status] ?? 131, message, status: status)
  }

  /// The codes of API 1.1 for what HTTP also says.
  private static let codes = [400: 25, 401: 32, 403: 87, 404: 34, 429: 88, 503: 130]

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    guard request.route == Self.laterRoute else {
      return SimulatedAnswer.json(
        .members(["error": "You have been rate limited. Enhance your calm."]), status: 420
      ).adding("Retry-After", "\(wait.seconds)")
    }
    return LaterTwitterSearch.fault(88, "Rate limit exceeded", status: 429)
      .adding("x-rate-limit-limit", "180").adding("x-rate-limit-remaining", "0")
      .adding("x-rate-limit-reset", "\(wait.endSeconds)")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    request.route == Self.laterRoute
      ? Quota(key: "twitter-classic 1.1", limit: 180, seconds: 900)
      : Quota(key: "twitter-classic", limit: 150, seconds: 3600)
  }

  func headers(
    stating level: QuotaLevel, for request: SimulatedRequest
  ) -> [(name: String, value: String)] {
    // The first API stated nothing until it had enough.
    guard request.route == Self.laterRoute else { return [] }
    return [
      ("x-rate-limit-limit", "\(level.quota.limit)"),
      ("x-rate-limit-remaining", "\(level.remaining)"),
      ("x-rate-limit-reset", "\(level.reset / 1000)"),
    ]
  }
}
