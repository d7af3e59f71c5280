internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Reddit's posts, through the search of its API as an application, or else through the search's feed.
///
/// With `REDDIT_CLIENT_ID` and `REDDIT_CLIENT_SECRET`, which open a session of a day: 1 to 100 posts a
/// page, newest first; 1000 a query according to the documentation, about 250 in practice; 100 requests
/// a minute. Without them: an Atom feed, one page of at most 100 posts without counts. Reddit often
/// refuses it (429, or 403 with HTML), so it is used only when the user names Reddit. Dates only as "the
/// last hour, day, week…", so they are filtered here. A query supports `"phrases"`, `author:amy`,
/// `-word` and parentheses.
/// https://www.reddit.com/dev/api#GET_search
package struct Reddit: Source {
  package let name: SourceName = "reddit"
  package let traits = SourceTraits(
    defaultServer: Reddit.site, serverWithCredentials: "https://oauth.reddit.com",
    pageSize: 1...100,
    credentialNames: ["REDDIT_CLIENT_ID", "REDDIT_CLIENT_SECRET"], isSearchedAnonymously: false,
    pace: Pace(requests: 100, per: .seconds(60)),
    abilities: [
      .words, .phrases, .authors, .anyAuthor, .excludedWords, .excludedAuthors,
    ], ceiling: 1000,
    attribution: "Posts belong to their authors, under Reddit's Data API Terms")

  fileprivate static let site = "https://www.reddit.com"
  private static let advice = "set REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET"
  private static let longestQuery = 512
  /// A listing that ends after this many posts was cut: that happens at about 250, as some are hidden.
  private static let shortestCut = 240
  private static let ceiling = "Reddit returns only about 250 posts of a search"
  private static let feedCeiling =
    "Reddit returns more than the first page only with REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET"

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
    // Without a session there is only the feed of a search.
    let session = page.session
    return page.request(
      session == nil ? "/search.rss" : "/search",
      on: session == nil ? webAddress(of: page.server) : nil,
      [
        "q": Self.language.text(of: page.split), "sort": "new", "t": span(of: page),
        "type": "link", "limit": String(page.size(within: traits.pageSize)),
        // Without `raw_json` all strings are escaped twice.
        "raw_json": session.map { _ in "1" }, "include_over_18": session.map { _ in "on" },
        "after": session.flatMap { _ in page.cursor?.rawValue },
      ], headers: session.map { ["Authorization": "Bearer \($0.accessToken)"] } ?? [:])
  }

  private func feedPage(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    let feed = try FeedAnswer.read(response, to: page)
    let site = RedditSite(page.server)
    var builder = PageBuilder(of: name, on: page)
    for _ in 0..<feed.brokenEntries { builder.noteBroken() }
    for entry in feed.entries where !RedditEntry.isGroup(entry) {
      builder.add { RedditEntry.post(entry, on: site, in: &$0) }
    }
    // Groups count, and a few entries may be hidden.
    let count = feed.entries.count + feed.brokenEntries
    let isFull = count >= page.size(within: traits.pageSize) * 9 / 10
    return builder.page(isFull ? .beyondLimit(Self.feedCeiling) : .end)
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    if isFeed(page) { return try feedPage(from: response, to: page) }
    return try Answer.read(response, to: page) { answer throws(SourceFault) in
      let data = answer["data"]
      guard let children = data?["children"], children.kind == .array else {
        throw answer.fault(missing: "no listing")
      }
      let site = RedditSite(page.server)
      var builder = PageBuilder(of: name, on: page, expecting: children)
      for item in NodeList(children) {
        // Subreddits, accounts and placeholders for more comments are not posts.
        if let kind = item["kind"]?.string, kind != "t1", kind != "t3" {
          builder.passOver()
        } else {
          builder.add { post(item, on: site, in: &$0) }
        }
      }
      let next = NextPage(data?["after"])
      let isCut = next == .end && page.itemsBefore + builder.items >= Self.shortestCut
      return try answer.checked(builder.page(isCut ? .beyondLimit(Self.ceiling) : next))
    }
  }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    if response.status == 401 { refusal.meaning = .expiredSession }
    if isFeed(page), [403, 429].contains(response.status) {
      refusal.advice = Self.advice
    } else if response.status == 403, !refusal.error.isJSON {
      // A page instead of an error: it is the program that is refused.
      refusal.advice = "name yourself with --user-agent 'linux:my-digest:1.0 (by /u/name)'"
    }
  }

  private func isFeed(_ page: PageRequest) -> Bool {
    page.session == nil && page.credentials == nil
  }

  package func loginRequest(
    to server: ServerAddress, with credentials: Credentials
  ) -> HTTPRequest? {
    guard credentials.values.count == 2 else { return nil }
    let base = webAddress(of: server)
    let pair = Data(credentials.values.joined(separator: ":").utf8).base64EncodedString()
    return HTTPRequest(
      .post, url: "\(base)/api/v1/access_token",
      headers: [
        "Authorization": "Basic \(pair)", "Content-Type": "application/x-www-form-urlencoded",
      ],
      body: Array("grant_type=client_credentials".utf8))
  }

  package func session(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Session {
    if let refusal = refusal(in: response, to: page) { throw refusal.fault }
    return try Answer.read(response, to: page) { answer throws(SourceFault) in
      guard let token = answer["access_token"]?.text else {
        guard answer["error"] != nil else { throw answer.fault(missing: "no session") }
        // Some refusals have status 200.
        // https://github.com/reddit-archive/reddit/blob/master/r2/r2/controllers/oauth2.py
        throw .stated(
          ErrorBody(JSON: answer.root).words, in: response, to: page, kind: .credential,
          advice:
            "check REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET; the app must be a script or a web app"
        )
      }
      // Not all versions state the number of seconds.
      let seconds = answer["expires_in"]?.double.flatMap {
        (1...31_536_000).contains($0) ? $0 : nil
      }
      return Session(
        accessToken: token, expires: seconds.map { page.answered.addingTimeInterval($0) })
    }
  }

  /// The base address of logins and feeds, which is another host than that of the public API.
  private func webAddress(of server: ServerAddress) -> String {
    server.host == "oauth.reddit.com" ? Self.site : server.text
  }

  /// The shortest of Reddit's time ranges that goes back far enough.
  private func span(of page: PageRequest) -> String {
    guard let since = page.since else { return "all" }
    let age = page.age(of: since)
    let spans = [
      (86_400.0, "day"), (604_800, "week"), (2_592_000, "month"), (31_536_000, "year"),
    ]
    return spans.first { age <= $0.0 }?.1 ?? "all"
  }

  private func post(
    _ item: JSONNode, on site: RedditSite, in draft: inout PageDraft
  ) -> PackedPost? {
    guard let data = item["data"], let id = data["id"]?.identifier else { return nil }
    let title = data["title"]?.text
    // Anything but a link is a comment.
    let passedOn = data.list("crosspost_parent_list").first
    let own = data["selftext"]?.string ?? data["body"]?.string
    let text = own?.isEmpty == false ? own : passedOn?["selftext"]?.string ?? own
    guard text != nil || title != nil else { return nil }
    var links = AddressList()
    if data["is_self"]?.bool != true { links.add(data["url"]?.string.map(site.absolute)) }
    let path = data["permalink"]?.text.flatMap { $0.hasPrefix("/") ? $0 : nil }
    let address = path.map { site.address + encoded($0) }
    links.add(urlsIn: text ?? "", except: address)
    let kind = title == nil ? "t1" : "t3"
    let name = data["name"]?.text ?? "\(kind)_\(id)"
    return PackedPost(
      id: id, url: address,
      uri: site.identity(of: name), author: site.author(data["author"]?.text), title: title,
      text: text ?? "",
      createdAt: data["created_utc"]?.double.flatMap { EpochTime.date(seconds: $0) },
      // False, or a date.
      editedAt: data["edited"]?.double.flatMap { EpochTime.date(seconds: $0) },
      topics: [data["link_flair_text"]?.text].compactMap(\.self), links: links.all,
      attachments: media(of: passedOn ?? data).all,
      counts: Counts(likes: data["score"]?.count, replies: data["num_comments"]?.count),
      replyTo: data["parent_id"]?.text, repostOf: data["crosspost_parent"]?.text,
      isSensitive: data["over_18"]?.bool,
      contentWarning: data["spoiler"]?.bool == true ? "spoiler" : nil,
      poll: data["poll_data"]?.texts("text", in: "options") ?? [],
      visibility: visibility(of: data["subreddit_type"]?.string), in: &draft)
  }

  /// The pictures and the video of a post on Reddit's own servers.
  private func media(of data: JSONNode) -> AttachmentList {
    var media = AttachmentList()
    if data["post_hint"]?.isString("image") == true { media.add(data["url"]?.string, .image) }
    for item in NodeList(data["gallery_data"]?["items"]) {
      guard let name = item["media_id"]?.string,
        let file = data["media_metadata"]?[utf8: Array(name.utf8)]?["s"]
      else { continue }
      media.add((file["u"] ?? file["gif"])?.string, .image, description: item["caption"]?.text)
    }
    let video = data["media"]?["reddit_video"] ?? data["secure_media"]?["reddit_video"]
    media.add(video?["fallback_url"]?.string, .video)
    return media
  }

  /// The visibility of a community's posts; the other types, such as `restricted`, are about writing.
  private func visibility(of subredditType: String?) -> Visibility? {
    switch subredditType {
    case "private", "employees_only", "gold_only": .private
    default: nil
    }
  }

  /// A path with its parts percent-encoded where they are not ASCII.
  private func encoded(_ path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { part in
        part.contains(UInt8(ascii: "%")) && part.allSatisfy { $0 > 0x20 && $0 < 0x7F }
          ? String(Substring(part)) : PathPart.of(Substring(part))
      }
      .joined(separator: "/")
  }
}

