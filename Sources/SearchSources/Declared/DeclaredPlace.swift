internal import SearchModel

/// Where a page of a declared source begins: how many came before it, and what the answer said.
struct DeclaredPlace: Hashable, Sendable {
  /// How many pages were asked before this one.
  private(set) var pages: Int
  /// How many posts a page is asked for; the same on each, as page numbers mean nothing without.
  let size: Int
  /// How many items came before, a cursor, or the path of the page; empty on the first.
  private(set) var mark: String

  /// The place that a cursor names; the first of a search where there is none.
  init(_ page: PageRequest, sizes: ClosedRange<Int>) {
    let parts =
      page.cursor?.rawValue.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
      ?? []
    if parts.count == 3, let pages = Int(parts[0]), pages > 0, let size = Int(parts[1]),
      sizes.contains(size)
    {
      self.pages = pages
      self.size = size
      mark = String(parts[2])
    } else {
      pages = 0
      size = page.size(within: sizes)
      mark = ""
    }
  }

  /// The cursor of the next page.
  func next(at mark: String) -> Cursor { Cursor(rawValue: "\(pages + 1)/\(size)/\(mark)") }
}
