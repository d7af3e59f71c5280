/// Filters posts by the terms of a query that a network does not apply, or applies loosely.
package struct TermFilter: Sendable {
  /// The posts that pass, and the terms that could not be applied to all posts.
  package struct Result: Sendable {
    package var posts: [Post] = []
    /// Terms that some posts lack the data for, such as `lang:de` for a post without a language.
    package var unknown: [QueryTerm] = []
    /// True if posts were dropped that hold a word only inside longer ones.
    package var leavesOutLongerWords = false
  }

  private let sought: [SoughtText]
  private let excluded: [SoughtText]
  private let wholeWords: [(text: SearchedText, topic: String)]
  private let authors: [AuthorName]
  private let excludedAuthors: [AuthorName]
  private let languages: [QueryTerm]
  private let excludedLanguages: [QueryTerm]
  private let authorTerms: [QueryTerm]
  private let knowsAuthorsByName: Bool
  private let searchesAuthors: Bool

  /// - Parameters:
  ///   - wholeWords: Words that the network searched for, perhaps in text that it does not return:
  ///     posts that contain one only inside longer words, and do not have it as a topic, are dropped.
  ///   - knowsAuthorsByName: Whether handles are numbers on this network, so that a display name also
  ///     identifies an author.
  ///   - searchesAuthors: Whether a sought text may be in the name of the author.
  ///   - takesTagsForWords: Whether a sought tag may be a word of the text, without a `#`.
  package init(
    _ terms: [QueryTerm], wholeWords: [QueryTerm] = [], knowsAuthorsByName: Bool = false,
    searchesAuthors: Bool = false, takesTagsForWords: Bool = false
  ) {
    self.searchesAuthors = searchesAuthors
    self.wholeWords = wholeWords.map { (SearchedText($0.value), Topic.key($0.value)) }
    self.knowsAuthorsByName = knowsAuthorsByName
    let texts = terms.filter { $0.kind != .author && $0.kind != .language }
    sought = texts.filter { !$0.isExcluded }.map { term in
      SoughtText(term, hashtag: takesTagsForWords ? term.value : nil)
    }
    excluded = texts.filter(\.isExcluded).map { SoughtText($0) }
    authorTerms = terms.filter { $0.kind == .author && !$0.isExcluded }
    authors = authorTerms.map { AuthorName($0.value) }
    excludedAuthors = terms.filter { $0.kind == .author && $0.isExcluded }
      .map { AuthorName($0.value) }
    languages = terms.filter { $0.kind == .language && !$0.isExcluded }
    excludedLanguages = terms.filter { $0.kind == .language && $0.isExcluded }
  }

  /// Returns the posts that contain every sought text, or have the topic that it names, and no excluded one, by any of the authors and in
  /// any of the languages, if the query names some.
  ///
  /// A post without a language passes, one without an author does not; `Result.unknown` lists the term.
  package func filter(_ posts: [Post]) -> Result {
    var result = Result()
    for post in posts where passes(post, &result) { result.posts.append(post) }
    return result
  }

  private func passes(_ post: Post, _ result: inout Result) -> Bool {
    if !authors.isEmpty {
      let hasName = knowsAuthorsByName && post.author.name != nil
      if post.author.handle.isEmpty, !hasName { result.note(authorTerms) }
      guard authors.contains(where: { isBy($0, post) }) else { return false }
    }
    if excludedAuthors.contains(where: { isBy($0, post) }) { return false }
    if !languages.isEmpty || !excludedLanguages.isEmpty {
      let known = LanguageTag.all(of: post)
      if known.isEmpty {
        result.note(languages + excludedLanguages)
      } else {
        let isIn = { (term: QueryTerm) in LanguageTag.isAny(known, of: term.value) }
        if !languages.isEmpty, !languages.contains(where: isIn) { return false }
        if excludedLanguages.contains(where: isIn) { return false }
      }
    }
    guard !sought.isEmpty || !excluded.isEmpty || !wholeWords.isEmpty else { return true }
    let text = SearchedText(of: post)
    let topics = post.topics
    let author = searchesAuthors ? post.author.name.map { SearchedText($0) } : nil
    return sought.allSatisfy { sought in
      sought.isIn(text, topics: topics) || author.map { sought.isIn($0, topics: []) } ?? false
    }
      && !excluded.contains { $0.isIn(text, topics: topics) }
      && !isLongerWord(in: text, topics, author, &result)
  }

  private func isLongerWord(
    in text: SearchedText, _ topics: [String], _ author: SearchedText?, _ result: inout Result
  ) -> Bool {
    let isLonger = wholeWords.contains { word in
      text.holdsOnlyWithinWords(word.text) && !topics.contains { Topic.key($0) == word.topic }
        && author.map { !$0.holds(word.text) } ?? true
    }
    guard isLonger else { return false }
    result.leavesOutLongerWords = true
    return true
  }

  private func isBy(_ author: AuthorName, _ post: Post) -> Bool {
    // Networks find a repost by the account that passed it on, too.
    [post.author, post.repostedBy].compactMap(\.self).contains { person in
      author.isHandle(person.handle)
        || knowsAuthorsByName && person.name.map(author.isName) ?? false
    }
  }
}

extension TermFilter.Result {
  fileprivate mutating func note(_ terms: [QueryTerm]) {
    for term in terms where !unknown.contains(term) { unknown.append(term) }
  }
}

extension SearchedText {
  /// The title, the text and the poll of a post.
  package init(of post: Post, ignoresAccents: Bool = false) {
    self.init(post.searchableText, ignoresAccents: ignoresAccents)
  }
}
