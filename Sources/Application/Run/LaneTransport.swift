internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchEngine

/// A transport shared by several engines: ending one engine ends no request of the others.
struct LaneTransport: Transport {
  let base: any Transport
  /// The lanes that the engine asks.
  let lanes: Set<Lane>

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await base.send(request)
  }

  func arrival(of response: HTTPResponse) -> Date? { base.arrival(of: response) }
  func removeCached(_ response: HTTPResponse) { base.removeCached(response) }
  func waitOut(_ longest: Duration) async throws { try await base.waitOut(longest) }
  func cancel(group: RequestGroup) { base.cancel(group: group) }
  func cancelWaiting(group: RequestGroup) { base.cancelWaiting(group: group) }
  func beginCancelAll() { for lane in lanes { base.cancel(group: lane.group) } }
}
