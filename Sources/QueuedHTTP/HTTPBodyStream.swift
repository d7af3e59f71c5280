/// The head of a response whose body is streamed.
public struct HTTPStreamedResponse: Sendable {
  /// The status code; one above 599 is invalid and counts as a server error (RFC 9110, section 15).
  public let status: Int
  /// The fields of the last response, without those of redirects.
  public let headers: HTTPHeaders
  /// The URL of the response, after redirects.
  public let url: String
  /// The HTTP version of the response.
  public let version: ProtocolVersion?
  /// The IP address and port of the server, or of the proxy.
  public let remoteAddress: String?
  /// The body in pieces as they arrive; releasing it cancels the transfer.
  public let body: HTTPBodyStream

  /// True if the status is 200 to 299.
  public var isSuccess: Bool { (200...299).contains(status) }
}

/// The body of a response in pieces, as they arrive.
///
/// The transfer pauses when a few hundred KiB are buffered here. Meanwhile it keeps its slot, and the
/// total timeout keeps running. Releasing the stream, or canceling the task that waits for it, cancels
/// the transfer. Several iterators share the pieces among them.
public struct HTTPBodyStream: AsyncSequence, Sendable {
  /// A piece of the body.
  public typealias Element = HTTPBody
  /// The error of the transfer.
  public typealias Failure = HTTPError

  let lease: StreamLease

  /// Creates an iterator, which shares the pieces with the stream's other iterators.
  public func makeAsyncIterator() -> Iterator { Iterator(lease: lease) }

  /// The trailer fields (RFC 9110, section 6.5); nil until the whole body has arrived.
  public var trailers: HTTPHeaders? { lease.trailers }

  /// Iterates over the pieces.
  public struct Iterator: AsyncIteratorProtocol {
    let lease: StreamLease

    /// Returns the next piece, which is never empty; nil at the end. Throws if the transfer failed.
    public mutating func next() async throws(HTTPError) -> HTTPBody? { try await lease.next() }
  }
}

/// The lines of a response's body, as they arrive.
///
/// Lines end with LF or CRLF, which are removed. Empty lines are included: they separate server-sent
/// events. The last line need not have an end. Invalid UTF-8 becomes U+FFFD.
public struct BodyLines: AsyncSequence, Sendable {
  /// A line without its end.
  public typealias Element = String
  /// The error of the transfer, or of a line that is too long.
  public typealias Failure = HTTPError

  let body: HTTPBodyStream
  let bound: Int

  /// Creates an iterator over the lines.
  public func makeAsyncIterator() -> Iterator {
    Iterator(body: body.makeAsyncIterator(), bound: bound)
  }

  /// Iterates over the lines.
  public struct Iterator: AsyncIteratorProtocol {
    private var body: HTTPBodyStream.Iterator
    private let bound: Int
    private var bytes: [UInt8] = []
    private var start = 0
    // Everything before this position contains no line end.
    private var searched = 0
    private var isOver = false

    init(body: HTTPBodyStream.Iterator, bound: Int) {
      self.body = body
      self.bound = bound
    }

    /// Returns the next line; nil at the end. Throws if the transfer failed or the line is too long.
    public mutating func next() async throws(HTTPError) -> String? {
      while true {
        if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
          defer {
            start = end + 1
            searched = start
          }
          return try line(upTo: end)
        }
        searched = bytes.count
        if isOver {
          guard start < bytes.count else { return nil }
          defer { start = bytes.count }
          return try line(upTo: bytes.count)
        }
        guard bytes.count - start <= bound else { throw tooLong }
        bytes.removeSubrange(..<start)
        searched -= start
        start = 0
        if let piece = try await body.next() {
          unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        } else {
          isOver = true
        }
      }
    }

    private func line(upTo end: Int) throws(HTTPError) -> String {
      guard end - start <= bound else { throw tooLong }
      let hasReturn = end > start && bytes[end - 1] == UInt8(ascii: "\r")
      return String(decoding: bytes[start..<(hasReturn ? end - 1 : end)], as: UTF8.self)
    }

    private var tooLong: HTTPError {
      HTTPError(.tooLarge, reason: "a line is longer than \(Wording.bytes(bound))")
    }
  }
}

extension HTTPBodyStream {
  /// The body as lines of at most 1 MiB.
  public var lines: BodyLines { lines(upTo: 1 << 20) }

  /// The body as lines; a line longer than the limit is an error (`HTTPError.Code.tooLarge`).
  public func lines(upTo bytes: Int) -> BodyLines { BodyLines(body: self, bound: bytes) }

  /// Collects the rest of the body; a body larger than the limit is an error
  /// (`HTTPError.Code.tooLarge`) and ends the transfer.
  public func collect(upTo bytes: Int) async throws(HTTPError) -> HTTPBody {
    var collected = BodyBuffer()
    var iterator = makeAsyncIterator()
    while let piece = try await iterator.next() {
      guard collected.count + piece.count <= bytes else {
        lease.cancel()
        throw HTTPError(.tooLarge, reason: "body larger than \(Wording.bytes(bytes))")
      }
      let isKept = unsafe piece.withUnsafeBytes { unsafe collected.append($0) }
      guard isKept else { throw HTTPError(.tooLarge, reason: "out of memory for the body") }
    }
    let (storage, count) = unsafe collected.giveUp()
    return unsafe HTTPBody(adopting: storage, count: count)
  }
}

extension HTTPStreamedResponse {
  /// The body as lines of at most 1 MiB.
  public var lines: BodyLines { body.lines }
}

/// Keeps a streamed transfer and its client alive as long as somebody can read it.
final class StreamLease: Sendable {
  private let client: HTTPClient
  private let id: RequestID
  private let stream: BodyStream

  init(client: HTTPClient, id: RequestID, stream: BodyStream) {
    self.client = client
    self.id = id
    self.stream = stream
  }

  // Has no effect on a transfer that has ended.
  deinit { cancel() }

  /// Cancels the transfer if it has not ended.
  func cancel() { client.core.cancel(id) }

  /// The trailer fields; nil before the end of the body.
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
