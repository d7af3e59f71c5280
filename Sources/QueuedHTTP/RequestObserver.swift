/// Someone who watches what happens to a client's requests, for logs, metrics and traces.
///
/// Each function has a default that does nothing. They are called where things happen, without a lock
/// held: `prepare` and `queued` on the caller's thread, most others on the thread of the transfers. So
/// they must return quickly, and may be called at the same time. The events of one request come in
/// order, except that `retried` may come after the `started` that follows it.
public protocol RequestObserver: Sendable {
  /// Returns the request to send in place of one that was submitted, to add a field for example.
  ///
  /// - Parameters:
  ///   - request: The request as the caller made it.
  ///   - id: The number that tells it from the client's other requests.
  func prepare(_ request: HTTPRequest, id: UInt64) -> HTTPRequest

  /// A request was taken in. It may be answered by the cache, without being started.
  func queued(_ request: ObservedRequest)

  /// An attempt began: the first or a further one.
  func started(_ request: ObservedRequest, attempt: Int)

  /// There is a connection, and the request is about to be sent over it; also after a redirect.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - remoteAddress: The IP address and port of the server, or of the proxy.
  ///   - isReused: Whether the connection was open before.
  func connected(_ request: ObservedRequest, to remoteAddress: String, isReused: Bool)

  /// An attempt failed, and another one follows.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - wait: The time until then; the lane's cool-down, limits and pace may make it longer.
  ///   - result: The response or the error of the attempt.
  func retried(
    _ request: ObservedRequest, after wait: Duration,
    because result: Result<HTTPResponse, HTTPError>
  )

  /// A server asked for less: nothing of a lane starts for some time.
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

/// A request as its observer sees it.
public struct ObservedRequest: Sendable, Identifiable {
  /// The number that tells it from the client's other requests.
  public let id: UInt64
  /// The request as it was submitted.
  public let request: HTTPRequest
  /// The lane that it is in.
  public let lane: Lane
  /// The address without user, password, query and fragment.
  public let address: String

  init(id: UInt64, request: HTTPRequest, lane: Lane, address: String) {
    self.id = id
    self.request = request
    self.lane = lane
    self.address = address
  }
}
