internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Lemmy's posts, through the search of any of its servers, from version 0.18 to 1.0.
///
/// No credentials; 1 to 50 posts a page; only 1.0 can be asked for a range of time. Servers up to 0.19 use API v3: newest
/// first after the pinned posts, by page number, at most 100 pages. 1.0 keeps that address but ignores
/// all parameters except the words, so its API v4 is used, which has cursors and sorts by score. Each
/// server is asked for its version once, as no search response tells it.
/// https://join-lemmy.org/api/
///
/// The search finds a text even inside longer words: the longest word is sent, and all terms are
/// filtered here.
///
/// Before 1.0, "slow down" is a 400 with a name and without a wait: one request becomes available every
/// ten seconds. Comments are not searched: they have an order of their own.
package struct Lemmy: JSONSource {
  package let name: SourceName = "lemmy"
  package let traits = SourceTraits(
    defaultServer: "https://lemmy.world", pageSize: 1...50,
    pace: Pace(requests: 60, per: .seconds(600)), abilities: [.words], ceiling: 5000,
    lateness: SourceTraits.longLateness,
    attribution: "Posts belong to their authors, under the rules of their servers")

  /// The prefix of cursors for API v4, followed by the server's own.
  private static let laterCursor = "v4:"
  private static let sitePath = "/api/v3/site"
  private static let lastPage = 100
  private static let ceiling = "Lemmy returns at most 100 pages of a query"

  private static let language = SearchLanguage.wordsOnly

  package func canBeAuthor(_ name: String) -> Bool { true }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    QuerySplit(longestWordOf: query, hasTags: false, canBeAuthor: canBeAuthor)
  }

  package func softwareNeed(for page: PageRequest) -> SoftwareNeed {
    guard page.cursor == nil, page.software == nil else { return .none }
    return .ask(HTTPRequest(url: page.server.text + Self.sitePath), .state)
  }

  package func software(from response: HTTPResponse, to page: PageRequest) -> SoftwareAnswer {
    // Version 1.0 keeps the route, and has little else in its response.
    let version = Answer.value(in: response) { $0["version"]?.text }
    if response.isAnswer, let version {
      return .runs(ServerSoftware(name: "lemmy", version: version))
    }
    // A server without API v3 still has NodeInfo.
    return response.status == 404 && response.url.hasSuffix(Self.sitePath)
      ? .ask(NodeInfo.request(to: page.server)) : NodeInfo.answer(from: response, of: page.server)
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let words = Self.language.text(of: page.split)
    if let cursor = laterCursor(of: page) {
      return page.request(
        "/api/v4/search",
        [
          "search_term": words, "type_": "posts", "listing_type": "all", "show_nsfw": "true",
          "limit": String(page.size(within: traits.pageSize)),
          "time_range_seconds": page.since.flatMap { seconds(since: $0, of: page) },
          "page_cursor": cursor.isEmpty ? nil : cursor,
        ])
    }
    let numbered = numbered(page)
    return page.request(
      "/api/v3/search",
      [
        "q": words, "type_": "Posts", "sort": "New", "listing_type": "All",
        "limit": String(numbered.size), "page": String(numbered.number),
      ])
  }

  /// The range of time that goes back to a date; nil if the server, which has 32 bits for it, cannot be asked for it.
  private func seconds(since date: Date, of page: PageRequest) -> String? {
    Int32(exactly: page.age(of: date).rounded(.up)).map { String($0) }
  }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    switch (response.status, refusal.error.name) {
    case (400, "rate_limit_error"):
      refusal.meaning = .slowDown
      refusal.usualEnd = page.answered.addingTimeInterval(10)
    case (_, "instance_is_private"):
      refusal.advice = "search another server: this one is for its own users only"
    case (404, _) where page.cursor == nil && laterCursor(of: page) == nil:
      guard refusal.error.isJSON || response.body.count == 0 else { return }
      // A server without API v3.
      refusal.meaning = .page(.redirect(to: Cursor(rawValue: Self.laterCursor)))
    default: break
    }
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    var builder = PageBuilder(of: name, on: page)
    var order = OrderCheck()
    for item in try answer.list("posts", of: "posts").elements {
      // Removed posts may still be listed, without their text.
      let post = item["post"]
      if post?["deleted"]?.bool == true || post?["removed"]?.bool == true {
        builder.passOver()
      } else {
        builder.add { self.post(item, for: page, in: &$0) }
      }
      if let post { order.note(post) }
    }
    guard let cursor = laterCursor(of: page) else {
      var result = earlierPage(builder, at: numbered(page))
      if !order.isNewestFirst { result.order = .unordered }
      return result
    }
    // An empty page after another names that one, unless the server could not search and does not say so.
    let hasFailed = !cursor.isEmpty && answer["next_page"] == nil && answer["prev_page"] == nil
    if builder.items == 0, hasFailed {
      throw .failed(
        Failure(
          .temporary, status: answer.response.status,
          message: "the server could not read a page, and returned an empty one"))
    }
    var result = builder.page(
      NextPage(answer["next_page"]) { Cursor(rawValue: Self.laterCursor + $0) })
    result.order = .unordered
    return result
  }

  /// Checks that the posts of a page, other than pinned ones, are newest first. Version 1.0 still answers API v3
  /// requests, but ignores their order, and the version may be unknown.
  private struct OrderCheck {
    private(set) var isNewestFirst = true
    private var last = Date.distantFuture

    mutating func note(_ post: JSONNode) {
      guard isNewestFirst, post["featured_local"]?.bool != true,
        post["featured_community"]?.bool != true,
        let date = (post["published_at"] ?? post["published"])?.rfc3339(allowing: .missingZone)
      else { return }
      isNewestFirst = date <= last
      last = date
    }
  }

  /// A page of API v3, which says nothing of the next: only an empty one is the end, as any may be
  /// short.
  private func earlierPage(_ builder: consuming PageBuilder, at numbered: NumberedPage) -> Page {
    let isEmpty = builder.items == 0
    return builder.page(
      isEmpty ? .end : numbered.next(upTo: Self.lastPage, beyond: Self.ceiling))
  }

  /// The server's cursor for a page of API v4, empty for the first; nil for a page of v3.
  private func laterCursor(of page: PageRequest) -> String? {
    if page.cursor == nil, let software = page.software, software.name == "lemmy",
      let version = software.majorVersion, version > 0
    {
      return ""
    }
    guard let text = page.cursor?.rawValue, text.hasPrefix(Self.laterCursor) else { return nil }
    return String(text.dropFirst(Self.laterCursor.count))
  }

  package func secondPage(after page: PageRequest) -> Cursor? {
    laterCursor(of: page) == nil ? numbered(page).next : nil
  }

  private func post(_ item: JSONNode, for page: PageRequest, in draft: inout PageDraft)
    -> PackedPost?
  {
    guard let post = item["post"], let id = post["id"]?.identifier,
      let title = post["name"]?.text
    else { return nil }
    // Version 1.0 keeps a post's counts in the post.
    let counts = item["counts"] ?? post
    var links = AddressList()
    var media = AttachmentList()
    let (target, picture) = (post["url"]?.string, post["thumbnail_url"]?.string)
    let type = post["url_content_type"]?.string
    if let kind = type.map(PostAttachment.Kind.init(ofType:)), kind != .file {
      media.add(
        target, kind, type: type, description: post["alt_text"]?.string, thumbnail: picture)
    } else {
      links.add(target)
      media.add(picture, .image, description: post["alt_text"]?.string)
    }
    let own = "\(page.server.text)/post/\(PathPart.of(id))"
    let address = post["ap_id"]?.address ?? own
    let text = post["body"]?.string ?? ""
    links.add(urlsIn: text, except: address)
    return PackedPost(
      id: id, url: address, uri: address,
      author: author(item["creator"]), title: title, text: text,
      // Version 0.18 writes no zone and means UTC.
      createdAt: (post["published_at"] ?? post["published"])?.rfc3339(allowing: .missingZone),
      editedAt: (post["updated_at"] ?? post["updated"])?.rfc3339(allowing: .missingZone),
      links: links.all, attachments: media.all,
      counts: Counts(likes: counts["score"]?.count, replies: counts["comments"]?.count),
      isSensitive: post["nsfw"]?.bool,
      isPinned: post["featured_local"]?.bool == true || post["featured_community"]?.bool == true,
      visibility: visibility(item["community"]?["visibility"]), in: &draft)
  }

  /// The visibility of a community: in version 1.0 its posts can be for everyone to read, and for the
  /// server's own users to write.
  private func visibility(_ node: JSONNode?) -> Visibility? {
    let name = node?.string?.lowercased().filter { $0 != "_" }
    return name == "localonlypublic" ? .public : node?.visibility
  }

  private func author(_ creator: JSONNode?) -> Author {
    guard let creator, let handle = creator["name"]?.text else { return Author() }
    let page = (creator["ap_id"] ?? creator["actor_id"])?.address
    let host = page.flatMap { ServerAddress($0)?.authority }
    return Author(
      handle: host.map { "\(handle)@\($0)" } ?? handle, name: creator["display_name"]?.text,
      url: page)
  }
}
