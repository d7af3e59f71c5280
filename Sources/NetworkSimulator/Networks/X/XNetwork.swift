internal import TextFormats

/// X's API v2: recent search.
///
/// <https://docs.x.com/x-api/posts/search/introduction>
struct XNetwork: SimulatedNetwork {
  let name = "x"

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard
      ["2/tweets/search/recent", "2/posts/search/recent"].contains(
        request.route.joined(separator: "/"))
    else { return refusal(404, to: request) }
    guard request.method == "GET" else { return refusal(405, to: request) }
    guard request.bearerToken == world.credentials.xBearerToken else {
      return refusal(401, to: request)
    }
    do {
      let search = try XSearch(Parameters(request.query), now: world.now)
      return .json(page(of: search, in: world))
    } catch {
      return error.answer
    }
  }

  private func page(of search: XSearch, in world: SimulatedWorld) -> JSONValue {
    var found = world.posts(search.terms, network: name).filter { post in
      let id = TwitterText.snowflake(post)
      return search.moments.contains(post.milliseconds) && id > search.sinceID
        && id < search.untilID
    }
    if search.isByRelevancy { found.sort { ($0.likes, $0.mark) > ($1.likes, $1.mark) } }
    let page = found.dropFirst(search.offset).prefix(search.limit)
    guard !page.isEmpty else {
      return .members(["meta": .members(["result_count": .integer(0)])])
    }
    let ids = page.map(TwitterText.snowflake)
    let next = search.offset + page.count
    let rendering = XRendering(search)
    let items = world.items(page.map(rendering.post), id: "id", text: ["text"], date: "created_at")
    let errors = rendering.errors(for: Array(page))
    return .members([
      "data": .array(items), "includes": rendering.includes(for: Array(page)),
      "errors": errors.isEmpty ? nil : .array(errors),
      "meta": .members([
        "newest_id": .text(ids.max().map { "\($0)" }),
        "oldest_id": .text(ids.min().map { "\($0)" }),
        "result_count": .integer(page.count),
        "next_token": next < found.count ? .string(search.token(for: next)) : nil,
      ]),
    ])
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    XProblem.status(status).answer
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    refusal(429, to: request).adding("x-rate-limit-limit", "450")
      .adding("x-rate-limit-remaining", "0").adding("x-rate-limit-reset", "\(wait.endSeconds)")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: "x " + (request.bearerToken ?? ""), limit: 450, seconds: 900)
  }

  func headers(
    stating level: QuotaLevel, for request: SimulatedRequest
  ) -> [(name: String, value: String)] {
    [
      ("x-rate-limit-limit", "\(level.quota.limit)"),
      ("x-rate-limit-remaining", "\(level.remaining)"),
      ("x-rate-limit-reset", "\(level.reset / 1000)"), ("x-access-level", "read"),
      ("api-version", "2.168"),
    ]
  }
}
