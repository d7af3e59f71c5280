internal import SearchModel

/// A page that is found by its number, which means nothing without the size of all before it.
struct NumberedPage {
  var number: Int
  var size: Int

  /// The page that a cursor names; the first of a search where there is none.
  init(_ page: PageRequest, first: Int = 1, sizes: ClosedRange<Int>) {
    let parts = page.cursor?.rawValue.split(separator: "/").compactMap { Int($0) } ?? []
    let isWhole = parts.count == 2 && parts[0] >= first && sizes.contains(parts[1])
    number = isWhole ? parts[0] : first
    size = isWhole ? parts[1] : page.size(within: sizes)
  }

  /// Where the next page begins.
  var next: Cursor { Cursor(rawValue: "\(number + 1)/\(size)") }
}
