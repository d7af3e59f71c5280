#if Metrics
  internal import Metrics

  /// An observer that counts and times requests with swift-metrics (trait `Metrics`).
  ///
  /// With the default prefix: `http_client_requests` by method and status (or the code of the error),
  /// `http_client_duration` and `http_client_queued` by method, and `http_client_connections` by
  /// whether they were reused, `http_client_retries` and `http_client_cool_downs`.
  public struct MetricsObserver: RequestObserver {
    private let prefix: String

    /// Creates an observer whose metrics begin with a prefix.
    public init(prefix: String = "http_client") { self.prefix = prefix }

    /// Counts a connection.
    public func connected(_ request: ObservedRequest, to remoteAddress: String, isReused: Bool) {
      Counter(label: "\(prefix)_connections", dimensions: [("reused", "\(isReused)")]).increment()
    }

    /// Counts a retry.
    public func retried(
      _ request: ObservedRequest, after wait: Duration,
      because result: Result<HTTPResponse, HTTPError>
    ) {
      Counter(label: "\(prefix)_retries").increment()
    }

    /// Counts a cool-down.
    public func cooledDown(_ lane: Lane, for wait: Duration) {
      Counter(label: "\(prefix)_cool_downs").increment()
    }

    /// Counts a request and adds its times.
    public func finished(
      _ request: ObservedRequest, with result: Result<HTTPResponse, HTTPError>
    ) {
      let method = ("method", request.request.method.rawValue)
      let status: String
      let timings: Timings
      switch result {
      case .success(let response): (status, timings) = ("\(response.status)", response.timings)
      case .failure(let error): (status, timings) = (error.code.rawValue, error.timings)
      }
      Counter(label: "\(prefix)_requests", dimensions: [method, ("status", status)]).increment()
      Timer(label: "\(prefix)_duration", dimensions: [method])
        .recordNanoseconds(timings.total.wholeNanoseconds)
      Timer(label: "\(prefix)_queued", dimensions: [method])
        .recordNanoseconds(timings.queued.wholeNanoseconds)
    }
  }
#endif
