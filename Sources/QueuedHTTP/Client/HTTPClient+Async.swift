internal import Dispatch

extension HTTPClient {
  /// Sends a request, and reports how far it is on the way to its response.
  ///
  /// Cancelling the task cancels the transfer.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - progressThreshold: The step in percent at which progress is reported; where the length is
  ///     unknown, each piece is reported.
  ///   - progress: Called with the progress, one call at a time and in order; never after the return.
  public func send(
    _ request: HTTPRequest, progressThreshold: Double = 1,
    progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(HTTPError) -> HTTPResponse {
    let queue = DispatchQueue(label: "QueuedHTTP.progress")
    let operation = HTTPOperation(
      client: self, request: request, priority: nil, place: .queue(queue),
      progressThreshold: progressThreshold, progress: progress)
    let end: Result<HTTPResponse, HTTPError>
    do throws(HTTPError) { end = .success(try await operation.value) } catch {
      end = .failure(error)
    }
    // What was reported before the end is heard before the return.
    await withCheckedContinuation { waiter in queue.async { waiter.resume() } }
    return try end.get()
  }

  /// Makes an operation that is not started yet, for its `value` and its `progress`.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - priority: Its class; nil means the request's own.
  ///   - progressThreshold: The step in percent at which progress is reported; nil reports none
  ///     unless `progress` is asked for before the start.
  public func operation(
    _ request: HTTPRequest, priority: RequestPriority? = nil, progressThreshold: Double? = nil
  ) -> HTTPOperation {
    HTTPOperation(
      client: self, request: request, priority: priority, place: .queue(.global()),
      progressThreshold: progressThreshold)
  }

  /// Makes an operation for its `value` and its `progress`, and starts it.
  public func enqueue(
    _ request: HTTPRequest, priority: RequestPriority? = nil, progressThreshold: Double? = nil
  ) -> HTTPOperation {
    let operation = operation(
      request, priority: priority, progressThreshold: progressThreshold)
    operation.start()
    return operation
  }
}
