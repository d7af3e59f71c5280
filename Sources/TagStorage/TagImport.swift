package import SearchModel
internal import TextFormats

/// Reads tags that come from elsewhere: our JSON, a list in JSON, or one query a line.
package enum TagImport {
  package static func tags(in text: [UInt8]) throws(MalformedTags) -> [SearchTag] {
    let start = text.drop { " \t\r\n\u{FEFF}".utf8.contains($0) }.first
    if start == UInt8(ascii: "{") || start == UInt8(ascii: "[") {
      return try TagList(reading: text).tags.map(\.asObject)
    }
    return try lines(of: text).map { SearchTag($0) }
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
      let scalars = line.unicodeScalars.drop(while: \.properties.isWhitespace)
      guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { continue }
      guard let query = Query(String(scalars[...last])) else {
        throw MalformedTags(
          position: position, expected: "a query without control characters", found: "some")
      }
      queries.append(query)
    }
    return queries
  }
}
