package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Questions on Stack Exchange's sites, through API 2.3.
///
/// The site is Stack Overflow, or the one that a query names: `site:superuser`. A query that names two is
/// skipped, as a request asks one site. One `#tag` is sent as `tagged`, several in the search's own
/// language, and excluded ones as `nottagged`; an author's number is sent as `user`, a name is filtered
/// here. 1 to 100 questions a page, newest first by the second, `fromdate` and `todate` inclusive. 300 requests a day and 25 pages a query without
/// `STACKEXCHANGE_KEY`, 10,000 requests with it. The key is not secret to Stack Exchange, which accepts
/// it only in the address.
/// https://api.stackexchange.com/docs/advanced-search
///
/// A successful response may contain `backoff`, the seconds without another request. A spent quota is a
/// 400 with the wait in its message.
package struct StackExchange: JSONSource {
  package let name: SourceName = "stackexchange"
  package let traits = SourceTraits(
    defaultServer: "https://api.stackexchange.com", pageSize: 1...100, firstPage: 1,
    credentialNames: ["STACKEXCHANGE_KEY"], pace: Pace(requests: 20, per: .seconds(1)),
    abilities: [.words, .phrases, .tags, .excludedWords, .excludedTags], filtersByDate: true,
    ceiling: 2500, credentialsLiftCeiling: true,
    attribution: "CC BY-SA: link to the question and its author")

  private static let lastPage = 25
  /// No page of 100 questions is larger; others are read once only.
  private static let largestPage = 8 << 20
  private static let ceiling =
    "Stack Exchange returns at most 25 pages of a query without STACKEXCHANGE_KEY"

  private static let language = SearchLanguage(
    plainSigns: "+#.'_&%/!?=@$", plainFirstSigns: "+.'_&%/!?=@$")

  package let knowsAuthorsByName = true

  package func canBeAuthor(_ name: String) -> Bool { true }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    if sites(of: split.query).count > 1 { return "a query is searched on one site; name only one" }
    let isEmpty = split.query.isRaw ? rawWords(of: split.query).isEmpty : split.isEmpty
    return isEmpty ? "the query names only a site; add a word or a tag" : nil
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    var split = QuerySplit(
      query, terms: query.terms.filter { site(of: $0) == nil }, by: traits.abilities,
      canBeAuthor: canBeAuthor)
    let authors = query.terms.filter { $0.kind == .author && !$0.isExcluded }
    if authors.count == 1, let author = authors.first,
      author.value.allSatisfy({ $0.isASCII && $0.isNumber }), author.value.count <= 18
    {
      split.local.removeAll { $0 == author }
      split.remote.append(author)
    }
    return split
  }

  /// The site that a word names.
  private func site(of term: QueryTerm) -> String? {
    guard term.kind == .word, !term.isExcluded else { return nil }
    return site(of: term.value[...])
  }

  private func site(of word: Substring) -> String? {
    word.hasPrefix("site:") && word.utf8.count > 5 ? String(word.dropFirst(5)) : nil
  }

  /// The sites that a query names.
  private func sites(of query: Query) -> Set<String> {
    Set(
      query.isRaw
        ? query.text.split(whereSeparator: \.isWhitespace).compactMap { site(of: $0) }
        : query.terms.compactMap { site(of: $0) })
  }

  private func site(of query: Query) -> String { sites(of: query).first ?? "stackoverflow" }

  private func rawWords(of query: Query) -> String {
    query.text.split(whereSeparator: \.isWhitespace).filter { site(of: $0) == nil }
      .joined(separator: " ")
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let numbered = numbered(page)
    let split = page.split
    let isTag = { (term: QueryTerm) in
      term.kind == .tag
        && !term.value.unicodeScalars.contains { "[];\"".unicodeScalars.contains($0) }
    }
    let tags = split.remote(.tag).filter(isTag).map(\.value)
    let excluded = split.remoteExclusions(.tag).filter(isTag).map(\.value)
    let words =
      page.query.isRaw
      ? rawWords(of: page.query)
      : Self.language.text(of: split.remote.filter { !isTag($0) && $0.kind != .author })
    // Several tags in `tagged` are alternatives, so each is written in the search's own language.
    let text = (tags.count == 1 ? [] : tags.map { "[\($0)]" }) + [words]
    let q = text.filter { !$0.isEmpty }.joined(separator: " ")
    let last = page.until?.addingTimeInterval(-0.001)
    return page.request(
      "/2.3/search/advanced",
      [
        "site": site(of: page.query), "order": "desc", "sort": "creation",
        "tagged": tags.count == 1 ? tags[0] : nil,
        "nottagged": excluded.isEmpty ? nil : excluded.joined(separator: ";"),
        "user": split.remote(.author).first?.value, "q": q.isEmpty ? nil : q,
        "pagesize": String(numbered.size), "page": String(numbered.number),
        "filter": "withbody", "fromdate": page.since(.epochSeconds),
        "todate": last.map { DateSpelling.epochSeconds.text(of: $0, .down) },
        "key": page.credentials?.token,
      ])
  }

  /// The errors 401 to 403, 405 and 406, whose status is 400.
  /// https://api.stackexchange.com/docs/errors
  private static let credentialErrors: Set = [
    "access_token_required", "invalid_access_token", "access_denied", "key_required",
    "access_token_compromised",
  ]

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    switch refusal.error.name {
    case "throttle_violation":
      refusal.meaning = .slowDown
      refusal.until = page.answered.addingTimeInterval(wait(in: refusal.error))
      if page.credentials == nil { refusal.advice = "set STACKEXCHANGE_KEY for a higher quota" }
    case "temporarily_unavailable", "internal_error": refusal.meaning = .temporary
    case let name? where Self.credentialErrors.contains(name): refusal.meaning = .credential
    case "bad_parameter"
    where page.credentials != nil && refusal.error.words?.contains("`key`") == true:
      refusal.meaning = .credential
    default: break
    }
    // Any method may ask for a pause, errors included.
    guard refusal.isTemporary, let end = pauseEnd(after: response, now: page.answered) else {
      return
    }
    refusal.meaning = .slowDown
    refusal.until = max(refusal.until ?? end, end)
  }

  package func pauseEnd(after response: HTTPResponse, now: Date) -> Date? {
    guard response.body.count <= Self.largestPage else { return nil }
    let seconds = Answer.value(in: response) { root in
      root["backoff"]?.integer.flatMap { (1...86_400).contains($0) ? Double($0) : nil }
    }
    return seconds.map { now.addingTimeInterval($0) }
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    let site = site(of: page.query)
    let builder = PageBuilder(try answer.list("items", of: "items"), of: name, on: page) {
      post($0, of: site, in: &$1)
    }
    guard let more = answer["has_more"] else {
      return builder.page(.unreachable("the response does not say whether there is more"))
    }
    guard more.isFilled else {
      var last = builder.page(.end)
      last.isLast = true
      return last
    }
    let last = page.credentials == nil ? Self.lastPage : .max
    return builder.page(numbered(page).next(upTo: last, beyond: Self.ceiling))
  }

  /// The wait in "more requests available in 67194 seconds", or a minute.
  private func wait(in error: ErrorBody) -> Double {
    let words = (error.words ?? "").split(separator: " ")
    let number = zip(words, words.dropFirst()).first { $1.hasPrefix("second") }.flatMap {
      Int($0.0)
    }
    return number.flatMap { (1...604_800).contains($0) ? Double($0) : nil } ?? 60
  }

  private func post(_ item: JSONNode, of site: String, in draft: inout PageDraft) -> PackedPost? {
    guard item.kind == .object, let id = item["question_id"]?.identifier,
      let title = item["title"]?.text
    else { return nil }
    let url = item["link"]?.address
    let content = item["body"]?.string.map { HTMLText.read($0, relativeTo: url) }
    // The link contains the words of the title, which may be edited.
    let host = url.flatMap { ServerAddress($0)?.host } ?? site
    return PackedPost(
      id: id, url: url,
      uri: "https://\(host)/questions/\(PathPart.of(id))", author: author(item["owner"]),
      title: Entities.decode(title), text: content?.text ?? "",
      createdAt: item["creation_date"]?.integer.flatMap { EpochTime.date(seconds: $0) },
      editedAt: item["last_edit_date"]?.integer.flatMap { EpochTime.date(seconds: $0) },
      topics: item.list("tags").compactMap(\.text),
      links: (content?.links ?? []).filter(\.isHTTPURL),
      counts: Counts(
        likes: item["score"]?.count, replies: item["answer_count"]?.count,
        views: item["view_count"]?.count), in: &draft)
  }

  /// The author; a deleted account has only a name.
  private func author(_ owner: JSONNode?) -> Author {
    guard let owner else { return Author() }
    let name = owner["display_name"]?.text.map { Entities.decode($0) }
    return Author(
      handle: owner["user_id"]?.identifier ?? name ?? "", name: name, url: owner["link"]?.address)
  }
}
