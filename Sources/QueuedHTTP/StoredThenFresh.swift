/// At most two responses to one request: the stored one, then the server's.
///
/// The stored response comes at once, whatever its age; its `origin` says whether it is still fresh
/// (`stored`) or may have changed (`stale`). A fresh response is the only one. For a stale one, the
/// request is sent while you use it, and the server's response is the second. If the server says that
/// nothing has changed, there is no second: a sequence that ends after one response without an error
/// has confirmed it. If the cache has nothing, the server's response is the only one.
///
/// If the request for the second response fails, its error is thrown; the first response stays valid.
/// Releasing the iterator, or canceling the task that waits in it, cancels the request.
public struct StoredThenFresh: AsyncSequence, Sendable {
  /// The stored response or the fresh one.
  public typealias Element = HTTPResponse
  /// The error of the request for the fresh one.
  public typealias Failure = HTTPError

  let client: HTTPClient
  let request: HTTPRequest

  /// Creates an iterator, which sends its own request.
  public func makeAsyncIterator() -> Iterator { Iterator(client: client, request: request) }

  /// Iterates over the one or two responses.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Step {
      case begin
      case fresh(FreshResponse)
      case end
    }

    private let client: HTTPClient
    private let request: HTTPRequest
    private var step = Step.begin

    init(client: HTTPClient, request: HTTPRequest) {
      self.client = client
      self.request = request
    }

    /// Returns the next response; nil if there are no more.
    public mutating func next() async throws(HTTPError) -> HTTPResponse? {
      switch step {
      case .end: return nil
      case .begin:
        step = .end
        guard let stored = try await client.core.stored(for: request) else {
          return try await client.send(request)
        }
        if Task.isCancelled {
          let address = try Hop(request).address.censored
          throw HTTPError(.cancelled, reason: "canceled", address: address)
        }
        if stored.origin == .stale, request.cachePolicy != .onlyCached {
          var request = request
          request.acceptsStale = false
          step = .fresh(FreshResponse(client.enqueue(request)))
        }
        return stored
      case .fresh(let fresh):
        step = .end
        let response = try await fresh.operation.value
        return response.origin == .revalidated ? nil : response
      }
    }
  }
}

extension HTTPClient {
  /// Returns the stored response to a request, then the server's response if it differs.
  ///
  /// The same requests use the cache as with `send`; for any other there is only the server's response.
  public func responses(for request: HTTPRequest) -> StoredThenFresh {
    StoredThenFresh(client: self, request: request)
  }
}

/// The request for the fresh response; canceled when nobody can read it any more.
private final class FreshResponse {
  let operation: HTTPOperation

  init(_ operation: HTTPOperation) { self.operation = operation }

  // Has no effect on an operation that has ended.
  deinit { operation.cancel() }
}
