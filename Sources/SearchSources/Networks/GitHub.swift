internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// GitHub's issues and pull requests, through the search of its REST API.
///
/// `GITHUB_TOKEN` is optional, and raises the limit from 10 requests a minute to 30. 1 to 100 items a
/// page and 1000 a query, newest first by the second; `created:` has the dates, both ends inclusive. A
/// query supports `"phrases"`, `author:` and `NOT word`; it has at most 256 characters and five `AND`,
/// `OR` and `NOT`, one of which is between the kinds.
/// https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests
///
/// A token finds those of its owner's private repositories, too, and nothing in the answer tells them apart:
/// the query asks for public ones, unless one in the network's own syntax asks for private ones.
///
/// A query must name issues or pull requests; naming both, in parentheses, needs the advanced search.
package struct GitHub: JSONSource {
  package let name: SourceName = "github"
  package let traits = SourceTraits(
    defaultServer: "https://api.github.com", pageSize: 1...100, firstPage: 1,
    credentialNames: ["GITHUB_TOKEN"],
    pace: Pace(requests: 10, per: .seconds(60)),
    paceWithCredentials: Pace(requests: 30, per: .seconds(60)),
    abilities: [
      .words, .phrases, .authors, .anyAuthor, .excludedWords, .excludedAuthors,
    ], filtersByDate: true, ceiling: 1000,
    attribution: "Texts belong to their authors, under GitHub's terms of service")

  private static let longestQuery = 256
  private static let ceiling = "GitHub returns only the newest 1000 posts of a query"
  /// The most posts of a query that it returns.
  private static let most = 1000
  private static let timeNote = "GitHub's search timed out, so posts may be missing"

  private static let language = SearchLanguage(
    plainSigns: "+_'.-/#", plainFirstSigns: "_.", author: "author:", wordExclusion: "NOT ")
  /// The number of `OR` and `NOT` left for our own terms.
  private static let mostOperators = 4

  package func canBeAuthor(_ name: String) -> Bool {
    HandleCharacters.areAll(account(name), signs: "-_")
  }

  /// The name without the `[bot]` of an application.
  private func account(_ name: String) -> String {
    name.hasSuffix("[bot]") ? String(name.dropLast(5)) : name
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    var split = QuerySplit(query, by: traits.abilities, canBeAuthor: canBeAuthor)
    var operators = max(split.remote(.author).count - 1, 0)
    if operators > Self.mostOperators {
      split.makeLocal { $0.kind == .author && !$0.isExcluded }
      operators = 0
    }
    let exclusions = split.remote.filter { $0.isExcluded && $0.kind != .author }
    let further = exclusions.dropFirst(Self.mostOperators - operators)
    split.makeLocal { further.contains($0) }
    return split
  }

  private func text(of split: QuerySplit) -> String {
    guard !split.query.isRaw else { return split.query.text }
    let terms = split.remote.map { term in
      let isBot = term.kind == .author && term.value.hasSuffix("[bot]")
      return isBot
        ? QueryTerm(.author, "app/" + account(term.value), isExcluded: term.isExcluded) : term
    }
    return Self.language.text(of: terms)
  }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    text(of: split).count > Self.longestQuery
      ? "this network allows queries of at most \(Self.longestQuery) characters" : nil
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let numbered = numbered(page)
    var headers: HTTPHeaders = [
      "Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28",
    ]
    if let credentials = page.credentials {
      headers["Authorization"] = "Bearer \(credentials.token)"
    }
    return page.request(
      "/search/issues",
      [
        "q": terms(of: page), "sort": "created", "order": "desc",
        "per_page": String(numbered.size), "page": String(numbered.number),
        "advanced_search": "true",
      ], headers: headers)
  }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    guard response.status == 403 || response.status == 429,
      let until = limitEnd(response, refusal.error, now: page.answered)
    else { return }
    refusal.meaning = .slowDown
    if until > page.answered { refusal.until = until }
    if page.credentials == nil { refusal.advice = "set GITHUB_TOKEN for a higher limit" }
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    let builder = PageBuilder(try answer.list("items", of: "items"), of: name, on: page) {
      post($0, for: page, in: &$1)
    }
    let isIncomplete = answer["incomplete_results"]?.bool == true
    let total = answer["total_count"]?.count ?? 0
    let items = builder.items
    let next = next(after: page, items: items, of: total, answer)
    let numbered = numbered(page)
    let (before, overflow) = (numbered.number - 1).multipliedReportingOverflow(by: numbered.size)
    let isUnexplained = next == .end && items == 0 && !overflow && before < total
    let gap =
      isIncomplete
      ? Self.timeNote
      : isUnexplained
        ? "a page was empty, although GitHub counts \(Plural.count(total, "post"))" : nil
    var result = builder.page(next, gap: gap)
    // It counts all posts of a query, also those beyond its ceiling: here there are none.
    result.isLast = next == .end && (1...Self.most).contains(total)
    return result
  }

  /// The `Link` header may be missing, and pages may be short or smaller than requested.
  private func next(
    after page: PageRequest, items: Int, of total: Int, _ answer: Answer
  ) -> NextPage {
    let numbered = numbered(page)
    let received = page.itemsBefore + items
    if LinkHeader(in: answer.response.headers).next != nil {
      return received < Self.most ? .at(numbered.next) : .beyondLimit(Self.ceiling)
    }
    guard total > received else { return .end }
    // It returns no more, whether its pages were whole or smaller. The last one may be smaller than the others.
    let size = max(items, numbered.sized(by: page.itemsBefore, first: 1).size)
    let (asked, overflow) = numbered.number.multipliedReportingOverflow(by: size)
    if overflow || asked >= Self.most || received >= Self.most {
      return total > Self.most ? .beyondLimit(Self.ceiling) : .end
    }
    // Where there is one, it says that this is the last page.
    return items > 0 && answer.response.headers["link"] == nil ? .at(numbered.next) : .end
  }

  /// The query with its dates and the kinds that it must name.
  private func terms(of page: PageRequest) -> String {
    var terms = text(of: page.split)
    var namesKind = false
    if page.query.isRaw {
      let words = words(of: terms)
      namesKind = words.contains { word in
        ["is:issue", "is:pr", "is:pull-request", "type:issue", "type:pr"].contains(word)
      }
      // AND binds tighter than OR.
      if words.contains("or") { terms = "(\(terms))" }
    }
    switch (page.since, page.until) {
    case (nil, nil): break
    case (let since?, nil): terms += " created:>=\(DateSpelling.rfc3339.text(of: since, .down))"
    case (nil, let until?): terms += " created:<=\(lastSecond(before: until))"
    case (let since?, let until?):
      let first = DateSpelling.rfc3339.text(of: since, .down)
      terms += " created:\(first)..\(lastSecond(before: until))"
    }
    if page.credentials != nil, !asksForPrivate(page.query) { terms += " is:public" }
    return namesKind ? terms : terms + " (is:issue OR is:pull-request)"
  }

  private func asksForPrivate(_ query: Query) -> Bool {
    query.isRaw && words(of: query.text).contains("is:private")
  }

  private func words(of text: String) -> [Substring] {
    text.lowercased().split { $0.isWhitespace || $0 == "(" || $0 == ")" }
  }

  private func lastSecond(before date: Date) -> String {
    DateSpelling.rfc3339.text(of: date.addingTimeInterval(-1), .up)
  }

  /// The end of the limit that a 403 or 429 means; nil if it means something else.
  ///
  /// The primary limit states when it resets. A secondary one names a wait, or nothing: then it is a
  /// minute. https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
  private func limitEnd(
    _ response: HTTPResponse, _ error: ErrorBody, now: Date
  ) -> Date? {
    let quota = RateLimit(response.headers, now: now)
    if let moment = quota.retryAfter { return moment }
    if quota.isSpent, let moment = quota.retryMoment { return moment }
    let words = error.words?.lowercased() ?? ""
    let isLimit = words.contains("rate limit") || words.contains("abuse detection")
    return isLimit || response.status == 429 ? now.addingTimeInterval(60) : nil
  }

  private func post(_ item: JSONNode, for page: PageRequest, in draft: inout PageDraft)
    -> PackedPost?
  {
    guard item.kind == .object, let id = item["id"]?.identifier, let title = item["title"]?.text
    else { return nil }
    let number = item["number"]?.identifier ?? id
    let address = item["html_url"]?.address
    let reactions = item["reactions"]
    let text = Self.withoutComments(item["body"]?.string ?? "").replacing("\r\n", with: "\n")
    let links = AddressList(urlsIn: text, except: address)
    return PackedPost(
      id: id, url: address,
      uri: address ?? item["url"]?.text ?? "\(page.server.text)#\(number)",
      author: author(item["user"]), title: title,
      text: text,
      createdAt: item["created_at"]?.rfc3339(), topics: item.texts("name", in: "labels"),
      links: links.all,
      counts: Counts(
        likes: (reactions?["+1"] ?? reactions?["total_count"])?.count,
        replies: item["comments"]?.count),
      visibility: asksForPrivate(page.query) ? .private : nil, in: &draft)
  }

  /// A text without the comments that templates of issues have, and that GitHub does not show.
  private static func withoutComments(_ markdown: String) -> String {
    guard ByteSearch.contains("<!--", in: markdown) else { return markdown }
    var (shown, rest) = ("", Substring(markdown))
    while let start = rest.firstRange(of: "<!--"),
      let end = rest[start.upperBound...].firstRange(of: "-->")
    {
      shown += rest[..<start.lowerBound]
      rest = rest[end.upperBound...]
    }
    return String((shown + rest).trimmed)
  }

  /// The author; null for a deleted account.
  private func author(_ user: JSONNode?) -> Author {
    guard let handle = user?["login"]?.text else { return Author() }
    return Author(handle: handle, url: user?["html_url"]?.address)
  }
}
