package import SearchModel
internal import TextFormats

/// Reads tags that come from elsewhere: our JSON, a list in JSON, or one query a line.
package struct TagImport: Hashable, Sendable {
  package private(set) var tags: [SearchTag]
  /// The lines that are comments: `#` alone, or followed by a blank, which no tag is.
  package private(set) var comments = 0

  package init(reading text: [UInt8]) throws(MalformedTags) {
    let start = text.drop { " \t\r\n\u{FEFF}".utf8.contains($0) }.first
    if start == UInt8(ascii: "{") || start == UInt8(ascii: "[") {
      tags = try TagList(reading: text).tags.map(\.asObject)
    } else {
      let queries = try Self.lines(of: text)
      tags = queries.filter { !Self.isComment($0) }.map { SearchTag($0) }
      comments = queries.count - tags.count
    }
  }

  private static func isComment(_ line: Query) -> Bool {
    line.text == "#" || line.text.hasPrefix("# ")
  }

  /// The queries of a text, one a line; blank lines, and blanks around a query, do not count.
  package static func lines(of text: [UInt8]) throws(MalformedTags) -> [Query] {
    let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text[3...] : text[...]
    var queries: [Query] = []
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let position = JSONPosition(line: index + 1, column: 1)
      guard let line = String(validating: line, as: UTF8.self) else {
        throw MalformedTags(position: position, expected: "UTF-8", found: "other bytes")
      }
      guard !Query.trimmed(line).isEmpty else { continue }
      guard let query = Query(line) else {
        throw MalformedTags(
          position: position, expected: "a query without control characters", found: "some")
      }
      queries.append(query)
    }
    return queries
  }
}
