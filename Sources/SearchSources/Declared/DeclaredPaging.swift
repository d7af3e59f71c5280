internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// The paging of a declared source.
struct DeclaredPaging: Hashable, Sendable {
  /// The way to the next page.
  enum Way: Hashable, Sendable {
    /// There is only one page.
    case none
    /// By its number, starting at this one.
    case page(first: Int)
    /// By the number of items before it.
    case offset
    /// By a string or number in the response.
    case cursor(NodePath)
    /// By an address in the response or in its `Link` header.
    case link(NodePath?)
  }

  var way: Way
  /// The allowed numbers of posts a page.
  var sizes: ClosedRange<Int>
  /// The maximum number of pages of one search.
  var most: Int
  /// The value in a response that says whether there are more pages, if any does.
  var more: NodePath?
  /// The number of pages in a response, if it says so.
  var pages: NodePath?
  /// The total number of posts in a response, if it says so.
  var total: NodePath?

  /// Returns what follows a response with a number of items.
  func next(
    after position: DeclaredPosition, in answer: Answer, items: Int
  ) -> NextPage {
    let says = saysMore(position, answer, items: items)
    guard says != false else { return .end }
    let next: NextPage
    switch way {
    case .none: next = .end
    case .page, .offset:
      // Without any sign an empty page is the end.
      guard says == true || items > 0 else { return .end }
      next = .at(position.next(at: markAfter(position, items: items)))
    case .cursor(let path):
      next = NextPage(path.node(in: answer.root)) { position.next(at: $0) }
    case .link(let path):
      next = link(path, in: answer, after: position)
    }
    if next == .end, says == true { return .unreachable(NextPage.unusableCursor) }
    guard case .at = next, answer.page.pagesBefore + 1 >= most else { return next }
    return .beyondLimit("stopped after \(most) pages, as page.most says")
  }

  /// The page that an address in a response or its `Link` header names.
  private func link(
    _ path: NodePath?, in answer: Answer, after position: DeclaredPosition
  ) -> NextPage {
    let node = path?.node(in: answer.root)
    let address = path == nil ? LinkHeader.next(in: answer.response.headers) : node?.text
    guard let address else {
      return node?.isFilled == true ? .unreachable(NextPage.unusableCursor) : .end
    }
    guard let mark = SameOrigin.path(of: address, on: answer.page.server) else {
      return .unreachable("the next page is on another server, so it was not requested")
    }
    return .at(position.next(at: mark))
  }

  /// The number of pages or items before the next page.
  private func markAfter(_ position: DeclaredPosition, items: Int) -> String {
    if case .page = way { return String(page(of: position) + 1) }
    // After an empty page a number of items would lead to it again.
    return String(offset(of: position) + (items > 0 ? items : position.size))
  }

  /// The number of pages before a position.
  func page(of position: DeclaredPosition) -> Int { Int(position.mark) ?? 0 }

  /// The number of items before a position.
  func offset(of position: DeclaredPosition) -> Int { Int(position.mark) ?? 0 }

  /// Returns whether a response says that there is more; nil if it says nothing.
  private func saysMore(
    _ position: DeclaredPosition, _ answer: Answer, items: Int
  ) -> Bool? {
    if let more { return more.node(in: answer.root)?.isFilled ?? false }
    if let count = pages?.node(in: answer.root)?.count {
      return answer.page.pagesBefore + 1 < count
    }
    guard let count = total?.node(in: answer.root)?.count else { return nil }
    let before = if case .offset = way { offset(of: position) } else { answer.page.itemsBefore }
    let (given, overflow) = before.addingReportingOverflow(items)
    return !overflow && given < count
  }
}

extension DeclaredPaging {
  private enum By: String, CaseIterable { case page, offset, cursor, link }

  private static let largestSize = 1000

