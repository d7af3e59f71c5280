/// The pieces of a response's body, as they come.
///
/// What is not taken stays with the server: when a few hundred KiB lie here, the transfer pauses.
/// It holds its slot meanwhile, and the total timeout goes on. Letting go of the stream, or
/// cancelling the task that waits for it, cancels the transfer. Several that iterate share the
/// pieces among them.
public struct HTTPBodyStream: AsyncSequence, Sendable {
  /// A piece of the body.
  public typealias Element = HTTPBody
  /// The error of the transfer.
  public typealias Failure = HTTPError

  let lease: StreamLease

  /// Makes an iterator, which shares the pieces with all others of the stream.
  public func makeAsyncIterator() -> Iterator { Iterator(lease: lease) }

  /// The fields that came after the body (RFC 9110, section 6.5); nil until all of it has come.
  public var trailers: HTTPHeaders? { lease.trailers }

  /// Takes the pieces one by one.
  public struct Iterator: AsyncIteratorProtocol {
    let lease: StreamLease

    /// The next piece, never an empty one; nil at the end, an error where the transfer failed.
    public mutating func next() async throws(HTTPError) -> HTTPBody? { try await lease.next() }
  }
}
