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
    if search.isByRelevancy { found = found.byRelevance }
    let cut = world.cut(found, at: search.offset, size: search.limit)
    let page = cut.shown
    let next = world.cursor(cut.next.map(search.token))
    guard !page.isEmpty else {
      return .members(["meta": .members(["result_count": .integer(0), "next_token": next])])
    }
    let ids = page.map(TwitterText.snowflake)
    let rendering = XRendering(search)
    let items = world.items(page.map(rendering.post), id: "id", text: ["text"], date: "created_at")
    let errors = rendering.errors(for: page)
    return .members([
      "data": .array(items), "includes": rendering.includes(for: page),
      "errors": errors.isEmpty ? nil : .array(errors),
      "meta": .members([
        "newest_id": .text(ids.max().map { "\($0)" }),
        "oldest_id": .text(ids.min().map { "\($0)" }),
        "result_count": .integer(page.count),
        "next_token": next,
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

/// A refusal of X: a problem of RFC 7807 as X writes it.
struct XProblem: Error {
  let status: Int
  let body: JSONValue

  /// Says that a parameter was not what it must be.
  static func invalid(_ parameter: String, _ values: [String], _ message: String) -> XProblem {
    let values = JSONValue.array(values.map { .string($0) })
    let fault = JSONValue.members([
      "parameters": .object([JSONMember(parameter, values)]), "message": .string(message),
    ])
    return XProblem(
      status: 400,
      body: .members([
        "errors": .array([fault]), "title": "Invalid Request",
        "detail": "One or more parameters to your request was invalid.",
        "type": "https://api.twitter.com/2/problems/invalid-request",
      ]))
  }

  /// Returns the problem for a status.
  static func status(_ status: Int) -> XProblem {
    switch status {
    case 400:
      return invalid("query", [], "Request parameter `query` can not be empty")
    case 402:
      return XProblem(
        status: 402,
        body: .members([
          "title": "CreditsDepleted",
          "detail":
            "Your enrolled account [1] does not have any credits to fulfill this request.",
          "type": "https://api.twitter.com/2/problems/credits", "account_id": .integer(1),
        ]))
    case 403:
      return XProblem(
        status: 403,
        body: .members([
          "title": "Client Forbidden", "reason": "client-not-enrolled",
          "required_enrollment": "Appropriate Level of API Access",
          "detail": "The client application has no access to this endpoint.",
          "registration_url": "https://developer.x.com/", "client_id": "1",
          "type": "https://api.twitter.com/2/problems/client-forbidden",
        ]))
    default:
      let phrase = JSONValue.string(ReasonPhrase.of(status))
      return XProblem(
        status: status,
        body: .members([
          "title": phrase, "detail": phrase, "type": "about:blank", "status": .integer(status),
        ]))
    }
  }

  var answer: SimulatedAnswer {
    .json(body, status: status, type: "application/problem+json; charset=utf-8")
  }
}
