internal import SearchModel
internal import TextFormats

/// How a network understands queries: the part of them that it is asked, and the syntax of that part.
struct QueryRules: Sendable {
  /// The facts that are known of all posts that a network finds.
  enum Match: String, CaseIterable, Sendable {
    /// They match the query, as the network's search is trusted.
    case trusted
    /// They may lack some words, which are checked here.
    case words
    /// They have one of several words, which are checked here; a word alone is not.
    case any
    /// They may contain words only inside longer ones.
    case whole
    /// The search finds a text anywhere: its longest word is sent, and everything is checked here.
    case longest
    /// Several words are taken for a phrase: as `longest` for them, and trusted for a word alone.
    case phrase
  }

  /// The syntax of `{terms}`.
  var syntax = SearchLanguage.wordsOnly
  /// True if authors are a part of `{terms}`.
  var writesAuthors = true
  var abilities: QueryAbilities
  var match = Match.trusted
  /// True if words that are checked here may be in the names of authors.
  var matchesAuthors = false
  /// True if the network lists the posts of one tag and has no search.
  var takesTagOnly = false
  /// The ASCII punctuation of user names; nil if they may contain anything but `@`.
  var authorSigns: String?
  /// True if an author can be asked for; others are filtered here.
  var asksAuthor: @Sendable (String) -> Bool = { _ in true }
  /// The values of `{lang}`.
  var languages: [String] = []
  /// The value of `{lang}` if none of them is wanted.
  var usualLanguage: String?

  func canBeAuthor(_ name: String) -> Bool {
    guard let authorSigns else { return !name.contains("@") }
    return HandleCharacters.areAll(name, signs: authorSigns)
  }

  func split(_ query: Query) -> QuerySplit {
    guard !takesTagOnly else { return QuerySplit(oneTagOf: query, canBeAuthor: canBeAuthor) }
    let hasSeveralTexts = query.terms.count(where: \.isSoughtText) > 1
    guard match != .longest, match != .phrase || !hasSeveralTexts else {
      return QuerySplit(longestWordOf: query, hasTags: true, canBeAuthor: canBeAuthor)
    }
    var abilities = abilities
    let authors = query.terms.filter { $0.kind == .author && !$0.isExcluded }
    if !authors.allSatisfy({ asksAuthor($0.value) }) { abilities.remove(.authors) }
    var split = QuerySplit(query, by: abilities, canBeAuthor: canBeAuthor)
    split.makeLocal { $0.kind == .language && !languages.contains($0.value) }
    let texts = split.remote.filter { term in
      term.kind == .word || term.kind == .phrase || term.kind == .tag && syntax.tag == nil
    }
    switch match {
    case .any where texts.count == 1: break
    case .words, .any: split.local += texts.filter { !split.local.contains($0) }
    case .whole: split.wholeWords = texts.filter { $0.kind != .phrase && !$0.isExcluded }
    case .trusted, .longest, .phrase: break
    }
    return split
  }

  /// The value of `{lang}`.
  func language(of page: PageRequest) -> String? { askedLanguage(of: page) ?? usualLanguage }

  /// The first language of the query or else of the run that the network has.
  func askedLanguage(of page: PageRequest) -> String? { languages(wantedBy: page).first }

  /// The languages of the query, or else of the run, that the network has.
  private func languages(wantedBy page: PageRequest) -> [String] {
    let typed = page.query.terms.filter { $0.kind == .language && !$0.isExcluded }.map(\.value)
    func known(_ wanted: [String]) -> [String] {
      wanted.reduce(into: []) { all, language in
        let code = LanguageTag.codes(of: language).first(where: languages.contains)
        if let code, !all.contains(code) { all.append(code) }
      }
    }
    return known(typed).isEmpty ? known(page.filter.languages) : known(typed)
  }

  /// The note on a page of one language if several are wanted.
  func languageNote(of page: PageRequest) -> String? {
    let wanted = languages(wantedBy: page)
    guard wanted.count > 1 else { return nil }
    return "asked in \(wanted[0]) only: this network accepts one language"
  }
}

