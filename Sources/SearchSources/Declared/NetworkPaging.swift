internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// The paging of a network.
struct NetworkPaging: Sendable {
  /// The way to the next page.
  enum Way: Sendable {
    /// By its number, starting at this one.
    case page(first: Int)
    /// By the number of items before it.
    case offset
    /// By a string or number in the response.
    case cursor(NodePath)
    /// By an address in the response or in its `Link` header; without one there is only one page.
    case link(NodePath?)
  }

  var way: Way = .link(nil)
  /// The allowed numbers of posts a page.
  var sizes: ClosedRange<Int> = 1...50
  /// The maximum number of pages of one search; nil for no maximum.
  var most: Int?
  /// The value of the cursor on the first page.
  var start: String?
  /// The value in a response that says whether there are more pages, if any does.
  var more: NodePath?
  /// The number of pages in a response, if it says so, or in a field of its head.
  var pages: NodePath?
  var pagesField: String?
  /// The total number of posts in a response, if it says so, or in a field of its head.
  var total: NodePath?
  var totalField: String?
  /// True if the sizes of pages are those that were asked for, so that a total says how many there are.
  var isExact = false
  /// True if posts are filtered after paging, so that a total counts more than are shown, and pages say nothing about
  /// their size.
  var isFiltered = false
  /// True if pages begin only at multiples of their size, also after a page with fewer posts.
  var isAligned = false
  /// The words in a response without posts that say which limit was reached.
  var limit: NodePath?
  /// The number of posts beyond which the network returns nothing.
  var ceiling: Int?
  /// A search that ends after this many posts was cut.
  var shortestCut: Int?
  /// The reason there is nothing beyond `ceiling` and `most`.
  var beyond: String?

  /// The number of the first page or item, and the size of a page, where pages have numbers.
  func position(of page: PageRequest) -> NumberedPage? {
    switch way {
    case .page(let first): NumberedPage(page, first: first, sizes: sizes)
    case .offset: NumberedPage(page, first: 0, sizes: sizes)
    case .cursor, .link: nil
    }
  }

  /// The number of posts that a page is asked for.
  func size(of page: PageRequest) -> Int {
    position(of: page)?.size ?? page.size(within: sizes)
  }

  /// The address of a page that a response has named.
  func link(of page: PageRequest, on server: ServerAddress) -> String? {
    guard case .link = way, let cursor = page.cursor else { return nil }
    return SameOrigin.address(of: cursor.rawValue, on: server)
  }

  /// The second page, where it is known before the first was read.
  func secondPage(after page: PageRequest) -> Cursor? {
    guard let position = position(of: page) else { return nil }
    return after(position, step: position.size).cursor
  }

  /// - Parameter step: The number of items on the page.
  private func after(_ position: NumberedPage, step: Int) -> NumberedPage {
    var next = position
    if case .offset = way {
      next.number += step
    } else {
      next.number += 1
    }
    return next
  }

  /// The number of items before a position.
  private func before(_ position: NumberedPage?, _ page: PageRequest) -> Int {
    switch (way, position) {
    case (.page(let first), let position?):
      (position.number - first).multipliedReportingOverflow(by: position.size).partialValue
    case (.offset, let position?): position.number
    default: page.itemsBefore
    }
  }

  /// The keys of a declaration whose paths lead to nothing in a response, each with its path.
  func unmetPaths(in root: JSONNode) -> [(key: String, path: String)] {
    let next: NodePath? =
      switch way {
      case .cursor(let path): path
      case .link(let path): path
      case .page, .offset: nil
      }
    return [("next", next), ("more", more), ("pages", pages), ("total", total)]
      .compactMap { key, path in
        path.flatMap { $0.node(in: root) == nil ? ("page.\(key)", $0.text) : nil }
      }
  }

