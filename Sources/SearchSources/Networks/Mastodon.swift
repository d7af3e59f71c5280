internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Mastodon and servers with the same API: GoToSocial, Pixelfed, Pleroma, Akkoma and others.
///
/// A hashtag is read from its public timeline, 1 to 40 posts a page, continued by the `Link` header; so
/// is a single word without `MASTODON_ACCESS_TOKEN`. Other words need the token and the server's
/// full-text search, with pages by offset: without a token it finds nothing. A timeline supports a few
/// other hashtags, and other terms are filtered here; the search supports `"phrases"`, `from:`,
/// `language:`, `before:`, `after:` and `-`, and a name without a server belongs to this server. Newest
/// first. Dates are not sent to a timeline: ids follow the arrival of a post, so a bound made from a
/// date would miss late arrivals. 300 requests in 5 minutes.
///
/// Mastodon without Elasticsearch and Takahē find nothing for any word: there a hashtag with an author is
/// read from its timeline, as on GoToSocial, and the authors are judged here; other searches that find
/// nothing carry a note.
///
/// GoToSocial is recognized by its `Server` header or the form of its ids. A search that it needs in
/// another form is then repeated in that form, see `GoToSocialQuery`; it pages by `max_id`. NodeInfo is
/// requested only if a search finds nothing on unknown software and other software would need another
/// form.
///
/// Since version 4.5 a server can list nothing under hashtags, and says so only in its settings: they are
/// requested when the timeline of a hashtag is empty. They also name Pixelfed, which lists posts without media
/// only if asked to, and ends a hashtag after six months.
///
/// https://docs.joinmastodon.org/methods/timelines/#tag,
/// https://docs.joinmastodon.org/methods/search/#v2 and
/// https://docs.joinmastodon.org/methods/instance/#v2
package struct Mastodon: JSONSource {
  package let name: SourceName = "mastodon"
  package let traits = SourceTraits(
    defaultServer: "https://mastodon.social", pageSize: 1...40,
    credentialNames: ["MASTODON_ACCESS_TOKEN"], pace: Pace(requests: 300, per: .seconds(300)),
    // Mastodon's ids follow the posts' dates; those of other software follow their arrival.
    order: .approximate,
    abilities: [
      .words, .phrases, .tags, .authors, .languages, .excludedWords, .excludedTags,
      .excludedAuthors, .excludedLanguages,
    ], lateness: SourceTraits.longLateness,
    attribution: "Posts belong to their authors, under the rules of their servers")

  /// The number of further hashtags that a timeline supports, of each kind.
  private static let mostTags = 4
  private static let language = SearchLanguage(
    plainSigns: "+'._/&%!?@#=~*-", plainFirstSigns: "'._/&%!?@=~*", tag: "#",
    language: "language:")

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    guard credentials == nil, MastodonTimeline.hashtag(of: split, hasToken: false) == nil else {
      return nil
    }
    return "only hashtags and single words can be searched without MASTODON_ACCESS_TOKEN"
  }

  package func canBeAuthor(_ name: String) -> Bool {
    name.allSatisfy { $0.isLetter || $0.isNumber || "_.-@:".contains($0) }
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    guard let hashtag = MastodonTimeline.term(of: query, hasToken: credentials != nil) else {
      var split = QuerySplit(query, by: traits.abilities, canBeAuthor: canBeAuthor)
      // The operator finds one code, and Chinese posts are in `zh-CN`, `zh-HK`, `zh-TW` or `zh-YUE`, too.
      split.makeLocal {
        $0.kind == .language && ($0.value == "zh" || LanguageTag.codes(of: $0.value).count > 1)
      }
      // Other software has no operators for these. Who `from:me` is, only the server knows.
      split.local += split.remote.filter { Self.isOperator($0) && $0.value != "me" }
      return split
    }
    var split = QuerySplit(query, by: [.tags, .excludedTags], canBeAuthor: canBeAuthor)
    // A timeline supports a few more hashtags; other software does not, so they are local as well.
    let others = split.remote.filter { $0 != hashtag }
    let allowed = others.filter { MastodonTimeline.isTag($0.value) }
    split.remote =
      [hashtag] + allowed.filter { !$0.isExcluded }.prefix(Self.mostTags)
      + allowed.filter(\.isExcluded).prefix(Self.mostTags)
    split.local = split.local.filter { $0 != hashtag } + others
    return split
  }

  /// True if only Mastodon knows how a term is written.
  private static func isOperator(_ term: QueryTerm) -> Bool {
    term.kind == .author || term.kind == .language
  }

  /// True if a page is requested in GoToSocial's form.
  private func isForGoToSocial(_ page: PageRequest) -> Bool {
    isFirst(page)
      ? page.software?.name == "gotosocial" : MastodonCursor(page.cursor).form == .goToSocial
  }

  private func isFirst(_ page: PageRequest) -> Bool {
    page.cursor == nil || page.cursor == MastodonCursor.again
  }

  package func softwareNeed(for page: PageRequest) -> SoftwareNeed {
    guard page.credentials != nil, page.software == nil,
      MastodonTimeline.hashtag(of: page.split, hasToken: page.credentials != nil) == nil
    else { return .none }
    let isAsked =
      page.cursor == MastodonCursor.again
      || page.cursor == nil && page.server.text != traits.defaultServer && dependsOnSoftware(page)
    return isAsked ? .ask(NodeInfo.request(to: page.server), .program) : .ifKnown(.program)
  }

  /// True if other software than Mastodon would find other posts than those that are sought, instead of none.
  private func dependsOnSoftware(_ page: PageRequest) -> Bool {
    !page.query.isRaw
      && (page.split.remote.count { !$0.isExcluded } > 1
        || page.split.remote.contains(where: Self.isOperator) || !days(of: page).isEmpty)
  }

  package func softwareNeed(
    toRead response: HTTPResponse, of page: PageRequest
  ) -> SoftwareNeed {
    let isSaid =
      page.cursor == nil
      || page.credentials != nil && MastodonCursor(page.cursor).followsLastPost
    guard isSaid, response.body.count <= Self.emptyList, isTimeline(page) else { return .none }
    return .ask(HTTPRequest(url: "\(page.server.text)/api/v2/instance"), .state)
  }

  /// The size of an empty list, blanks included.
  private static let emptyList = 8

  package func software(from response: HTTPResponse, to page: PageRequest) -> SoftwareAnswer {
    guard isTimeline(page) else {
      return NodeInfo.answer(from: response, of: page.server)
    }
    // Software other than Mastodon need not have the route.
    if response.status == 404 { return .runs(ServerSoftware(name: "")) }
    guard response.isAnswer else { return .unknown }
    return Answer.value(in: response) { .runs(settings(in: $0)) } ?? .unknown
  }

  /// The settings of a server that affect the timeline of a hashtag.
  private func settings(in root: JSONNode) -> ServerSoftware {
    // Such as "3.5.3 (compatible; Pixelfed 0.12.6)".
    let isPixelfed = root["version"]?.string?.lowercased().contains("pixelfed") == true
    var software = ServerSoftware(name: isPixelfed ? Self.pixelfed : "")
    let feeds = root["configuration"]?["timelines_access"]?["hashtag_feeds"]
    if let own = feeds?["local"]?.string, let others = feeds?["remote"]?.string {
      software.hashtagFeeds =
        switch (own == "disabled", others == "disabled") {
        case (false, false): .everyone
        case (false, true): .ownUsers
        case (true, false): .otherServers
        case (true, true): .nobody
        }
    }
    return software
  }

  private static let pixelfed = "pixelfed"

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    var headers = HTTPHeaders()
    if let credentials = page.credentials {
      headers["Authorization"] = "Bearer \(credentials.token)"
    }
    let isForGoToSocial = isForGoToSocial(page)
    var limit = page.size(within: traits.pageSize)
    let tag = MastodonTimeline.hashtag(
      of: page.split, hasToken: page.credentials != nil, onGoToSocial: isForGoToSocial)
    if let tag {
      let path = "/api/v1/timelines/tag/\(PercentEncoding.encode(tag))"
      let others = page.split.remote.dropFirst().filter {
        $0.kind == .tag && !isForGoToSocial
      }
      // Local terms must not make pages small.
      if isForGoToSocial { limit = traits.pageSize.upperBound }
      var parameters = others.map { ($0.isExcluded ? "none[]" : "all[]", $0.value) }
      // Pixelfed, which needs a token, otherwise leaves out posts without media.
      if page.credentials != nil { parameters.append(("only_media", "false")) }
      let query = query([("limit", String(limit))] + parameters, of: page)
      return HTTPRequest(url: "\(page.server.text)\(path)?\(query)", headers: headers)
    }
    if let reason = unsupportedReason(for: page.split, with: page.credentials) {
      throw Failure(.credential, message: reason, advice: "set MASTODON_ACCESS_TOKEN")
    }
    let text: String
    if isForGoToSocial {
      let query = goToSocialQuery(of: page)
      guard let asked = query.text else {
        throw Failure(
          .permanent, message: "GoToSocial cannot search for several authors at once",
          advice: "add a word, or search for one author")
      }
      text = asked
      if !query.localTerms.isEmpty { limit = traits.pageSize.upperBound }
    } else {
      text = searchText(of: page)
      // What empties one small page may well empty the next.
      if MastodonCursor(page.cursor).isBehindEmptyPage { limit = traits.pageSize.upperBound }
    }
    let query = query(
      [("q", text), ("type", "statuses"), ("limit", String(limit))], of: page)
    return HTTPRequest(url: "\(page.server.text)/api/v2/search?\(query)", headers: headers)
  }

  private func goToSocialQuery(of page: PageRequest) -> GoToSocialQuery {
    GoToSocialQuery(page.query, on: page.server, canBeAuthor: canBeAuthor)
  }

  /// The query string of a page: the parameters that its position does not state, and the position.
  private func query(_ parameters: [(String, String)], of page: PageRequest) -> String {
    let position = MastodonCursor(page.cursor).position
    guard !position.isEmpty else { return PercentEncoding.query(parameters) }
    let missing = ContinuedQuery.missing(parameters, in: position)
    return missing.isEmpty ? position : "\(PercentEncoding.query(missing))&\(position)"
  }

  /// The query in the language of Mastodon's search, with the run's dates in days; for other software its words.
  private func searchText(of page: PageRequest) -> String {
    let text = Self.language.text(of: page.split)
    if page.query.isRaw { return text }
    guard hasOperators(page) else {
      let words = Self.language.text(of: page.split, without: .author, .language)
      return words.isEmpty ? text : words
    }
    return ([text] + days(of: page)).joined(separator: " ")
  }

  /// True if a page can be asked for with operators, among them dates, which are words like all others to other software.
  private func hasOperators(_ page: PageRequest) -> Bool {
    if let software = page.software { return Self.programsWithOperators.contains(software.name) }
    // Nothing was found, and the server does not say what it runs.
    return page.cursor != MastodonCursor.again && MastodonCursor(page.cursor).form != .plain
  }

  private static let programsWithOperators: Set = ["mastodon", "hometown"]

  /// The run's dates, widened: the days are in the account's own time zone, between UTC−12 and UTC+14,
  /// and both are exclusive.
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

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    // GoToSocial knows only the hashtags that someone has used there.
    if response.status == 404, refusal.error.isJSON,
      refusal.error.words?.contains("tag was not found") == true
    {
      refusal.meaning = .page(Page())
    }
    // Takahē says so with 400, in plain text.
    if response.status == 400,
      refusal.error.words?.lowercased().contains("invalid bearer token") == true
    {
      refusal.meaning = .credential
    }
    // Pixelfed asks for a token with 403, and some versions of Mastodon with 422; a proxy's page with
    // these statuses blocks everyone.
    let asksForToken =
      response.status == 403 || (response.status == 422 && page.credentials == nil)
    if asksForToken, refusal.error.isJSON { refusal.meaning = .credential }
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    guard answer.root.kind == .array else {
      return results(try answer.list("statuses", of: "statuses"), in: answer)
    }
    // An empty list says nothing of a search.
    guard isTimeline(answer.page) || answer.root.childCount > 0 else {
      throw answer.fault(missing: "no list of statuses")
    }
    return try timeline(answer)
  }

  /// True if the timeline of a hashtag is requested, and not a search.
  private func isTimeline(_ page: PageRequest) -> Bool {
    MastodonTimeline.hashtag(
      of: page.split, hasToken: page.credentials != nil, onGoToSocial: isForGoToSocial(page)) != nil
  }

  /// The posts of a hashtag's timeline.
  private func timeline(_ answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    let builder = PageBuilder(answer.root, of: name, on: page) {
      MastodonStatus.read($0, into: &$1, of: &$2)
    }
    let isForGoToSocial = isForGoToSocial(page)
    var next = nextPage(after: answer)
    if builder.items == 0, next == .end {
      guard isPastReach(page) else { return try emptyTimeline(page) }
      next = .beyondLimit(Self.endOfPixelfed)
    }
    if isForGoToSocial, case .at(let cursor) = next {
      next = .at(MastodonCursor(.goToSocial, at: cursor.rawValue).cursor)
    }
    var result = builder.page(next)
    if isForGoToSocial {
      let term = MastodonTimeline.term(
        of: page.query, hasToken: page.credentials != nil, onGoToSocial: true)
      result.localTerms = page.query.terms.filter { $0 != term }
    }
    return result
  }

  /// True if a later page may be empty because Pixelfed has none for posts of that age.
  private func isPastReach(_ page: PageRequest) -> Bool {
    guard !isFirst(page), page.software?.name == Self.pixelfed else { return false }
    let end = page.now.addingTimeInterval(-Self.reachOfPixelfed)
    if let since = page.since, since >= end { return false }
    // Its ids begin with the milliseconds since February 10, 2019; a page behind a younger post has ended.
    let id = UInt64(MastodonCursor(page.cursor).position.dropFirst("max_id=".count))
    let moment = id.map { Date(timeIntervalSince1970: Double($0 >> 22) / 1000 + 1_549_756_800) }
    return moment.map { $0 < end } ?? true
  }

  /// Six months, of the fewest days.
  private static let reachOfPixelfed: TimeInterval = 181 * 86_400
  private static let endOfPixelfed = "Pixelfed lists no posts of more than six months ago"

  /// The page of a timeline without posts: nobody has used the hashtag, or the server lists nothing under any.
  private func emptyTimeline(_ page: PageRequest) throws(SourceFault) -> Page {
    switch page.software?.hashtagFeeds {
    case .nobody:
      throw .failed(
        Failure(
          .permanent, message: "this server lists no posts under hashtags",
          advice: "search another server"))
    case .ownUsers:
      return Page(notes: ["this server lists only posts of its own users under hashtags"])
    case .otherServers:
      return Page(notes: ["this server lists only posts of other servers under hashtags"])
    case .everyone: return Page()
    case nil:
      // The settings have been asked for, unless an earlier page had posts.
      let isUnknown = page.cursor == nil && page.software == nil
      return Page(notes: isUnknown ? ["this server does not say whose posts it lists"] : [])
    }
  }

  /// The posts that a search found, or a redirect to the same page in another form, if the server turns
  /// out to need that.
  private func results(_ statuses: JSONNode, in answer: Answer) -> Page {
    let page = answer.page
    let builder = PageBuilder(statuses, of: name, on: page) {
      MastodonStatus.read($0, into: &$1, of: &$2)
    }
    let isForGoToSocial = isForGoToSocial(page)
    let isFromGoToSocial = isFromGoToSocial(statuses, answer)
    // Other software has such ids, too.
    if page.cursor == nil, page.software == nil, isFromGoToSocial == nil {
      return .redirect(to: MastodonCursor.again)
    }
    guard isForGoToSocial || isFromGoToSocial ?? true else {
      let items = builder.items
      guard items > 0 else { return nothingFound(page, after: answer.response) }
      let next = position(of: page).advanced(by: step(after: items, on: page))?.cursor
      var result = builder.page(next.map { .at($0) } ?? .unreachable(NextPage.unusableCursor))
      // It finds posts with any of the words.
      if page.software?.name == "friendica" {
        result.localTerms = page.split.remote.filter { !Self.isOperator($0) }
      }
      return result
    }
    let query = goToSocialQuery(of: page)
    if !isForGoToSocial, hasOtherForm(page) {
      return .redirect(to: MastodonCursor(.goToSocial).cursor)
    }
    let next = positionAfterLast(of: statuses).map { MastodonCursor(.goToSocial, at: $0).cursor }
    var result = builder.page(next.map { .at($0) } ?? .end, notes: [GoToSocialQuery.note])
    result.localTerms = query.localTerms
    return result
  }

  /// The page of a search without results: the same search in another form if that may find more; otherwise the
  /// way on, as the server's filters may have emptied the page. Two in a row are the end.
  private func nothingFound(_ page: PageRequest, after response: HTTPResponse) -> Page {
    if isFirst(page) {
      // Servers without full-text search have timelines, and so has GoToSocial.
      if !page.query.isRaw,
        MastodonTimeline.hashtag(
          of: page.split, hasToken: page.credentials != nil, onGoToSocial: true) != nil
      {
        return .redirect(to: MastodonCursor(.goToSocial).cursor)
      }
      if isWorthRepeating(page, after: response) { return .redirect(to: MastodonCursor.again) }
    }
    let position = position(of: page)
    let size = page.size(within: traits.pageSize)
    if position.offset > Self.mostFound - size { return Page(missing: Self.ceiling) }
    guard position.isBehindEmptyPage else {
      guard let next = position.advanced(by: size, isBehindEmptyPage: true)?.cursor else {
        return Page()
      }
      // Nothing was read yet, so that the first one counts as no page.
      return isFirst(page) ? .redirect(to: next) : Page(next: next)
    }
    if page.itemsBefore >= Self.pageOfSnac, Self.isFromSnac(response) {
      return Page(missing: Self.endOfSnac)
    }
    let isKnownToSearch =
      page.itemsBefore > 0 || page.server.text == traits.defaultServer
      || page.software.map { Self.programsWithSearch.contains($0.name) } ?? false
    return Page(notes: isKnownToSearch ? [] : [Self.noSearchNote])
  }

  /// The number of posts between a page of a search and the next.
  ///
  /// Mastodon counts what its index has found, and then leaves out posts of some authors; other servers may have pages
  /// of a size of their own.
  /// https://github.com/mastodon/mastodon/blob/main/app/services/statuses_search_service.rb
  private func step(after items: Int, on page: PageRequest) -> Int {
    let size = page.size(within: traits.pageSize)
    let isMastodon =
      page.server.text == traits.defaultServer
      || page.software.map { ["mastodon", "hometown"].contains($0.name) } ?? false
    return max(items, isMastodon ? size : min(size, page.largestBefore))
  }

  /// The number of posts that a search with Elasticsearch finds at most; beyond it, pages are empty.
  private static let mostFound = 10_000
  private static let ceiling = "a search of Mastodon finds at most 10,000 posts"

  /// The position of a page of a search, in the form in which the search goes on.
  private func position(of page: PageRequest) -> MastodonCursor {
    var position = MastodonCursor(page.cursor)
    if page.software == nil, page.cursor == MastodonCursor.again { position.form = .plain }
    return position
  }

  /// True if a response is from snac, which answers a search with one page and knows no offset.
  private static func isFromSnac(_ response: HTTPResponse) -> Bool {
    response.headers["X-Creator"]?.lowercased().hasPrefix("snac/") == true
  }

  /// Fewer posts than it shows are all that it has found.
  private static let pageOfSnac = 20
  private static let endOfSnac = "snac shows only the first posts of a word search"

  private static let noSearchNote =
    "nothing found; this server may not support word search; hashtags work on every server"
  /// Programs whose search needs no other service, which may be missing.
  private static let programsWithSearch: Set = ["pleroma", "akkoma"]

  /// True if GoToSocial needs the request for a page in another form.
  private func hasOtherForm(_ page: PageRequest) -> Bool {
    MastodonTimeline.hashtag(of: page.split, hasToken: page.credentials != nil, onGoToSocial: true)
      != nil
      || goToSocialQuery(of: page).text != searchText(of: page)
  }

  /// True if nothing may have been found because the server's software needs another form.
  private func isWorthRepeating(_ page: PageRequest, after response: HTTPResponse) -> Bool {
    page.cursor == nil && page.software == nil && page.server.text != traits.defaultServer
      && response.headers["Server"]?.lowercased().hasPrefix("mastodon") != true
      && hasOtherForm(page)
  }

  /// Returns whether a response is from GoToSocial; nil if only its ids, which are ULIDs, say so.
  private func isFromGoToSocial(_ statuses: JSONNode, _ answer: Answer) -> Bool? {
    if answer.response.headers["Server"]?.lowercased() == "gotosocial" { return true }
    if let software = answer.page.software { return software.name == "gotosocial" }
    guard let id = NodeList(statuses).first?["id"]?.string else { return false }
    let isULID =
      id.utf8.count == 26
      && id.utf8.allSatisfy { "0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8.contains($0) }
    return isULID ? nil : false
  }

  /// The query string of the next page's address; without links to pages, the last post's id.
  ///
  /// Nothing else of that address is used: behind a proxy the server may name another host or plain
  /// http.
  private func nextPage(after answer: Answer) -> NextPage {
    let links = LinkHeader(in: answer.response.headers)
    guard links.leadsToPages else {
      return positionAfterLast(of: answer.root).map { .at(MastodonCursor(at: $0).cursor) } ?? .end
    }
    guard let address = links.next else { return .end }
    return ContinuedQuery.cursor(address).map { .at($0) } ?? .unreachable(NextPage.unusableCursor)
  }

  /// The position of the posts after the last one of a list.
  private func positionAfterLast(of statuses: JSONNode) -> String? {
    let last = statuses.elements.reversed().lazy.compactMap { $0["id"]?.identifier }.first
    return last.map(MastodonCursor.position(after:))
  }
}
