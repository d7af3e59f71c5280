internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Twitter's search before 2023, and servers that imitate it: `search.json` of version 1 and
/// `search/tweets.json` of 1.1.
///
/// Both are closed, so there is no public address. `/search.json` is appended to the base address; one
/// that ends in `.json` is the endpoint itself, and one that ends in `search/tweets.json` speaks 1.1.
/// Responses are read in either shape, whatever was requested. At most 100 posts a page and about 1500
/// a query, newest first, pages by the query string in the response, or by `max_id` where that is a bare list;
/// no credentials; `until` in whole days only. Servers that imitate it may look for no more than words, so
/// authors, languages and exclusions are filtered here, too.
/// https://developer.twitter.com/en/docs/twitter-api/v1/tweets/search/api-reference
package struct TwitterClassic: JSONSource {
  package let name: SourceName = "twitter-classic"
  package let traits = SourceTraits(
    defaultServer: nil, pageSize: 1...100,
    abilities: [
      .words, .phrases, .tags, .authors, .languages, .excludedWords, .excludedTags,
      .excludedAuthors,
    ], ceiling: TwitterClassic.depth,
    attribution: "Posts belong to their authors, under the terms of the server")

  private static let depth = 1500
  private static let ceiling = "this API returns only the newest 1500 posts of a query"

  private static let unpaged = "the server returns the same list for every page"

  private static let language = SearchLanguage(
    plainSigns: "_'", plainFirstSigns: "_@", tag: "#")

  package func canBeAuthor(_ name: String) -> Bool {
    HandleCharacters.areAll(name, signs: "_", count: 1...20)
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    // Servers that imitate it look for operators as for any words, and would find nothing.
    let hasText = query.terms.contains(where: \.isSoughtText)
    let abilities: QueryAbilities =
      hasText ? [.words, .phrases, .tags, .languages] : traits.abilities
    var split = QuerySplit(query, by: abilities, canBeAuthor: canBeAuthor)
    // A server that imitates it may not support the parameter.
    split.local += split.remote(.language)
    return split
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let isVersion11 = page.server.text.hasSuffix("search/tweets.json")
    let endpoint =
      page.server.text.hasSuffix(".json") ? page.server.text : page.server.text + "/search.json"
    var own = [
      ("q", Self.language.text(of: page.split, without: .language)),
      (isVersion11 ? "count" : "rpp", String(page.size(within: traits.pageSize))),
      ("result_type", "recent"), ("include_entities", "true"),
    ]
    if let language = page.split.remote(.language).first { own.append(("lang", language.value)) }
    if isVersion11 { own.append(("tweet_mode", "extended")) }
    if let until = page.until { own.append(("until", DateSpelling.date.text(of: until, .up))) }
    guard let cursor = page.cursor?.rawValue else {
      return HTTPRequest(url: "\(endpoint)?\(PercentEncoding.query(own))")
    }
    // The query string of the next page omits many parameters of the first request.
    let missing = ContinuedQuery.missing(own, in: cursor)
    let added = missing.isEmpty ? "" : "&" + PercentEncoding.query(missing)
    return HTTPRequest(url: "\(endpoint)?\(cursor)\(added)")
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    let root = answer.root
    let metadata = root["search_metadata"]
    let list = root.kind == .array ? root : root["results"] ?? root["statuses"]
    if list == nil {
      // An empty response may omit the list, but not everything around it.
      let hasMetadata =
        metadata != nil || root["max_id"] != nil || root["max_id_str"] != nil
        || root["refresh_url"] != nil || root["completed_in"] != nil
        || root["results_per_page"] != nil
      guard hasMetadata, root["error"] == nil, root["errors"] == nil else {
        throw answer.fault(missing: "neither results nor statuses")
      }
    } else if list?.kind != .array {
      throw answer.fault(missing: "results is not a list")
    }
    var builder = PageBuilder(of: name, on: page, expecting: list)
    let site = Site(page.server)
    var lastID: String?
    for item in NodeList(list) {
      builder.add { post(item, on: site, in: &$0) }
      lastID = identifier(of: item, "id_str", "id") ?? lastID
    }
    if root.kind == .array, isRepeated(afterListEndingWith: lastID, page) {
      // The server ignores `max_id`: this is all that there is, unless the list is full.
      return builder.items < page.size(within: traits.pageSize)
        ? Page() : builder.page(.unreachable(Self.unpaged))
    }
    let next =
      root.kind == .array
      ? self.next(afterListEndingWith: lastID) : self.next(in: root, metadata, after: page)
    // The first version returned at most 1500 posts of a query, on numbered pages.
    let number = root["page"]?.count ?? 0
    let given = number.multipliedReportingOverflow(by: root["results_per_page"]?.count ?? 0)
    // Servers that imitate it name a page beyond that, and have it.
    let isCut = next == .end && builder.items > 0 && given.partialValue == Self.depth
    let isLast = next == .end && page.itemsBefore + builder.items > Self.depth
    var result = builder.page(isCut ? .beyondLimit(Self.ceiling) : next)
    result.isLast = isLast
    // A server that imitates it may look for `from:amy -bird` as for any words, or ignore it. It knows best what words
    // are in a post, as texts may be cut.
    result.localTerms = page.split.remote.filter { $0.isExcluded || $0.kind == .author }
    return result
  }

  /// The next page: the query string of its address, since the server is never taken from there, or the
  /// token of a premium search.
  ///
  /// Pages are counted in the size of the first one, which the address need not repeat.
  private func next(
    in root: JSONNode, _ metadata: JSONNode?, after page: PageRequest
  ) -> NextPage {
    let addresses = [
      root["next_page"], root["next_results"], metadata?["next_results"], metadata?["next_page"],
    ]
    guard let address = addresses.lazy.compactMap(\.self).first(where: \.isFilled) else {
      return NextPage(root["next"]) { Cursor(rawValue: PercentEncoding.query([("next", $0)])) }
    }
    guard let cursor = address.string.flatMap(ContinuedQuery.cursor) else {
      return .unreachable(NextPage.unusableCursor)
    }
    let query = cursor.rawValue
    guard ContinuedQuery.value(of: "page", in: query) != nil else { return .at(cursor) }
    let size =
      page.cursor.flatMap { ContinuedQuery.value(of: "rpp", in: $0.rawValue) }
      ?? String(page.size(within: traits.pageSize))
    let missing = ContinuedQuery.missing([("rpp", size)], in: query)
    return .at(missing.isEmpty ? cursor : Cursor(rawValue: "\(query)&rpp=\(size)"))
  }

  /// The page after a bare list, which names none: the posts with smaller ids than its last one.
  ///
  /// A short list need not be the last, as servers may ignore the size that is asked for.
  private func next(afterListEndingWith last: String?) -> NextPage {
    guard let last else { return .end }
    guard let number = UInt64(last) else {
      return .at(Cursor(rawValue: "max_id=\(PercentEncoding.encode(last))"))
    }
    // Many servers take 0 for no limit.
    return number > 1 ? .at(Cursor(rawValue: "max_id=\(number - 1)")) : .end
  }

  /// True if a bare list ends with a post that the page before it had, although older ones were asked for.
  private func isRepeated(afterListEndingWith last: String?, _ page: PageRequest) -> Bool {
    guard let last,
      let asked = page.cursor.flatMap({ ContinuedQuery.value(of: "max_id", in: $0.rawValue) })
    else { return false }
    if let number = UInt64(last), let greatest = UInt64(asked) { return number > greatest }
    return PercentEncoding.encode(last) == asked
  }

  private func post(
    _ item: JSONNode, on site: Site, in draft: inout PageDraft
  ) -> PackedPost? {
    guard item.kind == .object, let id = identifier(of: item, "id_str", "id") else { return nil }
    let original = item["retweeted_status"]
    // A retweet's own text is truncated.
    let shown = original.flatMap { self.text(of: $0) == nil ? nil : $0 } ?? item
    let content = content(of: shown)
    guard content.text != nil || !content.media.isEmpty else { return nil }
    let account = author(of: item, on: site)
    var author = original.map { self.author(of: $0, on: site) } ?? account
    if author.handle.isEmpty,
      let named = self.text(of: item).flatMap({ TweetText.retweet($0.plain) })
    {
      author = Author(handle: named.handle, url: site.address(ofAccount: named.handle))
    }
    let addresses = site.addresses(of: item, id, by: account)
    return PackedPost(
      id: id, url: addresses.url, uri: addresses.uri, author: author,
      text: content.text?.plain ?? "",
      createdAt: item["created_at"]?.rfc822 ?? item["created_at"]?.rfc3339(allowing: .missingZone),
      language: language(of: shown), topics: content.topics, links: content.links.all,
      attachments: content.media.all,
      counts: Counts(
        likes: (shown["favorite_count"] ?? item["favorite_count"])?.count,
        reposts: (shown["retweet_count"] ?? item["retweet_count"])?.count,
        replies: (shown["reply_count"] ?? item["reply_count"])?.count),
      replyTo: identifier(of: item, "in_reply_to_status_id_str", "in_reply_to_status_id"),
      repostOf: original.flatMap { identifier(of: $0, "id_str", "id") },
      repostedBy: original == nil ? nil : account,
      isSensitive: item["possibly_sensitive"]?.bool,
      visibility: [item, shown].contains { $0["user"]?["protected"]?.bool == true }
        ? .private : nil, in: &draft)
  }

  /// The text of a tweet, and what is in it.
  private struct Content {
    var text: TweetText?
    var topics: [String]
    var links = AddressList()
    var media = AttachmentList()
  }

  private func content(of item: JSONNode) -> Content {
    let long = item["extended_tweet"]
    let entities = long?["entities"] ?? item["entities"]
    let allMedia =
      long?["extended_entities"]?["media"] ?? item["extended_entities"]?["media"]
      ?? entities?["media"]
    var content = Content(
      text: text(of: item), topics: entities?.texts("text", in: "hashtags") ?? [])
    for list in [entities?["urls"], entities?["media"]] {
      for url in NodeList(list) {
        guard let short = url["url"] else { continue }
        let expanded = url["expanded_url"] ?? short
        content.text?.expand(short, at: url.list("indices").first?.count, to: expanded)
        let isMedium = url["media_url"] != nil || url["media_url_https"] != nil
        if !isMedium { content.links.add(expanded.string) }
      }
    }
    for medium in NodeList(allMedia) {
      // Of a video it is the address of the preview.
      let picture = medium["media_url_https"]?.string ?? medium["media_url"]?.string
      let video = TweetText.video(among: medium["video_info"]?.list("variants"))
      let kind = TweetText.kind(ofMedium: medium["type"]?.string)
      content.media.add(
        video ?? picture, kind, description: medium["ext_alt_text"]?.string,
        thumbnail: kind == .video ? picture : nil)
    }
    return content
  }

  /// The longest available text; version 1.1 has it under any of three keys.
  private func text(of item: JSONNode) -> TweetText? {
    for node in [item["extended_tweet"]?["full_text"], item["full_text"], item["text"]] {
      if let text = node.flatMap(TweetText.init) { return text }
    }
    return nil
  }

  private func author(of item: JSONNode, on site: Site) -> Author {
    let user = item["user"]
    let handle = user?["screen_name"]?.text ?? item["from_user"]?.text ?? ""
    let name = user?["name"]?.text ?? item["from_user_name"]?.text
    guard !handle.isEmpty else {
      let id = user.flatMap { identifier(of: $0, "id_str", "id") }
      return Author(
        handle: id ?? identifier(of: item, "from_user_id_str", "from_user_id") ?? "", name: name)
    }
    return Author(
      handle: handle, name: name,
      url: site.address(ofAccount: handle) ?? user?["statusnet_profile_url"]?.address)
  }

  private func language(of item: JSONNode) -> String? {
    (item["lang"] ?? item["iso_language_code"] ?? item["metadata"]?["iso_language_code"])?.string
  }

  private func identifier(of item: JSONNode, _ text: StaticString, _ number: StaticString)
    -> String?
  {
    item[text]?.identifier ?? item[number]?.identifier
  }
}

