#if Tracing
  internal import Instrumentation
  internal import ServiceContextModule
  internal import Synchronization
  internal import Tracing

  /// An observer that creates a span for each request with swift-distributed-tracing (trait `Tracing`).
  ///
  /// The parent of a span is that of the task that submits the request; its context is sent to the server
  /// in the fields of the bootstrapped instrument, such as `traceparent`. Names and attributes follow
  /// OpenTelemetry's conventions for HTTP clients.
  public final class TracingObserver: RequestObserver {
    private let spans = Mutex<[UInt64: any Span]>([:])

    /// Creates an observer that uses the bootstrapped tracer.
    public init() {}

    /// Starts the span of a request and adds its context to the fields.
    public func prepare(_ request: HTTPRequest, id: UInt64) -> HTTPRequest {
      let span = InstrumentationSystem.tracer.startAnySpan(
        request.method.rawValue, ofKind: .client)
      span.attributes["http.request.method"] = request.method.rawValue
      spans.withLock { $0[id] = span }
      var request = request
      InstrumentationSystem.instrument.inject(
        span.context, into: &request.headers, using: HeaderInjector())
      return request
    }

    /// Adds the URL to the span.
    public func queued(_ request: ObservedRequest) {
      span(request)?.attributes["url.full"] = request.address
    }

    /// Adds the number of retries to the span.
    public func started(_ request: ObservedRequest, attempt: Int) {
      guard attempt > 1 else { return }
      span(request)?.attributes["http.request.resend_count"] = attempt - 1
    }

    /// Adds the address of the server or the proxy to the span.
    public func connected(_ request: ObservedRequest, to remoteAddress: String, isReused: Bool) {
      span(request)?.attributes["network.peer.address"] = remoteAddress
    }

    /// Ends the span.
    public func finished(
      _ request: ObservedRequest, with result: Result<HTTPResponse, HTTPError>
    ) {
      guard let span = spans.withLock({ $0.removeValue(forKey: request.id) }) else { return }
      switch result {
      case .success(let response):
        span.attributes["http.response.status_code"] = response.status
        if response.status >= 400 { span.setStatus(SpanStatus(code: .error)) }
      case .failure(let error):
        span.attributes["error.type"] = error.code.rawValue
        span.setStatus(SpanStatus(code: .error, message: error.reason))
      }
      span.end()
    }

    private func span(_ request: ObservedRequest) -> (any Span)? {
      spans.withLock { $0[request.id] }
    }

    private struct HeaderInjector: Injector {
      func inject(_ value: String, forKey key: String, into headers: inout HTTPHeaders) {
        headers[key] = value
      }
    }
  }
#endif
