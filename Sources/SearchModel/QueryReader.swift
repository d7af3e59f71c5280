/// Takes a query apart. Nothing that was typed is lost: what is no term of another kind is a word.
///
/// - A quotation mark, straight or curly, opens a phrase where a term begins; without a second one it
///   goes to the end. Within a word it is a part of the word.
/// - `-` excludes the term that it stands before; alone, before another `-` or before punctuation, as
///   in `->`, it is a part of a word. `-5` leaves 5 out; `"-5"` looks for it.
/// - `#` before a letter or digit begins a tag; `#` alone is a word.
/// - `from:` and `lang:`, in any case, need something behind them: `lang:` a language of two or three
///   letters, perhaps with more after a `-`. Any other `foo:bar` is a word, as addresses are, and so are
///   `OR`, `AND` and parentheses.
struct QueryReader {
  private static let marks: Set<Character> = ["\"", "\u{201C}", "\u{201D}", "\u{201E}"]
  /// The punctuation that may stand between a `-` and what it leaves out.
  private static let signs: Set<Character> = ["#", "\u{FF03}", "@", "$", "_", "\""]

  private var rest: Substring
  private var terms: [QueryTerm] = []

  static func terms(of text: String) -> [QueryTerm] {
    var reader = QueryReader(rest: text[...])
    while reader.readTerm() {}
    return reader.terms
  }

  private init(rest: Substring) { self.rest = rest }

  /// Reads a term; returns false at the end.
  private mutating func readTerm() -> Bool {
    while let first = rest.first, first.isBlank { rest.removeFirst() }
    guard let first = rest.first else { return false }
    var isExcluded = false
    if first == "-", let next = rest.dropFirst().first, Self.isExcludable(next) {
      isExcluded = true
      rest.removeFirst()
    }
    if let next = rest.first, Self.marks.contains(next) {
      // Marks around nothing are a word of two marks.
      let phrase = readQuoted()
      add(phrase.isEmpty ? .word : .phrase, phrase.isEmpty ? "\"\"" : phrase, isExcluded)
      return true
    }
    let start = rest
    if readPrefix("from:") {
      rest = rest.drop { $0 == "@" }
      let isQuoted = rest.first.map(Self.marks.contains) == true
      let name = isQuoted ? Self.withoutAt(readQuoted()) : String(word)
      if !name.isEmpty {
        if !isQuoted { rest = rest.dropFirst(name.count) }
        add(.author, name, isExcluded)
        return true
      }
    } else if readPrefix("lang:"), let language = LanguageTag.primary(typed: word) {
      rest = rest.dropFirst(word.count)
      add(.language, language, isExcluded)
      return true
    }
    rest = start
    let word = word
    rest = rest.dropFirst(word.count)
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

  /// What stands before the next blank.
  private var word: Substring { rest.prefix { !$0.isBlank } }

  /// Goes behind a prefix; false, and nothing done, where another text stands.
  private mutating func readPrefix(_ prefix: String) -> Bool {
    guard rest.prefix(prefix.count).lowercased() == prefix else { return false }
    rest = rest.dropFirst(prefix.count)
    return true
  }

  /// Reads from one mark to the next, or to the end: runs of blanks become one.
  private mutating func readQuoted() -> String {
    rest.removeFirst()
    let inside = rest.prefix { !Self.marks.contains($0) }
    rest = rest.dropFirst(inside.count).dropFirst()
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
    return !next.isASCII || next.isLetter || next.isNumber || signs.contains(next)
  }
}

extension Character {
  /// Whether it is a blank and nothing more: a mark that stands on one is to be seen.
  fileprivate var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
