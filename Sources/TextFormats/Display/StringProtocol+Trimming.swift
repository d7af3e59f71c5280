extension StringProtocol {
  /// The text without whitespace at its ends.
  package var trimmed: Substring {
    var text = Substring(self)
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }
}
