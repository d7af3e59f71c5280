/// A cursor that hides the number of items before its page.
struct OffsetCursor: Sendable {
  let start: String
  let end: String

  static let openAlex = OffsetCursor(start: "IlsxNDI5", end: "MSJd")
  static let solr = OffsetCursor(start: "AoIIP4", end: "A==")
  static let huggingFace = OffsetCursor(start: "eyIkb3Ii", end: "In0=")

  func text(_ offset: Int) -> String { "\(start)\(offset)\(end)" }

  /// Returns the number of items before the page; nil for a text that is not a cursor.
  ///
  /// - Parameter first: The cursor of the first page.
  func offset(_ cursor: String, first: String? = nil) -> Int? {
    if cursor == first { return 0 }
    guard cursor.hasPrefix(start), cursor.hasSuffix(end) else { return nil }
    return Int(cursor.dropFirst(start.count).dropLast(end.count))
  }
}
