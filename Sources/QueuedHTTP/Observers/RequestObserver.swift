/// An observer of a client's requests, for logs, metrics and traces.
///
/// Each function has a default that does nothing. They are called without a lock: `prepare` and `queued`
/// on the caller's thread, most others on the worker thread. So they must return quickly, and may be
/// called at the same time. The events of one request come in order, except that `retried` may come
/// after the `started` that follows it.
public protocol RequestObserver: Sendable {
  /// Returns the request to send instead of the submitted one, to add a field for example.
  ///
  /// - Parameters:
  ///   - request: The request as the caller created it.
  ///   - id: Its number, unique within the client.
  func prepare(_ request: HTTPRequest, id: UInt64) -> HTTPRequest

  /// A request was submitted. It may be answered from the cache without being started.
  func queued(_ request: ObservedRequest)

  /// An attempt began: the first or a later one.
  func started(_ request: ObservedRequest, attempt: Int)

  /// The request has a connection and is about to be sent; also called after a redirect.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - remoteAddress: The IP address and port of the server, or of the proxy.
  ///   - isReused: Whether the connection was already open.
  func connected(_ request: ObservedRequest, to remoteAddress: String, isReused: Bool)

  /// An attempt failed and will be repeated.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - wait: The time until then; cool-down, limits and pace of the lane may make it longer.
  ///   - result: The response or the error of the attempt.
  func retried(
    _ request: ObservedRequest, after wait: Duration,
    because result: Result<HTTPResponse, HTTPError>
  )

  /// A server asked the client to slow down: no request of the lane starts for some time.
  func cooledDown(_ lane: Lane, for wait: Duration)

  /// A request ended; its timings are in the response or the error.
  func finished(_ request: ObservedRequest, with result: Result<HTTPResponse, HTTPError>)
}

extension RequestObserver {
  /// Returns the request unchanged.
  public func prepare(_ request: HTTPRequest, id: UInt64) -> HTTPRequest { request }

  /// Does nothing.
  public func queued(_ request: ObservedRequest) {}

  /// Does nothing.
  public func started(_ request: ObservedRequest, attempt: Int) {}

  /// Does nothing.
  public func connected(_ request: ObservedRequest, to remoteAddress: String, isReused: Bool) {}

  /// Does nothing.
  public func retried(
    _ request: ObservedRequest, after wait: Duration,
    because result: Result<HTTPResponse, HTTPError>
  ) {}

  /// Does nothing.
  public func cooledDown(_ lane: Lane, for wait: Duration) {}

  /// Does nothing.
  public func finished(_ request: ObservedRequest, with result: Result<HTTPResponse, HTTPError>) {}
}

/// A request as an observer sees it.
public struct ObservedRequest: Sendable, Identifiable {
  /// Its number, unique within the client.
  public let id: UInt64
  /// The request, as changed by `prepare`, and in an attempt by the client's interceptor.
  public let request: HTTPRequest
  /// Its lane.
  public let lane: Lane
  /// The URL without user, password, query and fragment.
  public let address: String

  init(id: UInt64, request: HTTPRequest, lane: Lane, address: String) {
    self.id = id
    self.request = request
    self.lane = lane
    self.address = address
  }
}
