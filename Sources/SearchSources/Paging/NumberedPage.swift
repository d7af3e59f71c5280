internal import QueuedHTTP
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

/// The `Link` header of a response (RFC 8288).
enum LinkHeader {
  /// The address of the next page, as it was written; nil if there is none.
  static func next(in headers: HTTPHeaders) -> String? {
    links(in: headers).first { $0.relations.contains("next") }?.address
  }

  /// True if a link leads to the page before or after: there are others, such as to a style sheet.
  static func leadsToPages(in headers: HTTPHeaders) -> Bool {
    links(in: headers).contains { link in
      ["next", "prev", "previous"].contains { link.relations.contains($0) }
    }
  }

  private typealias Link = (address: String, relations: [String])

  private static func links(in headers: HTTPHeaders) -> [Link] {
    headers.values(of: "Link").flatMap { header in
      header.split(separator: "<").compactMap { part in
        part.firstIndex(of: ">").map { end in
          (String(part[..<end]), relations(in: part[part.index(after: end)...]))
        }
      }
    }
  }

  private static func relations(in parameters: Substring) -> [String] {
    parameters.split { $0 == ";" || $0 == "," }.flatMap { parameter -> [String] in
      let bare = parameter.lowercased().filter { $0 != "\"" }
      let parts = bare.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == "rel" else { return [] }
      return parts[1].split(whereSeparator: \.isWhitespace).map(String.init)
    }
  }
}
