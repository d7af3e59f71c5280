package import SearchModel

/// A query, divided into the terms that a network searches for and those that posts are filtered by
/// here.
///
/// It is constant for a search, and computed once, when the plan is made.
package struct QuerySplit: Hashable, Sendable {
  /// The query that was split.
  package let query: Query
  /// Terms that the request contains.
  package var remote: [QueryTerm] = []
  /// Terms that posts are filtered by after the response.
  package var local: [QueryTerm] = []
  /// Remote terms on a network that returns excerpts and also matches parts of words: a post is
  /// dropped if its text contains the term only inside longer words.
  package var wholeWords: [QueryTerm] = []

  /// Creates a split that asks for nothing, for a query that the network cannot search for.
  package init(_ query: Query) { self.query = query }

  /// Splits a query by what a network can search for.
  ///
  /// - Parameters:
  ///   - terms: The terms to split, if not those of the query.
  ///   - canBeAuthor: Returns whether a name is valid on the network. Nobody can have an invalid one,
  ///     so excluding it changes nothing, and it is never sent.
  package init(
    _ query: Query, terms: [QueryTerm]? = nil, by abilities: QueryAbilities,
    canBeAuthor: (String) -> Bool
  ) {
    self.query = query
    let terms = Self.withoutInvalidAuthors(terms ?? query.terms, canBeAuthor)
    let namesAuthors = terms.count { $0.kind == .author && !$0.isExcluded } > 1
    let namesLanguages = terms.count { $0.kind == .language && !$0.isExcluded } > 1
    func place(_ term: QueryTerm) -> Place {
      Place(
        of: term, by: abilities,
        isOneOfSeveral: term.kind == .author ? namesAuthors : namesLanguages)
    }
    // Most queries need no lists of their own.
    if terms.allSatisfy({ place($0) == .remote }) {
      remote = terms
    } else if terms.allSatisfy({ place($0) == .local }) {
      local = terms
    } else {
      for term in terms {
        switch place(term) {
        case .remote: remote.append(term)
        case .local: local.append(term)
        case .both:
          remote.append(term)
          local.append(term)
        case .word(let isRemote):
          let word = QueryTerm(.word, term.value, isExcluded: term.isExcluded)
          if isRemote { remote.append(word) } else { local.append(word) }
        }
      }
    }
    // Plans hold millions of splits: most of them share the memory of their query's terms.
    if remote == query.terms { remote = query.terms }
    if local == query.terms { local = query.terms }
  }

  /// The place of a term in a split.
  private enum Place: Equatable {
    case remote, local, both
    /// A tag that becomes a word.
    case word(isRemote: Bool)

    init(of term: QueryTerm, by abilities: QueryAbilities, isOneOfSeveral: Bool) {
      // An index of words contains no words made of punctuation only.
      if term.kind == .word || term.kind == .phrase, !term.hasLetters {
        self = .local
      } else if term.kind == .tag, !abilities.contains(.tags) {
        self = .word(isRemote: abilities.contains(term.isExcluded ? .excludedWords : .words))
      } else {
        let needed = QueryAbilities(for: term, isOneOfSeveral: isOneOfSeveral)
        if abilities.isSuperset(of: needed) {
          self = .remote
        } else {
          // Its words alone match too much, so the phrase is local as well.
          self = needed == .phrases && abilities.contains(.words) ? .both : .local
        }
      }
    }
  }

  /// Splits a query for a network that finds a text anywhere, even inside longer words: the longest
  /// word is remote, and all terms are local. Of `don't` its longest part is, as posts have `don’t`, too.
  ///
  /// - Parameter hasTags: Whether the network has tags; elsewhere one is a word like any other.
  init(longestWordOf query: Query, hasTags: Bool, canBeAuthor: (String) -> Bool) {
    self.query = query
    let typed = query.terms.map { term in
      term.kind == .tag && !hasTags
        ? QueryTerm(.word, term.value, isExcluded: term.isExcluded) : term
    }
    let terms = Self.withoutInvalidAuthors(typed, canBeAuthor)
    var longest = ""
    for term in terms where term.isSoughtText && term.hasLetters {
      // By scalars: to find where characters end takes longer than everything else here.
      let words = term.value.unicodeScalars.split {
        $0.properties.isWhitespace || Self.apostrophes.contains($0)
      }
      for word in words where word.count > longest.unicodeScalars.count {
        let word = Substring(word)
        if Self.hasLetters(word) { longest = String(word) }
      }
    }
    remote = longest.isEmpty ? [] : [QueryTerm(.word, longest)]
    local = terms
  }

  /// Splits a query for a network that lists the posts of one tag and has no search.
  ///
  /// The tag is the query's only one, or else its only word; all other terms are local. Without a tag,
  /// or with several, nothing is remote.
  init(oneTagOf query: Query, canBeAuthor: (String) -> Bool) {
    let texts = query.terms.filter(\.isSoughtText)
    let tags = texts.filter { $0.kind == .tag }
    guard tags.count <= 1, let tag = tags.first ?? Self.onlyWord(of: texts) else {
      self.init(query)
      return
    }
    self.init(query, by: [.tags], canBeAuthor: canBeAuthor)
    remote = [tag]
    if let index = local.firstIndex(of: tag) { local.remove(at: index) }
  }

  /// The characters that are written as apostrophes.
  private static let apostrophes: [Unicode.Scalar] = ["'", "\u{2019}", "\u{2018}", "\u{2BC}"]

  /// True if a text contains anything besides ASCII punctuation.
  fileprivate static func hasLetters(_ text: some StringProtocol) -> Bool {
    text.utf8.contains { byte in
      switch byte {
      case 0x80..., UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
  }

  static let tagsOnly =
    "only a tag or a single word can be searched; this network has no word search"

  private static func withoutInvalidAuthors(
    _ terms: [QueryTerm], _ canBeAuthor: (String) -> Bool
  ) -> [QueryTerm] {
    func isValid(_ term: QueryTerm) -> Bool { term.kind != .author || canBeAuthor(term.value) }
    // Without a copy where all are.
    return terms.allSatisfy(isValid) ? terms : terms.filter(isValid)
  }

  /// The only word that is sought; nil for several, and for one with the syntax of a search language.
  private static func onlyWord(of texts: [QueryTerm]) -> QueryTerm? {
    guard texts.count == 1, let word = texts.first, word.kind == .word,
      !word.value.hasPrefix("#"), !word.value.hasPrefix("-"),
      !word.value.utf8.contains(where: isSyntax), word.hasLetters
    else { return nil }
    return word
  }

  private static func isSyntax(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ":"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "@"):
      true
    default: false
    }
  }

  /// Returns whether a split of the same query has the same terms.
  package func hasTerms(of other: QuerySplit) -> Bool {
    remote == other.remote && local == other.local && wholeWords == other.wholeWords
  }

  /// True if it has no terms at all.
  var isEmpty: Bool {
    remote.isEmpty && local.isEmpty && wholeWords.isEmpty
  }

  /// The remote terms of a kind that are not exclusions.
  func remote(_ kind: QueryTerm.Kind) -> [QueryTerm] {
    remote.filter { $0.kind == kind && !$0.isExcluded }
  }

  /// The remote exclusions of a kind.
  func remoteExclusions(_ kind: QueryTerm.Kind) -> [QueryTerm] {
    remote.filter { $0.kind == kind && $0.isExcluded }
  }

  /// Makes some remote terms local.
  mutating func makeLocal(_ condition: (QueryTerm) -> Bool) {
    guard remote.contains(where: condition) else { return }
    local += remote.filter(condition)
    remote.removeAll(where: condition)
  }

  /// The tag or single word that the query consists of, or nil.
  var onlyTag: String? { query.isRaw ? rawTag : remote.first?.value }

  /// The tag that a query in the network's own syntax consists of, with or without its `#`.
  var rawTag: String? {
    let words = query.text.split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let word = words.first else { return nil }
    let name = word.hasPrefix("#") ? word.dropFirst() : word
    return name.isEmpty ? nil : String(name)
  }
}

