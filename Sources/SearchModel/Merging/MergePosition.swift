package import FoundationEssentials

/// The position of a post in a merged list, for posts that are merged one at a time.
///
/// It is that of `Merge`, and so is the post: its date is gone if it makes no sense.
package struct MergePosition: Comparable, Sendable {
  package let post: Post
  private let era: MergeKey.Era
  private let milliseconds: Int64

  /// - Parameter now: The run's now.
  package init(of post: Post, now: Date) {
    var post = post
    let milliseconds = post.createdAt.flatMap(MergeKey.milliseconds(of:))
    let isFuture = post.createdAt.map { $0 > now.addingTimeInterval(Merge.toleratedLead) } ?? false
    era = milliseconds == nil ? .undated : isFuture ? .future : .dated
    self.milliseconds = milliseconds ?? 0
    post.isFuture = era == .future
    if era == .undated { post.createdAt = nil }
    self.post = post
  }

  package static func < (one: Self, other: Self) -> Bool { one.isBefore(other) ?? false }

  /// Posts that are equal to the merge.
  package static func == (one: Self, other: Self) -> Bool { one.isBefore(other) == nil }

  private func isBefore(_ other: Self) -> Bool? {
    if era != other.era { return era.rawValue < other.era.rawValue }
    if milliseconds != other.milliseconds { return milliseconds > other.milliseconds }
    return post.source.rawValue.isBefore(other.post.source.rawValue)
      ?? post.server.text.isBefore(other.post.server.text) ?? post.hasSmallerID(than: other.post)
  }
}

extension Merge {
  /// True if all posts but copies are kept, and merged by their own positions alone.
  package var keepsOrder: Bool { !joinsByLink && since == nil && until == nil }
}
