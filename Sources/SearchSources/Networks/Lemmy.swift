package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Lemmy's posts, by the search of any of its servers, from version 0.18 to 1.0.
///
/// No credentials; 1 to 50 posts a page; dates are filtered here. Up to 0.19 API v3 is asked: newest
/// first after the pinned posts, by page number, at most 100 pages. 1.0 keeps that address but reads
/// nothing but the words there, so its API v4 is asked, which pages by cursor and by score instead of
/// date. The version is asked for once per server, since no answer to a search tells it.
/// https://join-lemmy.org/api/
///
/// The search is for a text, within longer words too and in the order given: the longest word is asked
/// for, and everything is judged here.
///
/// Until 1.0 "slow down" is a 400 with a name and no wait: a place in the bucket comes back every ten
/// seconds. Comments are not searched for: they would come in an order of their own.
package struct Lemmy: Source {
  package let name: SourceName = "lemmy"
  package let traits = SourceTraits(
    defaultServer: "https://lemmy.world", pageSize: 1...50,
    pace: Pace(requests: 60, per: .seconds(600)), abilities: [.words], ceiling: 5000,
    attribution: "Posts belong to their authors, under the rules of their servers")

  /// What the cursors of API v4 begin with; the server's own follows.
  private static let laterCursor = "v4:"
  private static let sitePath = "/api/v3/site"
  private static let lastPage = 100

  private static let language = SearchLanguage.wordsOnly

  package func canBeAuthor(_ name: String) -> Bool { true }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    // There are no hashtags: one is a word like any other.
    let terms = query.terms.map { term in
      term.kind == .tag ? QueryTerm(.word, term.value, isExcluded: term.isExcluded) : term
    }
    return QuerySplit(longestWordOf: query, terms: terms, canBeAuthor: canBeAuthor)
  }

  package func softwareNeed(for page: PageRequest) -> SoftwareNeed {
    guard page.cursor == nil, page.software == nil else { return .none }
    return .ask(HTTPRequest(url: page.server.text + Self.sitePath))
  }

  package func software(from response: HTTPResponse, to page: PageRequest) -> SoftwareAnswer {
    let version = Answer.value(in: response) { root in
      root["site_view"] == nil ? nil : root["version"]?.text
    }
    if response.status == 200, let version {
      return .runs(ServerSoftware(name: "lemmy", version: version))
    }
    // A server without API v3 still has NodeInfo.
    return response.status == 404 && response.url.hasSuffix(Self.sitePath)
      ? .ask(NodeInfo.request(to: page.server)) : NodeInfo.answer(from: response, of: page.server)
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let words = Self.language.text(of: page.split)
    if let cursor = laterCursor(of: page) {
      var parameters = [
        ("search_term", words), ("type_", "posts"), ("listing_type", "all"),
        ("limit", String(page.size(within: traits.pageSize))),
      ]
      if !cursor.isEmpty { parameters.append(("page_cursor", cursor)) }
      let query = PercentEncoding.query(parameters)
      return HTTPRequest(url: "\(page.server.text)/api/v4/search?\(query)")
    }
    let place = NumberedPage(page, sizes: traits.pageSize)
    let query = PercentEncoding.query([
      ("q", words), ("type_", "Posts"), ("sort", "New"), ("listing_type", "All"),
      ("limit", String(place.size)), ("page", String(place.number)),
    ])
    return HTTPRequest(url: "\(page.server.text)/api/v3/search?\(query)")
  }

  package func verdict(on response: HTTPResponse, now: Date) -> Verdict {
    if isLimit(response, ErrorBody(response)) {
      return .coolDown(until: now.addingTimeInterval(10))
    }
    return SlowDown.verdict(on: response, now: now)
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else {
      var refusal = Refusal(response, to: page, from: traits)
      if page.cursor == nil, laterCursor(of: page) == nil,
        isWithoutEarlierVersion(response, refusal.said)
      {
        return Page(next: Cursor(rawValue: Self.laterCursor))
      }
      if isLimit(response, refusal.said) { refusal.meaning = .slowDown }
      if refusal.said.name == "instance_is_private" {
        refusal.advice = "search another server: this one answers only its own users"
      }
      throw refusal.fault
    }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let posts = root["posts"], posts.kind == .array else {
        if root["error"] != nil { throw Answer.error(ErrorBody(JSON: root), response, to: page) }
        throw Answer.misshapen("no list of posts", response)
      }
      var builder = PageBuilder()
      var items = 0
      for item in posts.elements {
        items += 1
        // What was taken away may still be listed, without its text.
        let post = item["post"]
        if post?["deleted"]?.bool == true || post?["removed"]?.bool == true { continue }
        builder.add(self.post(item, for: page))
      }
      if laterCursor(of: page) != nil {
        let cursor = root["next_page"]?.text.map { Cursor(rawValue: Self.laterCursor + $0) }
        var page = builder.page(next: items == 0 ? nil : cursor, after: page.cursor)
        page.order = .unordered
        return page
      }
      let place = NumberedPage(page, sizes: traits.pageSize)
      let goesOn = items >= place.size && place.number < Self.lastPage
      return builder.page(next: goesOn ? place.next : nil, after: page.cursor)
    }
  }

  /// The server's cursor when a page is one of API v4, empty for the first; nil for v3.
  private func laterCursor(of page: PageRequest) -> String? {
    if page.cursor == nil, let software = page.software, software.name == "lemmy",
      let version = software.majorVersion, version > 0
    {
      return ""
    }
    guard let text = page.cursor?.rawValue, text.hasPrefix(Self.laterCursor) else { return nil }
    return String(text.dropFirst(Self.laterCursor.count))
  }

  private func isWithoutEarlierVersion(_ response: HTTPResponse, _ said: ErrorBody) -> Bool {
    response.status == 404 && (said.isJSON || response.body.count == 0)
  }

  private func isLimit(_ response: HTTPResponse, _ said: ErrorBody) -> Bool {
    response.status == 400 && said.name == "rate_limit_error"
  }

  package func secondPage(after page: PageRequest) -> Cursor? {
    laterCursor(of: page) == nil ? NumberedPage(page, sizes: traits.pageSize).next : nil
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard let post = item["post"], let id = post["id"]?.identifier,
      let title = post["name"]?.text
    else { return nil }
    // Version 1.0 keeps a post's counts in the post.
    let counts = item["counts"] ?? post
    var links = AddressList()
    links.add(post["url"]?.string)
    var media = AddressList()
    media.add(post["thumbnail_url"]?.string)
    let own = "\(page.server.text)/post/\(PathPart.of(id))"
    let address = post["ap_id"]?.string.flatMap { WebAddress.isOne($0) ? $0 : nil } ?? own
    return Post(
      id: id, source: name, server: page.server, url: address, uri: address,
      author: author(item["creator"]), title: title, text: post["body"]?.string ?? "",
      // Version 0.18 writes no zone and means UTC.
      createdAt: (post["published_at"] ?? post["published"])?.rfc3339(allowing: .missingZone),
      editedAt: (post["updated_at"] ?? post["updated"])?.rfc3339(allowing: .missingZone),
      links: links.all, media: media.all,
      counts: Counts(likes: counts["score"]?.count, replies: counts["comments"]?.count),
      isSensitive: post["nsfw"]?.bool,
      isPinned: post["featured_local"]?.bool == true || post["featured_community"]?.bool == true)
  }

  private func author(_ creator: JSONNode?) -> Author {
    guard let creator, let handle = creator["name"]?.text else { return Author() }
    let address = (creator["ap_id"] ?? creator["actor_id"])?.string
    let page = address.flatMap { WebAddress.isOne($0) ? $0 : nil }
    let host = page.flatMap { ServerAddress($0)?.authority }
    return Author(
      handle: host.map { "\(handle)@\($0)" } ?? handle, name: creator["display_name"]?.text,
      url: page)
  }
}
