extension WebLink {
  /// Returns the http and https URLs in a text that is plain or in Markdown, in order.
  ///
  /// A URL ends at a blank, at a sign that no URL has, and before punctuation of the sentence around it, as in GitHub's
  /// Markdown (https://github.github.com/gfm/#extended-autolink-path-validation). One that an ellipsis cuts off leads
  /// nowhere and is left out.
  ///
  /// - Parameter isExcerpt: True if the text may end in the middle of a URL, which is then left out.
  package static func urls(in text: String, isExcerpt: Bool = false) -> [String] {
    guard ByteSearch.contains("://", in: text) else { return [] }
    let characters = text.unicodeScalars
    return characters.split(whereSeparator: endsURL).compactMap { piece in
      let isCutOff =
        piece.endIndex < characters.endIndex ? characters[piece.endIndex] == "…" : isExcerpt
      return url(in: Substring(piece), isCutOff: isCutOff)
    }
  }

  /// Returns whether no URL has this character as it is: blanks, quotation marks, brackets, and CJK punctuation.
  private static func endsURL(_ character: UnicodeScalar) -> Bool {
    if character.isASCII {
      return character.value <= 0x20 || character.value == 0x7F
        || "\"<>[]`{|}".unicodeScalars.contains(character)
    }
    return character.properties.isWhitespace || character.properties.isQuotationMark
      || "…、。，．！？：；（）【】《》〈〉".unicodeScalars.contains(character)
  }

  /// The URL in a piece of text without blanks; nil if it has none.
  private static func url(in piece: Substring, isCutOff: Bool) -> String? {
    let starts = ["https://", "http://"].compactMap { piece.firstRange(of: $0) }
    guard let scheme = starts.min(by: { $0.lowerBound < $1.lowerBound }) else { return nil }
    if let before = piece[..<scheme.lowerBound].utf8.last, before.isASCIILetterOrDigit {
      return nil
    }
    var depth = 0
    let end = piece[scheme.upperBound...].firstIndex { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return depth < 0
    }
    var url = piece[scheme.lowerBound..<(end ?? piece.endIndex)]
    if end == nil, isCutOff || url.hasSuffix("...") { return nil }
    while let last = url.last, ".,;:!?'*_~".contains(last) { url.removeLast() }
    guard url.endIndex > scheme.upperBound,
      piece[scheme.upperBound].isLetter || piece[scheme.upperBound].isNumber
    else { return nil }
    // Markdown escapes some signs of a URL.
    return String(url.filter { $0 != "\\" })
  }
}
