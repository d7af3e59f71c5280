package import FoundationEssentials
package import QueuedHTTP

/// Sends requests: the queued client, or something in its place, such as a cache or a replay.
package protocol Transport: Sendable {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse

  /// Sends the request for a page of the search at a place of the plan.
  func send(_ request: HTTPRequest, for search: Int) async throws(HTTPError) -> HTTPResponse

  /// The moment at which a response arrived, which "try again in 30 s" counts from; nil for now.
  func arrival(of response: HTTPResponse) -> Date?

  /// Removes a response from the cache of the transport, as it could not be read to its end.
  func removeCached(_ response: HTTPResponse)

  /// Waits for a run's longest time to pass; throws `CancellationError`.
  func waitOut(_ longest: Duration) async throws

  /// Waits for the time after which a run no longer waits for slow searches; throws `CancellationError`.
  func waitOut(patience: Duration) async throws

  /// Takes note of a step of the run; called once for each, not always in their order.
  func note(_ step: RunStep) async

  /// Cancels every request of a group, whatever its state.
  func cancel(group: RequestGroup)

  /// Cancels the requests of a group that wait to be sent, or to be sent again.
  func cancelWaiting(group: RequestGroup)

  /// Cancels all requests; takes effect at once, and returns before their callers resume.
  func beginCancelAll()
}

extension Transport {
  package func send(
    _ request: HTTPRequest, for search: Int
  ) async throws(HTTPError) -> HTTPResponse {
    try await send(request)
  }

  package func arrival(of response: HTTPResponse) -> Date? { nil }

  package func removeCached(_ response: HTTPResponse) {}

  package func waitOut(_ longest: Duration) async throws { try await Task.sleep(for: longest) }

  package func waitOut(patience: Duration) async throws { try await Task.sleep(for: patience) }

  package func note(_ step: RunStep) async {}
}

extension HTTPClient: Transport {}
