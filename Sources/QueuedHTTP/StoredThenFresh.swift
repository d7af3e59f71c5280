/// At most two responses to one request: first what the cache has, and then the server's.
///
/// The first comes at once, however old it is; its `origin` says whether it still counts as fresh
/// (`stored`) or may have changed (`stale`). A fresh one is the only one. Beside a stale one the
/// server is asked while the first is looked at, and its answer is the second. There is no second
/// when the server says that nothing has changed: a sequence that ends without one and without an
/// error has confirmed the first. Where the cache has nothing, the server's answer is the only one.
///
/// What goes wrong on the way to the second is thrown in its place, and the first stays what it was.
/// Letting go of the iterator, or cancelling the task that waits in it, cancels the request.
public struct StoredThenFresh: AsyncSequence, Sendable {
  /// The stored response or the fresh one.
  public typealias Element = HTTPResponse
  /// The error of the request for the fresh one.
  public typealias Failure = HTTPError

  let client: HTTPClient
  let request: HTTPRequest

  /// Makes an iterator, which sends a request of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(client: client, request: request) }

  /// Takes the one or two responses.
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

    /// The next response; nil when there is no other.
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
  /// Returns what the cache has for a request, and then the server's response if it is another.
  ///
  /// The request takes part in the cache as with `send`; where it does not, there is the server's
  /// response alone.
  public func responses(for request: HTTPRequest) -> StoredThenFresh {
    StoredThenFresh(client: self, request: request)
  }
}

/// The server's response while the stored one is looked at; cancelled when nobody can ask for it.
private final class FreshResponse {
  let operation: HTTPOperation

  init(_ operation: HTTPOperation) { self.operation = operation }

  // Without effect on one that has ended.
  deinit { operation.cancel() }
}
