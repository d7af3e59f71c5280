internal import SearchModel
internal import TextFormats

extension NetworkPaging {
  /// The ways to page, as declarations name them.
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
      try entry?.object(knowing: [
        "by", "first", "size", "most", "start", "next", "more", "pages", "pages_field", "total",
        "total_field", "filtered", "aligned", "ceiling", "beyond",
      ]) ?? [:]
    let next = try page["next"].map(NodePath.init)
    let kinds = slots.map(\.kind)
    let by: By? = try page["by"]?.choice() ?? Self.way(kinds, hasNext: next != nil)
    if let (key, message) = Self.conflict(by, kinds, hasNext: next != nil) {
      throw page[key]?.fault(message) ?? declaration.fault(message, at: "page.\(key)")
    }
    let first = try page["first"]?.integer(in: 0...1_000_000)
    if let entry = page["first"], by != .page { throw entry.fault(expected: "{page} in the url") }
    switch by {
    case .page: way = .page(first: first ?? 1)
    case .offset: way = .offset
    case .cursor: way = next.map(Way.cursor) ?? .link(nil)
    case .link: way = .link(next)
    case nil: way = .link(nil)
    }
    if let entry = page["start"] {
      guard by == .cursor else { throw entry.fault(expected: "{cursor} in the url or body") }
      start = try entry.string(expected: "the first cursor")
    }
    sizes = try page["size"].map(Self.sizes) ?? 1...50
    most = try page["most"]?.integer(in: 1...1000)
    more = try page["more"].map(NodePath.init)
    pages = try page["pages"].map(NodePath.init)
    pagesField = try page["pages_field"]?.string(expected: "the name of a header field")
    total = try page["total"].map(NodePath.init)
    totalField = try page["total_field"]?.string(expected: "the name of a header field")
    isFiltered = try page["filtered"]?.bool() ?? false
    isAligned = try page["aligned"]?.bool() ?? false
    if let entry = page["aligned"], by != .offset {
      throw entry.fault(expected: "{offset} in the url or body")
    }
    ceiling = try page["ceiling"]?.integer(in: 1...Int.max)
    beyond = try page["beyond"]?.string(expected: "a line")
  }

  private static func way(_ kinds: [Placeholder.Kind], hasNext: Bool) -> By? {
    if kinds.contains(.page) { return .page }
    if kinds.contains(.offset) { return .offset }
    if kinds.contains(.cursor) { return .cursor }
    return hasNext ? .link : nil
  }

  /// A contradiction between the placeholders and the way pages follow one another, and its key.
  private static func conflict(
    _ by: By?, _ kinds: [Placeholder.Kind], hasNext: Bool
  ) -> (key: String, message: String)? {
    let needs: [(By, Placeholder.Kind, String)] = [
      (.page, .page, "{page}"), (.offset, .offset, "{offset}"), (.cursor, .cursor, "{cursor}"),
    ]
    for (way, slot, name) in needs {
      if by == way, !kinds.contains(slot) {
        return ("by", "\(way.rawValue) needs \(name) in the url or body")
      }
      if by != way, kinds.contains(slot) {
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
