internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Bluesky, through `app.bsky.feed.searchPosts` of the public app view or of the user's own server.
///
/// 1 to 100 posts a page, the latest first; `since` is inclusive and `until` exclusive. With
/// `BLUESKY_IDENTIFIER` and `BLUESKY_APP_PASSWORD` a session is opened on the server, and the server's
/// cursor leads to the next page, but no further than about 10,000 posts. From there on, the next page is found by
/// date; without a session always, as `api.bsky.app` rejects any cursor. 3000 requests in 5 minutes.
/// https://docs.bsky.app/docs/api/app-bsky-feed-search-posts
///
/// A query has words, `"phrases"`, `#tags` and one `from:`, whose handle gets `.bsky.social` if it has no
/// dot; one language has a parameter of its own. Exclusions are filtered here.
///
/// A post's date is the author's, or the moment when the network indexed it if that is earlier. The
/// network sorts by the latter, so backdated posts may be among new ones, and even fill pages. For posts that it
/// imported it may show an earlier moment than the one it sorts by.
///
/// Accounts may ask to be hidden from people who are not signed in; without a session their posts are
/// left out and counted.
package struct Bluesky: JSONSource {
  package let name: SourceName = "bluesky"
  package let traits = SourceTraits(
    defaultServer: "https://api.bsky.app", serverWithCredentials: "https://bsky.social",
    pageSize: 1...100, credentialNames: ["BLUESKY_IDENTIFIER", "BLUESKY_APP_PASSWORD"],
    pace: Pace(requests: 3000, per: .seconds(300)), order: .approximate,
    abilities: [.words, .phrases, .tags, .authors, .languages], filtersByDate: true,
    lateness: SourceTraits.longLateness,
    attribution: "Posts belong to their authors; deletions must be honored")

  /// The prefixes of cursors, followed by the server's own or by a date.
  private static let serverCursor = "cursor="
  private static let dateCursor = "until="
  /// The prefix of the cursor of a page that must be as large as possible.
  private static let largeCursor = "large="
  private static let lateIndexing =
    "posts that Bluesky indexed after --until cannot be found, even if they are older"
  private static let hiddenPage =
    "older posts may be missing: more pages need BLUESKY_IDENTIFIER and BLUESKY_APP_PASSWORD"
  private static let crowdedMoment = "posts with the same timestamp may be missing"
  private static let advice = ": all of them need BLUESKY_IDENTIFIER and BLUESKY_APP_PASSWORD"
  /// The number of posts, well below 10,000 as hidden ones do not count, from which on a list without a cursor may have
  /// been cut.
  private static let shortestCut = 5000
  /// The number of posts from which on one that ends with an empty page was cut.
  private static let longestList = 9900
  private static let ceiling = "Bluesky lists about 10,000 posts of a query"

  private static let language = SearchLanguage(
    plainSigns: "_'", plainFirstSigns: "_@", tag: "#")

  package func canBeAuthor(_ name: String) -> Bool {
    HandleCharacters.areAll(name, signs: name.hasPrefix("did:") ? "-.:_" : "-.", count: 1...253)
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    var split = QuerySplit(query, by: traits.abilities, canBeAuthor: canBeAuthor)
    // The parameter finds one code.
    split.makeLocal { $0.kind == .language && LanguageTag.codes(of: $0.value).count > 1 }
    return split
  }

  /// The query, which the server splits at blanks outside of quotation marks.
  private func text(of split: QuerySplit) -> String {
    let words = Self.language.text(of: split, without: .author, .language)
    // An identifier alone names an author.
    let authors = split.remote(.author).map(\.value).map { name in
      name.hasPrefix("did:") ? name : "from:" + (name.contains(".") ? name : name + ".bsky.social")
    }
    return ([words] + authors).filter { !$0.isEmpty }.joined(separator: " ")
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let cursor = page.cursor?.rawValue
    let until = self.until(of: page) ?? page.until
    let own = cursor.flatMap { $0.hasPrefix(Self.serverCursor) ? $0 : nil }
    return page.request(
      "/xrpc/app.bsky.feed.searchPosts",
      [
        "q": page.query.isRaw ? page.query.text : text(of: page.split), "sort": "latest",
        "limit": String(limit(of: page)), "lang": page.split.remote(.language).first?.value,
        "since": page.since.map(RFC3339.format), "until": until.map(RFC3339.format),
        "cursor": own.map { String($0.dropFirst(Self.serverCursor.count)) },
      ], headers: page.session.map { ["Authorization": "Bearer \($0.accessToken)"] } ?? [:])
  }

  /// The date in the cursor of a page.
  private func until(of page: PageRequest) -> Date? {
    guard let text = page.cursor?.rawValue else { return nil }
    let prefix = [Self.dateCursor, Self.largeCursor].first { text.hasPrefix($0) }
    return prefix.flatMap { RFC3339.parse(String(text.dropFirst($0.count))) }
  }

  /// The number of posts to request.
  private func limit(of page: PageRequest) -> Int {
    let size = page.size(within: traits.pageSize)
    guard let text = page.cursor?.rawValue, !text.hasPrefix(Self.serverCursor) else { return size }
    guard !text.hasPrefix(Self.largeCursor) else { return traits.pageSize.upperBound }
    // One more, as the last post of the previous page is repeated.
    return min(size + 1, traits.pageSize.upperBound)
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    var builder = PageBuilder(of: name, on: page)
    var dates = PageDates()
    var hidden = 0
    // The page begins with the last posts of the one before, of the millisecond up to its end.
    let repeated = until(of: page)?.addingTimeInterval(-0.0015)
    for item in try answer.list("posts", "feed", of: "posts").elements {
      // A feed's item contains its post, and the reason why it is listed.
      let view = item["post"] ?? item
      if view["notFound"]?.bool == true || view["blocked"]?.bool == true {
        builder.passOver()
        continue
      }
      let (seen, dated) = (view["indexedAt"]?.rfc3339(), date(of: view))
      dates.add(seen: seen, dated: dated)
      if isHidden(view) {
        builder.passOver()
        continue
      }
      if page.session == nil, asksForSignIn(view) {
        if let repeated, let moment = seen ?? dated, moment >= repeated {
          builder.passOver()
        } else {
          hidden += 1
        }
      } else {
        builder.add { post(view, reposted: item["reason"], in: &$0) }
      }
    }
    // Pages may be empty before the last, as the index contains hidden posts.
    var next = NextPage(answer["cursor"]) { Cursor(rawValue: Self.serverCursor + $0) }
    var gap: String?
    if goesByDate(after: page, next, items: builder.items) {
      if next == .end, dates.seen.isEmpty {
        let isCut = page.itemsBefore + builder.items >= Self.longestList
        next = isCut ? .beyondLimit(Self.ceiling) : .end
      } else {
        (next, gap) = older(than: dates, of: page)
      }
    }
    var result = builder.page(next, gap: gap)
    result.hiddenFromStrangers = hidden
    result.sortDates = dates.seen
    // The server goes by the moment of indexing, and a post may be dated long before that.
    if page.until != nil { result.notes.append(Self.lateIndexing) }
    return result
  }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    // The name decides: a personal data server returns 400, the app view 401.
    switch refusal.error.name {
    case "ExpiredToken", "InvalidToken": refusal.meaning = .expiredSession
    case "AuthMissing", "AuthenticationRequired", "AuthFactorTokenRequired", "AccountTakedown":
      refusal.meaning = .credential
    case "RateLimitExceeded": refusal.meaning = .slowDown
    case _ where response.status == 403 && page.session == nil && page.credentials == nil:
      // The app view's proxy blocks some addresses, but not the user's own server.
      refusal.advice = "set BLUESKY_IDENTIFIER and BLUESKY_APP_PASSWORD"
    default: break
    }
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
    if var refusal = refusal(in: response, to: page) {
      if refusal.error.name == "AuthFactorTokenRequired" {
        refusal.advice = "use an app password for BLUESKY_APP_PASSWORD"
      } else if case .failed(let failure) = refusal.fault,
        failure.kind == .credential || response.status == 400
      {
        refusal.advice = "check BLUESKY_IDENTIFIER and BLUESKY_APP_PASSWORD"
      }
      throw refusal.fault
    }
    return try Answer.read(response, to: page) { answer throws(SourceFault) in
      guard let token = answer["accessJwt"]?.text else {
        throw answer.fault(missing: "no session")
      }
      return Session(
        accessToken: token, refreshToken: answer["refreshJwt"]?.string,
        expires: Session.expiry(ofWebToken: token))
    }
  }

  /// Returns whether the page after one is found by date.
  private func goesByDate(after page: PageRequest, _ next: NextPage, items: Int) -> Bool {
    let isByDate = until(of: page) != nil
    return switch next {
    case .at: page.session == nil || isByDate
    case .end: page.session != nil && !isByDate && page.itemsBefore + items >= Self.shortestCut
    default: false
    }
  }

  /// The moments of a page.
  private struct PageDates {
    /// The moments at which the network indexed its posts.
    private(set) var seen: [Date] = []
    /// The oldest date of its posts.
    private(set) var oldest: Date?

    mutating func add(seen moment: Date?, dated date: Date?) {
      if let moment = moment ?? date { seen.append(moment) }
      oldest = [oldest, date].compactMap(\.self).min()
    }
  }

  /// The page before the oldest post, found by its date; and why posts may be missing before that.
  ///
  /// Servers sort by the moment of indexing, and formerly by the post's date if that is earlier; such a
  /// server is recognized by posts that it indexed after the end of the range. `until` is exclusive: a
  /// millisecond more includes the other posts of that moment. A page that ends in the moment it began
  /// with is requested again in its full size. If even that ends there, other posts of the moment are
  /// out of reach.
  private func older(
    than dates: PageDates, of page: PageRequest
  ) -> (next: NextPage, gap: String?) {
    guard let end = PageDepth.end(of: dates.seen.map(\.timeIntervalSince1970)),
      let last = dates.seen.max(), let oldest = dates.oldest
    else { return (.unreachable(Self.hiddenPage), nil) }
    let first = Date(timeIntervalSince1970: end)
    let asked = until(of: page)
    func isBefore(_ moment: Date) -> Bool {
      asked.map { moment < $0.addingTimeInterval(-0.000_5) } ?? true
    }
    let isByDate = !isBefore(last)
    let moments = isByDate ? [first, oldest] : [first]
    let moment = moments.map { $0.addingTimeInterval(0.001) }.first(where: isBefore)
    if let moment { return (.at(cursor(Self.dateCursor, moment)), nil) }
    if let asked, limit(of: page) < traits.pageSize.upperBound {
      return (.at(cursor(Self.largeCursor, asked)), nil)
    }
    guard let crowded = moments.first(where: isBefore) else {
      return (.unreachable(Self.hiddenPage), nil)
    }
    let gap = page.session == nil ? Self.crowdedMoment + Self.advice : Self.crowdedMoment
    return (.at(cursor(Self.dateCursor, crowded)), gap)
  }

  private func cursor(_ prefix: String, _ date: Date) -> Cursor {
    Cursor(rawValue: prefix + RFC3339.format(date))
  }

  /// True if an account, or the author of a single post, asks to be hidden from people who are not signed in.
  private func asksForSignIn(_ item: JSONNode) -> Bool {
    let author = item["author"]?["did"]?.string
    let own = [item["author"]?["labels"], item["labels"]].contains { labels in
      NodeList(labels).contains { label in
        label["val"]?.isString("!no-unauthenticated") == true && label["neg"]?.bool != true
          && (label["src"]?.string ?? author) == author
      }
    }
    return own
      || item["record"]?["labels"]?.list("values").contains {
        $0["val"]?.isString("!no-unauthenticated") == true
      } == true
  }

  /// True if a labeler has taken a post, or an account, out of all lists.
  private func isHidden(_ item: JSONNode) -> Bool {
    labels(of: item).contains { $0["val"]?.isString("!hide") == true }
  }

  /// The labels of a post and of its author's account; those of a profile say nothing about posts.
  private func labels(of item: JSONNode) -> [JSONNode] {
    let account = item["author"].map { author in
      author.list("labels").filter { label in
        label["uri"]?.hasPrefix("did:") == true
      }
    }
    return (item.list("labels") + (account ?? [])).filter { $0["neg"]?.bool != true }
  }

  /// - Parameter reason: Why the post is in a feed, such as a repost.
  private func post(
    _ item: JSONNode, reposted reason: JSONNode?, in draft: inout PageDraft
  ) -> PackedPost? {
    guard let uri = item["uri"]?.text, let record = item["record"] else {
      return nil
    }
    var links = AddressList()
    var media = AttachmentList()
    let text = record["text"].flatMap { BlueskyText.plain($0, of: record, adding: &links) }
    gather(item["embed"], into: &links, &media)
    links.add(record["embed"]?["external"]?["uri"]?.string)
    guard text != nil || !media.isEmpty else { return nil }

    let warnings = warnings(item, record)
    let author = author(item["author"], of: uri)
    let reposter = reason?["by"].map { self.author($0, of: "") }
    let key = uri.utf8.split(separator: UInt8(ascii: "/")).last.map(Substring.init) ?? ""
    return PackedPost(
      id: uri,
      url: "https://bsky.app/profile/\(PathPart.of(author.handle))/post/\(PathPart.of(key))",
      uri: uri, author: author,
      text: text ?? "", createdAt: date(of: item),
      language: record.list("langs").first?.string,
      furtherLanguages: Array(record.list("langs").compactMap(\.string).dropFirst()),
      topics: topics(of: record), links: links.all, attachments: media.all,
      counts: Counts(
        likes: item["likeCount"]?.count, reposts: item["repostCount"]?.count,
        replies: item["replyCount"]?.count),
      replyTo: record["reply"]?["parent"]?["uri"]?.string,
      repostOf: reposter == nil ? nil : uri, repostedBy: reposter,
      isSensitive: warnings.map { !$0.isEmpty },
      contentWarning: warnings?.joined(separator: ", "), in: &draft)
  }

  /// The hashtags in the text, and those that the author added to it.
  private func topics(of record: JSONNode) -> [String] {
    var topics: [String] = []
    for facet in record.list("facets") { topics += facet.texts("tag", in: "features") }
    return topics + record.list("tags").compactMap(\.text)
  }

  private func author(_ node: JSONNode?, of uri: String) -> Author {
    var handle = node?["handle"]?.string ?? ""
    if handle.isEmpty || handle == "handle.invalid" {
      // at://did:plc:…/collection/key
      let did = uri.utf8.split(separator: UInt8(ascii: "/")).dropFirst().first.flatMap(String.init)
      handle = node?["did"]?.string ?? did ?? ""
    }
    let name = node?["displayName"]?.text
    return Author(
      handle: handle, name: name, url: "https://bsky.app/profile/\(PathPart.of(handle))")
  }

  /// The earlier of two dates: authors may claim any, and the network indexes old posts late.
  private func date(of item: JSONNode) -> Date? {
    let claimed = item["record"]?["createdAt"]?.rfc3339()
    guard let seen = item["indexedAt"]?.rfc3339() else { return claimed }
    return claimed.map { min($0, seen) } ?? seen
  }

  /// Collects the addresses of the embeds below a post.
  private func gather(
    _ embed: JSONNode?, into links: inout AddressList, _ media: inout AttachmentList
  ) {
    guard let embed else { return }
    // A quote with media has the same shape one level deeper.
    for part in [embed, embed["media"]].compactMap(\.self) {
      links.add(part["external"]?["uri"]?.string)
      for list in [part["images"], part["items"]] {
        for image in NodeList(list) {
          media.add(
            image["fullsize"]?.string ?? image["thumb"]?.string, .image,
            description: image["alt"]?.string,
            thumbnail: image["thumb"]?.string ?? image["thumbnail"]?.string)
        }
      }
      media.add(
        part["playlist"]?.string, .video, description: part["alt"]?.string,
        thumbnail: part["thumbnail"]?.string)
    }
  }

  /// Returns the labels that say "not for everyone", each once; nil if there is no list of labels.
  private func warnings(_ item: JSONNode, _ record: JSONNode) -> [String]? {
    guard item["labels"] != nil || record["labels"] != nil else { return nil }
    var warnings: [String] = []
    for label in labels(of: item) + Array(NodeList(record["labels"]?["values"])) {
      guard let name = label["val"]?.string, Self.warnings.contains(name) else { continue }
      // The general warning is named after what apps do.
      let word = name == "!warn" ? "warning" : name
      if !warnings.contains(word) { warnings.append(word) }
    }
    return warnings
  }

  /// The labels that apps cover posts for.
  private static let warnings: Set = [
    "porn", "sexual", "nudity", "graphic-media", "gore", "nsfl", "!warn",
  ]
}

