package import FoundationEssentials
package import SearchModel

/// Posts counted three ways.
package struct HistoryStatistics: Hashable, Sendable {
  package var posts = 0
  package var days: [String: Int] = [:]
  package var networks: [String: Int] = [:]
  package var authors: [String: Int] = [:]
  /// The posts that match but are not for everyone, which are not counted otherwise.
  package var privatePosts = 0

  /// The name of the day of posts without a date.
  package static let undated = "undated"

  package init() {}

  /// Counts a post.
  ///
  /// - Parameter zone: Returns the day of a date.
  package mutating func add(_ post: Post, zone: (Date) -> String) {
    posts += 1
    days[post.createdAt.map(zone) ?? Self.undated, default: 0] += 1
    networks[post.source.rawValue, default: 0] += 1
    if !post.author.handle.isEmpty { authors[post.author.handle, default: 0] += 1 }
  }
}
