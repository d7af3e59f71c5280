/// What a network charges for a request, in a unit of its own.
package struct RequestCost: Hashable, Sendable {
  /// What each request costs, whatever it answers.
  package var perRequest: Int
  /// What each post of an answer costs beside that, at least.
  package var perPost: Int
  /// The most that a post can cost together with what comes along with it, such as its author and the
  /// posts that it refers to. `Page.charged` says what an answer did cost.
  package var mostPerPost: Int
  /// What is counted, for people: `posts read`, `quota units`.
  package var unit: String
  /// What one run may cost unless `--max-cost` says otherwise.
  package var defaultBound: Int

  package init(
    perRequest: Int = 0, perPost: Int = 0, mostPerPost: Int? = nil, unit: String, defaultBound: Int
  ) {
    self.perRequest = perRequest
    self.perPost = perPost
    self.mostPerPost = mostPerPost ?? perPost
    self.unit = unit
    self.defaultBound = defaultBound
  }

  /// The least that a request costs which answers with a number of posts.
  package func of(posts: Int) -> Int { perRequest + perPost * posts }

  /// The most that such a request can cost.
  package func most(ofPosts posts: Int) -> Int { perRequest + mostPerPost * posts }
}
