package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Threads' public posts, through its keyword search.
///
/// Needs `THREADS_ACCESS_TOKEN` of an app that was approved for `threads_keyword_search`: without the
/// approval only the user's own posts are found, with no hint of that. The token is in the address. 1
/// to 100 posts a page, the latest first. A hashtag is searched for as a topic, anything else as words,
/// and one author has a parameter; other terms are filtered here. Dates in whole seconds. 2200 queries
/// a day; those that find nothing do not count.
/// https://developers.facebook.com/docs/threads/keyword-search
package struct Threads: JSONSource {
  package let name: SourceName = "threads"
  package let traits = SourceTraits(
    defaultServer: "https://graph.threads.net", pageSize: 1...100,
    credentialNames: ["THREADS_ACCESS_TOKEN"], needsCredentials: true, order: .approximate,
    abilities: [.words, .tags, .authors],
    filtersByDate: true, attribution: "Posts belong to their authors, under Meta's platform terms")

  /// The beginning of Threads, 2023-07-05: `since` may not be earlier.
  private static let earliest = Date(timeIntervalSince1970: 1_688_540_400)
  private static let fields =
    "id,text,media_type,media_url,permalink,timestamp,username,is_quote_post,is_reply"

  package func canBeAuthor(_ name: String) -> Bool {
    HandleCharacters.areAll(name, signs: "_.")
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    let topic = query.terms.first { $0.kind == .tag && !$0.isExcluded }
    // A topic is searched for alone; other topics and words are in the texts, without a `#`.
    var split = QuerySplit(
      query, terms: query.terms.filter { $0 != topic },
      by: topic == nil ? [.words, .authors] : [.authors], canBeAuthor: canBeAuthor)
    split.remote = [topic].compactMap(\.self) + split.remote
    return split
  }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    let isFindable =
      split.query.isRaw || split.remote.contains(where: \.isSoughtText)
    return isFindable ? nil : Self.needsWordBesideAuthor
  }

  package func unreachableReason(since: Date?, until: Date?, now: Date) -> String? {
    guard let until, until <= Self.earliest else { return nil }
    return "--until is earlier than 2023-07-05, when Threads began"
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let credentials = try requiredCredentials(of: page)
    let split = page.split
    let isTag = page.query.text.hasPrefix("#")
    let topic =
      page.query.isRaw
      ? isTag ? split.rawTag : nil : split.remote(.tag).first?.value
    let words = SearchLanguage.wordsOnly.text(of: split, without: .author)
    // Dates outside its range are an error there, and give no posts here.
    var dated = page
    dated.since = page.since.map { max($0, Self.earliest) }
    if let until = page.until, until >= page.now { dated.until = nil }
    return dated.request(
      "/v1.0/keyword_search",
      [
        "q": topic ?? (page.query.isRaw ? page.query.text : words), "search_type": "RECENT",
        "search_mode": topic == nil ? "KEYWORD" : "TAG",
        "limit": String(page.size(within: traits.pageSize)), "fields": Self.fields,
        "author_username": split.remote(.author).first?.value,
        "since": dated.since(.epochSeconds), "until": dated.until(.epochSeconds),
        "after": page.cursor.map { Self.token(in: $0) }, "access_token": credentials.token,
      ])
  }

  package let errors = [
    // Limits of an app, a user, a page and custom ones, and blocks for a time, with status 400 or 403.
    ErrorRule(
      path: "error.code", values: ["4", "17", "32", "341", "368", "613"], meaning: .later),
    // An error of the service itself, mostly with status 400.
    // https://developers.facebook.com/docs/graph-api/guides/error-handling
    ErrorRule(path: "error.is_transient", values: ["true"], meaning: .temporary),
    ErrorRule(path: "error.code", values: ["1", "2"], meaning: .temporary),
    // The token, or its permissions.
    ErrorRule(
      path: "error.code",
      values: ["3", "10", "102", "104", "190"] + (200...299).map { "\($0)" }, meaning: .credential),
  ]

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    var builder = PageBuilder(of: name, on: page)
    for item in try answer.list("data", of: "posts").elements {
      // A repost has nothing of its own.
      if item["media_type"]?.isString("REPOST_FACADE") == true {
        builder.passOver()
      } else {
        builder.add { post(item, in: &$0) }
      }
    }
    let next = next(answer["paging"], after: builder.items)
    return builder.page(next)
  }

  /// The prefix of the cursor of a page that the response before it has not named.
  private static let unnamed = "unnamed="

  private static func token(in cursor: Cursor) -> String {
    let text = cursor.rawValue
    return text.hasPrefix(unnamed) ? String(text.dropFirst(unnamed.count)) : text
  }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    if response.status == 400, case .permanent = refusal.meaning,
      page.cursor?.rawValue.hasPrefix(Self.unnamed) == true
    {
      refusal.meaning = .page(Page())
    }
  }

  /// The next page: its cursor, or else the one in its address, of which nothing else is used.
  ///
  /// A page may be short or empty before the last, which names no address. A page with posts is not taken for the
  /// last as long as it has a cursor: one request more shows whether it is, and may then be refused.
  /// https://developers.facebook.com/docs/graph-api/results
  private func next(_ paging: JSONNode?, after items: Int) -> NextPage {
    let address = paging?["next"].flatMap { $0.isFilled ? $0 : nil }
    guard items > 0 || address != nil else { return .end }
    let next = NextPage(paging?["cursors"]?["after"]) { token in
      Cursor(rawValue: address == nil ? Self.unnamed + token : token)
    }
    guard next == .end, let address else { return next }
    let items = address.string.flatMap { URLComponents(string: $0)?.queryItems } ?? []
    guard let token = items.first(where: { $0.name == "after" })?.value, !token.isEmpty,
      token.utf8.count <= Cursor.longest
    else { return .unreachable(NextPage.unusableCursor) }
    return .at(Cursor(rawValue: token))
  }

  private func post(_ item: JSONNode, in draft: inout PageDraft) -> PackedPost? {
    guard item.kind == .object, let id = item["id"]?.identifier else { return nil }
    var media = AttachmentList()
    media.add(item["media_url"]?.string, kind(of: item["media_type"]?.string))
    let text = item["text"]?.string
    let address = item["permalink"]?.address
    // The media of an album have addresses of their own, and a quote or a GIF needs no text.
    let isWithoutText = address != nil && item["text"] == nil && item["media_type"]?.string != nil
    guard text != nil || !media.isEmpty || isWithoutText else { return nil }
    let handle = item["username"]?.text ?? ""
    let links = AddressList(urlsIn: text ?? "", except: address)
    return PackedPost(
      id: id, url: address,
      uri: address ?? "https://www.threads.net/t/\(PathPart.of(id))",
      author: Author(
        handle: handle,
        url: handle.isEmpty ? nil : "https://www.threads.net/@\(PathPart.of(handle))"),
      text: text ?? "",
      // The offset has no colon.
      createdAt: item["timestamp"]?.rfc3339(), links: links.all, attachments: media.all,
      replyTo: item["replied_to"]?["id"]?.identifier, isReply: item["is_reply"]?.bool, in: &draft)
  }

  /// The kind of a post's medium; an album may hold several.
  private func kind(of type: String?) -> PostAttachment.Kind? {
    switch type {
    case "IMAGE": .image
    case "VIDEO": .video
    case "AUDIO": .audio
    default: nil
    }
  }
}
