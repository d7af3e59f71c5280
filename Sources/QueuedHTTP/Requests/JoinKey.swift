/// Everything in a request that can affect the response: requests with equal keys can share a transfer.
struct JoinKey: Hashable, Sendable {
  private let method: HTTPMethod
  private let url: String
  private let headers: HTTPHeaders
  private let secretHeaders: Set<String>
  private let lane: Lane?
  private let timeouts: Timeouts
  private let retries: RetryPolicy
  private let bounds: ResponseBounds
  private let allowsDowngrade: Bool
  private let cachePolicy: CachePolicy
  private let acceptsStale: Bool

  init(_ request: HTTPRequest) {
    method = request.method
    url = request.url
    headers = request.headers
    secretHeaders = request.secretHeaders
    lane = request.lane
    timeouts = request.timeouts
    retries = request.retries
    bounds = request.bounds
    allowsDowngrade = request.allowsDowngrade
    cachePolicy = request.cachePolicy
    acceptsStale = request.acceptsStale
  }
}
