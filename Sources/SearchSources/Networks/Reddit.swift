internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Reddit's posts: by the search of its API as an application, or by its feed without one.
///
/// With `REDDIT_CLIENT_ID` and `REDDIT_CLIENT_SECRET`, which open a session of a day: 1 to 100 posts a
/// page, newest first; 1000 a query by the documentation, about 250 in practice; 100 requests a minute.
/// Without: the Atom feed of a search, one page of at most 100, which has no counts; Reddit often refuses it (429, or 403 with
/// HTML), so it is asked only when Reddit is named. Dates only as "the last hour, day, week…", so they
/// are filtered here. A query knows `"phrases"`, `author:amy`, `-word` and parentheses.
/// https://www.reddit.com/dev/api#GET_search
package struct Reddit: Source {
  package let name: SourceName = "reddit"
  package let traits = SourceTraits(
    defaultServer: Reddit.site, serverWithCredentials: "https://oauth.reddit.com",
    pageSize: 1...100,
    credentialNames: ["REDDIT_CLIENT_ID", "REDDIT_CLIENT_SECRET"], answersStrangers: false,
    pace: Pace(requests: 100, per: .seconds(60)),
    abilities: [
      .words, .phrases, .authors, .anyAuthor, .excludedWords, .excludedAuthors,
    ], ceiling: 1000,
    attribution: "Posts belong to their authors, under Reddit's Data API Terms")

  private static let site = "https://www.reddit.com"
  private static let advice = "set REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET"
  private static let longestQuery = 512
  /// A listing that ends after this many posts was cut: it does so at about 250, as some are hidden.
  private static let shortestCut = 240
  private static let ceiling = "Reddit ends a search after about 250 posts"
  private static let feedCeiling =
    "more than the first posts are given only with REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET"

  private static let language = SearchLanguage(
    plainSigns: "_'", plainFirstSigns: "_", author: "author:")

  package func canBeAuthor(_ name: String) -> Bool {
    HandleCharacters.areAll(name, signs: "_-")
  }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    Self.language.text(of: split).count > Self.longestQuery
      ? "this network allows queries of at most \(Self.longestQuery) characters" : nil
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    guard let session = page.session else { return feedRequest(for: page) }
    // Without `raw_json` all strings are escaped once more.
    var parameters = [
      ("q", Self.language.text(of: page.split)), ("sort", "new"), ("t", span(of: page)),
      ("type", "link"),
      ("limit", String(page.size(within: traits.pageSize))), ("raw_json", "1"),
      ("include_over_18", "on"),
    ]
    if let cursor = CountedCursor(page.cursor) { parameters.append(("after", cursor.token)) }
    return HTTPRequest(
      url: "\(page.server.text)/search?\(PercentEncoding.query(parameters))",
      headers: ["Authorization": "Bearer \(session.accessToken)"])
  }

  /// The search as a feed, where there is no session.
  private func feedRequest(for page: PageRequest) -> HTTPRequest {
    let parameters = [
      ("q", Self.language.text(of: page.split)), ("sort", "new"), ("t", span(of: page)),
      ("type", "link"),
      ("limit", String(page.size(within: traits.pageSize))),
    ]
    return HTTPRequest(
      url: "\(place(of: page.server))/search.rss?\(PercentEncoding.query(parameters))")
  }

  private func feedPage(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else {
      var refusal = Refusal(response, to: page, from: traits)
      if [403, 429].contains(response.status) { refusal.advice = Self.advice }
      throw refusal.fault
    }
    let feed = try FeedAnswer.read(response, to: page)
    var builder = PageBuilder()
    for _ in 0..<feed.brokenEntries { builder.add(nil) }
    for entry in feed.entries where !RedditEntry.isGroup(entry) {
      builder.add(RedditEntry.post(entry, from: name, at: page.server, site: Self.site))
    }
    let isFull = builder.items >= page.size(within: traits.pageSize)
    return builder.page(next: nil, after: nil, missing: isFull ? Self.feedCeiling : nil)
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    if page.session == nil, page.credentials == nil {
      return try feedPage(from: response, to: page)
    }
    guard response.status == 200 else { throw Refusal(response, to: page, from: traits).fault }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      let data = root["data"]
      guard let children = data?["children"], children.kind == .array else {
        if root["error"] != nil || root["message"] != nil {
          throw Answer.error(ErrorBody(JSON: root), response, to: page)
        }
        throw Answer.misshapen("no listing", response)
      }
      var builder = PageBuilder()
      for item in children.elements { builder.add(post(item, for: page)) }
      let place = CountedCursor(page.cursor)
      let count = (place?.count ?? 0) + builder.items
      let after = builder.items == 0 ? nil : data?["after"]?.text
      guard let after, after != place?.token else {
        return builder.page(
          next: nil, after: nil, missing: count >= Self.shortestCut ? Self.ceiling : nil)
      }
      return builder.page(
        next: CountedCursor(token: after, count: count).cursor, after: page.cursor)
    }
  }

  package func loginRequest(
    to server: ServerAddress, with credentials: Credentials
  ) -> HTTPRequest? {
    guard credentials.values.count == 2 else { return nil }
    let place = place(of: server)
    let pair = Data(credentials.values.joined(separator: ":").utf8).base64EncodedString()
    return HTTPRequest(
      .post, url: "\(place)/api/v1/access_token",
      headers: [
        "Authorization": "Basic \(pair)", "Content-Type": "application/x-www-form-urlencoded",
      ],
      body: Array("grant_type=client_credentials".utf8))
  }

  package func session(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Session {
    guard response.status == 200 else { throw Refusal(response, to: page, from: traits).fault }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let token = root["access_token"]?.text else {
        if root["error"] != nil { throw Answer.error(ErrorBody(JSON: root), response, to: page) }
        throw Answer.misshapen("no session in it", response)
      }
      // Some versions write a number of seconds, and others none.
      let seconds = root["expires_in"]?.double.flatMap { (1...31_536_000).contains($0) ? $0 : nil }
      return Session(
        accessToken: token, expires: seconds.map { page.answered.addingTimeInterval($0) })
    }
  }

  /// The public API has another host than its logins and feeds.
  private func place(of server: ServerAddress) -> String {
    server.host == "oauth.reddit.com" ? Self.site : server.text
  }

  package func isExpired(_ response: HTTPResponse) -> Bool { response.status == 401 }

  /// The shortest of Reddit's spans that reaches back far enough.
  private func span(of page: PageRequest) -> String {
    guard let since = page.since else { return "all" }
    let age = page.now.timeIntervalSince(since) + 60
    let spans = [
      (3600.0, "hour"), (86_400, "day"), (604_800, "week"), (2_592_000, "month"),
      (31_536_000, "year"),
    ]
    return spans.first { age <= $0.0 }?.1 ?? "all"
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard let data = item["data"], let id = data["id"]?.identifier else { return nil }
    let title = data["title"]?.text
    // What is no link is a comment.
    let text = data["selftext"]?.string ?? data["body"]?.string
    guard text != nil || title != nil else { return nil }
    var links = AddressList()
    if data["is_self"]?.bool != true { links.add(data["url"]?.string) }
    let path = data["permalink"]?.text.flatMap { $0.hasPrefix("/") ? $0 : nil }
    let kind = title == nil ? "t1" : "t3"
    let uri = data["name"]?.text ?? "\(kind)_\(id)"
    return Post(
      id: id, source: name, server: page.server, url: path.map { Self.site + encoded($0) },
      uri: uri, author: author(data["author"]?.text), title: title, text: text ?? "",
      createdAt: data["created_utc"]?.double.flatMap { EpochTime.date(seconds: $0) },
      // False, or a date.
      editedAt: data["edited"]?.double.flatMap { EpochTime.date(seconds: $0) },
      links: links.all,
      counts: Counts(likes: data["score"]?.count, replies: data["num_comments"]?.count),
      replyTo: data["parent_id"]?.text, repostOf: data["crosspost_parent"]?.text,
      isSensitive: data["over_18"]?.bool)
  }

  private func author(_ handle: String?) -> Author {
    guard let handle, handle != "[deleted]" else { return Author() }
    return Author(handle: handle, url: "\(Self.site)/user/\(PathPart.of(handle))")
  }

  /// A path with what is not ASCII encoded, part by part.
  private func encoded(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false)
      .map { part in
        part.contains("%") && part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
          ? String(part) : PathPart.of(part)
      }
      .joined(separator: "/")
  }
}
