internal import SearchModel

extension QuerySplit {
  static let refusalWithoutSearch =
    "only a tag or a single word can be searched: it has no search for words"

  /// Splits a query for a network that lists the posts of one tag and searches for nothing.
  ///
  /// The tag is the query's only one, or else its only word; nil where there is none or several. All
  /// the rest is judged.
  init?(oneTagOf terms: [QueryTerm], canBeAuthor: (String) -> Bool) {
    let texts = terms.filter { $0.isSought && $0.kind != .author }
    let tags = texts.filter { $0.kind == .tag }
    guard tags.count <= 1, let tag = tags.first ?? Self.loneWord(of: texts) else { return nil }
    self.init(terms, by: [.tags], canBeAuthor: canBeAuthor)
    asked = [tag]
    if let place = judged.firstIndex(of: tag) { judged.remove(at: place) }
  }

  /// The one word that is sought; nil for several, and for one with a sign of a search language.
  private static func loneWord(of texts: [QueryTerm]) -> QueryTerm? {
    guard texts.count == 1, let word = texts.first, word.kind == .word,
      !word.value.hasPrefix("#"), !word.value.hasPrefix("-"),
      !word.value.contains(where: { "\":()@".contains($0) }),
      word.value.contains(where: { !$0.isASCII || $0.isLetter || $0.isNumber })
    else { return nil }
    return word
  }

  /// The tag or single word that the query is which this is the split of; nil for any other.
  func oneTag(of query: Query) -> String? {
    query.isRaw ? Self.rawTag(of: query) : asked.first?.value
  }

  /// The tag that a query in the network's own syntax is, with or without its sign.
  static func rawTag(of query: Query) -> String? {
    let words = query.text.split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let word = words.first else { return nil }
    let name = word.hasPrefix("#") ? word.dropFirst() : word
    return name.isEmpty ? nil : String(name)
  }
}
