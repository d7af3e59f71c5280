/// What a network charges for a request, in a unit of its own.
package struct RequestCost: Hashable, Sendable {
  /// What each request costs, whatever it answers.
  package var perRequest: Int
  /// What each post of an answer costs beside that.
  package var perPost: Int
  /// What is counted, for people: `posts read`, `quota units`.
  package var unit: String

  package init(perRequest: Int = 0, perPost: Int = 0, unit: String) {
    self.perRequest = perRequest
    self.perPost = perPost
    self.unit = unit
  }

  /// The cost of a request that answers with so many posts.
  package func of(posts: Int) -> Int { perRequest + perPost * posts }
}
