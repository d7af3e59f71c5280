internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Hacker News, by Algolia's search of its stories and comments.
///
/// No credentials; newest first; 1 to 1000 hits a page, and 1000 in all for a query; dates in whole
/// seconds; 10,000 requests an hour. It knows `"phrases"` and `-word`, no `OR`; authors are tags.
/// https://hn.algolia.com/api
///
/// The index would also find the beginnings of words, words spelt almost so, addresses and authors: it
/// is asked not to, and as it takes words apart in its own way, they are judged here again.
package struct HackerNews: Source {
  package let name: SourceName = "hackernews"
  package let traits = SourceTraits(
    defaultServer: "https://hn.algolia.com", pageSize: 1...1000,
    pace: Pace(requests: 10_000, per: .seconds(3600)),
    abilities: [.words, .phrases, .authors, .anyAuthor, .excludedWords], filtersByDate: true,
    ceiling: 1000,
    attribution: "Posts belong to their authors; search by Algolia")

  private static let ceiling = "no more than the newest 1000 posts of a query are given"

  // Quotation marks and a `-` at the beginning are all that its advanced syntax knows.
  private static let language = SearchLanguage(
    plainSigns: "+&#%/.'!?=*~^$()[]{}:;,<>@|\\-_`",
    plainFirstSigns: "+&#%/.'!?=*~^$()[]{}:;,<>@|\\_`",
    operators: [])

  package func canBeAuthor(_ name: String) -> Bool {
    HandleCharacters.areAll(name, signs: "_-")
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    var split = QuerySplit(query, by: traits.abilities, canBeAuthor: canBeAuthor)
    split.local += split.remote.filter { $0.kind == .word || $0.kind == .phrase }
    return split
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let (number, hits) = place(of: page)
    let authors = page.split.remote(.author).map { "author_\($0.value)" }
    let tags = authors.isEmpty ? "" : ",(\(authors.joined(separator: ",")))"
    var parameters = [
      ("query", Self.language.text(of: page.split, without: .author)),
      ("tags", "(story,comment)" + tags),
      ("restrictSearchableAttributes", "title,story_text,comment_text"),
      ("typoTolerance", "false"), ("queryType", "prefixNone"), ("hitsPerPage", String(hits)),
      ("page", String(number)),
    ]
    var filters: [String] = []
    if let since = page.since { filters.append("created_at_i>=\(seconds(of: since, .down))") }
    if let until = page.until { filters.append("created_at_i<\(seconds(of: until, .up))") }
    if !filters.isEmpty { parameters.append(("numericFilters", filters.joined(separator: ","))) }
    return HTTPRequest(
      url: "\(page.server.text)/api/v1/search_by_date?\(PercentEncoding.query(parameters))")
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else { throw Refusal(response, to: page, from: traits).fault }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let hits = root["hits"], hits.kind == .array else {
        if root["message"] != nil { throw Answer.error(ErrorBody(JSON: root), response, to: page) }
        throw Answer.misshapen("no list of hits", response)
      }
      var builder = PageBuilder()
      for item in hits.elements { builder.add(post(item, for: page)) }
      if builder.items == 0, let message = root["message"]?.string {
        // Beyond the ceiling it answers 200 with these words in place of hits.
        return builder.page(
          next: nil, after: nil, missing: OneLine.of(message, without: page.secrets))
      }
      let (number, size) = place(of: page)
      let pages = root["nbPages"]?.count ?? 0
      guard number + 1 >= pages || builder.items == 0 else {
        return builder.page(next: Cursor(rawValue: "\(number + 1)/\(size)"), after: page.cursor)
      }
      let given = number.multipliedReportingOverflow(by: size).partialValue + builder.items
      let isCut = given >= 1000 && (root["nbHits"]?.count ?? 0) > given
      return builder.page(next: nil, after: nil, missing: isCut ? Self.ceiling : nil)
    }
  }

  /// The number of a page, and how many hits each has: a number means nothing without.
  private func place(of page: PageRequest) -> (number: Int, hits: Int) {
    let parts = page.cursor?.rawValue.split(separator: "/").compactMap { Int($0) } ?? []
    guard parts.count == 2, parts[0] >= 0, traits.pageSize.contains(parts[1]) else {
      return (0, page.size(within: traits.pageSize))
    }
    return (parts[0], parts[1])
  }

  private func seconds(of date: Date, _ rule: FloatingPointRoundingRule) -> String {
    String(Int64(date.timeIntervalSince1970.rounded(rule)))
  }

  package func secondPage(after page: PageRequest) -> Cursor? {
    let (number, hits) = place(of: page)
    return Cursor(rawValue: "\(number + 1)/\(hits)")
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard item.kind == .object, let id = item["objectID"]?.identifier else { return nil }
    let content = (item["comment_text"]?.string ?? item["story_text"]?.string).map {
      HTMLText.read($0)
    }
    let title = item["title"]?.string ?? item["story_title"]?.string
    guard content != nil || title != nil else { return nil }

    var links = AddressList()
    links.add(item["url"]?.string)
    for link in content?.links ?? [] { links.add(link) }
    let handle = item["author"]?.string ?? ""
    let address = "https://news.ycombinator.com/item?id=\(PercentEncoding.encode(id))"
    let stamp = item["created_at_i"]?.integer.flatMap { EpochTime.date(seconds: $0) }
    return Post(
      id: id, source: name, server: page.server, url: address, uri: address,
      author: Author(
        handle: handle,
        url: handle.isEmpty
          ? nil : "https://news.ycombinator.com/user?id=\(PercentEncoding.encode(handle))"),
      title: title?.isEmpty == true ? nil : title, text: content?.text ?? "",
      createdAt: stamp ?? item["created_at"]?.rfc3339(allowing: .missingZone),
      links: links.all,
      counts: Counts(likes: item["points"]?.count, replies: item["num_comments"]?.count),
      replyTo: item["parent_id"]?.identifier)
  }
}
