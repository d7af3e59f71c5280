internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Mastodon and the servers that speak like it: GoToSocial, Pixelfed, Pleroma, Akkoma and others.
///
/// A hashtag is read from its public timeline, 1 to 40 posts a page, continued by the `Link` header; so
/// is a single word, where no `MASTODON_ACCESS_TOKEN` was given. Other words need the token and go to
/// the server's full-text search, in pages by offset: without a token it answers that there is nothing.
/// What the timeline of a hashtag cannot choose, but for other hashtags, is judged here; the search knows
/// `"phrases"`, `from:`, `language:`, `before:`, `after:` and `-`, and a name without a server is one of
/// the server asked. Newest first. A timeline is not asked for dates: ids follow the arrival of a post,
/// so a bound made from a date would leave out what arrived late. 300 requests in 5 minutes.
///
/// GoToSocial shows itself by its answers: by the `Server` header or the form of its ids. A search that
/// must be written differently for it is then asked again in its way, see `GoToSocialQuery`; it pages by
/// `max_id`. NodeInfo is asked for the program only where a search finds nothing on a server that does
/// not show what it is, and another program would be asked differently.
///
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

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    guard credentials == nil, hashtag(of: split, with: nil) == nil else { return nil }
    return "only hashtags and single words can be searched without MASTODON_ACCESS_TOKEN"
  }

  package func canBeAuthor(_ name: String) -> Bool {
    name.allSatisfy { $0.isLetter || $0.isNumber || "_.-@:".contains($0) }
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    guard let hashtag = timelineTerm(of: query, with: credentials) else {
      return QuerySplit(query, by: traits.abilities, canBeAuthor: canBeAuthor)
    }
    var split = QuerySplit(query, by: [.tags, .excludedTags], canBeAuthor: canBeAuthor)
    // A few more hashtags can be asked for; as other servers do not know how, they are judged, too.
    let others = split.remote.filter { $0 != hashtag }
    let allowed = others.filter { isTag($0.value) }
    split.remote =
      [hashtag] + allowed.filter { !$0.isExcluded }.prefix(Self.mostTags)
      + allowed.filter(\.isExcluded).prefix(Self.mostTags)
    split.local = split.local.filter { $0 != hashtag } + others
    return split
  }

  /// The term whose timeline is read: a hashtag, or without a token the only word; nil where the search
  /// is asked.
  private func timelineTerm(
    of query: Query, with credentials: Credentials?, onGoToSocial: Bool = false
  ) -> QueryTerm? {
    let texts = query.terms.filter { $0.isSought && $0.kind != .author }
    let hashtag = texts.first { $0.kind == .tag && isTag($0.value) }
    guard credentials == nil else {
      // The timeline of a busy hashtag is no way to the posts of one author, unless there is no other.
      let namesAuthor = query.terms.contains { $0.kind == .author && !$0.isExcluded }
      return namesAuthor && !onGoToSocial ? nil : hashtag
    }
    if let hashtag { return hashtag }
    guard texts.count == 1, let word = texts.first, word.kind == .word, isTag(word.value) else {
      return nil
    }
    return word
  }

  /// The hashtag whose timeline is read.
  private func hashtag(
    of split: QuerySplit, with credentials: Credentials?, onGoToSocial: Bool = false
  ) -> String? {
    let query = split.query
    guard query.isRaw else {
      return timelineTerm(of: query, with: credentials, onGoToSocial: onGoToSocial)?.value
    }
    let isHashtag = query.text.hasPrefix("#")
    return split.rawTag.flatMap { isTag($0) && (isHashtag || credentials == nil) ? $0 : nil }
  }

  /// Begins the cursors of pages that are asked for in GoToSocial's way.
  private static let goToSocialCursor = "gotosocial:"
  /// The first page once more, as soon as the program of the server is known.
  private static let searchAgain = Cursor(rawValue: "again:")

  /// Whether a page is asked for in GoToSocial's way.
  private func isForGoToSocial(_ page: PageRequest) -> Bool {
    if let cursor = page.cursor, cursor != Self.searchAgain {
      return cursor.rawValue.hasPrefix(Self.goToSocialCursor)
    }
    return page.software?.name == "gotosocial"
  }

  package func softwareNeed(for page: PageRequest) -> SoftwareNeed {
    guard page.credentials != nil, page.software == nil,
      hashtag(of: page.split, with: page.credentials) == nil
    else { return .none }
    if page.cursor == Self.searchAgain { return .ask(NodeInfo.request(to: page.server)) }
    return .ifKnown
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    var headers = HTTPHeaders()
    if let credentials = page.credentials {
      headers["Authorization"] = "Bearer \(credentials.token)"
    }
    let isForGoToSocial = isForGoToSocial(page)
    var limit = page.size(within: traits.pageSize)
    let rest = place(of: page).map { "&\($0)" } ?? ""
    let tag = hashtag(of: page.split, with: page.credentials, onGoToSocial: isForGoToSocial)
    if let tag {
      let path = "/api/v1/timelines/tag/\(PercentEncoding.encode(tag))"
      let others = page.split.remote.dropFirst().filter {
        $0.kind == .tag && !isForGoToSocial
      }
      // What is judged here must not make pages small.
      if isForGoToSocial { limit = traits.pageSize.upperBound }
      let parameters = others.map { ($0.isExcluded ? "none[]" : "all[]", $0.value) }
      let query = PercentEncoding.query([("limit", String(limit))] + parameters)
      return HTTPRequest(url: "\(page.server.text)\(path)?\(query)\(rest)", headers: headers)
    }
    if let reason = unsupportedReason(for: page.split, with: page.credentials) {
      throw Failure(.credential, message: reason, advice: "set MASTODON_ACCESS_TOKEN")
    }
    let text: String
    if isForGoToSocial {
      let query = goToSocialQuery(of: page)
      guard let asked = query.text else {
        throw Failure(
          .permanent, message: "GoToSocial cannot be searched for several authors at once",
          advice: "add a word, or search for one author")
      }
      text = asked
      if !query.localTerms.isEmpty { limit = traits.pageSize.upperBound }
    } else {
      text = searchText(of: page)
    }
    let query = PercentEncoding.query([
      ("q", text), ("type", "statuses"), ("limit", String(limit)),
    ])
    return HTTPRequest(url: "\(page.server.text)/api/v2/search?\(query)\(rest)", headers: headers)
  }

  private func goToSocialQuery(of page: PageRequest) -> GoToSocialQuery {
    GoToSocialQuery(page.query, on: page.server, canBeAuthor: canBeAuthor)
  }

  /// What a cursor adds to the address of a page.
  private func place(of page: PageRequest) -> String? {
    guard let cursor = page.cursor, cursor != Self.searchAgain else { return nil }
    guard cursor.rawValue.hasPrefix(Self.goToSocialCursor) else { return cursor.rawValue }
    let place = String(cursor.rawValue.dropFirst(Self.goToSocialCursor.count))
    return place.isEmpty ? nil : place
  }

  /// The query in the language of Mastodon's search, with the days of the run's dates.
  private func searchText(of page: PageRequest) -> String {
    let text = Self.language.text(of: page.split)
    let knowsDates = page.software.map { Self.programsWithDates.contains($0.name) } ?? true
    return page.query.isRaw || !knowsDates ? text : ([text] + days(of: page)).joined(separator: " ")
  }

  private static let programsWithDates: Set = ["mastodon", "hometown"]

  /// The days are those of the account's own time zone, which can be 14 hours ahead of UTC and 12 behind
  /// it, and both are exclusive: so wider ones are asked for.
  private func days(of page: PageRequest) -> [String] {
    var days: [String] = []
    if let since = page.since {
      let day = since.addingTimeInterval(-36 * 3600)
      days.append("after:\(DateSpelling.date.text(of: day, .down))")
    }
    if let until = page.until {
      let day = until.addingTimeInterval(14 * 3600)
      days.append("before:\(DateSpelling.date.text(of: day, .up))")
    }
    return days
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else {
      var refusal = Refusal(response, to: page, from: traits)
      // GoToSocial knows only the hashtags that somebody has used there.
      if response.status == 404, refusal.said.isJSON,
        refusal.said.words?.contains("tag was not found") == true
      {
        return Page()
      }
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
      return root.kind == .array
        ? timeline(statuses, response, to: page) : results(statuses, response, of: page)
    }
  }

  /// The posts of a hashtag's timeline.
  private func timeline(
    _ statuses: JSONNode, _ response: HTTPResponse, to page: PageRequest
  ) -> Page {
    var builder = PageBuilder()
    for item in statuses.elements { builder.add(post(item, for: page)) }
    let isForGoToSocial = isForGoToSocial(page)
    var next = builder.items > 0 ? maximum(in: response.headers, behind: statuses) : nil
    if isForGoToSocial { next = next.map { Cursor(rawValue: Self.goToSocialCursor + $0.rawValue) } }
    var result = builder.page(next: next, after: page.cursor)
    if isForGoToSocial {
      let term = timelineTerm(of: page.query, with: page.credentials, onGoToSocial: true)
      result.localTerms = page.query.terms.filter { $0 != term }
    }
    return result
  }

  /// The posts that a search found; none, and the same page in another way, where it was not asked in
  /// the way that the server turns out to need.
  private func results(
    _ statuses: JSONNode, _ response: HTTPResponse, of page: PageRequest
  ) -> Page {
    var builder = PageBuilder()
    for item in statuses.elements { builder.add(post(item, for: page)) }
    let isForGoToSocial = isForGoToSocial(page)
    guard isForGoToSocial || isFromGoToSocial(statuses, response) else {
      if builder.items == 0 {
        return Page(next: isWorthAskingAgain(page, after: response) ? Self.searchAgain : nil)
      }
      return builder.page(next: offset(builder.items, page), after: page.cursor)
    }
    let query = goToSocialQuery(of: page)
    if !isForGoToSocial, isAskedDifferently(of: page) {
      return Page(next: Cursor(rawValue: Self.goToSocialCursor))
    }
    let next = lastIdentifier(of: statuses).map { place in
      Cursor(rawValue: Self.goToSocialCursor + place)
    }
    var result = builder.page(
      next: builder.items > 0 ? next : nil, after: page.cursor, notes: [GoToSocialQuery.note])
    result.localTerms = query.localTerms
    return result
  }

  /// Whether GoToSocial would have been asked for a page in another way than it was.
  private func isAskedDifferently(of page: PageRequest) -> Bool {
    hashtag(of: page.split, with: page.credentials, onGoToSocial: true) != nil
      || goToSocialQuery(of: page).text != searchText(of: page)
  }

  /// Whether nothing may have been found because the server runs a program that would have been asked
  /// differently.
  private func isWorthAskingAgain(_ page: PageRequest, after response: HTTPResponse) -> Bool {
    page.cursor == nil && page.software == nil && page.server.text != traits.defaultServer
      && response.headers["Server"]?.lowercased().hasPrefix("mastodon") != true
      && isAskedDifferently(of: page)
  }

  /// Whether the answer itself shows that GoToSocial gave it: by its header, or by ids that are ULIDs.
  private func isFromGoToSocial(_ statuses: JSONNode, _ response: HTTPResponse) -> Bool {
    if response.headers["Server"]?.lowercased() == "gotosocial" { return true }
    guard let id = statuses.elements.first(where: { _ in true })?["id"]?.string else {
      return false
    }
    return id.utf8.count == 26
      && id.utf8.allSatisfy { "0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8.contains($0) }
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
    guard !links.isEmpty else { return lastIdentifier(of: statuses).map(Cursor.init(rawValue:)) }
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

  /// What asks for the posts behind the last one of a list.
  private func lastIdentifier(of statuses: JSONNode) -> String? {
    let last = statuses.elements.reversed().lazy.compactMap { $0["id"]?.identifier }.first
    return last.map { PercentEncoding.query([("max_id", $0)]) }
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
    let sender = author(item["account"], of: page.server)
    let isRepost = boosted?["content"]?.kind == .string
    return Post(
      id: id, source: name, server: page.server, url: url,
      uri: item["uri"]?.text ?? url ?? "\(page.server.text)#\(id)",
      author: isRepost ? author(shown["account"], of: page.server) : sender,
      text: parts.joined(separator: "\n\n"),
      createdAt: item["created_at"]?.rfc3339(allowing: .missingZone),
      editedAt: shown["edited_at"]?.rfc3339(allowing: .missingZone),
      language: shown["language"]?.text, links: content?.links ?? [], media: media.all,
      counts: Counts(
        likes: shown["favourites_count"]?.count, reposts: shown["reblogs_count"]?.count,
        replies: shown["replies_count"]?.count),
      replyTo: shown["in_reply_to_id"]?.identifier,
      repostOf: boosted.flatMap { $0["uri"]?.string ?? $0["id"]?.identifier },
      repostedBy: isRepost ? sender : nil, isSensitive: shown["sensitive"]?.bool)
  }

  private func author(_ account: JSONNode?, of server: ServerAddress) -> Author {
    guard let account else { return Author() }
    let url = address(account["url"])
    let name = account["display_name"]?.text
    var handle = account["acct"]?.text ?? account["username"]?.text ?? ""
    let home = url.flatMap(ServerAddress.init)
    if handle.isEmpty { return Author(handle: handle, name: name, url: url) }
    if !handle.contains("@") {
      // Users of the server that was asked come without their host.
      handle += "@\((home ?? server).authority)"
    } else if let home, home.authority != home.host, handle.hasSuffix("@\(home.host)") {
      // Some servers leave the port out.
      handle = handle.dropLast(home.host.count) + home.authority
    }
    return Author(handle: handle, name: name, url: url)
  }

  /// An address that people may follow: other servers may put anything here.
  private func address(_ node: JSONNode?) -> String? {
    node?.string.flatMap { WebAddress.isOne($0) ? $0 : nil }
  }
}
