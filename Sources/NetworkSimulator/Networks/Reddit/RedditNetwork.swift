internal import FoundationEssentials
internal import TextFormats

/// Reddit: search for those with a session, the sessions of applications, and a search's feed for
/// everybody.
///
/// <https://www.reddit.com/dev/api#GET_search>
struct RedditNetwork: SimulatedNetwork {
  let name = "reddit"

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    switch request.route {
    case ["api", "v1", "access_token"]:
      guard request.method == "POST" else { return refusal(404, to: request) }
      return session(for: request, in: world)
    case ["search"], ["search.json"]:
      guard request.method == "GET" else { return refusal(404, to: request) }
      guard let token = request.bearerToken else { return refusal(403, to: request) }
      guard isGood(token, in: world) else { return refusal(401, to: request) }
      return RedditSearch(Parameters(request.query)).page(in: world)
    case ["search.rss"]:
      guard request.method == "GET" else { return refusal(404, to: request) }
      return RedditSearch(Parameters(request.query)).feed(in: world)
    default: return refusal(404, to: request)
    }
  }

  private func session(for request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    let pair = "\(world.credentials.redditClientID):\(world.credentials.redditClientSecret)"
    let expected = "Basic " + Data(pair.utf8).base64EncodedString()
    guard request.header("authorization") == expected else { return refusal(401, to: request) }
    let form = Parameters(String(decoding: request.body, as: UTF8.self))
    guard form["grant_type"] == "client_credentials" else {
      return .json(.members(["error": "unsupported_grant_type"]))
    }
    return .json(
      .members([
        "access_token": .string(token(world.sessionNumber, at: world.clock / 1000, in: world)),
        "token_type": "bearer", "expires_in": .integer(Self.lifetime), "scope": "*",
      ]))
  }

  private static let lifetime = 86_400

  /// A token is its session's number and beginning, and a mark that only this seed makes.
  private func token(_ number: Int, at second: Int, in world: SimulatedWorld) -> String {
    let claims = "\(number)-\(second)"
    let mark = StableHash.of("reddit token", claims, seed: world.seed)
    return claims + "-" + Alphabet.base62.random(30, seed: mark)
  }

  private func isGood(_ text: String, in world: SimulatedWorld) -> Bool {
    let parts = text.split(separator: "-").map(String.init)
    guard parts.count == 3, let number = Int(parts[0]), let second = Int(parts[1]) else {
      return false
    }
    return token(number, at: second, in: world) == text
      && world.clock / 1000 < second + Self.lifetime
      && !(world.expiresFirstSession && number == 0)
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    switch status {
    case 403:
      .html("<html><body><h1>Blocked</h1><p>whoa there, pardner!</p></body></html>", status: 403)
    case 500...599:
      .html("<html><body>Our CDN was unable to reach our servers</body></html>", status: status)
    default:
      .json(
        .members(["message": .string(ReasonPhrase.of(status)), "error": .integer(status)]),
        status: status)
    }
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    refusal(429, to: request).adding("X-Ratelimit-Used", "600")
      .adding("X-Ratelimit-Remaining", "0.0").adding("X-Ratelimit-Reset", "\(wait.seconds)")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: name, limit: 600, seconds: 600)
  }

  func headers(
    stating level: QuotaLevel, for request: SimulatedRequest
  ) -> [(name: String, value: String)] {
    [
      ("X-Ratelimit-Used", "\(level.quota.limit - level.remaining)"),
      ("X-Ratelimit-Remaining", "\(level.remaining).0"), ("X-Ratelimit-Reset", "323"),
    ]
  }
}