  /// Returns what follows a response with a number of items.
  ///
  /// - Parameters:
  ///   - root: The response, if it is JSON.
  ///   - link: The address of the next page that another format names.
  ///   - isNamed: Whether it names one, even without a usable address.
  ///   - total: The number of posts that another format names; it counts where pages have numbers.
  func next(
    after page: PageRequest, in response: HTTPResponse, _ root: JSONNode?, link: String? = nil,
    isNamed: Bool = false, total: Int? = nil, items: Int, on server: ServerAddress
  ) -> NextPage {
    if items == 0, let words = limit.flatMap({ path in root.flatMap(path.node) })?.text {
      return .beyondLimit(OneLine.of(words, without: page.secrets))
    }
    let position = position(of: page)
    let stated =
      self.total.flatMap { path in root.flatMap(path.node) }?.wholeNumber
      ?? totalField.flatMap { response.headers[$0] }.flatMap { Int($0.trimmed) }
    let itemsSoFar = page.itemsBefore + items
    // A total below what has come is that of something else, or of nothing.
    let total = (stated ?? (position == nil ? nil : total)).flatMap { $0 < itemsSoFar ? nil : $0 }
    let count =
      pages.flatMap { path in root.flatMap(path.node) }?.wholeNumber
      ?? pagesField.flatMap { response.headers[$0] }.flatMap { Int($0.trimmed) }
    let reached = observed(position, page)
    let says = saysMore(reached, page, root, pages: count, total: total, items: items)
    if items == 0, isRepeated(root, of: page) {
      return says == true && page.itemsBefore > 0 ? .unreachable(NextPage.unusableCursor) : .end
    }
    let next: NextPage
    switch way {
    case _ where says == false: next = .end
    // Without any sign an empty page is the end.
    case .page, .offset:
      // After an empty page a number of items would lead to it again.
      let step = isAligned ? position?.size ?? 0 : items > 0 ? items : reached?.size ?? 0
      next =
        says == true || items > 0
        ? position.map { .at(after($0, step: step).cursor) } ?? .end : .end
    case .cursor(let path): next = NextPage(root.flatMap(path.node))
    case .link(let path):
      let node = path.flatMap { path in root.flatMap(path.node) }
      next = Self.page(
        at: path == nil ? link ?? LinkHeader(in: response.headers).next : node?.text,
        isNamed: isNamed || node?.isFilled == true, in: response, on: server)
    }
    switch next {
    case .end where says == true: return .unreachable(NextPage.unusableCursor)
    case .end:
      if isCut(page, at: reached, total: total, items: items) { return .beyondLimit(reason) }
      let total = more == nil && count == nil ? total : nil
      return shortfall(itemsSoFar, of: total).map(NextPage.unreachable) ?? .end
    case .at:
      let limit = limit(on: page, at: reached, total: total, items: items)
      return limit.map(NextPage.beyondLimit) ?? next
    default: return next
    }
  }

  /// A position in pages of the size that the server gives, which need not be the requested one.
  private func observed(_ position: NumberedPage?, _ page: PageRequest) -> NumberedPage? {
    guard let position, !isFiltered, page.largestBefore > 0 else { return position }
    return NumberedPage(number: position.number, size: page.largestBefore)
  }

  /// Returns the reason that a search which ends is incomplete, by the number of posts that the network counts; nil if
  /// it is not. A search that has found none has a reason of its own.
  private func shortfall(_ received: Int, of total: Int?) -> String? {
    guard !isFiltered, let total, received > 0, total > received else { return nil }
    return "the network counts \(Plural.count(total, "post")), and returned \(received)"
  }

  /// True if a page names its own cursor as that of the next one: an empty one is then the last, as in Solr.
  /// https://solr.apache.org/guide/solr/latest/query-guide/pagination-of-results.html
  private func isRepeated(_ root: JSONNode?, of page: PageRequest) -> Bool {
    guard case .cursor(let path) = way, case .at(let next) = NextPage(root.flatMap(path.node))
    else { return false }
    return next.rawValue == page.cursor?.rawValue ?? start
  }

  /// Returns the reason why an empty page should have posts, by the total in the response; nil for any other page.
  ///
  /// Where posts may be filtered after paging, only a search that ends without any should have found some.
  func gap(on page: PageRequest, _ root: JSONNode, after items: Int, _ next: NextPage) -> String? {
    guard items == 0, let total = total.flatMap({ $0.node(in: root) })?.wholeNumber, total > 0
    else { return nil }
    if isExact, isInside(observed(position(of: page), page), page, total: total) {
      return "a page was empty, although the network counts \(Plural.count(total, "post"))"
    }
    guard next == .end, page.itemsBefore == 0 else { return nil }
    return "the network reports \(Plural.count(total, "post")) but returned none"
  }

