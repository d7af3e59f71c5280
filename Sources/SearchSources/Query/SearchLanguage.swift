internal import SearchModel
internal import TextFormats

/// The syntax of a network's own search language, in which terms are written.
///
/// A word that contains punctuation or is an operator is quoted, so that it never acts as an operator.
struct SearchLanguage: Sendable {
  /// ASCII punctuation without a meaning; that of the second list also at the beginning of a word.
  var plainSigns = ""
  var plainFirstSigns = ""
  /// True if other symbols and punctuation than those of ASCII have to be quoted, too, such as emoji.
  var quotesSymbols = false
  /// True if every word is quoted, as posts may lack those that are not.
  var quotesWords = false
  /// Signs that have a meaning even in quotation marks, and become blanks.
  var blankSigns = ""
  /// Words that are operators, in lower case; without quotation marks they are written in lower case.
  var operators: Set<String> = ["and", "or", "not"]
  /// True if it supports quotation marks; without them punctuation becomes blanks.
  var hasQuotes = true
  /// The prefix of a tag; nil if a tag is a word.
  var tag: String?
  /// The ASCII punctuation that a tag with this prefix may contain.
  var tagSigns = "_"
  /// The prefix of tags with other punctuation, and that punctuation.
  var otherTag: (prefix: String, signs: String)?
  /// The prefix of an author.
  var author = "from:"
  /// The prefix of a language.
  var language = "lang:"
  /// The prefix of an exclusion.
  var exclusion = "-"
  /// The prefix of an excluded word, if that is a different one.
  var wordExclusion: String?
  /// The prefix of words and phrases.
  var word = ""
  /// The text between two terms.
  var separator = " "

  /// The language of networks that search for words without any syntax.
  static let wordsOnly = SearchLanguage(
    plainSigns: "+&#%/.'!?=*~^$()[]{}:;,<>@|\\-_`\"",
    plainFirstSigns: "+&#%/.'!?=*~^$()[]{}:;,<>@|\\-_`\"",
    operators: [], hasQuotes: false)

  /// Writes the remote terms of a query, except some kinds; a query in the network's own syntax is
  /// returned unchanged.
  func text(of split: QuerySplit, without kinds: QueryTerm.Kind...) -> String {
    guard !split.query.isRaw else { return split.query.text }
    let isAny = split.remote.contains { kinds.contains($0.kind) }
    return text(of: isAny ? split.remote.filter { !kinds.contains($0.kind) } : split.remote)
  }

  /// Writes terms in the order in which they were typed, followed by authors and languages; several of
  /// these are alternatives.
  func text(of terms: [QueryTerm]) -> String {
    // Most queries are one word, which needs no list.
    if terms.count == 1, terms[0].kind == .word { return text(of: terms[0]) ?? "" }
    var parts: [String] = []
    for term in terms {
      guard let text = text(of: term) else { continue }
      parts.append(text)
    }
    parts += alternatives(terms, of: .author)
    parts += alternatives(terms, of: .language)
    return parts.joined(separator: separator)
  }

  private func alternatives(_ terms: [QueryTerm], of kind: QueryTerm.Kind) -> [String] {
    let all = terms.filter { $0.kind == kind && !$0.isExcluded }.map(named)
    return all.count > 1 ? ["(\(all.joined(separator: " OR ")))"] : all
  }

  /// The text of a term; nil for an alternative, and for a term without words.
  private func text(of term: QueryTerm) -> String? {
    if term.kind == .tag, let prefix = prefix(ofTag: term.value) {
      return (term.isExcluded ? exclusion : "") + prefix + term.value
    }
    switch term.kind {
    case .author, .language: return term.isExcluded ? exclusion + named(term) : nil
    case .word, .tag, .phrase:
      let sign = term.isExcluded ? wordExclusion ?? exclusion : ""
      let text = term.kind == .phrase ? phrase(term.value) : word(term.value)
      guard !text.isEmpty else { return nil }
      guard !word.isEmpty, !hasQuotes else { return sign + word + text }
      return text.split(separator: " ").map { sign + word + $0 }.joined(separator: separator)
    }
  }