/// The text of a Bluesky post, whose links are facets beside it.
private enum BlueskyText {
  /// Returns the text with each shortened address expanded; nil if it is not a string.
  ///
  /// Facets count UTF-8 bytes. https://docs.bsky.app/docs/advanced-guides/post-richtext
  static func plain(
    _ node: JSONNode, of record: JSONNode, adding links: inout AddressList
  ) -> String? {
    guard let bytes = node.stringBytes else { return nil }
    var shortened: [(range: Range<Int>, address: String)] = []
    for facet in record.list("facets") {
      for feature in facet.list("features") {
        guard let address = feature["uri"]?.string, address.isHTTPURL else { continue }
        links.add(address)
        guard let start = facet["index"]?["byteStart"]?.count,
          let end = facet["index"]?["byteEnd"]?.count, start >= 0, start < end, end <= bytes.count
        else { continue }
        let shown = String(decoding: bytes[start..<end], as: UTF8.self)
        if WebLink.isShortened(shown, of: address),
          !shortened.contains(where: { $0.range.overlaps(start..<end) })
        {
          shortened.append((start..<end, address))
        }
      }
    }
    guard !shortened.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
    shortened.sort { $0.range.lowerBound < $1.range.lowerBound }
    var text: [UInt8] = []
    var position = 0
    for (range, address) in shortened {
      text.append(contentsOf: bytes[position..<range.lowerBound])
      text.append(contentsOf: address.utf8)
      position = range.upperBound
    }
    text.append(contentsOf: bytes[position...])
    return String(decoding: text, as: UTF8.self)
  }
}
