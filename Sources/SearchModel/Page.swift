/// One answer of a source: its posts in the order that they came, and where the next page begins.
package struct Page: Hashable, Sendable {
  package var posts: [Post]
  /// Where the next page begins; nil when this is the last.
  package var next: Cursor?
  /// Items that could not be read and were left out.
  package var brokenItems: Int
  /// Why there are more posts that cannot be asked for, such as a network's ceiling; nil when there
  /// are none, or a next page.
  package var missing: String?
  /// Why posts that belong on this very page may be missing, such as a search that ran out of its own
  /// time: the search is then partial, whatever follows. Nil for a whole page.
  package var gap: String?
  /// What the network charges for this answer, in the unit of its source; nil where the number of items
  /// says it.
  package var charged: Int?
  /// How many of its posts were left out because their authors ask not to be shown to people who are
  /// not signed in.
  package var hiddenFromStrangers = 0
  /// The order of this server's pages, where it differs from what the source states.
  package var order: PageOrder?
  /// The terms of the query that this server was not asked for, besides those that the source never
  /// asks for; posts are judged by them here.
  package var localTerms: [QueryTerm] = []
  /// What else the answer said, such as errors about posts referred to; a line each.
  package var notes: [String]

  package init(
    posts: [Post] = [], next: Cursor? = nil, brokenItems: Int = 0, missing: String? = nil,
    gap: String? = nil, charged: Int? = nil, order: PageOrder? = nil, notes: [String] = []
  ) {
    self.posts = posts
    self.next = next
    self.brokenItems = brokenItems
    self.missing = missing
    self.gap = gap
    self.charged = charged
    self.order = order
    self.notes = notes
  }
}