  /// Returns the reason why a page of a feed without entries should have some, by the total that the feed names; nil
  /// for any other page.
  ///
  /// arXiv answers so now and then (https://github.com/lukasschwab/arxiv.py/issues/43).
  func gap(on page: PageRequest, total: Int?, items: Int) -> String? {
    let position = observed(position(of: page), page)
    guard items == 0, let total, isInside(position, page, total: total) else { return nil }
    return "a page was empty, although the feed counts \(Plural.count(total, "post"))"
  }

  /// True if a page begins before the last of a number of posts, and before the ceiling.
  private func isInside(_ position: NumberedPage?, _ page: PageRequest, total: Int) -> Bool {
    position.map { before($0, page) < min(total, ceiling ?? .max) } ?? false
  }

  /// Returns whether a search that ends with a page was probably cut there.
  private func isCut(
    _ page: PageRequest, at position: NumberedPage?, total: Int?, items: Int
  ) -> Bool {
    if let shortestCut, page.itemsBefore + items >= shortestCut { return true }
    guard let ceiling else { return false }
    // Without a total, a search that ends at the ceiling looks like one that was cut there.
    let isExactEnd = total == nil || isExact && items == 0
    let size = isExactEnd ? items : max(items, position?.size ?? 0)
    let (count, _) = before(position, page).addingReportingOverflow(size)
    return count >= ceiling && total ?? .max > count
  }

  /// The limit of the network that a page has reached, so that the next one cannot be requested; nil if it has
  /// reached none.
  private func limit(
    on page: PageRequest, at position: NumberedPage?, total: Int?, items: Int
  ) -> String? {
    if let most, page.pagesBefore + 1 >= most {
      return beyond ?? "stopped after \(Plural.count(most, "page")), as page.most says"
    }
    let (count, overflow) = before(position, page).addingReportingOverflow(items)
    guard let ceiling, overflow || count >= ceiling else { return nil }
    // Empty pages have a size, too, and may lead beyond all posts that there are.
    return isExact && total ?? .max <= ceiling ? nil : reason
  }

  private var reason: String {
    beyond ?? "this network returns at most \(ceiling ?? shortestCut ?? 0) posts of a query"
  }

  /// The page at an address, which must be on the same server.
  ///
  /// - Parameter isNamed: Whether the response says that there is one, in whatever form.
  private static func page(
    at address: String?, isNamed: Bool, in response: HTTPResponse, on server: ServerAddress
  ) -> NextPage {
    guard let address else { return isNamed ? .unreachable(NextPage.unusableCursor) : .end }
    guard let mark = SameOrigin.path(ofNext: address, in: response, on: server) else {
      return .unreachable("the next page is on another server, so it was not requested")
    }
    return .at(Cursor(rawValue: mark))
  }

  /// Returns whether a response says that there is more; nil if it says nothing.
  private func saysMore(
    _ position: NumberedPage?, _ page: PageRequest, _ root: JSONNode?, pages: Int?, total: Int?,
    items: Int
  ) -> Bool? {
    if let more, let root { return more.node(in: root)?.isFilled ?? false }
    if let count = pages {
      if case .page(let first) = way, let position { return position.number - first + 1 < count }
      return page.pagesBefore + 1 < count
    }
    // A cursor that is missing is the end, whatever was filtered.
    guard let count = total, !isFiltered || position != nil else { return nil }
    // Some posts may have been filtered after paging, so that the total is never reached.
    if items == 0 || isExact, case .page(let first) = way, let position {
      let (given, overflow) = (position.number - first + 1)
        .multipliedReportingOverflow(by: position.size)
      return !overflow && given < count
    }
    let before = if case .offset = way { position?.number ?? 0 } else { page.itemsBefore }
    let (given, overflow) = before.addingReportingOverflow(items)
    return !overflow && given < count
  }
}

extension JSONNode {
  /// A whole number, which some networks write as text.
  var wholeNumber: Int? { count ?? string.flatMap { Int($0) } }
}
