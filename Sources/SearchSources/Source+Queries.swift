package import SearchModel

extension Source {
  package func canBeAuthor(_ name: String) -> Bool { !name.contains("@") }

  package var knowsAuthorsByName: Bool { false }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    QuerySplit(query.terms, by: traits.abilities, canBeAuthor: canBeAuthor)
  }

  /// Why a search is not worth a request with these credentials, in words; nil where it is.
  package func reasonToSkip(_ query: Query, with credentials: Credentials?) -> String? {
    guard !query.isRaw else { return refusal(of: query, with: credentials) }
    guard query.terms.contains(where: \.isSought) else {
      return "the query names nothing to look for: add a word, a tag or an author"
    }
    let authors = query.terms.filter { $0.kind == .author && !$0.isExcluded }
    if let author = authors.first, !authors.contains(where: { canBeAuthor($0.value) }) {
      return "nobody there can be called \(author.value)"
    }
    if let reason = refusal(of: query, with: credentials) { return reason }
    guard split(query, with: credentials).asked.contains(where: \.isSought) else {
      return authors.isEmpty
        ? "it cannot search for that alone: name a word, too"
        : "it cannot search by author alone: name a word, too"
    }
    return nil
  }

  /// The page without the posts that are not what the query asks for, where the network was not asked
  /// for all of it; notes say what could not be told.
  package func judged(_ page: Page, of query: Query, with credentials: Credentials?) -> Page {
    var split = split(query, with: credentials)
    split.judged += page.localTerms.filter { !split.judged.contains($0) }
    guard !split.judged.isEmpty || !split.confirmed.isEmpty || !split.ignored.isEmpty else {
      return page
    }
    let result = TermFilter(
      split.judged, confirming: split.confirmed, knowsAuthorsByName: knowsAuthorsByName
    ).judge(page.posts)
    var page = page
    page.posts = result.posts
    page.notes += split.ignored.map { "\($0) was not heeded: posts there do not tell" }
    page.notes += result.unjudged.map { term in
      term.kind == .author
        ? "posts without an author were left out: \(term)"
        : "\(term) was not heeded for posts without a language"
    }
    let texts = split.judged.filter { $0.kind != .author && $0.kind != .language }
    if traits.givesExcerpts, !texts.isEmpty {
      let names = texts.map(\.description).joined(separator: ", ")
      page.notes.append("judged by the beginnings of texts, as no more is given: \(names)")
    }
    return page
  }

  /// The text that a page's query is in the network's own search language.
  func searchText(of page: PageRequest, in language: SearchLanguage) -> String {
    language.text(of: page.query, asking: split(page.query, with: page.credentials).asked)
  }

  /// The tag that a query is asked for, of a network that lists the posts of one tag and cannot search;
  /// nil where the query names none.
  func oneTag(of query: Query, with credentials: Credentials?) -> String? {
    split(query, with: credentials).oneTag(of: query)
  }
}
