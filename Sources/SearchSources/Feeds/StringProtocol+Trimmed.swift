extension StringProtocol {
  /// The text without blanks at its ends.
  var trimmed: Substring {
    var text = Substring(self)
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }

  /// The text as a name on one line: each run of blanks as one, and cut where it is longer than any name.
  var asName: String {
    String(split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(200))
  }
}
