package import FoundationEssentials
package import PostHistory
package import SearchModel

/// The newest kept posts that match a question, each once.
package struct HistoryPage {
  package let posts: [Post]
  /// The number of posts that these are the newest of; nil for all.
  package let total: Int?
  /// The number of posts that match, but are not for everyone.
  package let privatePosts: Int

  /// - Parameter store: Nil where nothing has been kept yet.
  package init(
    matching query: HistoryQuery, limit: Int?, of store: (any HistoryStore)?, at now: Date
  ) throws {
    var asked = query
    asked.limit = limit.map { $0 + 1 }
    while true {
      var privatePosts = 0
      let found = try store?.posts(matching: asked, leavingOut: &privatePosts) ?? []
      let posts = Self.merged(found, at: now)
      let isCut = limit.map { posts.count > $0 } ?? false
      // Fewer than wanted, as some were copies of others: then there may be more.
      if isCut || asked.limit.map({ found.count < $0 }) ?? true {
        self.posts = limit.map { Array(posts.prefix($0)) } ?? posts
        self.privatePosts = privatePosts
        total = try isCut ? store?.statistics(of: query) { _ in "" }.posts : nil
        return
      }
      asked.limit = asked.limit.map { $0 * 2 }
    }
  }

  private static func merged(_ found: [Post], at now: Date) -> [Post] {
    let tags = Dictionary(found.map { (PostIdentity($0), $0.tags) }) { first, _ in first }
    return Merge(now: now).posts(of: found.map { FoundPosts(tag: "", posts: [$0]) }).map { post in
      var post = post
      post.tags = tags[PostIdentity(post)] ?? []
      return post
    }
  }
}
