internal import Dispatch
internal import Synchronization

/// The response to a request that was sent already, for one who asks for it later.
final class LaterResponse: Sendable {
  private typealias End = Result<HTTPResponse, HTTPError>

  /// Where the end lies, apart from what cancels the request when nobody waits for it any more.
  private final class Box: Sendable {
    private struct State {
      var end: End?
      var waiter: CheckedContinuation<End, Never>?
    }

    private let state = Mutex(State())

    func fill(_ end: End) {
      let waiter = state.withLock { state in
        state.end = end
        return state.waiter.take()
      }
      waiter?.resume(returning: end)
    }

    func take(_ waiter: CheckedContinuation<End, Never>) {
      let end = state.withLock { state in
        if state.end == nil { state.waiter = waiter }
        return state.end
      }
      if let end { waiter.resume(returning: end) }
    }
  }

  private let box = Box()
  private let operation: HTTPOperation
  // A client that nobody holds would cancel it.
  private let client: HTTPClient

  /// Sends the request.
  init(of request: HTTPRequest, from client: HTTPClient) {
    self.client = client
    operation = client.enqueue(request, on: DispatchQueue.global()) { [box] end in box.fill(end) }
  }

  // Without effect on one that has ended.
  deinit { operation.cancel() }

  /// The response, once it is there; asked for once.
  func value() async throws(HTTPError) -> HTTPResponse {
    let end = await withTaskCancellationHandler {
      await withCheckedContinuation { box.take($0) }
    } onCancel: {
      operation.cancel()
    }
    return try end.get()
  }
}
