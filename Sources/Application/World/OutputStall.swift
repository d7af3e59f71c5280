internal import Glibc
internal import Synchronization

/// Detects output that nobody reads any more.
///
/// After the first signal the output is still written to its end, which would take for ever if its reader has
/// stopped.
package enum OutputStall {
  private struct State: Sendable {
    /// The descriptors of the writes under way; negative where one is not open yet.
    var writes: [Int32] = []
    /// The number of times that a write has made progress.
    var steps: UInt64 = 0
  }

  private static let state = Mutex(State())
  /// In microseconds.
  private static let pollInterval: UInt32 = 100_000
  /// The naps without a step after which nobody is expected to read any more: two seconds.
  private static let patience = 20

  package static func beginWriting(to descriptor: Int32) {
    state.withLock { $0.writes.append(descriptor) }
  }

  package static func endWriting(to descriptor: Int32) {
    state.withLock { state in
      if let place = state.writes.lastIndex(of: descriptor) { state.writes.remove(at: place) }
    }
  }

  static func note() { state.withLock { $0.steps += 1 } }

  /// Returns once a write has made no progress for two seconds; blocks its thread until then.
  package static func wait() {
    var last = progress(of: state.withLock { $0 })
    var naps = 0
    while naps < patience {
      usleep(pollInterval)
      let now = state.withLock { $0 }
      let progress = progress(of: now)
      naps = !now.writes.isEmpty && progress == last ? naps + 1 : 0
      last = progress
    }
  }

  /// Something that changes while a reader reads, however slowly: a large write to a pipe is one call, but what
  /// waits in the pipe becomes less.
  private static func progress(of state: State) -> [UInt64] {
    [state.steps]
      + state.writes.map { descriptor in
        var waiting: Int32 = 0
        return descriptor >= 0 && ioctl(descriptor, UInt(FIONREAD), &waiting) == 0
          ? UInt64(max(waiting, 0)) : 0
      }
  }
}
