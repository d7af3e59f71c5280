/// Keeps a streamed transfer, and its client, as long as somebody may still read it.
final class StreamLease: Sendable {
  private let client: HTTPClient
  private let id: RequestID
  private let stream: BodyStream

  init(client: HTTPClient, id: RequestID, stream: BodyStream) {
    self.client = client
    self.id = id
    self.stream = stream
  }

  // Without effect on a transfer that has ended.
  deinit { cancel() }

  /// Ends the transfer, if it has not ended.
  func cancel() { client.core.cancel(id) }

  /// The fields that came after the body; nil before its end.
  var trailers: HTTPHeaders? { stream.trailers }

  func next() async throws(HTTPError) -> HTTPBody? {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if stream.take(continuation) { client.core.resume(id) }
      }
    } onCancel: {
      client.core.cancel(id)
    }
    return try result.get()
  }
}
