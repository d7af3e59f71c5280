internal import TextFormats

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
    for index in crowd.clamped(to: posts.indices) { posts[index].milliseconds = moment }
    // Ids within a moment follow the marks.
    return posts.sorted { ($0.milliseconds, $0.mark) > ($1.milliseconds, $1.mark) }
  }
}

/// A page of a listing, as a paging fault has cut it.
struct PageCut<Element> {
  /// The elements that are shown.
  let shown: [Element]
  /// The number of elements before the next page, shown or not; nil on the last page.
  let next: Int?
  /// The number of elements of the listing, shown or not.
  let total: Int
}

extension SimulatedWorld {
  /// Returns the page of a listing that begins after a number of elements.
  ///
  /// - Parameters:
  ///   - size: The number of elements of a page.
  ///   - namesNext: Whether the network says that there is a next page, so that one may be empty.
  func cut<Element>(
    _ found: some Collection<Element>, at offset: Int, size: Int, namesNext: Bool = true
  ) -> PageCut<Element> {
    let listing = listing(Array(found), size: max(size, 1), namesNext: namesNext)
    let page = listing.dropFirst(max(offset, 0)).prefix(size)
    let next = offset + page.count
    let isSelf = paging == .selfCursor && offset > 0
    return PageCut(
      shown: page.compactMap(\.self), next: next < listing.count ? (isSelf ? offset : next) : nil,
      total: listing.count)
  }

  /// The listing with nil for each element that is filtered after paging.
  private func listing<Element>(
    _ found: [Element], size: Int, namesNext: Bool
  ) -> [Element?] {
    switch paging {
    case .emptyPages where namesNext:
      var listing = [Element?](repeating: nil, count: size)
      for (index, element) in found.enumerated() {
        if index == size { listing.append(contentsOf: repeatElement(nil, count: 2 * size)) }
        listing.append(element)
      }
      return listing
    case .emptyPages, .shortPages:
      var listing: [Element?] = []
      for (index, element) in found.enumerated() {
        if index % 2 == 0 { listing.append(nil) }
        listing.append(element)
      }
      return listing
    case .repeatedPages:
      var listing: [Element?] = []
      for first in stride(from: 0, to: found.count, by: size) {
        let page = found[first..<min(first + size, found.count)]
        for element in page { listing.append(element) }
        // The second copy begins where a page does.
        if page.count == size { for element in page { listing.append(element) } }
      }
      return listing
    case .selfCursor, .deadCursor, .oneMoment, .errorBesideEmpty, .pauses, nil:
      return found
    }
  }

  /// Returns a cursor as it is sent.
  func cursor(_ text: String?) -> JSONValue? {
    text.map { paging == .deadCursor ? .members(["cursor": .string($0)]) : .string($0) }
  }
}