/// The site whose posts are read: Reddit, or another one that runs its software.
private struct RedditSite {
  /// Its address without a slash at the end.
  private(set) var address: String
  /// The part of a post's identity before its full name, which every such site counts for itself.
  private let namespace: String

  init(_ server: ServerAddress) {
    // A server on this machine is a mirror or a simulator of Reddit.
    let isReddit =
      server.host == "reddit.com" || server.host.hasSuffix(".reddit.com") || server.isLoopback
    address = isReddit ? Reddit.site : server.text
    namespace = isReddit ? "" : "\(server.text)/by_id/"
  }

  /// The site that the feed of a server is about: the one to which its entries lead.
  func site(of entry: FeedEntry) -> RedditSite {
    var site = self
    if !namespace.isEmpty, let link = entry.link, link.isHTTPURL {
      site.address = link.split(separator: "/", omittingEmptySubsequences: false).prefix(3)
        .joined(separator: "/")
    }
    return site
  }

  /// Returns the identity of a post with a full name such as `t3_abc`.
  func identity(of name: String) -> String {
    namespace.isEmpty ? name : namespace + PathPart.of(name)
  }

  /// Returns the address of a link, which is a path for a post on the site itself.
  func absolute(_ link: String) -> String {
    link.hasPrefix("/") && !link.hasPrefix("//") ? address + link : link
  }

