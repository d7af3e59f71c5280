internal import TextFormats

/// Hacker News as Algolia searches it.
///
/// <https://hn.algolia.com/api>
struct HackerNewsNetwork: SimulatedNetwork {
  let name = "hackernews"

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    let isByDate = request.route == ["api", "v1", "search_by_date"]
    guard isByDate || request.route == ["api", "v1", "search"] else {
      return refusal(404, to: request)
    }
    guard request.method == "GET" else { return refusal(405, to: request) }
    do {
      let search = try HackerNewsSearch(Parameters(request.query), isByDate: isByDate)
      return .json(search.page(in: world))
    } catch {
      return fault(error.message, status: 400)
    }
  }

  private func fault(_ message: String, status: Int) -> SimulatedAnswer {
    .json(.members(["message": .string(message), "status": .integer(status)]), status: status)
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    fault(ReasonPhrase.of(status), status: status)
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    fault("Too many requests", status: 429).adding("Retry-After", "\(wait.seconds)")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: "hackernews", limit: 10_000, seconds: 3600)
  }

  // It states nothing.
  func headers(
    stating level: QuotaLevel, for request: SimulatedRequest
  ) -> [(name: String, value: String)] { [] }
}
