internal import QueuedHTTP
internal import SearchModel

/// A page that is found by its number, which means nothing without the size of the pages before it.
struct NumberedPage {
  var number: Int
  var size: Int

  /// The page that a cursor names, or the first.
  init(_ page: PageRequest, first: Int = 1, sizes: ClosedRange<Int>) {
    let parts = page.cursor?.rawValue.split(separator: "/").compactMap { Int($0) } ?? []
    let isWhole = parts.count == 2 && parts[0] >= first && sizes.contains(parts[1])
    number = isWhole ? parts[0] : first
    size = isWhole ? parts[1] : page.size(within: sizes)
  }

  /// The cursor of the next page.
  var next: Cursor { Cursor(rawValue: "\(number + 1)/\(size)") }
}

extension Source {
  /// The number of a page, for a network whose first page is `traits.firstPage`.
  func numbered(_ page: PageRequest) -> NumberedPage {
    NumberedPage(page, first: traits.firstPage ?? 1, sizes: traits.pageSize)
  }
}

/// A network's own cursor, with the number of items on all pages before it.
///
/// A search that ends at its network's ceiling looks like one that has found everything: only the
/// number of its items tells the two apart.
struct CountedCursor {
  /// The cursor as the network gave it.
  let token: String
  let count: Int

  init(token: String, count: Int) {
    self.token = token
    self.count = count
  }

  /// Reads a cursor that `cursor` wrote; nil for any other, and for the first page.
  init?(_ cursor: Cursor?) {
    guard let text = cursor?.rawValue, let slash = text.firstIndex(of: "/"),
      let count = Int(text[..<slash]), count >= 0
    else { return nil }
    self.init(token: String(text[text.index(after: slash)...]), count: count)
  }

  var cursor: Cursor { Cursor(rawValue: "\(count)/\(token)") }
}

extension PageBuilder {
  /// Returns the page before the one with a network's own cursor, or the last page of the search.
  ///
  /// - Parameters:
  ///   - token: The network's cursor; nil on the last page.
  ///   - shortestCut: The number of items from which on a search that ends was cut by its network.
  ///   - ceiling: The reason for that.
  func page(
    before token: String?, after page: PageRequest, shortestCut: Int, ceiling: String
  ) -> Page {
    let current = CountedCursor(page.cursor)
    let count = (current?.count ?? 0) + items
    guard items > 0, let token, token != current?.token else {
      return lastPage(missing: count >= shortestCut ? ceiling : nil)
    }
    return self.page(
      next: CountedCursor(token: token, count: count).cursor, after: page.cursor)
  }
}

/// The `Link` header of a response (RFC 8288).
enum LinkHeader {
  /// True if it names a next page.
  static func hasNext(in headers: HTTPHeaders) -> Bool { next(in: headers) != nil }

  /// The address of the next page, as it was written; nil if there is none.
  static func next(in headers: HTTPHeaders) -> String? {
    for header in headers.values(of: "Link") {
      for part in header.split(separator: "<") {
        guard let end = part.firstIndex(of: ">") else { continue }
        if isNext(part[part.index(after: end)...]) { return String(part[..<end]) }
      }
    }
    return nil
  }

  private static func isNext(_ parameters: Substring) -> Bool {
    parameters.split { $0 == ";" || $0 == "," }.contains { parameter in
      let bare = parameter.lowercased().filter { $0 != "\"" }
      let parts = bare.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == "rel" else { return false }
      return parts[1].split(whereSeparator: \.isWhitespace).contains("next")
    }
  }
}
