package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// GitHub's issues and pull requests, by the search of its REST API.
///
/// `GITHUB_TOKEN` is optional, and raises the limit from 10 requests a minute to 30. 1 to 100 a page
/// and 1000 a query, newest first by the second; `created:` holds the dates, both ends inclusive. A
/// query knows `"phrases"`, `author:` and `NOT word`; at most 256 characters, and five `AND`, `OR` and
/// `NOT`, of which one stands between the kinds.
/// https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests
///
/// A query must say whether it is about issues or pull requests; both can be said in parentheses, but
/// only in the advanced search, which has to be asked for.
package struct GitHub: Source {
  package let name: SourceName = "github"
  package let traits = SourceTraits(
    defaultServer: "https://api.github.com", pageSize: 1...100, credentialNames: ["GITHUB_TOKEN"],
    pace: Pace(requests: 10, per: .seconds(60)),
    paceWithCredentials: Pace(requests: 30, per: .seconds(60)),
    abilities: [
      .words, .phrases, .authors, .anyAuthor, .excludedWords, .excludedAuthors,
    ], filtersByDate: true, ceiling: 1000,
    attribution: "Texts belong to their authors, under GitHub's terms of service")

  private static let longestQuery = 256
  private static let ceiling = "no more than the newest 1000 posts of a query are given"
  private static let timeNote = "the search ran out of its own time: posts may be missing"

  private static let language = SearchLanguage(
    plainSigns: "+_'.-/#", plainFirstSigns: "_.", author: "author:", wordExclusion: "NOT ")
  /// How many `OR` and `NOT` may be ours.
  private static let mostOperators = 4

  package func canBeAuthor(_ name: String) -> Bool {
    HandleCharacters.areAll(account(name), signs: "-_")
  }

  /// The name of an account; an application's ends in `[bot]`.
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
    let place = NumberedPage(page, sizes: traits.pageSize)
    let query = PercentEncoding.query([
      ("q", terms(of: page)), ("sort", "created"), ("order", "desc"),
      ("per_page", String(place.size)), ("page", String(place.number)), ("advanced_search", "true"),
    ])
    var headers: HTTPHeaders = [
      "Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28",
    ]
    if let credentials = page.credentials {
      headers["Authorization"] = "Bearer \(credentials.token)"
    }
    return HTTPRequest(url: "\(page.server.text)/search/issues?\(query)", headers: headers)
  }

  package func verdict(on response: HTTPResponse, now: Date) -> Verdict {
    guard response.status == 403 || response.status == 429 else {
      return SlowDown.verdict(on: response, now: now)
    }
    switch limit(on: response, now: now) {
    case .none: return .done
    case .some(let until): return .coolDown(until: until > now ? until : nil)
    }
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else {
      var refusal = Refusal(response, to: page, from: traits)
      if response.status == 403 || response.status == 429,
        let until = limit(on: response, now: page.answered)
      {
        refusal.meaning = .slowDown
        refusal.until = until > page.answered ? until : nil
        if page.credentials == nil { refusal.advice = "set GITHUB_TOKEN for a higher limit" }
      }
      throw refusal.fault
    }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let items = root["items"], items.kind == .array else {
        if root["message"] != nil { throw Answer.error(ErrorBody(JSON: root), response, to: page) }
        throw Answer.misshapen("no list of items", response)
      }
      var builder = PageBuilder()
      for item in items.elements { builder.add(post(item, for: page)) }
      let isIncomplete = root["incomplete_results"]?.bool == true
      let place = NumberedPage(page, sizes: traits.pageSize)
      let given = place.number.multipliedReportingOverflow(by: place.size).partialValue
      let isCut = given >= 1000 && (root["total_count"]?.count ?? 0) > given
      let goesOn = builder.items > 0 && given < 1000 && LinkHeader.hasNext(in: response.headers)
      return builder.page(
        next: goesOn ? place.next : nil, after: page.cursor,
        missing: isCut ? Self.ceiling : nil,
        gap: isIncomplete ? Self.timeNote : nil)
    }
  }

  /// The query with its dates, and with the kinds that it must name.
  private func terms(of page: PageRequest) -> String {
    var terms = text(of: page.split)
    var namesKind = false
    if page.query.isRaw {
      let words = terms.lowercased().split { $0.isWhitespace || $0 == "(" || $0 == ")" }
      namesKind = words.contains { word in
        ["is:issue", "is:pr", "is:pull-request", "type:issue", "type:pr"].contains(word)
      }
      // AND binds closer than OR.
      if words.contains("or") { terms = "(\(terms))" }
    }
    switch (page.since, page.until) {
    case (nil, nil): break
    case (let since?, nil): terms += " created:>=\(second(since, .down))"
    case (nil, let until?): terms += " created:<=\(lastSecond(before: until))"
    case (let since?, let until?):
      terms += " created:\(second(since, .down))..\(lastSecond(before: until))"
    }
    return namesKind ? terms : terms + " (is:issue OR is:pull-request)"
  }

  private func second(_ date: Date, _ rule: FloatingPointRoundingRule) -> String {
    let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(rule))
    return RFC3339.format(whole).prefix(19) + "Z"
  }

  private func lastSecond(before date: Date) -> String {
    second(date.addingTimeInterval(-1), .up)
  }

  /// Until when a 403 or 429 asks to wait; nil when it is about something else.
  ///
  /// The primary limit states when it is whole again. A secondary one names a wait, or nothing: then
  /// it is a minute. https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
  private func limit(on response: HTTPResponse, now: Date) -> Date? {
    let quota = RateLimit(response.headers, now: now)
    if let moment = quota.retryAfter { return moment }
    if quota.isSpent, let moment = quota.reset { return moment }
    let words = ErrorBody(response).words?.lowercased() ?? ""
    let isLimit = words.contains("rate limit") || words.contains("abuse detection")
    return isLimit || response.status == 429 ? now.addingTimeInterval(60) : nil
  }

  package func secondPage(after page: PageRequest) -> Cursor? {
    NumberedPage(page, sizes: traits.pageSize).next
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard item.kind == .object, let id = item["id"]?.identifier, let title = item["title"]?.text
    else { return nil }
    let number = item["number"]?.identifier ?? id
    let address = item["html_url"]?.string.flatMap { WebAddress.isOne($0) ? $0 : nil }
    let reactions = item["reactions"]
    return Post(
      id: id, source: name, server: page.server, url: address,
      uri: address ?? item["url"]?.text ?? "\(page.server.text)#\(number)",
      author: author(item["user"]), title: title, text: item["body"]?.string ?? "",
      createdAt: item["created_at"]?.rfc3339(),
      counts: Counts(
        likes: (reactions?["+1"] ?? reactions?["total_count"])?.count,
        replies: item["comments"]?.count))
  }

  /// The author; a deleted account is null, and shown as nobody.
  private func author(_ user: JSONNode?) -> Author {
    guard let handle = user?["login"]?.text else { return Author() }
    let page = user?["html_url"]?.string.flatMap { WebAddress.isOne($0) ? $0 : nil }
    return Author(handle: handle, url: page)
  }
}
