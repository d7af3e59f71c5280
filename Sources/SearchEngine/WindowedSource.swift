internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
package import SearchSources

/// A network that is asked for one window of dates after the other, so that its ceiling on the posts of
/// a query hides none.
///
/// Where the order is exact, a window that the ceiling cuts is complete down to its last post, and the
/// next one begins there. Otherwise a newer part of it is asked again: half of it, or less where the dates show
/// that the ceiling would cut that, too. To the engine all windows are pages of one search; the cursor says which
/// one is next, and down to where everything has been read.
package struct WindowedSource: SourceAdapter {
  package let source: any Source
  /// The spans to read, newest first and apart from each other.
  package let spans: [DateSpan]

  package init(_ source: any Source, spans: [DateSpan]) {
    self.source = source
    self.spans = spans
  }

  package var traits: SourceTraits {
    var traits = source.traits
    traits.ceiling = nil
    return traits
  }

  /// The spans that have been read completely.
  ///
  /// - Parameters:
  ///   - next: The page that the search would request next; nil before the first.
  ///   - isExhausted: True if the search was read to its end.
  package func completeSpans(next: Cursor?, isExhausted: Bool) -> [DateSpan] {
    if isExhausted { return spans }
    guard let place = next.flatMap(Place.init), spans.indices.contains(place.mark.span) else {
      return []
    }
    var complete = Array(spans[..<place.mark.span])
    if let first = place.mark.second {
      complete.append(DateSpan(first: first, end: spans[place.mark.span].end))
    }
    return complete
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    try source.request(for: inner(page, at: place(of: page)))
  }

  /// Only the first response says where the next window begins.
  package func secondPage(after page: PageRequest) -> Cursor? { nil }

  package func softwareNeed(for page: PageRequest) -> SoftwareNeed {
    source.softwareNeed(for: inner(page, at: place(of: page)))
  }

  package func softwareNeed(
    toRead response: HTTPResponse, of page: PageRequest
  ) -> SoftwareNeed {
    source.softwareNeed(toRead: response, of: inner(page, at: place(of: page)))
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    let place = place(of: page)
    return windowed(
      try source.page(from: response, to: inner(page, at: place)), at: place, of: page)
  }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    let place = place(of: page)
    source.interpret(&refusal, of: response, to: inner(page, at: place))
    // Only the page of a window, which others may follow.
    if case .page(let answer) = refusal.meaning {
      refusal.meaning = .page(windowed(answer, at: place, of: page))
    }
  }

  /// A page of a window as one of the whole search.
  private func windowed(_ answer: Page, at place: Place, of page: PageRequest) -> Page {
    var (answer, place) = (answer, place)
    if answer.isRedirect {
      place.cursor = answer.next
      answer.next = place.encoded
      return answer
    }
    // What could not be read is asked for again by the next run.
    if answer.brokenItems > 0 || answer.gap != nil { place.isMarkFixed = true }
    let order = answer.order ?? source.traits.order
    if order == .exact { place.noteLast(of: answer.posts) }
    if answer.next != nil {
      place.cursor = answer.next
      answer.next = place.encoded
    } else {
      let isCut = answer.missing ?? answer.deadEnd != nil && !place.isAtEnd
      let items = page.itemsBefore - place.itemsBefore + answer.items
      if isCut { place.ceiling = items }
      var next = isCut ? afterCut(place, order, answer.posts, of: page) : nil
      if next == nil, isCut {
        // The newest moment has more posts than the ceiling: the rest of them cannot be read, but older ones can.
        place.isMarkFixed = true
        answer.gap = answer.gap ?? answer.missing ?? answer.deadEnd
        next = beforeDenseMoment(place, of: page)
      }
      next = next ?? afterWindow(&place, of: items, of: page)
      (answer.missing, answer.deadEnd) = (nil, nil)
      answer.next = next?.beginning(after: page, answer).encoded
      answer.endsWindow = true
    }
    return answer
  }

  /// The window that continues one which the ceiling has cut; nil if the network knows no smaller one.
  ///
  /// - Parameter last: The posts of its last page.
  private func afterCut(
    _ place: Place, _ order: PageOrder, _ last: [Post], of page: PageRequest
  ) -> Place? {
    if order == .exact {
      return place.belowCut.flatMap { isOther($0, than: place, of: page) ? $0 : nil }
    }
    let end = end(of: place, in: page)
    let depth = order == .approximate ? middleSecond(of: last) : nil
    guard let next = place.newerPart(until: end, depth: depth) else { return nil }
    return nearest(in: next.window.first..<end, besides: place, of: page) { distance in
      var candidate = next
      candidate.window.first += distance
      return candidate
    }
  }

  /// The window after one that was read to its end; nil if it was the last.
  ///
  /// - Parameter items: The number of its items.
  private func afterWindow(_ place: inout Place, of items: Int, of page: PageRequest) -> Place? {
    place.finishWindow()
    let end = self.end(of: place, in: page)
    // Parts that were not cut are followed by larger windows, unless the ceiling would cut those.
    if let ceiling = place.ceiling, items > ceiling / 3,
      let next = place.afterWindow(until: end, widened: 1, in: spans),
      isOther(next, than: place, of: page)
    {
      return next
    }
    return place.afterWindow(until: end, widened: 2, in: spans)
  }

  /// The second after the last one of a window.
  private func end(of place: Place, in page: PageRequest) -> Int {
    place.window.end ?? Int(page.now.timeIntervalSince1970) + 1
  }

  /// The middle one of the dates of posts, in seconds since 1970; nil if they have none.
  private func middleSecond(of posts: [Post]) -> Int? {
    let seconds = posts.compactMap { post in
      post.isPinned ? nil : post.createdAt.map { Int($0.timeIntervalSince1970.rounded(.down)) }
    }
    return seconds.isEmpty ? nil : seconds.sorted()[seconds.count / 2]
  }

  /// The rest of a window before its newest moment, which has more posts than the ceiling; nil if nothing is left.
  private func beforeDenseMoment(_ place: Place, of page: PageRequest) -> Place? {
    guard let next = place.beforeDenseSecond, let end = next.window.end else { return nil }
    return nearest(in: next.window.first..<end, besides: place, of: page) { distance in
      var candidate = next
      candidate.window.end = end - distance
      return candidate
    }
  }

  /// The nearest candidate whose first request is not that of a place; nil if all are the same. A network that
  /// knows dates only in days gets one request for many windows.
  private func nearest(
    in seconds: Range<Int>, besides place: Place, of page: PageRequest,
    _ candidate: (_ distance: Int) -> Place
  ) -> Place? {
    var (low, high) = (0, seconds.count - 1)
    guard high >= 0, isOther(candidate(high), than: place, of: page) else { return nil }
    while low < high {
      let middle = (low + high) / 2
      if isOther(candidate(middle), than: place, of: page) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return candidate(low)
  }

  /// True if the first requests of two windows differ.
  private func isOther(_ place: Place, than other: Place, of page: PageRequest) -> Bool {
    func request(_ place: Place) -> HTTPRequest? {
      var first = place
      first.cursor = nil
      (first.pagesBefore, first.itemsBefore) = (page.pagesBefore, page.itemsBefore)
      return try? source.request(for: inner(page, at: first))
    }
    guard let one = request(place), let two = request(other) else { return true }
    return one.url != two.url || one.body != two.body
  }

  private func place(of page: PageRequest) -> Place {
    page.cursor.flatMap(Place.init) ?? Place(window: spans[0])
  }

  private func inner(_ page: PageRequest, at place: Place) -> PageRequest {
    var page = page
    page.since = Date(timeIntervalSince1970: Double(place.window.first))
    page.until = place.window.end.map { Date(timeIntervalSince1970: Double($0)) }
    page.cursor = place.cursor
    page.pagesBefore -= place.pagesBefore
    page.itemsBefore -= place.itemsBefore
    return page
  }
}

