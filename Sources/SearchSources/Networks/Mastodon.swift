internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Mastodon and the servers that speak like it: GoToSocial, Pixelfed, Pleroma, Akkoma and others.
///
/// A hashtag is read from its public timeline, 1 to 40 posts a page, going on by the `Link` header; so
/// is a single word, where no `MASTODON_ACCESS_TOKEN` was given. Other words need the token and go to
/// the server's full-text search, in pages by offset: without a token it answers that there is nothing.
/// What the timeline of a hashtag cannot choose, but for other hashtags, is judged here; the search knows
/// `"phrases"`, `from:`, `language:` and `-`, and a name without a server is one of the server asked.
/// Newest first, without dates to ask for. 300 requests in 5 minutes.
/// https://docs.joinmastodon.org/methods/timelines/#tag and
/// https://docs.joinmastodon.org/methods/search/#v2
package struct Mastodon: Source {
  package let name: SourceName = "mastodon"
  package let traits = SourceTraits(
    defaultServer: "https://mastodon.social", pageSize: 1...40,
    credentialNames: ["MASTODON_ACCESS_TOKEN"], pace: Pace(requests: 300, per: .seconds(300)),
    // Mastodon's ids follow the posts' dates; those of other servers follow their arrival.
    order: .approximate,
    abilities: [
      .words, .phrases, .tags, .authors, .languages, .excludedWords, .excludedTags,
      .excludedAuthors, .excludedLanguages,
    ], attribution: "Posts belong to their authors, under the rules of their servers")

  /// How many further hashtags a timeline can be asked for, of each kind.
  private static let mostTags = 4
  private static let language = SearchLanguage(
    plainSigns: "+'._/&%!?@#=~*-", plainFirstSigns: "'._/&%!?@=~*", tag: "#",
    language: "language:")

  package func refusal(of query: Query, with credentials: Credentials?) -> String? {
    guard credentials == nil, hashtag(of: query, with: nil) == nil else { return nil }
    return "only hashtags and single words can be searched without MASTODON_ACCESS_TOKEN"
  }

  package func canBeAuthor(_ name: String) -> Bool {
    name.allSatisfy { $0.isLetter || $0.isNumber || "_.-@".contains($0) }
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    guard let hashtag = timelineTerm(of: query, with: credentials) else {
      return QuerySplit(query.terms, by: traits.abilities, canBeAuthor: canBeAuthor)
    }
    var split = QuerySplit(
      query.terms, by: [.tags, .excludedTags], canBeAuthor: canBeAuthor)
    // A few more hashtags can be asked for; as other servers do not know how, they are judged, too.
    let others = split.asked.filter { $0 != hashtag }
    let askable = others.filter { isTag($0.value) }
    split.asked =
      [hashtag] + askable.filter { !$0.isExcluded }.prefix(Self.mostTags)
      + askable.filter(\.isExcluded).prefix(Self.mostTags)
    split.judged = split.judged.filter { $0 != hashtag } + others
    return split
  }

  /// The term whose timeline is read: a hashtag, or without a token the only word; nil where the search
  /// is asked.
  private func timelineTerm(of query: Query, with credentials: Credentials?) -> QueryTerm? {
    let texts = query.terms.filter { $0.isSought && $0.kind != .author }
    let hashtag = texts.first { $0.kind == .tag && isTag($0.value) }
    guard credentials == nil else {
      // The timeline of a busy hashtag is no way to the posts of one author.
      let namesAuthor = query.terms.contains { $0.kind == .author && !$0.isExcluded }
      return namesAuthor ? nil : hashtag
    }
    if let hashtag { return hashtag }
    guard texts.count == 1, let word = texts.first, word.kind == .word, isTag(word.value) else {
      return nil
    }
    return word
  }

  /// The hashtag whose timeline is read.
  private func hashtag(of query: Query, with credentials: Credentials?) -> String? {
    guard query.isRaw else { return timelineTerm(of: query, with: credentials)?.value }
    let isHashtag = query.text.hasPrefix("#")
    let name = QuerySplit.rawTag(of: query)
    return name.flatMap { isTag($0) && (isHashtag || credentials == nil) ? $0 : nil }
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    var headers = HTTPHeaders()
    if let credentials = page.credentials {
      headers["Authorization"] = "Bearer \(credentials.token)"
    }
    let limit = page.size(within: traits.pageSize)
    let rest = page.cursor.map { "&\($0.rawValue)" } ?? ""
    if let tag = hashtag(of: page.query, with: page.credentials) {
      let path = "/api/v1/timelines/tag/\(PercentEncoding.encode(tag))"
      let others = split(page.query, with: page.credentials).asked.dropFirst().map { term in
        (term.isExcluded ? "none[]" : "all[]", term.value)
      }
      let query = PercentEncoding.query([("limit", String(limit))] + others)
      return HTTPRequest(url: "\(page.server.text)\(path)?\(query)\(rest)", headers: headers)
    }
    if let reason = refusal(of: page.query, with: page.credentials) {
      throw Failure(.credential, message: reason, advice: "set MASTODON_ACCESS_TOKEN")
    }
    let query = PercentEncoding.query([
      ("q", searchText(of: page, in: Self.language)), ("type", "statuses"),
      ("limit", String(limit)),
    ])
    return HTTPRequest(url: "\(page.server.text)/api/v2/search?\(query)\(rest)", headers: headers)
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else {
      var refusal = Refusal(response, to: page, from: traits)
      // Pixelfed says with 403 that a token is needed, and some versions of Mastodon with 422; a
      // proxy's page says that it wants no one.
      let asksForToken =
        response.status == 403 || (response.status == 422 && page.credentials == nil)
      if asksForToken, refusal.said.isJSON { refusal.meaning = .credential }
      throw refusal.fault
    }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let statuses = root.kind == .array ? root : root["statuses"], statuses.kind == .array
      else {
        if root["error"] != nil { throw Answer.error(ErrorBody(JSON: root), response, to: page) }
        throw Answer.misshapen("no list of statuses", response)
      }
      var builder = PageBuilder()
      for item in statuses.elements { builder.add(post(item, for: page)) }
      guard builder.items > 0 else { return builder.page(next: nil, after: nil) }
      let next =
        root.kind == .array
        ? maximum(in: response.headers, behind: statuses) : offset(builder.items, page)
      return builder.page(next: next, after: page.cursor)
    }
  }

  private func isTag(_ name: String) -> Bool {
    !name.isEmpty && name.unicodeScalars.allSatisfy(isTagCharacter)
  }

  /// What Mastodon lets stand in a hashtag: letters, marks, digits, `_`, and joiners of some scripts.
  private func isTagCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber:
      true
    case _: ["_", "\u{B7}", "\u{30FB}", "\u{200C}", "\u{200D}"].contains(scalar)
    }
  }

  /// The `max_id` of the next page. No more of that address is taken: behind a proxy the server may
  /// name another host or plain http. Without any address it is the last post's id.
  private func maximum(in headers: HTTPHeaders, behind statuses: JSONNode) -> Cursor? {
    let links = headers.values(of: "Link")
    guard !links.isEmpty else {
      let last = statuses.elements.reversed().lazy.compactMap { $0["id"]?.identifier }.first
      return last.map { Cursor(rawValue: PercentEncoding.query([("max_id", $0)])) }
    }
    for header in links {
      for part in header.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
        guard let end = part.firstIndex(of: ">"), isNext(part[end...]),
          let mark = part[..<end].firstIndex(of: "?")
        else { continue }
        let items = part[part.index(after: mark)..<end].split(separator: "&")
        guard let item = items.first(where: { $0.hasPrefix("max_id=") }),
          item.utf8.count > 7, item.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { continue }
        return Cursor(rawValue: String(item))
      }
    }
    return nil
  }

  private func isNext(_ parameters: Substring) -> Bool {
    parameters.split(separator: ";").contains { parameter in
      let bare = parameter.filter { !$0.isWhitespace && $0 != "\"" && $0 != "," }.lowercased()
      return bare == "rel=next"
    }
  }

  private func offset(_ items: Int, _ page: PageRequest) -> Cursor {
    let before = page.cursor.flatMap { Int($0.rawValue.dropFirst("offset=".count)) } ?? 0
    return Cursor(rawValue: "offset=\(before + items)")
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard item.kind == .object, let id = item["id"]?.identifier else { return nil }
    let boosted = item["reblog"]
    let shown = boosted?["content"]?.kind == .string ? boosted ?? item : item
    var media = AddressList()
    for medium in shown.list("media_attachments") {
      media.add(
        (medium["url"] ?? medium["remote_url"] ?? medium["preview_url"])?.string)
    }
    let content = shown["content"]?.string.map {
      HTMLText.read($0, leavingOutLinksOf: ["mention", "hashtag"])
    }
    let warning = shown["spoiler_text"]?.string ?? ""
    guard content != nil || !warning.isEmpty || !media.all.isEmpty else { return nil }

    let parts = [warning, content?.text ?? ""].filter { !$0.isEmpty }
    let url = address(item["url"]) ?? address(item["uri"])
    return Post(
      id: id, source: name, server: page.server, url: url,
      uri: item["uri"]?.text ?? url ?? "\(page.server.text)#\(id)",
      author: author(item["account"], of: page.server), text: parts.joined(separator: "\n\n"),
      createdAt: item["created_at"]?.rfc3339(allowing: .missingZone),
      editedAt: shown["edited_at"]?.rfc3339(allowing: .missingZone),
      language: shown["language"]?.text, links: content?.links ?? [], media: media.all,
      counts: Counts(
        likes: shown["favourites_count"]?.count, reposts: shown["reblogs_count"]?.count,
        replies: shown["replies_count"]?.count),
      replyTo: shown["in_reply_to_id"]?.identifier,
      repostOf: boosted.flatMap { $0["uri"]?.string ?? $0["id"]?.identifier },
      isSensitive: shown["sensitive"]?.bool)
  }

  private func author(_ account: JSONNode?, of server: ServerAddress) -> Author {
    guard let account else { return Author() }
    let url = address(account["url"])
    let name = account["display_name"]?.text
    var handle = account["acct"]?.text ?? account["username"]?.text ?? ""
    if !handle.isEmpty, !handle.contains("@") {
      // Users of the server that was asked come without their host.
      handle += "@\(url.flatMap { ServerAddress($0)?.host } ?? server.host)"
    }
    return Author(handle: handle, name: name, url: url)
  }

  /// An address that people may follow: other servers may put anything here.
  private func address(_ node: JSONNode?) -> String? {
    node?.string.flatMap { WebAddress.isOne($0) ? $0 : nil }
  }
}