extension QueryRules {
  static let keys = ["syntax", "match", "match_authors", "author_signs", "languages", "language"]

  /// Reads the keys of a declaration that are about queries.
  init(_ known: [String: JSONEntry], slots: [Placeholder]) throws(DocumentError) {
    let kinds = slots.map(\.kind)
    takesTagOnly = kinds.contains(.tag)
    abilities = [.words, .tags]
    if let entry = known["syntax"] {
      (syntax, abilities) = try Self.syntax(entry)
      guard kinds.contains(.terms) else {
        throw entry.fault(expected: "{terms} in the url or body")
      }
    }
    if kinds.contains(.author) {
      abilities.insert(.authors)
      writesAuthors = false
    }
    if kinds.contains(.language) { abilities.insert(.languages) }
    match = try known["match"]?.choice() ?? .trusted
    matchesAuthors = try known["match_authors"]?.bool() ?? false
    if let entry = known["author_signs"] {
      authorSigns = try entry.string(expected: "punctuation such as _-", allowsEmpty: true)
    }
    (languages, usualLanguage) = try Self.languages(known, areUsed: kinds.contains(.language))
  }

  private static func syntax(
    _ entry: JSONEntry
  ) throws(DocumentError) -> (SearchLanguage, QueryAbilities) {
    let known = try entry.object(knowing: [
      "plain", "plain_first", "blanks", "operators", "phrases", "quote_words", "exclude", "tag",
      "author", "word", "join",
    ])
    func text(_ key: String) throws(DocumentError) -> String? {
      try known[key]?.string(expected: "a string", allowsEmpty: true)
    }
    var abilities: QueryAbilities = .words
    var syntax = SearchLanguage()
    syntax.plainSigns = try text("plain") ?? ""
    syntax.plainFirstSigns = try text("plain_first") ?? ""
    if let list = known["operators"] {
      let words = try list.elements(expected: "a list of words").map { word throws(DocumentError) in
        try word.string(expected: "a word").lowercased()
      }
      syntax.operators = Set(words)
    }
    syntax.blankSigns = try text("blanks") ?? ""
    syntax.hasQuotes = try known["phrases"]?.bool() ?? false
    if syntax.hasQuotes { abilities.insert(.phrases) }
    if let entry = known["quote_words"] {
      syntax.quotesWords = try entry.bool()
      guard syntax.hasQuotes || !syntax.quotesWords else {
        throw entry.fault(expected: #"false without "phrases": true"#)
      }
    }
    if let sign = try text("exclude") {
      syntax.exclusion = sign
      abilities.insert(.excludedWords)
    }
    syntax.tag = try text("tag")
    // Without a prefix of its own a tag is searched for as a word, and that is all there is to it.
    abilities.insert(.tags)
    if syntax.tag != nil, abilities.contains(.excludedWords) { abilities.insert(.excludedTags) }
    if let author = try text("author") {
      syntax.author = author
      abilities.insert(.authors)
    }
    syntax.word = try text("word") ?? ""
    syntax.separator = try text("join") ?? " "
    return (syntax, abilities)
  }

  private static func languages(
    _ known: [String: JSONEntry], areUsed: Bool
  ) throws(DocumentError) -> ([String], String?) {
    let expected = #"language codes such as ["en", "pt-br"]"#
    func code(_ entry: JSONEntry) throws(DocumentError) -> String {
      let text = try entry.string(expected: expected)
      let isCode =
        text.utf8.count <= 20 && text.utf8.first != UInt8(ascii: "-")
        && text.utf8.allSatisfy {
          (0x61...0x7A).contains($0) || $0.isASCIIDigit || $0 == UInt8(ascii: "-")
        }
      guard isCode else { throw entry.fault(expected: expected) }
      return text
    }
    if !areUsed, let entry = known["languages"] ?? known["language"] {
      throw entry.fault(expected: "{lang} in the url or body")
    }
    return (
      try known["languages"]?.elements(expected: expected).map(code) ?? [],
      try known["language"].map(code)
    )
  }
}
