internal import TextFormats

/// Parses a query. Nothing that was typed is lost: anything that is not another term is a word.
///
/// - A quotation mark, straight or curly, at the beginning of a term opens a phrase, which ends at the
///   next mark or at the end of the query. Within a word it is a part of the word.
/// - `-` excludes the term that follows; alone, before another `-` or before punctuation, as in `->`, it
///   is a part of a word. `-5` excludes 5; `"-5"` searches for it.
/// - `#` before a letter or digit begins a tag; `#` alone is a word.
/// - `from:` and `lang:`, in any case, need a value: `lang:` a language of two or three letters, perhaps
///   with more after a `-`. Any other `foo:bar` is a word, like addresses, `OR`, `AND` and parentheses.
struct QueryReader {
  // Not a set: a run with few queries would spend more time on building it than on asking it.
  private static func isMark(_ character: Character) -> Bool {
    switch character {
    case "\"", "\u{201C}", "\u{201D}", "\u{201E}": true
    default: false
    }
  }

  /// True for the punctuation that may follow a `-` which excludes.
  private static func isSign(_ character: Character) -> Bool {
    switch character {
    case "#", "\u{FF03}", "@", "$", "_", "\"": true
    default: false
    }
  }

  private var remainder: Substring
  private var terms: [QueryTerm] = []

  static func terms(of text: String) -> [QueryTerm] {
    if let terms = plainTerms(of: text) { return terms }
    var reader = QueryReader(remainder: text[...])
    while reader.readTerm() {}
    return reader.terms
  }

  private init(remainder: Substring) { self.remainder = remainder }

  /// The terms of a text of words and tags that consist of ASCII letters and digits, as most do; nil for any other.
  // Looking at characters takes fifty times as long.
  private static func plainTerms(of text: String) -> [QueryTerm]? {
    let bytes = text.utf8
    guard bytes.allSatisfy({ $0.isASCIILetterOrDigit || $0 == blank || $0 == hash }) else {
      return nil
    }
    return bytes.split(separator: blank).map { word in
      let name = word.dropFirst()
      return word.first == hash && name.first?.isASCIILetterOrDigit == true
        ? QueryTerm(.tag, String(Substring(name))) : QueryTerm(.word, String(Substring(word)))
    }
  }

  private static let blank = UInt8(ascii: " ")
  private static let hash = UInt8(ascii: "#")

  /// Reads a term; returns false at the end.
  private mutating func readTerm() -> Bool {
    while let first = remainder.first, first.isBlank { remainder.removeFirst() }
    guard let first = remainder.first else { return false }
    var isExcluded = false
    if first == "-", let next = remainder.dropFirst().first, Self.isExcludable(next) {
      isExcluded = true
      remainder.removeFirst()
    }
    if let next = remainder.first, Self.isMark(next) {
      // Two marks with nothing between them are a word.
      let phrase = readQuoted()
      add(phrase.isEmpty ? .word : .phrase, phrase.isEmpty ? "\"\"" : phrase, isExcluded)
      return true
    }
    let start = remainder
    if readPrefix("from:") {
      remainder = remainder.drop { $0 == "@" }
      let isQuoted = remainder.first.map(Self.isMark) == true
      let name = isQuoted ? Self.withoutAt(readQuoted()) : String(word)
      if !name.isEmpty {
        if !isQuoted { remainder = remainder.dropFirst(name.count) }
        add(.author, name, isExcluded)
        return true
      }
    } else if readPrefix("lang:"), let language = LanguageTag.primary(typed: word) {
      remainder = remainder.dropFirst(word.count)
      add(.language, language, isExcluded)
      return true
    }
    remainder = start
    let word = word
    remainder = remainder.dropFirst(word.count)
    if let name = Self.tagName(word) {
      add(.tag, name, isExcluded)
    } else {
      add(.word, String(word), isExcluded)
    }
    return true
  }

  private mutating func add(_ kind: QueryTerm.Kind, _ value: String, _ isExcluded: Bool) {
    terms.append(QueryTerm(kind, value, isExcluded: isExcluded))
  }

  /// The text before the next blank.
  private var word: Substring { remainder.prefix { !$0.isBlank } }

  /// Skips a prefix; returns false, and skips nothing, if the text does not begin with it.
  private mutating func readPrefix(_ prefix: String) -> Bool {
    guard remainder.prefix(prefix.count).lowercased() == prefix else { return false }
    remainder = remainder.dropFirst(prefix.count)
    return true
  }

  /// Reads from one mark to the next, or to the end; runs of blanks become one.
  private mutating func readQuoted() -> String {
    remainder.removeFirst()
    let inside = remainder.prefix { !Self.isMark($0) }
    remainder = remainder.dropFirst(inside.count).dropFirst()
    return inside.split(whereSeparator: \.isBlank).joined(separator: " ")
  }

  private static func withoutAt(_ name: String) -> String {
    String(name.drop { $0 == "@" || $0.isBlank })
  }

  private static func tagName(_ word: Substring) -> String? {
    guard word.first == "#" || word.first == "\u{FF03}",
      let first = word.dropFirst().unicodeScalars.first,
      first.properties.isAlphabetic || first.properties.numericType != nil
    else { return nil }
    return String(word.dropFirst())
  }

  private static func isExcludable(_ next: Character) -> Bool {
    if next.isBlank || next == "-" { return false }
    return !next.isASCII || next.isLetter || next.isNumber || isSign(next)
  }
}

extension Character {
  /// True if it is a blank without a combining mark, which would be visible.
  fileprivate var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
