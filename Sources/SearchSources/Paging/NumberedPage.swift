internal import SearchModel

/// A page that is found by its number, which means nothing without the size of the pages before it.
struct NumberedPage {
  var number: Int
  var size: Int

  init(number: Int, size: Int) {
    self.number = number
    self.size = size
  }

  /// The page that a cursor names, or the first.
  init(_ page: PageRequest, first: Int = 1, sizes: ClosedRange<Int>) {
    let parts = page.cursor?.rawValue.split(separator: "/").compactMap { Int($0) } ?? []
    let isWhole = parts.count == 2 && parts[0] >= first && sizes.contains(parts[1])
    number = isWhole ? parts[0] : first
    size = isWhole ? parts[1] : page.size(within: sizes)
  }

  /// The same page in pages of the size that the server gives, which may be smaller than requested.
  ///
  /// - Parameters:
  ///   - items: The number of items on the pages before it; 0 if that is unknown.
  ///   - first: The number of the first page.
  func sized(by items: Int, first: Int) -> NumberedPage {
    let pages = number - first
    guard pages > 0, items > 0 else { return self }
    // Rounded up, as one page may be short.
    return NumberedPage(number: number, size: min(size, (items + pages - 1) / pages))
  }

  var cursor: Cursor { Cursor(rawValue: "\(number)/\(size)") }

  /// The cursor of the next page.
  var next: Cursor { NumberedPage(number: number + 1, size: size).cursor }

  /// The next page, unless this is the last that a network returns.
  func next(upTo last: Int, beyond reason: String) -> NextPage {
    number < last ? .at(next) : .beyondLimit(reason)
  }
}

extension Source {
  /// The number of a page, for a network whose first page is `traits.firstPage`.
  func numbered(_ page: PageRequest) -> NumberedPage {
    NumberedPage(page, first: traits.firstPage ?? 1, sizes: traits.pageSize)
  }
}