  func author(_ handle: String?) -> Author {
    guard let handle, handle != "[deleted]" else { return Author() }
    return Author(handle: handle, url: "\(address)/user/\(PathPart.of(handle))")
  }
}

/// Converts the entries of Reddit's own feeds to posts.
private enum RedditEntry {
  /// True if an entry is a community or a user, which a search finds too.
  static func isGroup(_ entry: FeedEntry) -> Bool {
    entry.id?.hasPrefix("t5_") == true || entry.id?.hasPrefix("t2_") == true
  }

  /// Returns the post that an entry is; nil for anything else.
  static func post(
    _ entry: FeedEntry, on site: RedditSite, in draft: inout PageDraft
  ) -> PackedPost? {
    guard let name = entry.id, name.hasPrefix("t3_") || name.hasPrefix("t1_"),
      entry.title != nil || !entry.text.isEmpty
    else { return nil }
    let site = site.site(of: entry)
    // After the text come its author and the links of the entry itself.
    var text = entry.text[...]
    var hasOwnLinks = false
    if let range = text.ranges(of: "submitted by").last,
      text[range.upperBound...].contains("[comments]")
    {
      text = text[..<range.lowerBound]
      hasOwnLinks = true
    }
    var links = AddressList()
    for link in entry.links where !(hasOwnLinks && isOwn(link, of: entry, site: site.address)) {
      links.add(link)
    }
    return PackedPost(
      id: String(name.dropFirst(3)), url: entry.link, uri: site.identity(of: name),
      author: author(entry.authors.first, on: site), title: entry.title,
      text: String(text.trimmed), createdAt: entry.date, topics: entry.topics,
      links: links.all, attachments: entry.attachments, in: &draft)
  }

  private static func isOwn(_ link: String, of entry: FeedEntry, site: String) -> Bool {
    link == entry.link || link.hasPrefix("\(site)/user/") || link.hasPrefix("\(site)/u/")
      // Below a post in a listing of several, the one that it is in.
      || link.hasPrefix("\(site)/r/") && entry.link?.hasPrefix(link) == true
  }

  /// Names are written as `/u/amy`.
  private static func author(_ person: FeedPerson?, on site: RedditSite) -> Author {
    site.author(person?.name.map { $0.hasPrefix("/u/") ? String($0.dropFirst(3)) : $0 })
  }
}
