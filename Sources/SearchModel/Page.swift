/// One answer of a source: its posts in the order that they came, and where the next page begins.
package struct Page: Hashable, Sendable {
  package var posts: [Post]
  /// Where the next page begins; nil when this is the last.
  package var next: Cursor?
  /// Items that could not be read and were left out.
  package var brokenItems: Int
  /// What else the answer said, such as errors about posts referred to; a line each.
  package var notes: [String]

  package init(
    posts: [Post] = [], next: Cursor? = nil, brokenItems: Int = 0, notes: [String] = []
  ) {
    self.posts = posts
    self.next = next
    self.brokenItems = brokenItems
    self.notes = notes
  }
}