/// The addresses of posts and accounts on a server.
///
/// Servers that imitate Twitter number their posts from 1, so the same id means another post on each.
private struct Site {
  /// The address of its home page; nil for Twitter.
  private let home: String?

  init(_ server: ServerAddress) {
    let hosts = ["twitter.com", "x.com"]
    guard !hosts.contains(where: { server.host == $0 || server.host.hasSuffix(".\($0)") }) else {
      home = nil
      return
    }
    // The address may be that of the API, or of its search.
    var parts = server.text.split(separator: "/", omittingEmptySubsequences: false)
    func drop(_ isOfAPI: (Substring) -> Bool) {
      if parts.count > 3, let last = parts.last, isOfAPI(last) { parts.removeLast() }
    }
    drop { $0.hasSuffix(".json") }
    for name in ["search", "1.1", "api"] { drop { $0 == name } }
    home = parts.joined(separator: "/")
  }

  /// Returns the address of a post's page, and the identity of the post.
  ///
  /// GNU social states both in version 1.1. Its answers of version 1 have numbers only, and each is the address of a
  /// notice here, also of one that came from elsewhere. https://codeberg.org/GNUsocial/gnu-social
  func addresses(of item: JSONNode, _ id: String, by account: Author) -> (url: String, uri: String)
  {
    let id = PathPart.of(id)
    guard let home else {
      let user = account.url == nil ? "i" : PathPart.of(account.handle)
      return ("https://twitter.com/\(user)/status/\(id)", "https://twitter.com/i/status/\(id)")
    }
    let notice = "\(home)/notice/\(id)"
    return (
      item["external_url"]?.address ?? item["uri"]?.address ?? notice,
      item["uri"]?.text ?? notice
    )
  }

  /// Returns the address of an account; nil elsewhere than on Twitter, where it may be one of another server.
  func address(ofAccount handle: String) -> String? {
    home == nil ? "https://twitter.com/\(PathPart.of(handle))" : nil
  }
}
