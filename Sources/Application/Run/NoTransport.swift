internal import QueuedHTTP
internal import SearchEngine

/// Sends nothing, for a run whose searches are all answered from the history.
struct NoTransport: Transport {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(.notCached, reason: "no server is asked")
  }

  func cancel(group: RequestGroup) {}

  func cancelWaiting(group: RequestGroup) {}

  func beginCancelAll() {}
}