/// A span of whole seconds since 1970.
package struct DateSpan: Hashable, Sendable {
  /// Inclusive.
  package var first: Int
  /// Exclusive; nil for an open end.
  package var end: Int?

  package init(first: Int, end: Int?) {
    self.first = first
    self.end = end
  }

  /// Returns the parts of the span that others leave, newest first.
  package func subtracting(_ others: [DateSpan]) -> [DateSpan] {
    var parts = [self]
    for other in others {
      parts = parts.flatMap { part -> [DateSpan] in
        guard other.first < part.end ?? .max, part.first < other.end ?? .max else { return [part] }
        var rest: [DateSpan] = []
        if let end = other.end, end < part.end ?? .max {
          rest.append(DateSpan(first: end, end: part.end))
        }
        if part.first < other.first { rest.append(DateSpan(first: part.first, end: other.first)) }
        return rest
      }
    }
    return parts.sorted { $0.first > $1.first }
  }
}

/// A place in the windows of a search, in the form of a cursor.
private struct Place {
  /// The point from which on everything has been read: all newer spans, and its own from a second on.
  struct Mark {
    var span: Int
    /// Nil when nothing of the span is complete.
    var second: Int?
  }

  /// The span that the window is a part of.
  var span = 0
  var window: DateSpan
  var mark = Mark(span: 0)
  /// True if posts are missing, so that the mark stays where it is.
  var isMarkFixed = false
  /// The second after the last post of the window, where the order is exact.
  var oldestEnd: Int?
  /// The number of items after which the latest window was cut; nil if none was.
  var ceiling: Int?
  /// The numbers of pages and items before the window.
  var pagesBefore = 0
  var itemsBefore = 0
  /// The network's own cursor within the window.
  var cursor: Cursor?

