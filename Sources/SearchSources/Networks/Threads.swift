package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Threads' public posts, by its keyword search.
///
/// Needs `THREADS_ACCESS_TOKEN` of an app that was approved for `threads_keyword_search`: without the
/// approval only one's own posts are found, and nothing says so. It takes the token in the address. 1
/// to 100 posts a page, the latest first; a query that is one hashtag is asked for as a topic; dates
/// in whole seconds. 2200 queries a day, of which those that find nothing do not count.
/// https://developers.facebook.com/docs/threads/keyword-search
package struct Threads: Source {
  package let name: SourceName = "threads"
  package let traits = SourceTraits(
    defaultServer: "https://graph.threads.net", pageSize: 1...100,
    credentialNames: ["THREADS_ACCESS_TOKEN"], needsCredentials: true, orderSlack: 3600,
    filtersByDate: true, attribution: "Posts belong to their authors, under Meta's platform terms")

  private static let fields =
    "id,text,media_type,media_url,permalink,timestamp,username,is_quote_post,is_reply"

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    guard let credentials = page.credentials else {
      throw Failure(
        .credential, message: "a credential is needed", advice: "set THREADS_ACCESS_TOKEN")
    }
    let words = QueryWords(page.query)
    let topic = words.all.count == 1 ? words.all.first.flatMap(QueryWords.name) : nil
    var parameters = [
      ("q", topic.map { String($0) } ?? page.query.text), ("search_type", "RECENT"),
      ("search_mode", topic == nil ? "KEYWORD" : "TAG"),
      ("limit", String(page.size(within: traits.pageSize))), ("fields", Self.fields),
    ]
    if let since = page.since { parameters.append(("since", second(since, .down))) }
    if let until = page.until { parameters.append(("until", second(until, .up))) }
    if let cursor = page.cursor { parameters.append(("after", cursor.rawValue)) }
    parameters.append(("access_token", credentials.token))
    return HTTPRequest(
      url: "\(page.server.text)/v1.0/keyword_search?\(PercentEncoding.query(parameters))")
  }

  package func verdict(on response: HTTPResponse, now: Date) -> Verdict {
    // The Graph API says it with 400 or 403 and a number.
    let isLimit = (400...499).contains(response.status) && isLimit(ErrorBody(response))
    return isLimit ? .retry : SlowDown.verdict(on: response, now: now)
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
      replyTo: item["replied_to"]?["id"]?.identifier)
  }
}
