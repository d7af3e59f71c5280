package import FoundationEssentials

/// A watch's memory of one search: when it is due, and what that depends on.
package struct WatchTurn: Hashable, Sendable {
  /// The moment at which it became part of the watch.
  package var added = Duration.zero
  package var due = Duration.zero
  /// The moment at which it was last asked.
  package var begun = Duration.zero
  /// The interval at which it was last scheduled.
  package var interval = Duration.zero
  /// The date of its newest post.
  package var newest: Date?
  /// Rejections in a row.
  package var rejections = 0
}
