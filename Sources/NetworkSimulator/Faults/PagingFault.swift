/// A way in which the pages of a listing follow one another worse than usual.
///
/// Nothing is hidden from a client that follows what a network's documentation says, except where none
/// can: then a cursor leads nowhere, and the client must not take the listing for read.
enum PagingFault: String, CaseIterable, Sendable {
  /// Some pages are empty, as their posts were filtered after paging, and name the next one. Where
  /// nothing names it, pages are short instead, since there an empty one is the end.
  case emptyPages = "empty-pages"
  /// Pages are short for the same reason, the first one included.
  case shortPages = "short-pages"
  /// Each page comes twice.
  case repeatedPages = "repeated-pages"
  /// From the second page on, a cursor leads to the page that it is on.
  case selfCursor = "self-cursor"
  /// Pages say that there is more, but their cursors cannot be used; where a network documents a second
  /// way to the next page, only that one remains.
  case deadCursor = "dead-cursor"
  /// More posts than any page holds share a millisecond.
  case oneMoment = "one-moment"
  /// Nothing is found, beside an error.
  case errorBesideEmpty = "error-beside-empty"
  /// Where a network can ask for a pause in an answer, every answer does.
  case pauses

  /// The meanings for the help text.
  static let grammar = """
      empty-pages               empty some pages that are not the last
      short-pages               shorten pages, as if posts were filtered after paging
      repeated-pages            answer with each page twice
      self-cursor               lead each page after the first to itself
      dead-cursor               announce more with a cursor that cannot be used
      one-moment                let many posts share a millisecond
      error-beside-empty        find nothing, with an error beside it
      pauses                    ask for a second's pause in each answer, where a network can
    """

  /// The posts of a corpus that share a millisecond under `one-moment`: more than a page of any network
  /// that pages by date.
  static let crowd = 20..<150

  /// Returns posts, newest first, of which a crowd shares its first one's moment.
  static func crowding(_ posts: [CorpusPost]) -> [CorpusPost] {
    guard posts.count > crowd.lowerBound else { return posts }
    let moment = posts[crowd.lowerBound].milliseconds
    var posts = posts
    // Networks make their ids of the moment and of the first or the last digits of the mark.
    var first: Set<UInt64> = []
    var last: Set<UInt64> = []
    for index in crowd.clamped(to: posts.indices)
    where first.insert(posts[index].mark >> 54).inserted
      && last.insert(posts[index].mark % 100_000).inserted
    {
      posts[index].milliseconds = moment
    }
    // Ids within a moment follow the marks.
    return posts.sorted { ($0.milliseconds, $0.mark) > ($1.milliseconds, $1.mark) }
  }
}
