internal import FoundationEssentials
package import SearchModel

/// The SQL that answers a query of the history: it finds every post that matches, and perhaps
/// others, newest first; and a filter that leaves the others out.
struct HistoryPlan {
  let sql: String
  let values: SQLiteValues
  let filter: HistoryFilter

  /// The plans that find all posts of a query, one after the other: first those that were dated after they were
  /// fetched, which are few and may be newer than all others by now.
  ///
  /// - Parameter shift: How many seconds the number of a post lies after its date, at most.
  static func all(for query: HistoryQuery, shift: Int64) -> [HistoryPlan] {
    let hasDates = query.since != nil || query.until != nil
    return [
      HistoryPlan(query, .ahead), HistoryPlan(query, hasDates ? .dated(shift: shift) : .others),
    ]
  }

  /// The numbers of the posts that a plan finds.
  private enum Range {
    /// All but those ahead.
    case others
    /// Those within the dates of the query.
    case dated(shift: Int64)
    /// Those of posts dated after they were fetched, whose dates the filter looks at.
    case ahead
  }

  private init(_ query: HistoryQuery, _ range: Range) {
    filter = HistoryFilter(query)
    var conditions: [String] = []
    var values: SQLiteValues = [:]
    let match = Self.match(query)
    // The index, where it is asked at all, hands out its matches in the order of the numbers.
    let number = match == nil ? "post.id" : "post_words.rowid"
    if let match {
      conditions.append("post_words MATCH :match")
      values.add(":match", .text(match))
    }
    switch range {
    case .others:
      // Not by an index: the order of the numbers matters.
      conditions.append("(+\(number) >= :dated OR post.created IS NULL)")
      values.add(":dated", .integer(PostNumber.firstDated))
    case .dated(let shift):
      let first = query.since.map { PostNumber.first(ofSecond: Milliseconds($0).second) }
      conditions.append("\(number) >= :first")
      values.add(":first", .integer(first ?? PostNumber.firstDated))
      if let until = query.until {
        conditions.append("\(number) < :last")
        let last = Milliseconds(until).second + 1 + shift
        values.add(":last", .integer(PostNumber.first(ofSecond: last)))
      }
    case .ahead:
      conditions.append("\(number) < :dated AND post.created IS NOT NULL")
      values.add(":dated", .integer(PostNumber.firstDated))
    }
    let tables = match == nil ? "post" : "post_words CROSS JOIN post ON post.id = post_words.rowid"
    let filter = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    sql = """
      SELECT \(StoredPost.columns) FROM \(tables)
      CROSS JOIN source ON source.id = post.source CROSS JOIN server ON server.id = post.server
      \(filter) ORDER BY \(number) DESC
      """
    self.values = values
  }

  /// The expression for the full-text index; nil where it cannot help.
  private static func match(_ query: HistoryQuery) -> String? {
    let sought = query.terms.filter { !$0.isExcluded }
    var parts: [String] = []
    for term in sought {
      switch term.kind {
      case .word, .phrase:
        if let phrase = IndexedText.phrase(term.value) { parts.append("words : \(phrase)") }
      case .tag:
        let text =
          PostFacets.phrase(for: term).map { "facets : \($0)" }
          ?? IndexedText.phrase(term.value).map { "words : \($0)" }
        let topic = PostFacets.phrase(forTopic: term.value).map { "facets : \($0)" }
        guard let text else { continue }
        parts.append(topic.map { $0 == text ? text : "(\(text) OR \($0))" } ?? text)
      case .author, .language: break
      }
    }
    for kind in [QueryTerm.Kind.author, .language] {
      var phrases = sought.filter { $0.kind == kind }.flatMap(PostFacets.phrases)
      // A post of an unknown language may be in any.
      if kind == .language, !phrases.isEmpty {
        phrases.append("\"\(PostFacets.language(nil))\"")
      }
      add(phrases, to: &parts)
    }
    add(query.sources.map(PostFacets.phrase), to: &parts)
    return parts.isEmpty ? nil : parts.joined(separator: " AND ")
  }

  /// Adds that one of the facets must match, unless the index cannot tell about some of them.
  private static func add(_ phrases: [String?], to parts: inout [String]) {
    let known = phrases.compactMap(\.self)
    guard !known.isEmpty, known.count == phrases.count else { return }
    parts.append("(\(known.map { "facets : \($0)" }.joined(separator: " OR ")))")
  }
}

/// Judges posts as `searchagg help queries` says, but that accents do not count.
package struct HistoryFilter {
  private let query: HistoryQuery
  private let sought: [SoughtText]
  private let excluded: [SoughtText]
  private let isTextSought: Bool

  package init(_ query: HistoryQuery) {
    self.query = query
    let texts = query.terms.filter { $0.kind != .author && $0.kind != .language }
    let prepared = { (term: QueryTerm) in SoughtText(term, ignoresAccents: true) }
    sought = texts.filter { !$0.isExcluded }.map(prepared)
    excluded = texts.filter(\.isExcluded).map(prepared)
    isTextSought = !texts.isEmpty
  }

  package func passes(_ post: Post) -> Bool {
    if !query.sources.isEmpty, !query.sources.contains(post.source) { return false }
    if query.muted.hold(anAuthorOf: post) { return false }
    if query.since != nil || query.until != nil {
      guard post.createdAt?.isWithin(since: query.since, until: query.until) ?? false else {
        return false
      }
    }
    guard passes(.author, { isBy($0, post) }) else { return false }
    let languages = LanguageTag.all(of: post)
    // As in runs, a post passes whose language is unknown.
    let isInLanguage = { (term: QueryTerm) in LanguageTag.isAny(languages, of: term.value) }
    if !languages.isEmpty, !passes(.language, isInLanguage) { return false }
    guard isTextSought else { return true }
    let text = SearchedText(of: post, ignoresAccents: true)
    let topics = post.topics
    return sought.allSatisfy { $0.isIn(text, topics: topics) }
      && !excluded.contains { $0.isIn(text, topics: topics) }
  }

  /// True if no excluded term of a kind holds, and one of the others does, if there are any.
  private func passes(_ kind: QueryTerm.Kind, _ holds: (QueryTerm) -> Bool) -> Bool {
    let terms = query.terms.filter { $0.kind == kind }
    let sought = terms.filter { !$0.isExcluded }
    return (sought.isEmpty || sought.contains(where: holds))
      && !terms.contains { $0.isExcluded && holds($0) }
  }

  private func isBy(_ term: QueryTerm, _ post: Post) -> Bool {
    let author = AuthorName(term.value)
    return [post.author, post.repostedBy].compactMap(\.self).contains { person in
      // Where a handle is a number, people are known by their names.
      author.isHandle(person.handle)
        || person.handle.allSatisfy(\.isNumber) && person.name.map { AuthorName($0) } == author
    }
  }
}
