internal import SearchModel

/// Texts as the full-text index reads them, on both sides: what is stored and what is looked for.
///
/// SQLite's unicode61 splits at everything that is not a letter or a digit, which does not help in
/// scripts without spaces. There each run of letters becomes overlapping pairs, followed by its last letter
/// alone: 東京都 is 東京, 京都 and 都. So 京都 is found as a token, and a single letter as the beginning
/// of one. Schema 1 means exactly this text: deleting a post needs the text it was indexed with.
enum IndexedText {
  /// Appends the text to index.
  static func append(_ text: UnsafeBufferPointer<UInt8>, to result: inout [UInt8]) {
    // SQLite lowers and splits ASCII by itself.
    if isPlain(text) {
      result.append(contentsOf: text)
      return
    }
    forEachWord(of: text) { word in
      if isPlain(word) {
        result.append(contentsOf: word)
      } else {
        append(String(decoding: word, as: UTF8.self), to: &result)
      }
      result.append(UInt8(ascii: " "))
    }
  }

  /// Calls `body` with each part of a text between spaces and control characters, across which neither
  /// normal forms nor lower case nor words reach.
  static func forEachWord(
    of text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex { $0 <= 0x20 } ?? text.count
      if end > start { body(UnsafeBufferPointer(rebasing: text[start..<end])) }
      start = end + 1
    }
  }

  /// True for ASCII without zeros.
  static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = text.baseAddress else { return true }
    let ones: UInt64 = 0x0101_0101_0101_0101
    var place = 0
    // Eight at a time: a byte with its highest bit, or one that borrows when 1 is taken off, is none of them.
    while place + 8 <= text.count {
      let word = UnsafeRawPointer(start + place).loadUnaligned(as: UInt64.self)
      if (word | (word &- ones) & ~word) & (ones << 7) != 0 { return false }
      place += 8
    }
    while place < text.count {
      if text[place] >= 0x80 || text[place] == 0 { return false }
      place += 1
    }
    return true
  }

  private static func append(_ word: String, to result: inout [UInt8]) {
    forEachRun(of: word) { run in
      switch run {
      case .spaced(let letters): for letter in letters { result += String(letter).utf8 }
      case .unspaced(let letters):
        for (one, other) in zip(letters, letters.dropFirst()) {
          result += "\(one)\(other) ".utf8
        }
        if let last = letters.last { result += String(last).utf8 }
      }
      result.append(UInt8(ascii: " "))
    }
  }

  /// Returns the FTS5 phrase that every text holding this one matches; nil when nothing of it is
  /// indexed, as with `++`.
  ///
  /// - Parameter prefix: A mark before the text, as facets have one; a letter.
  static func phrase(_ text: String, prefix: String = "") -> String? {
    var tokens: [String] = []
    var isPrefix = false
    forEachRun(of: prefix + text) { run in
      isPrefix = false
      switch run {
      case .spaced(let letters): tokens.append(string(letters))
      case .unspaced(let letters):
        for (one, other) in zip(letters, letters.dropFirst()) {
          tokens.append(string([one, other]))
        }
        // At the end of the text the run may go on in what is searched, so that its last letter only
        // begins a token there.
        if let last = letters.last {
          tokens.append(string([last]))
          isPrefix = true
        }
      }
    }
    guard !tokens.isEmpty else { return nil }
    return "\"\(tokens.joined(separator: " "))\"" + (isPrefix ? "*" : "")
  }

  /// The words of a text for an index of sets, which knows no order: each pair of letters of a script
  /// without spaces, and each of its letters alone. What is sought needs no letter that a pair has.
  ///
  /// - Parameter isSought: Whether they are looked for, and not stored.
  static func words(of text: String, isSought: Bool) -> [String] {
    var words: [String] = []
    forEachRun(of: text) { run in
      switch run {
      case .spaced(let letters): words.append(string(letters.prefix(longestWord).map(plain)))
      case .unspaced(let letters):
        words += zip(letters, letters.dropFirst()).map { string([$0, $1]) }
        if !isSought || letters.count == 1 { words += letters.map { string([$0]) } }
      }
    }
    return words
  }

  /// The letters of a word that such an index knows: it has a limit of its own, far beyond any word.
  private static let longestWord = 64

  /// The end of a Greek word has a letter of its own, which unicode61 takes as the other one.
  private static func plain(_ letter: Unicode.Scalar) -> Unicode.Scalar {
    letter == "\u{3C2}" ? "\u{3C3}" : letter
  }

  private enum Run {
    /// Letters and digits of a script that puts spaces between words.
    case spaced(ArraySlice<Unicode.Scalar>)
    case unspaced(ArraySlice<Unicode.Scalar>)
  }

  private static func forEachRun(of text: String, _ body: (Run) -> Void) {
    let isNormal = text.unicodeScalars.allSatisfy(isNormal)
    let normal = isNormal ? text : NormalForm.composed(NormalForm.bare(text.lowercased()))
    // Soft hyphens and other characters that are not seen part no words.
    let scalars =
      isNormal
      ? Array(normal.unicodeScalars)
      : normal.unicodeScalars.filter { $0.isASCII || !$0.properties.isDefaultIgnorableCodePoint }
    var start = 0
    while start < scalars.count {
      let kind = kind(of: scalars[start])
      var end = start + 1
      while end < scalars.count, self.kind(of: scalars[end]) == kind { end += 1 }
      switch kind {
      case .spaced: body(.spaced(scalars[start..<end]))
      case .unspaced: body(.unspaced(scalars[start..<end]))
      case .other: break
      }
      start = end
    }
  }

  private enum Kind { case spaced, unspaced, other }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    // unicode61 splits there, whatever words people write.
    if scalar == "_" { return .other }
    if SearchedText.isOfSpacedWord(scalar) { return .spaced }
    return !scalar.isASCII && scalar.properties.isAlphabetic ? .unspaced : .other
  }

  /// True for common scalars that lowercasing and normalization leave as they are, even next to each other.
  private static func isNormal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x41...0x5A: false
    // Punctuation, ideographs, emoji.
    case ..<0x80, 0x2010...0x2027, 0x2030...0x203A, 0x4E00...0x9FFF, 0x1F300...0x1FAFF: true
    default: false
    }
  }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
