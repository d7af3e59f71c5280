/// How far a run is.
package struct RunProgress: Hashable, Sendable {
  package var searches: Int
  package var ended: Int
  package var posts: Int

  package init(searches: Int, ended: Int, posts: Int) {
    self.searches = searches
    self.ended = ended
    self.posts = posts
  }
}