  init(window: DateSpan) { self.window = window }

  /// Reads what `encoded` wrote.
  init?(_ text: Cursor) {
    let parts = text.rawValue.split(
      separator: "/", maxSplits: 10, omittingEmptySubsequences: false)
    guard parts.count == 11, let span = Int(parts[0]), let first = Int(parts[1]),
      let marked = Int(parts[3])
    else { return nil }
    self.span = span
    window = DateSpan(first: first, end: Int(parts[2]))
    mark = Mark(span: marked, second: Int(parts[4]))
    isMarkFixed = parts[5] == "fixed"
    oldestEnd = Int(parts[6])
    ceiling = Int(parts[7])
    pagesBefore = Int(parts[8]) ?? 0
    itemsBefore = Int(parts[9]) ?? 0
    cursor = parts[10].isEmpty ? nil : Cursor(rawValue: String(parts[10]))
  }

  var encoded: Cursor {
    func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "" }
    let parts = [
      text(span), text(window.first), text(window.end), text(mark.span), text(mark.second),
      isMarkFixed ? "fixed" : "", text(oldestEnd), text(ceiling), text(pagesBefore),
      text(itemsBefore), cursor?.rawValue ?? "",
    ]
    return Cursor(rawValue: parts.joined(separator: "/"))
  }

  /// Takes a page in exact order: everything newer than its last post has been read.
  mutating func noteLast(of posts: [Post]) {
    // As in `ReadingFrontier`, one wrong date among the others proves nothing.
    guard let last = posts.last(where: { !$0.isPinned && $0.createdAt != nil })?.createdAt
    else { return }
    // Posts of the same second may follow.
    let end = max(Int(last.timeIntervalSince1970.rounded(.down)) + 1, window.first)
    guard end < oldestEnd ?? window.end ?? .max else { return }
    oldestEnd = end
    advanceMark(to: end)
  }

  /// True if the last post read was older than the window.
  var isAtEnd: Bool { oldestEnd == window.first }

  private mutating func advanceMark(to second: Int) {
    if !isMarkFixed { mark = Mark(span: span, second: second) }
  }

  /// The place at the beginning of a window that follows a page.
  func beginning(after page: PageRequest, _ answer: Page) -> Place {
    var place = self
    place.pagesBefore = page.pagesBefore + 1
    place.itemsBefore = page.itemsBefore + answer.items
    return place
  }

  /// The same place with nothing of its window read.
  private var unread: Place {
    var place = self
    (place.cursor, place.oldestEnd) = (nil, nil)
    return place
  }

  /// The window below the last post of one in exact order which the ceiling has cut; nil if nothing is left.
  var belowCut: Place? {
    guard let oldestEnd, oldestEnd > window.first, oldestEnd < window.end ?? .max else {
      return nil
    }
    var next = unread
    next.window.end = oldestEnd
    return next
  }

  /// The newer part of a window which the ceiling has cut: half of it at most; nil if no smaller one is possible.
  ///
  /// - Parameters:
  ///   - end: The end of the window.
  ///   - depth: The second down to which the posts before the cut reach, roughly.
  func newerPart(until end: Int, depth: Int?) -> Place? {
    guard end - window.first > 1 else { return nil }
    var size = (end - window.first + 1) / 2
    // Three quarters of what the ceiling let through leave room for posts that are out of order.
    if let depth, depth < end { size = min(size, max((end - depth) * 3 / 4, 1)) }
    var next = unread
    next.window.first = end - size
    return next
  }

  /// The window before the last second of one in which nothing else can be read; nil if that is all of it.
  var beforeDenseSecond: Place? {
    guard let last = (oldestEnd ?? window.end).map({ $0 - 1 }), last > window.first else {
      return nil
    }
    var next = unread
    next.window.end = last
    return next
  }

  /// Notes that the window was read to its end.
  mutating func finishWindow() { advanceMark(to: window.first) }

  /// The next older window; nil after the last one.
  ///
  /// - Parameters:
  ///   - end: The end of this window.
  ///   - factor: How many times as wide as this one it is, within a span.
  func afterWindow(until end: Int, widened factor: Int, in spans: [DateSpan]) -> Place? {
    var next = unread
    if window.first > spans[span].first {
      let width = max(end - window.first, 1)
      next.window = DateSpan(
        first: max(spans[span].first, window.first - factor * width), end: window.first)
      return next
    }
    guard span + 1 < spans.count else { return nil }
    next.span += 1
    next.window = spans[span + 1]
    return next
  }
}