  /// Reads the paging; by default it follows from the placeholders of the requests.
  ///
  /// - Parameters:
  ///   - entry: The object under `page`, if there is one.
  ///   - declaration: The declaration as a whole.
  ///   - slots: The placeholders of the requests.
  init(
    _ entry: JSONEntry?, of declaration: JSONEntry, slots: [Placeholder]
  ) throws(DocumentError) {
    let page =
      try entry?.object(
        knowing: ["by", "first", "size", "most", "next", "more", "pages", "total"]) ?? [:]
    let next = try page["next"].map(NodePath.init)
    let by: By? = try page["by"]?.choice() ?? Self.way(slots, hasNext: next != nil)
    if let (key, message) = Self.conflict(by, slots, hasNext: next != nil) {
      throw page[key]?.fault(message) ?? declaration.fault(message, at: "page.\(key)")
    }
    let first = try page["first"]?.integer(in: 0...1_000_000)
    if let entry = page["first"], by != .page { throw entry.fault(expected: "{page} in the url") }
    switch by {
    case .page: way = .page(first: first ?? 1)
    case .offset: way = .offset
    case .cursor: way = next.map(Way.cursor) ?? .none
    case .link: way = .link(next)
    case nil: way = .none
    }
    sizes = try page["size"].map(Self.sizes) ?? 1...50
    most = try page["most"]?.integer(in: 1...1000) ?? 20
    more = try page["more"].map(NodePath.init)
    pages = try page["pages"].map(NodePath.init)
    total = try page["total"].map(NodePath.init)
  }

  private static func way(_ slots: [Placeholder], hasNext: Bool) -> By? {
    if slots.contains(.page) { return .page }
    if slots.contains(.offset) { return .offset }
    if slots.contains(.cursor) { return .cursor }
    return hasNext ? .link : nil
  }

  /// A contradiction between the placeholders and the way pages follow one another, and its key.
  private static func conflict(
    _ by: By?, _ slots: [Placeholder], hasNext: Bool
  ) -> (key: String, message: String)? {
    let needs: [(By, Placeholder, String)] = [
      (.page, .page, "{page}"), (.offset, .offset, "{offset}"), (.cursor, .cursor, "{cursor}"),
    ]
    for (way, slot, name) in needs {
      if by == way, !slots.contains(slot) {
        return ("by", "\(way.rawValue) needs \(name) in the url or body")
      }
      if by != way, slots.contains(slot) {
        return ("by", "expected \(way.rawValue), since the request contains \(name)")
      }
    }
    if by == .cursor, !hasNext {
      return ("next", "expected the path of the next cursor in the response")
    }
    if hasNext, by == .page || by == .offset {
      return ("next", "not allowed where pages have numbers")
    }
    return nil
  }

  /// Reads a number, or the minimum and the maximum.
  private static func sizes(_ entry: JSONEntry) throws(DocumentError) -> ClosedRange<Int> {
    let expected = "a number of posts such as 50, or a minimum and a maximum such as [1, 100]"
    guard case .array(let bounds) = entry.value else {
      let size = try entry.integer(in: 1...largestSize, expected: expected)
      return size...size
    }
    let numbers = bounds.compactMap { bound in
      if case .number(let spelling) = bound { Int(spelling) } else { nil }
    }
    guard numbers.count == 2, bounds.count == 2, numbers[0] >= 1, numbers[0] <= numbers[1],
      numbers[1] <= largestSize
    else { throw entry.fault(expected: expected) }
    return numbers[0]...numbers[1]
  }
}

/// The beginning of a page of a declared source.
struct DeclaredPosition: Hashable, Sendable {
  /// The number of posts a page; constant, as page numbers depend on it.
  let size: Int
  /// The number of pages or items before, a cursor, or the path of the page; empty on the first.
  private(set) var mark: String

  /// The position that a cursor names, or the first.
  init(_ page: PageRequest, sizes: ClosedRange<Int>) {
    let parts =
      page.cursor?.rawValue.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      ?? []
    if parts.count == 2, let size = Int(parts[0]), sizes.contains(size) {
      self.size = size
      mark = String(parts[1])
    } else {
      size = page.size(within: sizes)
      mark = ""
    }
  }

  /// Returns the cursor of the next page.
  func next(at mark: String) -> Cursor { Cursor(rawValue: "\(size)/\(mark)") }
}
