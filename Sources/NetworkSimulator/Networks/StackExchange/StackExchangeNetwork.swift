internal import TextFormats

/// Stack Exchange's search for questions. A query that begins with `backoff` is answered, and asks
/// for a second without requests.
///
/// <https://api.stackexchange.com/docs/advanced-search>
struct StackExchangeNetwork: SimulatedNetwork {
  let name = "stackexchange"

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.route == ["2.3", "search", "advanced"], request.method == "GET" else {
      return StackExchangeFault.noMethod.answer
    }
    do throws(StackExchangeFault) {
      let parameters = Parameters(request.query)
      if let key = parameters["key"], key != world.credentials.stackExchangeKey {
        throw StackExchangeFault.badParameter("`key` doesn't match a known application")
      }
      let search = try StackExchangeSearch(parameters)
      return .json(search.page(in: world))
    } catch {
      return error.answer
    }
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    switch status {
    case 400: StackExchangeFault.badParameter("page").answer(status: status)
    case 401: StackExchangeFault.wantsToken.answer(status: status)
    case 404: StackExchangeFault.noMethod.answer(status: status)
    case 429: StackExchangeFault.throttled(seconds: 60).answer(status: status)
    case 503: StackExchangeFault.unavailable.answer(status: status)
    case _: StackExchangeFault.broken.answer(status: status)
    }
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    StackExchangeFault.throttled(seconds: wait.seconds).answer
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    let key = Parameters(request.query)["key"]
    return Quota(
      key: "stackexchange " + (key ?? ""), limit: key == nil ? 300 : 10_000, seconds: 86_400)
  }

  // What is left stands in the body.
  func headers(
    stating level: QuotaLevel, for request: SimulatedRequest
  ) -> [(name: String, value: String)] { [] }
}
