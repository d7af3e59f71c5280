package import FoundationEssentials
package import QueuedHTTP

/// What sends requests: the queued client, or a test's stand-in. The only seam of the engine.
package protocol Transport: Sendable {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse

  /// The moment at which a response arrived, which "try again in 30 s" counts from; nil for now.
  func arrival(of response: HTTPResponse) -> Date?

  /// Ends every request of a group, wherever it is.
  func cancel(group: RequestGroup)

  /// Ends everything that waits or runs; takes effect at once, returns before all are told.
  func beginCancelAll()
}

extension Transport {
  package func arrival(of response: HTTPResponse) -> Date? { nil }
}

extension HTTPClient: Transport {}
