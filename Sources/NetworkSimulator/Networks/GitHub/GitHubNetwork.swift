internal import TextFormats

/// GitHub's search of issues and pull requests.
///
/// <https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests>
struct GitHubNetwork: SimulatedNetwork {
  let name = "github"

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.header("user-agent")?.isEmpty == false else {
      return .plain(
        "Request forbidden by administrative rules. Please make sure your request has a User-Agent "
          + "header (https://docs.github.com/en/rest/overview/resources-in-the-rest-api).",
        status: 403)
    }
    guard request.route == ["search", "issues"], request.method == "GET" else {
      return refusal(404, to: request)
    }
    // A wrong token fails even what anybody may see.
    if request.header("authorization") != nil,
      request.bearerToken != world.credentials.gitHubToken
    {
      return refusal(401, to: request)
    }
    do {
      let search = try GitHubSearch(Parameters(request.query), now: world.now)
      let page = search.page(in: world)
      let answer = SimulatedAnswer.json(page.body)
      guard
        let links = search.links(
          of: page.total, request: request, paging: world.paging)
      else { return answer }
      return answer.adding("Link", links)
    } catch {
      return error.answer
    }
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    switch status {
    case 400: GitHubFault("Problems parsing JSON", status: status).answer
    case 401: GitHubFault("Bad credentials", status: status).answer
    case 403: GitHubFault("Resource not accessible by integration", status: status).answer
    case 503:
      .html(
        "<html><body><p>No server is available to handle this request.</p></body></html>",
        status: 503)
    default: GitHubFault(ReasonPhrase.of(status), status: status).answer
    }
  }

  // The secondary limit: the primary one is `slowDown` with other headers, which `--quotas` gives.
  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    let message =
      "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    return GitHubFault(message, status: 403).answer.adding("Retry-After", "\(wait.seconds)")
      .adding("X-RateLimit-Limit", "30").adding("X-RateLimit-Remaining", "21")
      .adding("X-RateLimit-Reset", "\(wait.endSeconds)").adding("X-RateLimit-Resource", "search")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    let token = request.bearerToken
    return Quota(key: "github " + (token ?? ""), limit: token == nil ? 10 : 30, seconds: 60)
  }

  func headers(
    stating level: QuotaLevel, for request: SimulatedRequest
  ) -> [(name: String, value: String)] {
    [
      ("X-RateLimit-Limit", "\(level.quota.limit)"),
      ("X-RateLimit-Remaining", "\(level.remaining)"),
      ("X-RateLimit-Reset", "\(level.reset / 1000)"), ("X-RateLimit-Resource", "search"),
      ("X-GitHub-Media-Type", "github.v3; format=json"),
    ]
  }
}

/// A refusal of GitHub.
struct GitHubFault: Error {
  let message: String
  let status: Int
  /// The error in the query, or nil.
  let detail: String?

  init(_ message: String, status: Int, detail: String? = nil) {
    self.message = message
    self.status = status
    self.detail = detail
  }

  /// Says that the query cannot be searched for.
  static func invalid(_ detail: String) -> GitHubFault {
    GitHubFault("Validation Failed", status: 422, detail: detail)
  }

  var answer: SimulatedAnswer {
    let errors = detail.map { detail in
      JSONValue.array([
        .members([
          "resource": "Search", "field": "q", "code": "invalid", "message": .string(detail),
        ])
      ])
    }
    return .json(
      .members([
        "message": .string(message), "errors": errors,
        "documentation_url": "https://docs.github.com/rest/search/search",
        "status": .string("\(status)"),
      ]), status: status)
  }
}
