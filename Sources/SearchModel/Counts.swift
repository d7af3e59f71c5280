/// How often a post was liked, passed on, answered and seen; nil where the network does not say.
package struct Counts: Hashable, Sendable {
  package var likes: Int?
  package var reposts: Int?
  package var replies: Int?
  package var views: Int?

  package init(likes: Int? = nil, reposts: Int? = nil, replies: Int? = nil, views: Int? = nil) {
    self.likes = likes
    self.reposts = reposts
    self.replies = replies
    self.views = views
  }
}
