package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// The questions of Stack Exchange's sites, by API 2.3.
///
/// The site is Stack Overflow, or the one that a query names: `site:superuser`. One `#tag` is asked for
/// as the site's tag, several in the search's own language, and those left out as `nottagged`; an
/// author by number as `user`, by name judged here. 1 to 100 questions a page, newest first by the second, `fromdate` and `todate`
/// inclusive. 300 requests a day, and 25 pages a query, without `STACKEXCHANGE_KEY`; 10,000 with it. A
/// key is no secret to Stack Exchange, which takes it in the address only.
/// https://api.stackexchange.com/docs/advanced-search
///
/// A good answer may say `backoff`: then nothing may be asked for so many seconds. A spent quota is a
/// 400 that names the wait in its words.
package struct StackExchange: Source {
  package let name: SourceName = "stackexchange"
  package let traits = SourceTraits(
    defaultServer: "https://api.stackexchange.com", pageSize: 1...100,
    credentialNames: ["STACKEXCHANGE_KEY"], pace: Pace(requests: 20, per: .seconds(1)),
    abilities: [.words, .phrases, .tags, .excludedWords, .excludedTags], filtersByDate: true,
    ceiling: 2500,
    attribution: "CC BY-SA: link to the question and its author")

  private static let lastPage = 25
  private static let ceiling =
    "no more than 25 pages of a query are given without STACKEXCHANGE_KEY"

  private static let language = SearchLanguage(
    plainSigns: "+#.'_&%/!?=@$", plainFirstSigns: "+.'_&%/!?=@$")

  package let knowsAuthorsByName = true

  package func canBeAuthor(_ name: String) -> Bool { true }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
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

  private func site(of query: Query) -> String {
    let sites =
      query.isRaw
      ? query.text.split(whereSeparator: \.isWhitespace).compactMap { site(of: $0) }
      : query.terms.compactMap { site(of: $0) }
    return sites.last ?? "stackoverflow"
  }

  private func rawWords(of query: Query) -> String {
    query.text.split(whereSeparator: \.isWhitespace).filter { site(of: $0) == nil }
      .joined(separator: " ")
  }

  /// The parameters that choose.
  private func choice(of page: PageRequest) -> [(String, String)] {
    var parameters = [("site", site(of: page.query)), ("order", "desc"), ("sort", "creation")]
    guard !page.query.isRaw else { return parameters + [("q", rawWords(of: page.query))] }
    let split = page.split
    let isTag = { (term: QueryTerm) in
      term.kind == .tag
        && !term.value.unicodeScalars.contains { "[];\"".unicodeScalars.contains($0) }
    }
    let tags = split.remote(.tag).filter(isTag).map(\.value)
    // Several tags would be a choice between them, so each is a word of the search's own language.
    if tags.count == 1 { parameters.append(("tagged", tags[0])) }
    let left = split.remoteExclusions(.tag).filter(isTag).map(\.value)
    if !left.isEmpty { parameters.append(("nottagged", left.joined(separator: ";"))) }
    if let user = split.remote(.author).first { parameters.append(("user", user.value)) }
    let words = Self.language.text(of: split.remote.filter { !isTag($0) && $0.kind != .author })
    let text = (tags.count == 1 ? [] : tags.map { "[\($0)]" }) + [words]
    let q = text.filter { !$0.isEmpty }.joined(separator: " ")
    return q.isEmpty ? parameters : parameters + [("q", q)]
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let place = NumberedPage(page, sizes: traits.pageSize)
    var parameters = choice(of: page)
    parameters += [
      ("pagesize", String(place.size)), ("page", String(place.number)), ("filter", "withbody"),
    ]
    if let since = page.since { parameters.append(("fromdate", seconds(of: since))) }
    if let until = page.until {
      parameters.append(("todate", seconds(of: until.addingTimeInterval(-0.001))))
    }
    if let credentials = page.credentials { parameters.append(("key", credentials.token)) }
    let query = PercentEncoding.query(parameters)
    return HTTPRequest(url: "\(page.server.text)/2.3/search/advanced?\(query)")
  }

  package func verdict(on response: HTTPResponse, now: Date) -> Verdict {
    switch response.status {
    case 200:
      guard let seconds = backoff(in: response) else { return .done }
      return .doneThenCoolDown(until: now.addingTimeInterval(seconds))
    case 400:
      let said = ErrorBody(response)
      if isTemporary(said) { return .retry }
      guard isThrottle(said) else { return .done }
      return .coolDown(until: now.addingTimeInterval(wait(in: said)))
    case _: return SlowDown.verdict(on: response, now: now)
    }
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else {
      var refusal = Refusal(response, to: page, from: traits)
      if isThrottle(refusal.said) {
        refusal.meaning = .slowDown
        refusal.until = page.answered.addingTimeInterval(wait(in: refusal.said))
        if page.credentials == nil { refusal.advice = "set STACKEXCHANGE_KEY for a higher quota" }
      } else if isTemporary(refusal.said) {
        refusal.meaning = .temporary
      }
      throw refusal.fault
    }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let items = root["items"], items.kind == .array else {
        let said = ErrorBody(JSON: root)
        if said.words != nil { throw Answer.error(said, response, to: page) }
        throw Answer.misshapen("no list of items", response)
      }
      let site = site(of: page.query)
      var builder = PageBuilder()
      for item in items.elements { builder.add(post(item, of: site, for: page)) }
      let place = NumberedPage(page, sizes: traits.pageSize)
      guard root["has_more"]?.bool == true, builder.items > 0 else {
        return builder.page(next: nil, after: nil)
      }
      if place.number >= Self.lastPage, page.credentials == nil {
        return builder.page(next: nil, after: nil, missing: Self.ceiling)
      }
      return builder.page(next: place.next, after: page.cursor)
    }
  }

  private func seconds(of date: Date) -> String {
    String(Int64(date.timeIntervalSince1970.rounded(.down)))
  }

  /// The wait that a good answer asks for.
  private func backoff(in response: HTTPResponse) -> Double? {
    Answer.value(in: response) { root in
      root["backoff"]?.integer.flatMap { (1...86_400).contains($0) ? Double($0) : nil }
    }
  }

  private func isThrottle(_ said: ErrorBody) -> Bool { said.name == "throttle_violation" }

  private func isTemporary(_ said: ErrorBody) -> Bool {
    said.name == "temporarily_unavailable" || said.name == "internal_error"
  }

  /// The wait in "more requests available in 67194 seconds", and a minute where there is none.
  private func wait(in said: ErrorBody) -> Double {
    let words = (said.words ?? "").split(separator: " ")
    let number = zip(words, words.dropFirst()).first { $1.hasPrefix("second") }.flatMap {
      Int($0.0)
    }
    return number.flatMap { (1...604_800).contains($0) ? Double($0) : nil } ?? 60
  }

  package func secondPage(after page: PageRequest) -> Cursor? {
    NumberedPage(page, sizes: traits.pageSize).next
  }

  private func post(_ item: JSONNode, of site: String, for page: PageRequest) -> Post? {
    guard item.kind == .object, let id = item["question_id"]?.identifier,
      let title = item["title"]?.text
    else { return nil }
    let content = item["body"]?.string.map { HTMLText.read($0) }
    let url = item["link"]?.string.flatMap { WebAddress.isOne($0) ? $0 : nil }
    // The words in a link follow the title, which may be edited.
    let host = url.flatMap { ServerAddress($0)?.host } ?? site
    return Post(
      id: id, source: name, server: page.server, url: url,
      uri: "https://\(host)/questions/\(PathPart.of(id))", author: author(item["owner"]),
      title: Entities.decode(title), text: content?.text ?? "",
      createdAt: item["creation_date"]?.integer.flatMap { EpochTime.date(seconds: $0) },
      editedAt: item["last_edit_date"]?.integer.flatMap { EpochTime.date(seconds: $0) },
      links: (content?.links ?? []).filter(WebAddress.isOne),
      counts: Counts(
        likes: item["score"]?.count, replies: item["answer_count"]?.count,
        views: item["view_count"]?.count))
  }

  /// The author; of a deleted account only the name is left.
  private func author(_ owner: JSONNode?) -> Author {
    guard let owner else { return Author() }
    let name = owner["display_name"]?.text.map { Entities.decode($0) }
    let page = owner["link"]?.string.flatMap { WebAddress.isOne($0) ? $0 : nil }
    return Author(handle: owner["user_id"]?.identifier ?? name ?? "", name: name, url: page)
  }
}
