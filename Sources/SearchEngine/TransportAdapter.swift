package import FoundationEssentials
package import QueuedHTTP

/// A transport that changes some requirements of another one, and passes on the rest.
package protocol TransportAdapter: Transport {
  var base: any Transport { get }
}

extension TransportAdapter {
  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await base.send(request)
  }

  package func send(
    _ request: HTTPRequest, for search: Int
  ) async throws(HTTPError) -> HTTPResponse {
    try await base.send(request, for: search)
  }

  package func arrival(of response: HTTPResponse) -> Date? { base.arrival(of: response) }
  package func removeCached(_ response: HTTPResponse) { base.removeCached(response) }
  package func waitOut(_ longest: Duration) async throws { try await base.waitOut(longest) }
  package func waitOut(patience: Duration) async throws {
    try await base.waitOut(patience: patience)
  }
  package func note(_ step: RunStep) async { await base.note(step) }
  package func cancel(group: RequestGroup) { base.cancel(group: group) }
  package func cancelWaiting(group: RequestGroup) { base.cancelWaiting(group: group) }
  package func beginCancelAll() { base.beginCancelAll() }
}
