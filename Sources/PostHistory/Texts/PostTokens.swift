package import SearchModel

/// The tokens by which an index of sets finds posts: words, and the facets of `PostFacets` with a colon
/// before them, which no word has.
package enum PostTokens {
  /// The tokens of a post, each once.
  package static func stored(of post: Post) -> Set<String> {
    var tokens = Set(IndexedText.words(of: post.searchableText, isSought: false))
    for facet in PostFacets.all(of: post) {
      // Every kind is one letter of ASCII.
      let scalars = facet.unicodeScalars
      guard let kind = scalars.first else { continue }
      for word in IndexedText.words(of: String(scalars.dropFirst()), isSought: false) {
        tokens.insert(":\(kind)\(word)")
      }
    }
    return tokens
  }

  /// The conditions that every post meets which a query finds, and perhaps others: of each, a post has all
  /// tokens of one of the alternatives.
  package static func sought(by query: HistoryQuery) -> [[[String]]] {
    let sought = query.terms.filter { !$0.isExcluded }
    var conditions = sought.compactMap(condition)
    for kind in [QueryTerm.Kind.author, .language] {
      var alternatives = sought.filter { $0.kind == kind }.flatMap { term in
        kind == .author
          ? [facet("a", AuthorName(term.value).text)]
          : LanguageTag.codes(of: term.value).map { facet("l", $0) }
      }
      guard !alternatives.isEmpty else { continue }
      // A post of an unknown language may be in any.
      if kind == .language { alternatives.append(facet("l", "unknown")) }
      // Every post has all of no tokens.
      if !alternatives.contains([]) { conditions.append(alternatives) }
    }
    return conditions
  }

  private static func condition(of term: QueryTerm) -> [[String]]? {
    let words = IndexedText.words(of: term.value, isSought: true)
    switch term.kind {
    case .word, .phrase: return words.isEmpty ? nil : [words]
    case .tag:
      let hashtag = PostFacets.isSpacedHashtag(term.value) ? facet("h", term.value) : words
      let topic = facet("h", Topic.key(term.value))
      guard !hashtag.isEmpty else { return nil }
      return topic.isEmpty ? [hashtag] : [hashtag, topic]
    case .author, .language: return nil
    }
  }

  private static func facet(_ kind: String, _ value: String) -> [String] {
    IndexedText.words(of: value, isSought: true).map { ":\(kind)\($0)" }
  }
}