extension QueryTerm {
  /// True if it contains anything besides ASCII punctuation.
  fileprivate var hasLetters: Bool { QuerySplit.hasLetters(value) }
}

/// The kinds of terms that a network can search for.
package struct QueryAbilities: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let words = QueryAbilities(rawValue: 1 << 0)
  /// Phrases in quotation marks; without it their words are searched for one by one, and the phrase is
  /// filtered here.
  package static let phrases = QueryAbilities(rawValue: 1 << 1)
  /// Hashtags, or tags of the network's own; without it a tag is searched for as a word.
  package static let tags = QueryAbilities(rawValue: 1 << 2)
  package static let authors = QueryAbilities(rawValue: 1 << 3)
  /// One of several authors.
  package static let anyAuthor = QueryAbilities(rawValue: 1 << 4)
  package static let languages = QueryAbilities(rawValue: 1 << 5)
  /// One of several languages.
  package static let anyLanguage = QueryAbilities(rawValue: 1 << 6)
  /// Exclusions of words and, with `phrases`, of phrases.
  package static let excludedWords = QueryAbilities(rawValue: 1 << 7)
  package static let excludedTags = QueryAbilities(rawValue: 1 << 8)
  package static let excludedAuthors = QueryAbilities(rawValue: 1 << 9)
  package static let excludedLanguages = QueryAbilities(rawValue: 1 << 10)

  /// The abilities that a search for a term needs.
  ///
  /// - Parameter isOneOfSeveral: Whether the query names several of its kind, which are alternatives.
  fileprivate init(for term: QueryTerm, isOneOfSeveral: Bool) {
    self =
      switch (term.kind, term.isExcluded) {
      case (.word, let isExcluded): isExcluded ? .excludedWords : .words
      case (.phrase, let isExcluded): isExcluded ? [.excludedWords, .phrases] : .phrases
      case (.tag, let isExcluded): isExcluded ? .excludedTags : .tags
      case (.author, true): .excludedAuthors
      case (.author, false): isOneOfSeveral ? [.authors, .anyAuthor] : .authors
      case (.language, true): .excludedLanguages
      case (.language, false): isOneOfSeveral ? [.languages, .anyLanguage] : .languages
      }
  }
}
