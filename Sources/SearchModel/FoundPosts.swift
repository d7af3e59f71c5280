/// What one search found: its query, and its posts in the order that they came.
///
/// A search may give several, such as one for each page.
package struct FoundPosts: Hashable, Sendable {
  /// The query of the tag.
  package var tag: String
  package var posts: [Post]

  package init(tag: String, posts: [Post]) {
    self.tag = tag
    self.posts = posts
  }
}
