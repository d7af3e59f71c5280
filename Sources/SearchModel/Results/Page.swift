package import FoundationEssentials

/// One page of a source: its posts in the network's order, and the cursor of the next page.
package struct Page: Hashable, Sendable {
  package var posts: [Post]
  /// The cursor of the next page; nil if this is the last.
  package var next: Cursor?
  /// True if `next` is this page again, in the form that the server needs: nothing was read yet.
  package var isRedirect = false
  /// True if `next` begins another window of dates, in which the server may show some of these posts again.
  package var endsWindow = false
  /// Items that could not be read and were left out.
  package var brokenItems: Int
  /// Items that are sound, but no results of the search, such as removed posts.
  package var passedOver = 0
  /// The reason there are more posts than can be requested, such as a network's ceiling; nil if there are no
  /// more, or if there is a next page.
  package var missing: String?
  /// True if the response itself says that nothing follows: no ceiling of the network has cut the search then.
  package var isLast = false
  /// The reason the next page, which the response announces, cannot be requested; nil if it can, or if there
  /// is none. The search is then partial, unless it needs no more.
  package var deadEnd: String?
  /// The reason posts may be missing from this page, such as a timeout of the network's search; nil for a
  /// complete page. The search is then partial, whatever follows.
  package var gap: String?
  /// The price of this page, in the unit of its source; nil if it follows from the number of items.
  package var charged: Int?
  /// The number of posts left out because their authors ask to be hidden from people who are not signed
  /// in.
  package var hiddenFromStrangers = 0
  /// The order of this server's pages, if it differs from that of the source.
  package var order: PageOrder?
  /// The dates by which the network sorts its items, in their order, where those are not the dates of the
  /// posts: when it indexed or featured them. They prove what follows, and the posts' own dates do not.
  package var sortDates: [Date] = []
  /// Terms that are local on this server, in addition to those of the query's split.
  package var localTerms: [QueryTerm] = []
  /// Other messages in the response, such as errors about referenced posts; one line each.
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

  /// The number of items in the response, posts or not.
  package var items: Int { posts.count + brokenItems + passedOver + hiddenFromStrangers }

  /// A page without posts that sends the search to another form of itself.
  package static func redirect(to cursor: Cursor) -> Page {
    var page = Page(next: cursor)
    page.isRedirect = true
    return page
  }
}

/// The order in which a network lists the posts of a search, page after page.
///
/// It decides what proves that a search has passed a bound, such as `--since` or the N-th newest post. A
/// stricter order is smaller.
package enum PageOrder: Hashable, Comparable, CaseIterable, Sendable {
  /// Strictly newest first, except for pinned posts: after the first older post all are older.
  case exact
  /// Mostly newest first, with exceptions: backdated, edited or from slower servers.
  case approximate
  /// Not by date: a page says nothing about the dates on the next one.
  case unordered
}

/// The beginning of a page, in a form that only its source reads.
package struct Cursor: RawRepresentable, Hashable, Sendable {
  /// The size of the longest cursor, or of the address of a page, in UTF-8. Many servers refuse requests
  /// with longer addresses.
  package static let longest = 8192

  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
}

/// The posts that a search found, in the network's order; a search may have several of these, such as
/// one for each page.
package struct FoundPosts: Hashable, Sendable {
  /// The query of the tag.
  package var tag: String
  package var posts: [Post]

  package init(tag: String, posts: [Post]) {
    self.tag = tag
    self.posts = posts
  }
}
