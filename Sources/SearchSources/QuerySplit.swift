package import SearchModel

/// A query as one network takes it: what it is asked for, and what is left to be judged here.
package struct QuerySplit: Hashable, Sendable {
  package var asked: [QueryTerm] = []
  package var judged: [QueryTerm] = []
  /// What is asked for of a network that gives excerpts and does not look for whole words: a post is
  /// left out where its text shows the term only within longer words.
  package var confirmed: [QueryTerm] = []
  /// What neither the network nor its posts tell: the outcome says that it was not heeded.
  package var ignored: [QueryTerm] = []

  package init() {}

  /// Splits a query by what a network can be asked for.
  ///
  /// - Parameter canBeAuthor: Whether somebody there can have a name. Others are nobody's: to exclude
  ///   them changes nothing, and they are not asked for.
  package init(
    _ terms: [QueryTerm], by abilities: QueryAbilities, canBeAuthor: (String) -> Bool
  ) {
    let terms = terms.filter { $0.kind != .author || canBeAuthor($0.value) }
    let authors = terms.count { $0.kind == .author && !$0.isExcluded }
    let languages = terms.count { $0.kind == .language && !$0.isExcluded }
    for term in terms {
      switch (term.kind, term.isExcluded) {
      // Signs alone mean nothing to any index of words.
      case (.word, _) where !Self.hasLetters(term), (.phrase, _) where !Self.hasLetters(term):
        judged.append(term)
      case (.word, let isExcluded):
        take(term, isAsked: abilities.contains(isExcluded ? .excludedWords : .words))
      case (.phrase, true):
        take(term, isAsked: abilities.isSuperset(of: [.excludedWords, .phrases]))
      case (.phrase, false):
        // Word by word it finds too much.
        take(term, isAsked: abilities.contains(.phrases))
        if !abilities.contains(.phrases), abilities.contains(.words) { asked.append(term) }
      case (.tag, let isExcluded):
        if abilities.contains(.tags) {
          take(term, isAsked: !isExcluded || abilities.contains(.excludedTags))
        } else {
          let word = QueryTerm(.word, term.value, isExcluded: isExcluded)
          take(word, isAsked: abilities.contains(isExcluded ? .excludedWords : .words))
        }
      case (.author, true):
        take(term, isAsked: abilities.contains(.excludedAuthors))
      case (.author, false):
        let needed: QueryAbilities = authors > 1 ? [.authors, .anyAuthor] : .authors
        take(term, isAsked: abilities.isSuperset(of: needed))
      case (.language, true):
        take(term, isAsked: abilities.contains(.excludedLanguages))
      case (.language, false):
        let needed: QueryAbilities = languages > 1 ? [.languages, .anyLanguage] : .languages
        take(term, isAsked: abilities.isSuperset(of: needed))
      }
    }
  }

  /// Splits a query for a network whose search finds a text wherever it is written, within longer words
  /// too: the longest word is asked for, and everything is judged here.
  init(longestWordOf terms: [QueryTerm], canBeAuthor: (String) -> Bool) {
    let terms = terms.filter { $0.kind != .author || canBeAuthor($0.value) }
    var longest = ""
    for term in terms where term.isSought && term.kind != .author && Self.hasLetters(term) {
      for word in term.value.split(whereSeparator: \.isWhitespace)
      where word.count > longest.count {
        longest = String(word)
      }
    }
    asked = longest.isEmpty ? [] : [QueryTerm(.word, longest)]
    judged = terms
  }

  private mutating func take(_ term: QueryTerm, isAsked: Bool) {
    if isAsked { asked.append(term) } else { judged.append(term) }
  }

  /// Whether it holds anything but ASCII punctuation.
  private static func hasLetters(_ term: QueryTerm) -> Bool {
    term.value.contains { !$0.isASCII || $0.isLetter || $0.isNumber }
  }

  /// The asked terms of a kind that are sought, not excluded.
  func asked(_ kind: QueryTerm.Kind) -> [QueryTerm] {
    asked.filter { $0.kind == kind && !$0.isExcluded }
  }

  /// The asked terms of a kind that are excluded.
  func excluded(_ kind: QueryTerm.Kind) -> [QueryTerm] {
    asked.filter { $0.kind == kind && $0.isExcluded }
  }

  /// Takes what is asked for out that a condition holds for, to be judged here instead.
  mutating func judgeInstead(_ condition: (QueryTerm) -> Bool) {
    judged += asked.filter(condition)
    asked.removeAll(where: condition)
  }

  /// Takes what is judged out that a condition holds for: it cannot be judged either.
  mutating func ignoreInstead(_ condition: (QueryTerm) -> Bool) {
    ignored += judged.filter(condition)
    judged.removeAll(where: condition)
  }
}
