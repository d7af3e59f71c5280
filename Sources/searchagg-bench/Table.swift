/// The layout of what is printed.
enum Table {
  /// A text at the right edge of its columns.
  static func right(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(columns - text.count, 0)) + text
  }
}
