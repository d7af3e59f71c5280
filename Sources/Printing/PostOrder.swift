package import SearchModel

/// The order of the posts in an output.
package enum PostOrder: String, CaseIterable, Hashable, Sendable {
  case newest, oldest, likes

  /// Returns posts in this order.
  ///
  /// - Parameter posts: Posts from the newest to the oldest, then those without a date or from the future,
  ///   which stay at the end.
  package func sorted(_ posts: ArraySlice<Post>) -> ArraySlice<Post> {
    switch self {
    case .newest: return posts
    case .oldest:
      let dated = posts.prefix { $0.createdAt != nil && !$0.isFuture }
      return ArraySlice(dated.reversed()) + posts[dated.endIndex...]
    case .likes:
      // Equal numbers keep their order; a post without a number is the last.
      let places = posts.indices.sorted { one, other in
        let (likes, others) = (posts[one].counts.likes ?? -1, posts[other].counts.likes ?? -1)
        return (others, one) < (likes, other)
      }
      return ArraySlice(places.map { posts[$0] })
    }
  }
}
