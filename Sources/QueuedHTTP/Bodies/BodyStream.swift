internal import DequeModule
internal import Synchronization

/// The buffer between the worker, which adds pieces of a body, and the tasks that take them.
final class BodyStream: Sendable {
  typealias Head = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
  typealias Taker = CheckedContinuation<Result<HTTPBody?, HTTPError>, Never>

  /// With this many buffered bytes the transfer pauses, until less than half are left.
  static let bound = 256 << 10

  /// Smaller pieces are combined while nobody takes them, because each one needs its own memory.
  private static let smallPiece = 16 << 10

  private struct State {
    var head: Head?
    var hasBegun = false
    var pieces: Deque<HTTPBody> = []
    /// The bytes after the pieces.
    var small: [UInt8] = []
    var count = 0
    var takers: Deque<Taker> = []
    var end: Result<HTTPBody?, HTTPError>?
    var isPaused = false
    var trailers: HTTPHeaders?

    /// Combines the small pieces into one.
    mutating func combineSmall() {
      guard !small.isEmpty else { return }
      pieces.append(HTTPBody(small))
      small.removeAll(keepingCapacity: true)
    }
  }

  private let state = Mutex(State())

  /// Sets who waits for the head; called before the request is submitted.
  func expectHead(_ head: Head) { state.withLock { $0.head = head } }

  /// True if the head was handed out, so that the request cannot be retried.
  var hasBegun: Bool { state.withLock { $0.hasBegun } }

  /// The trailer fields; nil before the end of the body.
  var trailers: HTTPHeaders? { state.withLock { $0.trailers } }

  /// Hands out the head, once.
  func begin(_ head: HTTPResponse) {
    let continuation = state.withLock { state in
      state.hasBegun = true
      return state.head.take()
    }
    continuation?.resume(returning: .success(head))
  }

  /// True if there is no room for another piece; if so, `take` returns true when there is.
  func isFull() -> Bool {
    state.withLock { state in
      state.isPaused = state.count >= Self.bound && state.end == nil
      return state.isPaused
    }
  }

  /// Adds a piece, whether there is room or not.
  @unsafe
  func add(_ bytes: UnsafeRawBufferPointer) {
    let taker = state.withLock { state -> Taker? in
      if let taker = state.takers.popFirst() { return taker }
      state.count += bytes.count
      if bytes.count < Self.smallPiece {
        unsafe state.small.append(contentsOf: bytes)
        if state.small.count >= Self.smallPiece { state.combineSmall() }
      } else {
        state.combineSmall()
        state.pieces.append(unsafe HTTPBody(bytes))
      }
      return nil
    }
    taker?.resume(returning: .success(unsafe HTTPBody(bytes)))
  }

  /// Ends the stream; buffered pieces can still be taken.
  func end(_ result: Result<HTTPResponse, HTTPError>) {
    if case .success(let response) = result, !hasBegun {
      begin(response)
      if response.body.count > 0 { unsafe response.body.withUnsafeBytes { unsafe add($0) } }
    }
    let (head, takers, end) = state.withLock { state in
      let end: Result<HTTPBody?, HTTPError> = result.map { _ in nil }
      if state.end == nil { state.end = end }
      if case .success(let response) = result { state.trailers = response.trailers }
      defer { state.takers = [] }
      return (state.head.take(), state.takers, end)
    }
    // Without a head the result is a failure: a response was begun above.
    head?.resume(returning: result)
    for taker in takers { taker.resume(returning: end) }
  }

  /// Hands over the next piece now or later; returns whether the transfer should continue.
  func take(_ taker: Taker) -> Bool {
    let (result, resumes) = state.withLock { state -> (Result<HTTPBody?, HTTPError>?, Bool) in
      if state.pieces.isEmpty { state.combineSmall() }
      guard let piece = state.pieces.popFirst() else {
        if state.end == nil { state.takers.append(taker) }
        return (state.end, false)
      }
      state.count -= piece.count
      let resumes = state.isPaused && state.count < Self.bound / 2
      if resumes { state.isPaused = false }
      return (.success(piece), resumes)
    }
    if let result { taker.resume(returning: result) }
    return resumes
  }
}
