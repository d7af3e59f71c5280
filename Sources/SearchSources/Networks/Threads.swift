package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Threads' public posts, by its keyword search.
///
/// Needs `THREADS_ACCESS_TOKEN` of an app that was approved for `threads_keyword_search`: without the
/// approval only one's own posts are found, and nothing says so. It takes the token in the address. 1
/// to 100 posts a page, the latest first; a hashtag is asked for as a topic, else words, and one author
/// has a parameter; all the rest is judged here. Dates in whole seconds. 2200 queries a day, of which those that find nothing do not count.
/// https://developers.facebook.com/docs/threads/keyword-search
package struct Threads: Source {
  package let name: SourceName = "threads"
  package let traits = SourceTraits(
    defaultServer: "https://graph.threads.net", pageSize: 1...100,
    credentialNames: ["THREADS_ACCESS_TOKEN"], needsCredentials: true, order: .approximate,
    abilities: [.words, .tags, .authors],
    filtersByDate: true, attribution: "Posts belong to their authors, under Meta's platform terms")

  /// When Threads began, 2023-07-05: `since` may not be earlier.
  private static let earliest = Date(timeIntervalSince1970: 1_688_540_400)
  private static let fields =
    "id,text,media_type,media_url,permalink,timestamp,username,is_quote_post,is_reply"

  package func canBeAuthor(_ name: String) -> Bool {
    HandleCharacters.areAll(name, signs: "_.")
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    let topic = query.terms.first { $0.kind == .tag && !$0.isExcluded }
    // A topic is asked for alone; others, and words, stand in the texts, without a sign.
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
      split.query.isRaw || split.remote.contains { $0.isSought && $0.kind != .author }
    return isFindable ? nil : Self.needsWordBesideAuthor
  }

  package func unreachableReason(since: Date?, until: Date?, now: Date) -> String? {
    guard let until, until <= Self.earliest else { return nil }
    return "--until is earlier than 2023-07-05, when Threads began"
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    guard let credentials = page.credentials else {
      throw Failure(
        .credential, message: "a credential is needed", advice: "set THREADS_ACCESS_TOKEN")
    }
    let split = page.split
    let isTag = page.query.text.hasPrefix("#")
    let topic =
      page.query.isRaw
      ? isTag ? split.rawTag : nil : split.remote(.tag).first?.value
    let words = SearchLanguage.wordsOnly.text(of: split, without: .author)
    var parameters = [
      ("q", topic ?? (page.query.isRaw ? page.query.text : words)), ("search_type", "RECENT"),
      ("search_mode", topic == nil ? "KEYWORD" : "TAG"),
      ("limit", String(page.size(within: traits.pageSize))), ("fields", Self.fields),
    ]
    if let author = split.remote(.author).first {
      parameters.append(("author_username", author.value))
    }
    // What lies outside its range is an error there, and empty here.
    if let since = page.since {
      parameters.append(("since", second(max(since, Self.earliest), .down)))
    }
    if let until = page.until, until < page.now { parameters.append(("until", second(until, .up))) }
    if let cursor = page.cursor { parameters.append(("after", cursor.rawValue)) }
    parameters.append(("access_token", credentials.token))
    return HTTPRequest(
      url: "\(page.server.text)/v1.0/keyword_search?\(PercentEncoding.query(parameters))")
  }

  package func verdict(on response: HTTPResponse, now: Date) -> Verdict {
    // The Graph API says it with 400 or 403 and a number.
    let isLimit = (400...499).contains(response.status) && isLimit(ErrorBody(response))
    return isLimit ? .coolDown(until: nil) : SlowDown.verdict(on: response, now: now)
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else {
      var refusal = Refusal(response, to: page, from: traits)
      if isLimit(refusal.said) {
        refusal.meaning = .slowDown
      } else if let code = refusal.said.name, ["10", "102", "190", "200"].contains(code) {
        // The token, or what it may do.
        refusal.meaning = .credential
      }
      throw refusal.fault
    }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let data = root["data"], data.kind == .array else {
        if root["error"] != nil { throw Answer.error(ErrorBody(JSON: root), response, to: page) }
        throw Answer.misshapen("no list of posts", response)
      }
      var builder = PageBuilder()
      for item in data.elements { builder.add(post(item, for: page)) }
      let after = root["paging"]?["cursors"]?["after"]?.text.map(Cursor.init(rawValue:))
      return builder.page(next: builder.items == 0 ? nil : after, after: page.cursor)
    }
  }

  /// Limits of an app, a user, a page and custom ones.
  private func isLimit(_ said: ErrorBody) -> Bool {
    said.name.map { ["4", "17", "32", "613"].contains($0) } ?? false
  }

  private func second(_ date: Date, _ rule: FloatingPointRoundingRule) -> String {
    String(Int64(date.timeIntervalSince1970.rounded(rule)))
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard item.kind == .object, let id = item["id"]?.identifier else { return nil }
    var media = AddressList()
    media.add(item["media_url"]?.string)
    let text = item["text"]?.string
    guard text != nil || !media.all.isEmpty else { return nil }
    let address = item["permalink"]?.string.flatMap { WebAddress.isOne($0) ? $0 : nil }
    let handle = item["username"]?.text ?? ""
    return Post(
      id: id, source: name, server: page.server, url: address,
      uri: address ?? "https://www.threads.net/t/\(PathPart.of(id))",
      author: Author(
        handle: handle,
        url: handle.isEmpty ? nil : "https://www.threads.net/@\(PathPart.of(handle))"),
      text: text ?? "",
      // The offset has no colon.
      createdAt: item["timestamp"]?.rfc3339(), media: media.all,
      replyTo: item["replied_to"]?["id"]?.identifier, isReply: item["is_reply"]?.bool)
  }
}
