/// The terms of a query that a network was not asked for, or only roughly: posts are judged by them
/// here, after the answer.
package struct TermFilter: Sendable {
  /// What a filter lets through, and what it could not tell.
  package struct Result: Sendable {
    package var posts: [Post] = []
    /// Terms that some post said nothing about, such as `lang:de` where no language is stated.
    package var unjudged: [QueryTerm] = []
  }

  private let sought: [SearchedText]
  private let excluded: [SearchedText]
  private let confirmed: [SearchedText]
  private let authors: [AuthorName]
  private let excludedAuthors: [AuthorName]
  private let languages: [QueryTerm]
  private let excludedLanguages: [QueryTerm]
  private let authorTerms: [QueryTerm]
  private let knowsAuthorsByName: Bool

  /// - Parameters:
  ///   - confirmed: Words that the network was asked for, and of which it may show only a part: posts
  ///     that hold one within longer words alone are left out.
  ///   - knowsAuthorsByName: Whether handles are numbers on this network, so that an author is known by
  ///     the name for people too.
  package init(
    _ terms: [QueryTerm], confirming confirmed: [QueryTerm] = [], knowsAuthorsByName: Bool = false
  ) {
    self.confirmed = confirmed.map(Self.text)
    self.knowsAuthorsByName = knowsAuthorsByName
    let texts = terms.filter { $0.kind != .author && $0.kind != .language }
    sought = texts.filter { !$0.isExcluded }.map(Self.text)
    excluded = texts.filter(\.isExcluded).map(Self.text)
    authorTerms = terms.filter { $0.kind == .author && !$0.isExcluded }
    authors = authorTerms.map { AuthorName($0.value) }
    excludedAuthors = terms.filter { $0.kind == .author && $0.isExcluded }
      .map { AuthorName($0.value) }
    languages = terms.filter { $0.kind == .language && !$0.isExcluded }
    excludedLanguages = terms.filter { $0.kind == .language && $0.isExcluded }
  }

  /// Returns the posts that hold all that is sought and nothing that is excluded, by one of the authors
  /// and in one of the languages, where some are named.
  ///
  /// A post without a language passes, one without an author does not; both are told.
  package func judge(_ posts: [Post]) -> Result {
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
      if let language = LanguageTag.primary(post.language) {
        if !languages.isEmpty, !languages.contains(where: { $0.value == language }) { return false }
        if excludedLanguages.contains(where: { $0.value == language }) { return false }
      } else {
        result.note(languages + excludedLanguages)
      }
    }
    guard !sought.isEmpty || !excluded.isEmpty || !confirmed.isEmpty else { return true }
    let text = SearchedText(of: post)
    return sought.allSatisfy(text.holds) && !excluded.contains(where: text.holds)
      && !confirmed.contains(where: text.holdsOnlyWithinWords)
  }

  private func isBy(_ author: AuthorName, _ post: Post) -> Bool {
    // Networks find a repost by the account that passed it on, too.
    [post.author, post.repostedBy].compactMap(\.self).contains { person in
      author.isHandle(person.handle)
        || knowsAuthorsByName && person.name.map { AuthorName($0) } == author
    }
  }

  private static func text(of term: QueryTerm) -> SearchedText {
    SearchedText(term.kind == .tag ? "#" + term.value : term.value)
  }
}

extension TermFilter.Result {
  fileprivate mutating func note(_ terms: [QueryTerm]) {
    for term in terms where !unjudged.contains(term) { unjudged.append(term) }
  }
}

extension SearchedText {
  /// The title and the text of a post.
  package init(of post: Post) {
    self.init(post.title.map { "\($0)\n\(post.text)" } ?? post.text)
  }
}
