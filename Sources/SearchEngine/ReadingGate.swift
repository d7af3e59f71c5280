internal import DequeModule
internal import Synchronization

/// Bounds the bytes of responses that are read at once: reading a response takes several times its size.
///
/// Only large responses wait, in order of arrival; those of ordinary pages pass.
final class ReadingGate: Sendable {
  /// Responses up to this size pass.
  static let ordinarySize = 1 << 20

  private struct State: Sendable {
    var bytes = 0
    var waiting: Deque<(size: Int, continuation: CheckedContinuation<Void, Never>)> = []
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: The most bytes at once; a single response may be larger.
  init(limit: Int = 32 << 20) { self.limit = limit }

  /// Calls `read` when a response of this size may be read.
  func pass<Result: Sendable>(size: Int, _ read: () -> Result) async -> Result {
    guard size > Self.ordinarySize else { return read() }
    await enter(size)
    defer { leave(size) }
    return read()
  }

  private func enter(_ size: Int) async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard state.waiting.isEmpty, state.bytes == 0 || state.bytes + size <= limit else {
          state.waiting.append((size, continuation))
          return false
        }
        state.bytes += size
        return true
      }
      if isOpen { continuation.resume() }
    }
  }

  private func leave(_ size: Int) {
    let next = state.withLock { state in
      state.bytes -= size
      var next: [CheckedContinuation<Void, Never>] = []
      while let first = state.waiting.first,
        state.bytes == 0 || state.bytes + first.size <= limit
      {
        state.bytes += first.size
        next.append(first.continuation)
        state.waiting.removeFirst()
      }
      return next
    }
    for continuation in next { continuation.resume() }
  }
}
