/// A query in Lucene's language: words, and a range of one field, such as
/// `(swift) AND created:[2026-11-01 TO *]`.
struct FieldedQuery: Sendable {
  /// The query without the range.
  let words: String
  /// In milliseconds since 1970.
  let moments: Range<Int>

  /// - Parameters:
  ///   - field: The field of dates.
  ///   - start: Reads the beginning of a range, in milliseconds since 1970.
  ///   - end: Reads the end of a range as the first moment after it.
  /// - Throws: For a query that the server could not parse.
  init(
    _ text: String, field: String, start: (String) -> Int?, end: (String) -> Int?
  ) throws(CatalogError) {
    let malformed = CatalogError(400, "The syntax of the search query is invalid.")
    guard Self.isBalanced(text) else { throw malformed }
    guard let mark = text.firstRange(of: field + ":[") else {
      guard !text.contains(":[") else { throw malformed }
      words = text
      moments = .allMoments
      return
    }
    let rest = text[mark.upperBound...]
    let bounds = rest.prefix { $0 != "]" }.split(separator: " ").map(String.init)
    guard bounds.count == 3, bounds[1] == "TO", let last = rest.firstIndex(of: "]") else {
      throw malformed
    }
    let (from, before) = (start(bounds[0]), end(bounds[2]))
    guard from != nil || bounds[0] == "*", before != nil || bounds[2] == "*" else {
      throw malformed
    }
    moments = .moments(from: from, before: before)
    words = String(text[..<mark.lowerBound] + text[text.index(after: last)...])
  }

  private static func isBalanced(_ text: String) -> Bool {
    var depth = 0
    var isQuoted = false
    for character in text {
      switch character {
      case "\"": isQuoted.toggle()
      case "(" where !isQuoted: depth += 1
      case ")" where !isQuoted: depth -= 1
      default: break
      }
      if depth < 0 { return false }
    }
    return depth == 0 && !isQuoted
  }

  private static let day = 86_400_000

  /// Reads a day as its first moment.
  static func dayStart(_ text: String) -> Int? { DateReading.day(text) }

  /// Reads a day as the first moment after it.
  static func dayEnd(_ text: String) -> Int? { DateReading.day(text).map { $0 + day } }
}
