internal import DequeModule
internal import Synchronization

/// What lies between the worker, which brings pieces of a body, and those who take them.
final class BodyStream: Sendable {
  typealias Head = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
  typealias Taker = CheckedContinuation<Result<HTTPBody?, HTTPError>, Never>

  /// With so many bytes here the transfer pauses, until less than half are left.
  static let bound = 256 << 10

  private struct State {
    var head: Head?
    var hasBegun = false
    var pieces: Deque<HTTPBody> = []
    var count = 0
    var takers: Deque<Taker> = []
    var end: Result<HTTPBody?, HTTPError>?
    var isPaused = false
    var trailers: HTTPHeaders?
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

  /// Takes a piece in; false when there is no room, and then asks to go on when there is.
  @unsafe
  func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // The lock is held by takers only for a moment; no piece is made for one that is refused.
    let isFull = state.withLock { state in
      state.isPaused = state.count >= Self.bound && state.end == nil
      return state.isPaused
    }
    guard !isFull else { return false }
    add(unsafe HTTPBody(bytes))
    return true
  }

  /// Ends the stream; what lies here can still be taken.
  func end(_ result: Result<HTTPResponse, HTTPError>) {
    if case .success(let response) = result, !hasBegun {
      begin(response)
      if response.body.count > 0 { add(response.body) }
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

  private func add(_ piece: HTTPBody) {
    let taker = state.withLock { state -> Taker? in
      if let taker = state.takers.popFirst() { return taker }
      state.pieces.append(piece)
      state.count += piece.count
      return nil
    }
    taker?.resume(returning: .success(piece))
  }
}
