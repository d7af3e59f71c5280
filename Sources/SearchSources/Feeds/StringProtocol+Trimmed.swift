extension StringProtocol {
  /// The text without blanks at its ends.
  var trimmed: Substring {
    var text = Substring(self)
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }
}
