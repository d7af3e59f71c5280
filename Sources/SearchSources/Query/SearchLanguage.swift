internal import SearchModel

/// How our terms are written in a network's own search language.
///
/// A word that holds a sign, or is an operator there, stands in quotation marks: what a user typed as
/// a word never becomes an operator.
struct SearchLanguage: Sendable {
  /// Signs of ASCII that mean nothing there; those of the second list not even at a word's beginning.
  var plainSigns = ""
  var plainFirstSigns = ""
  /// Words that are operators, in lower case.
  var operators: Set<String> = ["and", "or", "not"]
  /// Whether it knows quotation marks; without them signs become blanks.
  var hasQuotes = true
  /// What stands before a tag; nil where a tag is a word.
  var tag: String?
  /// What stands before an author.
  var author = "from:"
  /// What stands before a language.
  var language = "lang:"
  /// What stands before what must not be there.
  var exclusion = "-"
  /// The same before words, where that is another.
  var wordExclusion: String?

  /// For networks that look for words and know no signs.
  static let wordsOnly = SearchLanguage(
    plainSigns: "+&#%/.'!?=*~^$()[]{}:;,<>@|\\-_`\"",
    plainFirstSigns: "+&#%/.'!?=*~^$()[]{}:;,<>@|\\-_`\"",
    operators: [], hasQuotes: false)

  /// Writes the remote terms of a query, except some kinds; a query in the network's own syntax is
  /// returned unchanged.
  func text(of split: QuerySplit, without kinds: QueryTerm.Kind...) -> String {
    split.query.isRaw
      ? split.query.text : text(of: split.remote.filter { !kinds.contains($0.kind) })
  }

  /// Writes terms, each but authors and languages where it was typed; of several authors or languages
  /// one is enough.
  func text(of terms: [QueryTerm]) -> String {
    var parts: [String] = []
    for term in terms {
      guard let text = text(of: term) else { continue }
      parts.append(text)
    }
    parts += alternatives(terms, of: .author) + alternatives(terms, of: .language)
    return parts.joined(separator: " ")
  }

  private func alternatives(_ terms: [QueryTerm], of kind: QueryTerm.Kind) -> [String] {
    let all = terms.filter { $0.kind == kind && !$0.isExcluded }.map(named)
    return all.count > 1 ? ["(\(all.joined(separator: " OR ")))"] : all
  }

  /// The text of a term; nil for one that stands among alternatives, or that has no word in it.
  private func text(of term: QueryTerm) -> String? {
    switch term.kind {
    case .author, .language: return term.isExcluded ? exclusion + named(term) : nil
    case .tag where tag != nil && Self.isTagName(term.value):
      return (term.isExcluded ? exclusion : "") + (tag ?? "") + term.value
    case .word, .tag, .phrase:
      let sign = term.isExcluded ? wordExclusion ?? exclusion : ""
      let text = term.kind == .phrase && hasQuotes ? quoted(term.value) : word(term.value)
      return text.isEmpty ? nil : sign + text
    }
  }

  private func named(_ term: QueryTerm) -> String {
    (term.kind == .author ? author : language) + term.value
  }

  /// A word as it is, or in quotation marks where it could be read as something else.
  func word(_ value: String) -> String {
    guard !isPlain(value) else { return value }
    return hasQuotes ? quoted(value) : words(value).joined(separator: " ")
  }

  // No network tells how a quotation mark is written within two others.
  private func quoted(_ value: String) -> String {
    var text = "\""
    text.unicodeScalars.append(contentsOf: value.unicodeScalars.filter { $0 != "\"" && $0 != "\\" })
    return text + "\""
  }

  private func words(_ value: String) -> [Substring] {
    value.unicodeScalars.split { isSign($0, plain: plainSigns) }.map { Substring($0) }
  }

  // By scalars, as networks read: with a mark behind it a sign is another character to Swift alone.
  private func isPlain(_ value: String) -> Bool {
    guard let first = value.unicodeScalars.first, !operators.contains(value.lowercased()) else {
      return false
    }
    return !isSign(first, plain: plainFirstSigns)
      && !value.unicodeScalars.dropFirst().contains { isSign($0, plain: plainSigns) }
  }

  private func isSign(_ scalar: Unicode.Scalar, plain: String) -> Bool {
    if scalar.properties.isWhitespace { return true }
    guard scalar.isASCII, !Self.isLetterOrDigit(scalar) else { return false }
    return !plain.unicodeScalars.contains(scalar)
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }

  /// Whether a name can stand behind `#` as a whole.
  static func isTagName(_ name: String) -> Bool {
    name.unicodeScalars.allSatisfy { !$0.isASCII || isLetterOrDigit($0) || $0 == "_" }
  }
}

/// Which names people can have on a network, by their characters.
enum HandleCharacters {
  /// Whether a name has only letters and digits of ASCII and some signs, and not too many of them.
  static func areAll(
    _ name: String, signs: String, count: ClosedRange<Int> = 1...64
  ) -> Bool {
    count.contains(name.utf8.count)
      && name.allSatisfy { character in
        character.isASCII && (character.isLetter || character.isNumber) || signs.contains(character)
      }
  }
}
