extension StringProtocol {
  /// The text without blanks at its ends.
  package var trimmed: Substring {
    var text = Substring(self)
    while let byte = text.utf8.first, byte.isASCIIBlank || byte >= 0x80 && text.beginsWithBlank {
      text.removeFirst()
    }
    while let byte = text.utf8.last, byte.isASCIIBlank || byte >= 0x80 && text.endsWithBlank {
      text.removeLast()
    }
    return text
  }

  /// The text on one line, with runs of blanks as one, and none at its ends.
  package var onOneLine: String {
    // Looking at characters takes ten times as long.
    guard utf8.allSatisfy({ $0 < 0x80 }) else {
      return split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return Substring(self).utf8.split(whereSeparator: \.isASCIIBlank)
      .map(Substring.init).joined(separator: " ")
  }
}

extension Substring {
  fileprivate var beginsWithBlank: Bool { first?.isWhitespace == true }
  fileprivate var endsWithBlank: Bool { last?.isWhitespace == true }
}
