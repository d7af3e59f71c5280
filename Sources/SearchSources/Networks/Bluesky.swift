package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Bluesky, by `app.bsky.feed.searchPosts`: of the public app view, or through one's own server.
///
/// 1 to 100 posts a page, the latest first; `since` is inclusive and `until` exclusive. With
/// `BLUESKY_IDENTIFIER` and `BLUESKY_APP_PASSWORD` a session is opened at the server asked, and pages
/// go on by the server's cursor. Without, `api.bsky.app` answers, but refuses any cursor: pages go on
/// by date. 3000 requests in 5 minutes.
/// https://docs.bsky.app/docs/api/app-bsky-feed-search-posts
///
/// A query holds words, `"phrases"`, `#tags` and one `from:`, whose handle gets `.bsky.social` where it
/// has no dot; one language has a parameter of its own. What must not be there is judged here.
///
/// A post's date is the earlier of what its author says and when the network saw it. The network sorts
/// by the latter, so a backdated post may stand among new ones.
///
/// Accounts may ask not to be shown to people who are not signed in; without a session their posts are
/// left out and counted.
package struct Bluesky: Source {
  package let name: SourceName = "bluesky"
  package let traits = SourceTraits(
    defaultServer: "https://api.bsky.app", serverWithCredentials: "https://bsky.social",
    pageSize: 1...100, credentialNames: ["BLUESKY_IDENTIFIER", "BLUESKY_APP_PASSWORD"],
    pace: Pace(requests: 3000, per: .seconds(300)), order: .approximate,
    abilities: [.words, .phrases, .tags, .authors, .languages], filtersByDate: true,
    attribution: "Posts belong to their authors; their deletions are to be honoured")

  /// What a cursor of ours begins with: the server's own follows, or a date.
  private static let serverCursor = "cursor="
  private static let dateCursor = "until="
  private static let lateIndexing =
    "posts dated before --until that Bluesky indexed after it cannot be found"
  private static let hiddenPage =
    "older posts may be missing: the server goes on only with BLUESKY_IDENTIFIER and "
    + "BLUESKY_APP_PASSWORD"

  private static let language = SearchLanguage(
    plainSigns: "_'", plainFirstSigns: "_@", tag: "#")

  package func canBeAuthor(_ name: String) -> Bool {
    HandleCharacters.areAll(name, signs: name.hasPrefix("did:") ? "-.:_" : "-.", count: 1...253)
  }

  /// The query as the server takes it apart: at blanks, quotation marks heeded.
  private func text(of split: QuerySplit) -> String {
    let words = Self.language.text(of: split, without: .author, .language)
    // An identifier is an author by itself.
    let authors = split.remote(.author).map(\.value).map { name in
      name.hasPrefix("did:") ? name : "from:" + (name.contains(".") ? name : name + ".bsky.social")
    }
    return ([words] + authors).filter { !$0.isEmpty }.joined(separator: " ")
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    var until = page.until
    var cursor: String?
    var limit = page.size(within: traits.pageSize)
    if let text = page.cursor?.rawValue {
      if text.hasPrefix(Self.dateCursor) {
        until = RFC3339.parse(String(text.dropFirst(Self.dateCursor.count)))
        // One more, as the last post of the page before comes again.
        limit = min(limit + 1, traits.pageSize.upperBound)
      } else {
        cursor = String(text.dropFirst(Self.serverCursor.count))
      }
    }
    var parameters = [
      ("q", page.query.isRaw ? page.query.text : text(of: page.split)), ("sort", "latest"),
      ("limit", String(limit)),
    ]
    if let language = page.split.remote(.language).first {
      parameters.append(("lang", language.value))
    }
    if let since = page.since { parameters.append(("since", RFC3339.format(since))) }
    if let until { parameters.append(("until", RFC3339.format(until))) }
    if let cursor { parameters.append(("cursor", cursor)) }
    var headers = HTTPHeaders()
    if let session = page.session { headers["Authorization"] = "Bearer \(session.accessToken)" }
    let query = PercentEncoding.query(parameters)
    return HTTPRequest(
      url: "\(page.server.text)/xrpc/app.bsky.feed.searchPosts?\(query)", headers: headers)
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else { throw refusal(response, to: page).fault }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let posts = root["posts"] ?? root["feed"], posts.kind == .array else {
        if root["error"] != nil { throw Answer.error(ErrorBody(JSON: root), response, to: page) }
        throw Answer.misshapen("no list of posts", response)
      }
      var builder = PageBuilder()
      var dates = PageDates()
      var hidden = 0
      for item in posts.elements {
        // A feed's items hold their post, and beside it why it stands there.
        let view = item["post"] ?? item
        dates.add(seen: view["indexedAt"]?.rfc3339(), dated: date(of: view))
        if page.session == nil, asksForSignIn(view["author"]) {
          hidden += 1
        } else {
          builder.add(post(view, reposted: item["reason"], for: page))
        }
      }
      var answered = builder.page(next: nil, after: nil)
      answered.hiddenFromStrangers = hidden
      // The server goes by the moment of indexing, and a post may be dated long before that.
      if page.until != nil { answered.notes.append(Self.lateIndexing) }
      if let cursor = root["cursor"]?.identifier {
        // Pages may be empty and yet not the last, as posts are hidden behind the index.
        answered.next = next(cursor, after: dates, of: page)
        if answered.next == nil { answered.missing = Self.hiddenPage }
        if answered.next == page.cursor { answered.next = nil }
      }
      return answered
    }
  }

  package func verdict(on response: HTTPResponse, now: Date) -> Verdict {
    // The name decides, whatever the status.
    let isLimited = response.status == 400 && ErrorBody(response).name == "RateLimitExceeded"
    return SlowDown.verdict(on: response, now: now, statuses: isLimited ? [400, 429] : [429])
  }

  package func loginRequest(
    to server: ServerAddress, with credentials: Credentials
  ) -> HTTPRequest? {
    guard credentials.values.count == 2 else { return nil }
    var identifier = Substring(credentials.values[0])
    if identifier.hasPrefix("@") { identifier.removeFirst() }
    let body = JSONValue.members([
      "identifier": .string(String(identifier)), "password": .string(credentials.values[1]),
    ])
    return HTTPRequest(
      .post, url: "\(server.text)/xrpc/com.atproto.server.createSession",
      headers: ["Content-Type": "application/json"], body: body.bytes)
  }

  package func renewalRequest(to server: ServerAddress, of session: Session) -> HTTPRequest? {
    session.refreshToken.map { token in
      HTTPRequest(
        .post, url: "\(server.text)/xrpc/com.atproto.server.refreshSession",
        headers: ["Authorization": "Bearer \(token)"])
    }
  }

  package func session(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Session {
    guard response.status == 200 else {
      var refusal = refusal(response, to: page)
      if refusal.said.name == "AuthFactorTokenRequired" {
        refusal.advice = "use an app password for BLUESKY_APP_PASSWORD"
      } else if refusal.meaning == .credential {
        refusal.advice = "check BLUESKY_IDENTIFIER and BLUESKY_APP_PASSWORD"
      }
      throw refusal.fault
    }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let token = root["accessJwt"]?.text else {
        throw Answer.misshapen("no session in it", response)
      }
      return Session(
        accessToken: token, refreshToken: root["refreshJwt"]?.string,
        expires: Session.expiry(ofWebToken: token))
    }
  }

  package func isExpired(_ response: HTTPResponse) -> Bool {
    // A personal data server says it with 400, the app view with 401: the name decides.
    guard response.status == 400 || response.status == 401 else { return false }
    let name = ErrorBody(response).name
    return name == "ExpiredToken" || name == "InvalidToken"
  }

  private func refusal(_ response: HTTPResponse, to page: PageRequest) -> Refusal {
    var refusal = Refusal(response, to: page, from: traits)
    switch refusal.said.name {
    case "ExpiredToken", "InvalidToken", "AuthMissing", "AuthenticationRequired",
      "AuthFactorTokenRequired", "AccountTakedown":
      refusal.meaning = .credential
    case "RateLimitExceeded": refusal.meaning = .slowDown
    case _ where response.status == 403 && page.session == nil:
      // The app view's proxy refuses some addresses, unless one comes through one's own server.
      refusal.advice = "set BLUESKY_IDENTIFIER and BLUESKY_APP_PASSWORD"
    case _: break
    }
    return refusal
  }

  /// The oldest moments of a page.
  private struct PageDates {
    /// When the network saw the oldest of its posts.
    var seen: Date?
    /// The oldest date of its posts.
    var dated: Date?

    mutating func add(seen moment: Date?, dated date: Date?) {
      seen = [seen, moment ?? date].compactMap(\.self).min()
      dated = [dated, date].compactMap(\.self).min()
    }
  }

  /// Where the next page begins, when the server says that there is one.
  ///
  /// Without a session that is a date. Servers sort by when they saw a post, and did so by its own date
  /// before, where that is earlier: the former comes first, as the date of one backdated post would
  /// jump over all that was seen since. `until` is exclusive: a millisecond more brings the other posts
  /// of that moment, unless the page before was asked for just that.
  private func next(_ cursor: String, after dates: PageDates, of page: PageRequest) -> Cursor? {
    if page.session != nil {
      return Cursor(rawValue: Self.serverCursor + cursor)
    }
    guard let seen = dates.seen, let dated = dates.dated else { return nil }
    let asked = (page.cursor?.rawValue).flatMap {
      RFC3339.parse(String($0.dropFirst(Self.dateCursor.count)))
    }
    let moments = [
      seen.addingTimeInterval(0.001), dated.addingTimeInterval(0.001), seen, dated,
    ]
    let next = moments.first { moment in
      guard let asked else { return true }
      return moment < asked.addingTimeInterval(-0.000_5)
    }
    return next.map { Cursor(rawValue: Self.dateCursor + RFC3339.format($0)) }
  }

  /// Whether an account has labelled itself to be shown only to people who are signed in.
  private func asksForSignIn(_ author: JSONNode?) -> Bool {
    guard let author else { return false }
    let isLabelled = author.list("labels").contains { label in
      label["val"]?.isString("!no-unauthenticated") == true && label["neg"]?.bool != true
        && (label["src"]?.string ?? author["did"]?.string) == author["did"]?.string
    }
    return isLabelled
  }

  /// - Parameter reason: Why the post stands in a feed, which may be that somebody reposted it.
  private func post(
    _ item: JSONNode, reposted reason: JSONNode?, for page: PageRequest
  ) -> Post? {
    guard let uri = item["uri"]?.text, let record = item["record"] else {
      return nil
    }
    var links = AddressList()
    var media = AddressList()
    let text = record["text"].flatMap { BlueskyText.plain($0, of: record, adding: &links) }
    gather(item["embed"], into: &links, &media)
    links.add(record["embed"]?["external"]?["uri"]?.string)
    guard text != nil || !media.all.isEmpty else { return nil }

    let author = author(item["author"], of: uri)
    let reposter = reason?["by"].map { self.author($0, of: "") }
    let key = uri.split(separator: "/").last ?? ""
    return Post(
      id: uri, source: name, server: page.server,
      url: "https://bsky.app/profile/\(PathPart.of(author.handle))/post/\(PathPart.of(key))",
      uri: uri, author: author,
      text: text ?? "", createdAt: date(of: item),
      language: record.list("langs").first?.string, links: links.all, media: media.all,
      counts: Counts(
        likes: item["likeCount"]?.count, reposts: item["repostCount"]?.count,
        replies: item["replyCount"]?.count),
      replyTo: record["reply"]?["parent"]?["uri"]?.string,
      repostOf: reposter == nil ? nil : uri, repostedBy: reposter,
      isSensitive: isSensitive(item, record))
  }

  private func author(_ node: JSONNode?, of uri: String) -> Author {
    var handle = node?["handle"]?.string ?? ""
    if handle.isEmpty || handle == "handle.invalid" {
      // at://did:plc:…/collection/key
      let did = uri.split(separator: "/").dropFirst().first.map(String.init)
      handle = node?["did"]?.string ?? did ?? ""
    }
    let name = node?["displayName"]?.text
    return Author(
      handle: handle, name: name, url: "https://bsky.app/profile/\(PathPart.of(handle))")
  }

  /// The earlier of the two: authors may claim any date, and the network sees old posts late.
  private func date(of item: JSONNode) -> Date? {
    let claimed = item["record"]?["createdAt"]?.rfc3339()
    guard let seen = item["indexedAt"]?.rfc3339() else { return claimed }
    return claimed.map { min($0, seen) } ?? seen
  }

  /// The addresses of what is shown below a post.
  private func gather(
    _ embed: JSONNode?, into links: inout AddressList, _ media: inout AddressList
  ) {
    guard let embed else { return }
    // A quote with media has the same shape one level down; no deeper.
    for part in [embed, embed["media"]].compactMap(\.self) {
      links.add(part["external"]?["uri"]?.string)
      for list in [part["images"], part["items"]] {
        for image in NodeList(list) {
          media.add(image["fullsize"]?.string ?? image["thumb"]?.string)
        }
      }
      media.add(part["playlist"]?.string)
    }
  }

  /// The labels that mean "not for everyone"; nil where no list of labels is given.
  private func isSensitive(_ item: JSONNode, _ record: JSONNode) -> Bool? {
    guard item["labels"] != nil || record["labels"] != nil else { return nil }
    for list in [item["labels"], record["labels"]?["values"]] {
      for label in NodeList(list) where label["neg"]?.bool != true {
        switch label["val"]?.string {
        case "porn", "sexual", "nudity", "graphic-media", "gore", "nsfl", "!warn": return true
        case _: continue
        }
      }
    }
    return false
  }
}
