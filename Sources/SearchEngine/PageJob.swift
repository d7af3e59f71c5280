internal import FoundationEssentials
internal import SearchModel
internal import SearchSources

extension PageRequest {
  /// The same page for another search.
  func read(by reader: PageJob.Reader) -> PageRequest {
    var page = self
    page.split = reader.search.split
    page.wanted = reader.wanted
    page.pagesBefore = reader.pagesBefore
    page.itemsBefore = reader.itemsBefore
    page.largestBefore = reader.largestBefore
    return page
  }
}

/// A page to request now, for one search or for several whose requests are equal.
struct PageJob: Sendable {
  /// A search that reads the page.
  struct Reader: Sendable {
    /// The index of the search in the plan.
    let index: Int
    let search: Search
    /// The number of posts wanted; nil for a full page.
    let wanted: Int?
    /// The numbers of pages and items that the search has received, and of items on the largest page.
    var pagesBefore = 0
    var itemsBefore = 0
    var largestBefore = 0
  }

  /// The search that the request is made for.
  let asker: Reader
  /// The others, which read the same response.
  let sharers: [Reader]
  /// The start of the page; nil for the first.
  let cursor: Cursor?

  /// All readers of the page, the asker first.
  var readers: [Reader] { [asker] + sharers }
}

/// The result of a page request for one search.
enum PageAnswer: Sendable {
  case page(Page, KeptPosts)
  case failure(Ending)
}

/// The results of a page request.
struct AnsweredPage: Sendable {
  /// The result for each reader.
  var answers: [PageAnswer]
  /// True if anything came from the server.
  var hasAnswered: Bool
  /// The pause that the server asks for along with its posts.
  var pause: Pause?

  struct Pause: Hashable, Sendable {
    let begin: Date
    let end: Date
  }
}
