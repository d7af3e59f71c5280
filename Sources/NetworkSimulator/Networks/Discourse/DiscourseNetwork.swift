internal import TextFormats

/// A Discourse forum: its full-text search.
///
/// <https://docs.discourse.org/#tag/Search>
struct DiscourseNetwork: SimulatedNetwork {
  let name = "discourse"

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.route == ["search.json"], request.method == "GET" else {
      return refusal(404, to: request)
    }
    let parameters = Parameters(request.query)
    let number = parameters.integer("page") ?? 1
    guard (1...DiscourseSearch.lastPage).contains(number) else {
      return fault("You supplied invalid parameters: page", "invalid_parameters", status: 400)
    }
    let search = DiscourseSearch(parameters["q"] ?? "")
    guard search.isLongEnough else {
      return fault("Your search term is too short.", "invalid_parameters", status: 400)
    }
    return .json(search.page(number, in: world))
  }

  private func fault(_ message: String, _ type: String, status: Int) -> SimulatedAnswer {
    .json(
      .members(["errors": .texts([message]), "error_type": .string(type)]), status: status)
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    switch status {
    case 401, 403: fault("You are not permitted to view that.", "invalid_access", status: status)
    case 404: fault("The requested URL could not be found.", "not_found", status: status)
    case 429: fault("You’ve performed this action too many times.", "rate_limit", status: status)
    case _: fault(ReasonPhrase.of(status), "error", status: status)
    }
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    .json(
      .members([
        "errors": .texts(["You’ve performed this action too many times, please try again later."]),
        "error_type": "rate_limit",
        "extras": .members([
          "wait_seconds": .integer(wait.seconds), "time_left": .string("\(wait.seconds) seconds"),
        ]),
      ]), status: 429
    ).adding("Retry-After", "\(wait.seconds)")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: name, limit: 200, seconds: 60)
  }

  // It states nothing until there is too much.
  func headers(
    stating level: QuotaLevel, for request: SimulatedRequest
  ) -> [(name: String, value: String)] { [] }
}
