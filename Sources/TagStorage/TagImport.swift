package import SearchModel
package import TextFormats

/// Tags from another file: our JSON, a list in JSON, or one query a line.
package struct TagImport: Hashable, Sendable {
  package private(set) var tags: [SearchTag]
  /// The number of comment lines: `#` alone or followed by a blank, which cannot be a tag.
  package private(set) var comments = 0

  package init(reading text: [UInt8]) throws(DocumentError) {
    let start = text.drop { " \t\r\n\u{FEFF}".utf8.contains($0) }.first
    if start == UInt8(ascii: "{") || start == UInt8(ascii: "[") {
      tags = try TagList(reading: text).tags.map(\.asObject)
    } else {
      let lines = try Self.lines(of: text)
      tags = lines.queries.map { SearchTag($0) }
      comments = lines.comments
    }
  }

  private static func isComment(_ line: Query) -> Bool {
    line.text == "#" || line.text.hasPrefix("# ")
  }

  /// The queries of a text, one a line, and the number of its comments.
  package static func lines(
    of text: [UInt8]
  ) throws(DocumentError) -> (queries: [Query], comments: Int) {
    let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text[3...] : text[...]
    var queries: [Query] = []
    var comments = 0
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let position = TextPosition(line: index + 1, column: 1)
      guard let line = String(validating: line, as: UTF8.self) else {
        throw DocumentError(position: position, expected: "UTF-8", found: "other bytes")
      }
      guard !Query.trimmed(line).isEmpty else { continue }
      guard let query = Query(line) else {
        throw DocumentError(
          position: position, expected: "a query without control characters", found: "some")
      }
      if isComment(query) { comments += 1 } else { queries.append(query) }
    }
    return (queries, comments)
  }
}
