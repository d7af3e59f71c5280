internal import Synchronization

/// The progress line of a watch, which is hidden while something is printed.
final class WatchProgress: Sendable {
  private let line = Mutex<(any ProgressDisplay)?>(nil)
  private let make: @Sendable () -> (any ProgressDisplay)?

  /// - Parameter make: Makes a new line; nil where none is shown.
  init(_ make: @escaping @Sendable () -> (any ProgressDisplay)?) { self.make = make }

  /// Removes the line, if it is shown.
  func hide() {
    let shown = line.withLock { line in
      defer { line = nil }
      return line
    }
    shown?.end()
  }

  /// Returns a line that is to be shown now; nil if one is shown already, or none can be.
  func begin() -> (any ProgressDisplay)? {
    line.withLock { line in
      guard line == nil, let new = make(), new.isAnimated else { return nil }
      line = new
      return new
    }
  }
}