  /// The prefix that a tag is written with; nil if it is written as a word.
  private func prefix(ofTag name: String) -> String? {
    if let tag, Self.isTagName(name, signs: tagSigns) { return tag }
    if let otherTag, Self.isTagName(name, signs: otherTag.signs) { return otherTag.prefix }
    return nil
  }

  private func named(_ term: QueryTerm) -> String {
    (term.kind == .author ? author : language) + term.value
  }

  /// A word, in quotation marks if it could be read as something else.
  func word(_ value: String) -> String {
    if !hasQuotes, isOperator(value) { return value.lowercased() }
    guard quotesWords || !isPlain(value) else { return value }
    return hasQuotes ? quoted(value) : words(value).joined(separator: " ")
  }

  /// The phrase in quotation marks or, if the network has none, its words, so written that none acts as an operator or an
  /// exclusion.
  private func phrase(_ value: String) -> String {
    guard !hasQuotes else { return quoted(value) }
    return words(value).map { word(String($0.drop { $0 == "-" })) }.joined(separator: " ")
  }

  // No network documents how to escape a quotation mark within a phrase.
  private func quoted(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars where scalar != "\"" && scalar != "\\" {
      text.unicodeScalars.append(blankSigns.unicodeScalars.contains(scalar) ? " " : scalar)
    }
    return text + "\""
  }

  private func words(_ value: String) -> [Substring] {
    value.unicodeScalars.split { [plainSigns, quotesSymbols] in
      Self.isSign($0, plain: plainSigns, orSymbol: quotesSymbols)
    }
    .map { Substring($0) }
  }

  // By scalars, like networks do: punctuation with a combining mark is another character only in Swift.
  private func isPlain(_ value: String) -> Bool {
    guard let first = value.unicodeScalars.first, !isOperator(value) else { return false }
    if value.utf8.allSatisfy(\.isASCIILetterOrDigit) { return true }
    // Without the list of captures each search would copy the whole language.
    return !Self.isSign(first, plain: plainFirstSigns, orSymbol: quotesSymbols)
      && !value.unicodeScalars.dropFirst().contains { [plainSigns, quotesSymbols] in
        Self.isSign($0, plain: plainSigns, orSymbol: quotesSymbols)
      }
  }

  private func isOperator(_ value: String) -> Bool {
    let count = value.utf8.count
    // Most words are longer than all operators, which are ASCII.
    return operators.contains { $0.utf8.count == count } && operators.contains(value.lowercased())
  }

  private static func isSign(
    _ scalar: Unicode.Scalar, plain: String, orSymbol: Bool
  ) -> Bool {
    guard !isLetterOrDigit(scalar) else { return false }
    guard scalar.isASCII else {
      return scalar.properties.isWhitespace || orSymbol && isSymbol(scalar)
    }
    return scalar == " " || ("\t"..."\r").contains(scalar)
      || !plain.unicodeScalars.contains(scalar)
  }

  private static func isSymbol(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      false
    default: true
    }
  }

  /// True for those of ASCII, without a look at Unicode's tables.
  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }

  /// True if a whole name can follow `#`.
  static func isTagName(_ name: String, signs: String = "_") -> Bool {
    name.unicodeScalars.allSatisfy { scalar in
      !scalar.isASCII || isLetterOrDigit(scalar) || signs.unicodeScalars.contains(scalar)
    }
  }
}

/// Checks user names by their characters.
enum HandleCharacters {
  /// True if a name has an allowed length, and only ASCII letters, digits and some punctuation.
  static func areAll(
    _ name: String, signs: String, count: ClosedRange<Int> = 1...64
  ) -> Bool {
    count.contains(name.utf8.count)
      && name.allSatisfy { character in
        character.isASCII && (character.isLetter || character.isNumber) || signs.contains(character)
      }
  }
}
