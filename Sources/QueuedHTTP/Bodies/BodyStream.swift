internal import DequeModule
internal import Synchronization

/// What lies between the worker, which brings pieces of a body, and those who take them.
final class BodyStream: Sendable {
  typealias Head = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
  typealias Taker = CheckedContinuation<Result<HTTPBody?, HTTPError>, Never>

  /// With so many bytes here the transfer pauses, until less than half are left.
  static let bound = 256 << 10

  /// Smaller pieces are put together to larger ones while nobody takes them: each costs memory of its
  /// own.
  private static let smallPiece = 16 << 10

  private struct State {
    var head: Head?
    var hasBegun = false
    var pieces: Deque<HTTPBody> = []
    /// What comes after the pieces.
    var small: [UInt8] = []
    var count = 0
    var takers: Deque<Taker> = []
    var end: Result<HTTPBody?, HTTPError>?
    var isPaused = false
    var trailers: HTTPHeaders?

    /// Makes a piece of the small ones.
    mutating func putTogether() {
      guard !small.isEmpty else { return }
      pieces.append(HTTPBody(small))
      small.removeAll(keepingCapacity: true)
    }
  }

  private let state = Mutex(State())

  /// Says who waits for the head; before the request is taken in.
  func expectHead(_ head: Head) { state.withLock { $0.head = head } }

  /// Whether the head was handed out, so that the request cannot be tried again.
  var hasBegun: Bool { state.withLock { $0.hasBegun } }

  /// The fields that came after the body; nil before its end.
  var trailers: HTTPHeaders? { state.withLock { $0.trailers } }

  /// Hands out the head, once.
  func begin(_ head: HTTPResponse) {
    let continuation = state.withLock { state in
      state.hasBegun = true
      return state.head.take()
    }
    continuation?.resume(returning: .success(head))
  }

  /// Whether there is no room for another piece; if so, `take` says when there is.
  func isFull() -> Bool {
    state.withLock { state in
      state.isPaused = state.count >= Self.bound && state.end == nil
      return state.isPaused
    }
  }

  /// Takes a piece in, whether there is room or not.
  @unsafe
  func add(_ bytes: UnsafeRawBufferPointer) {
    let taker = state.withLock { state -> Taker? in
      if let taker = state.takers.popFirst() { return taker }
      state.count += bytes.count
      if bytes.count < Self.smallPiece {
        unsafe state.small.append(contentsOf: bytes)
        if state.small.count >= Self.smallPiece { state.putTogether() }
      } else {
        state.putTogether()
        state.pieces.append(unsafe HTTPBody(bytes))
      }
      return nil
    }
    taker?.resume(returning: .success(unsafe HTTPBody(bytes)))
  }

  /// Ends the stream; what lies here can still be taken.
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
    // Without a head there is a failure: a response has just begun.
    head?.resume(returning: result)
    for taker in takers { taker.resume(returning: end) }
  }

  /// Hands over the next piece now or later; says whether the transfer is to go on.
  func take(_ taker: Taker) -> Bool {
    let (result, goesOn) = state.withLock { state -> (Result<HTTPBody?, HTTPError>?, Bool) in
      if state.pieces.isEmpty { state.putTogether() }
      guard let piece = state.pieces.popFirst() else {
        if state.end == nil { state.takers.append(taker) }
        return (state.end, false)
      }
      state.count -= piece.count
      let goesOn = state.isPaused && state.count < Self.bound / 2
      if goesOn { state.isPaused = false }
      return (.success(piece), goesOn)
    }
    if let result { taker.resume(returning: result) }
    return goesOn
  }
}
