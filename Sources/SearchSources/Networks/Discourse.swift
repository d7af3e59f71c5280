package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// The posts of a Discourse forum, by its full-text search. Every forum is a server of its own.
///
/// No credentials; 50 posts a page and 10 pages a query, newest first; a query holds its order and its
/// dates, in whole days, and knows `"phrases"`, `#tag` (or category) and `@user`. At least three
/// characters. Of each topic only the newest matching post is given. Words match from their beginning,
/// so posts that show a word only within a longer one are left out here. A text is a part of a post.
/// https://docs.discourse.org/#tag/Search
package struct Discourse: Source {
  package let name: SourceName = "discourse"
  package let traits = SourceTraits(
    defaultServer: nil, pageSize: 50...50,
    abilities: [.words, .phrases, .tags, .authors], givesExcerpts: true, filtersByDate: true,
    ceiling: 500,
    attribution: "Posts belong to their authors, under the terms of their forum")

  private static let lastPage = 10
  private static let ceiling = "no more than 10 pages of a query are given"

  // Single letters are short for orders.
  private static let language = SearchLanguage(
    plainSigns: "+'.&%/!?_-", plainFirstSigns: "'.&%_",
    operators: ["and", "or", "not", "l", "r", "t", "f"], tag: "#", author: "@")

  package func canBeAuthor(_ name: String) -> Bool {
    HandleCharacters.areAll(name, signs: "_-.")
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    var split = QuerySplit(query, by: traits.abilities, canBeAuthor: canBeAuthor)
    // Tags stand beside a topic, not in its text.
    split.makeUnsupported { $0.kind == .tag }
    split.wholeWords = split.remote.filter { $0.kind == .word && !$0.isExcluded }
    return split
  }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    let text = Self.language.text(of: split).filter { $0 != "\"" }
    let isShort = text.count < 3 && text.utf8.allSatisfy { $0 < 0x80 }
    return isShort ? "this network needs queries of at least 3 characters" : nil
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    var terms = Self.language.text(of: page.split) + " order:latest"
    // A day begins at midnight UTC; `after` leaves that moment out.
    if let since = page.since { terms += " after:\(day(of: since.addingTimeInterval(-0.001)))" }
    if let until = page.until {
      terms += " before:\(day(of: until.addingTimeInterval(86_400 - 0.001)))"
    }
    let number = NumberedPage(page, sizes: traits.pageSize).number
    let query = PercentEncoding.query([("q", terms), ("page", String(number))])
    return HTTPRequest(
      url: "\(page.server.text)/search.json?\(query)", headers: ["Accept": "application/json"])
  }

  package func verdict(on response: HTTPResponse, now: Date) -> Verdict {
    if response.status == 429, response.headers["retry-after"] == nil,
      let seconds = wait(in: response)
    {
      return .coolDown(until: now.addingTimeInterval(seconds))
    }
    return SlowDown.verdict(on: response, now: now)
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else {
      var refusal = Refusal(response, to: page, from: traits)
      if refusal.meaning == .slowDown, refusal.until == nil, let seconds = wait(in: response) {
        refusal.until = page.answered.addingTimeInterval(seconds)
      }
      throw refusal.fault
    }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      let result = root["grouped_search_result"]
      guard let posts = root["posts"], posts.kind == .array else {
        // Without a hit some versions leave the lists out.
        if result?.kind == .object, root["posts"] == nil { return Page(notes: notes(in: result)) }
        if root["errors"] != nil || root["error"] != nil {
          throw Answer.error(ErrorBody(JSON: root), response, to: page)
        }
        throw Answer.misshapen("no list of posts", response)
      }
      var titles: [String: String] = [:]
      for topic in root.list("topics") {
        if let id = topic["id"]?.identifier { titles[id] = topic["title"]?.text }
      }
      var builder = PageBuilder()
      for item in posts.elements { builder.add(post(item, titles: titles, for: page)) }
      let place = NumberedPage(page, sizes: traits.pageSize)
      let notes = notes(in: result)
      guard result?["more_full_page_results"]?.bool == true, builder.items > 0 else {
        return builder.page(next: nil, after: nil, notes: notes)
      }
      let isLast = place.number >= Self.lastPage
      return builder.page(
        next: isLast ? nil : place.next, after: page.cursor, missing: isLast ? Self.ceiling : nil,
        notes: notes)
    }
  }

  private func notes(in result: JSONNode?) -> [String] {
    result?["error"]?.text.map { [OneLine.of($0)] } ?? []
  }

  private func day(of date: Date) -> String { String(RFC3339.format(date).prefix(10)) }

  /// The wait that a limit's body names.
  private func wait(in response: HTTPResponse) -> Double? {
    Answer.value(in: response) { root in
      let seconds = root["extras"]?["wait_seconds"]?.double
      return seconds.flatMap { (0...86_400).contains($0) ? $0 : nil }
    }
  }

  package func secondPage(after page: PageRequest) -> Cursor? {
    NumberedPage(page, sizes: traits.pageSize).next
  }

  private func post(_ item: JSONNode, titles: [String: String], for page: PageRequest) -> Post? {
    guard item.kind == .object, let id = item["id"]?.identifier,
      let topic = item["topic_id"]?.identifier
    else { return nil }
    let title = titles[topic] ?? item["topic_title_headline"]?.text
    let text = item["blurb"]?.string.map { Entities.decode($0) }
    guard text != nil || title != nil else { return nil }
    let number = item["post_number"]?.count ?? 1
    let address = "\(page.server.text)/t/-/\(PathPart.of(topic))"
    let handle = item["username"]?.text ?? ""
    return Post(
      id: id, source: name, server: page.server, url: "\(address)/\(number)",
      uri: "\(address)/\(number)",
      author: Author(
        handle: handle, name: item["name"]?.text,
        url: handle.isEmpty ? nil : "\(page.server.text)/u/\(PathPart.of(handle))"),
      title: title, text: text ?? "", createdAt: item["created_at"]?.rfc3339(),
      counts: Counts(likes: item["like_count"]?.count),
      replyTo: number > 1 ? address : nil)
  }
}
