/// The lines of a response's body, as they come.
///
/// Lines end with LF or CRLF, which are left out. Empty lines are lines too: they separate
/// server-sent events. The last line may lack its end. Bytes that are not UTF-8 become U+FFFD.
public struct BodyLines: AsyncSequence, Sendable {
  /// A line without its end.
  public typealias Element = String
  /// The error of the transfer, or of a line that is too long.
  public typealias Failure = HTTPError

  let body: HTTPBodyStream
  let bound: Int

  /// Makes an iterator over the lines.
  public func makeAsyncIterator() -> Iterator {
    Iterator(body: body.makeAsyncIterator(), bound: bound)
  }

  /// Takes the lines one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private var body: HTTPBodyStream.Iterator
    private let bound: Int
    private var bytes: [UInt8] = []
    private var start = 0
    // Everything before it was searched for a line's end.
    private var searched = 0
    private var isOver = false

    init(body: HTTPBodyStream.Iterator, bound: Int) {
      self.body = body
      self.bound = bound
    }

    /// The next line; nil at the end, an error where the transfer failed or the line is too long.
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
      HTTPError(.tooLarge, reason: "a line longer than \(Wording.bytes(bound))")
    }
  }
}

extension HTTPBodyStream {
  /// The body line by line, each of at most 1 MiB.
  public var lines: BodyLines { lines(upTo: 1 << 20) }

  /// The body line by line; a line longer than the bound is an error (`HTTPError.Code.tooLarge`).
  public func lines(upTo bytes: Int) -> BodyLines { BodyLines(body: self, bound: bytes) }

  /// Collects the rest of the body; one larger than the bound is an error
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
  /// The body line by line, each of at most 1 MiB.
  public var lines: BodyLines { body.lines }
}
