internal import TextFormats

extension DeclaredPaging {
  private enum By: String, CaseIterable { case page, offset, cursor, link }

  private static let largestSize = 1000

  /// Reads how pages follow one another; without a word of it, the placeholders of the requests say so.
  ///
  /// - Parameter slots: The placeholders of the requests.
  init(_ value: JSONValue?, slots: [Placeholder]) throws(DeclarationFault) {
    let reader = try DeclarationReader(
      value ?? .object([]), at: "page",
      known: ["by", "first", "size", "most", "next", "more", "pages", "total"])
    let next = try reader.path("next")
    let by: By? = try reader.choice("by") ?? Self.way(slots, hasNext: next != nil)
    try Self.check(by, slots, hasNext: next != nil)
    let first = try reader.number("first", in: 0...1_000_000)
    if first != nil, by != .page {
      throw DeclarationFault("page.first", expected: "{page} in the url")
    }
    switch by {
    case .page: way = .page(first: first ?? 1)
    case .offset: way = .offset
    case .cursor: way = next.map(Way.cursor) ?? .none
    case .link: way = .link(next)
    case nil: way = .none
    }
    sizes = try Self.sizes(reader)
    most = try reader.number("most", in: 1...1000) ?? 20
    more = try reader.path("more")
    pages = try reader.path("pages")
    total = try reader.path("total")
  }

  private static func way(_ slots: [Placeholder], hasNext: Bool) -> By? {
    if slots.contains(.page) { return .page }
    if slots.contains(.offset) { return .offset }
    if slots.contains(.cursor) { return .cursor }
    return hasNext ? .link : nil
  }

  /// What is asked for must agree with how pages are told apart.
  private static func check(
    _ by: By?, _ slots: [Placeholder], hasNext: Bool
  ) throws(DeclarationFault) {
    let needs: [(By, Placeholder, String)] = [
      (.page, .page, "{page}"), (.offset, .offset, "{offset}"), (.cursor, .cursor, "{cursor}"),
    ]
    for (way, slot, name) in needs {
      if by == way, !slots.contains(slot) {
        throw DeclarationFault("page.by", "goes by \(way.rawValue), but \(name) stands nowhere")
      }
      if by != way, slots.contains(slot) {
        throw DeclarationFault("page.by", expected: "\(way.rawValue), as \(name) is asked for")
      }
    }
    if by == .cursor, !hasNext {
      throw DeclarationFault("page.next", expected: "the path of the next cursor in the answer")
    }
    if hasNext, by == .page || by == .offset {
      throw DeclarationFault("page.next", expected: "none where pages go by number")
    }
  }

  /// A number, or the least and the most.
  private static func sizes(
    _ reader: DeclarationReader
  ) throws(DeclarationFault) -> ClosedRange<Int> {
    let expected = "a number of posts such as 50, or the least and the most such as [1, 100]"
    switch reader.value("size") {
    case nil: return 1...50
    case .array(let bounds)?:
      let numbers = bounds.compactMap { bound in
        if case .number(let spelling) = bound { Int(spelling) } else { nil }
      }
      guard numbers.count == 2, bounds.count == 2, numbers[0] >= 1, numbers[0] <= numbers[1],
        numbers[1] <= largestSize
      else { throw DeclarationFault("page.size", expected: expected) }
      return numbers[0]...numbers[1]
    case .number(let spelling)?:
      guard let size = Int(spelling), (1...largestSize).contains(size) else {
        throw DeclarationFault("page.size", expected: expected)
      }
      return size...size
    case .string?, .bool?, .object?, .null?:
      throw DeclarationFault("page.size", expected: expected)
    }
  }
}
