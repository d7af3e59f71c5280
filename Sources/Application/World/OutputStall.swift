internal import Glibc
internal import Synchronization

/// Whether this process waits for the reader of something that it writes.
///
/// The first signal lets the output be written to its end. That must not last for ever where nobody reads it,
/// as when the other end of a pipe is stopped.
package enum OutputStall {
  private struct State: Sendable {
    /// The number of writes under way.
    var writes = 0
    /// The number of times that one has got on.
    var steps: UInt64 = 0
  }

  private static let state = Mutex(State())
  /// In microseconds.
  private static let nap: UInt32 = 100_000
  /// The naps without a step after which nobody is expected to read any more: two seconds.
  private static let patience = 20

  static func beginWriting() { state.withLock { $0.writes += 1 } }

  static func endWriting() { state.withLock { $0.writes -= 1 } }

  static func note() { state.withLock { $0.steps += 1 } }

  /// Returns once a write has not got on for two seconds; blocks its thread until then.
  package static func wait() {
    var last = state.withLock { $0.steps }
    var naps = 0
    while naps < patience {
      usleep(nap)
      let now = state.withLock { $0 }
      naps = now.writes > 0 && now.steps == last ? naps + 1 : 0
      last = now.steps
    }
  }
}
