internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Hacker News, through Algolia's search of its stories and comments.
///
/// No credentials; newest first; 1 to 1000 hits a page, and 1000 in all for a query; dates in whole
/// seconds; 10,000 requests an hour. It supports `"phrases"` and `-word`, but not `OR`; authors are
/// tags. https://hn.algolia.com/api
///
/// Matching of prefixes, typos, addresses and authors is turned off. As the index splits words in its
/// own way, they are filtered here as well.
package struct HackerNews: JSONSource {
  package let name: SourceName = "hackernews"
  package let traits = SourceTraits(
    defaultServer: "https://hn.algolia.com", pageSize: 1...1000, firstPage: 0,
    pace: Pace(requests: 10_000, per: .seconds(3600)),
    abilities: [.words, .phrases, .authors, .anyAuthor, .excludedWords], filtersByDate: true,
    ceiling: 1000,
    attribution: "Posts belong to their authors; search by Algolia")

  private static let ceiling = "Algolia returns only the newest 1000 posts of a query"

  // Its advanced syntax has only quotation marks and a leading `-`.
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
    let numbered = numbered(page)
    let authors = page.split.remote(.author).map { "author_\($0.value)" }
    let tags = authors.isEmpty ? "" : ",(\(authors.joined(separator: ",")))"
    var parameters = [
      ("query", Self.language.text(of: page.split, without: .author)),
      ("tags", "(story,comment)" + tags),
      ("restrictSearchableAttributes", "title,story_text,comment_text"),
      ("typoTolerance", "false"), ("queryType", "prefixNone"),
      ("hitsPerPage", String(numbered.size)), ("page", String(numbered.number)),
    ]
    var filters: [String] = []
    if let since = page.since {
      filters.append("created_at_i>=\(DateSpelling.epochSeconds.text(of: since, .down))")
    }
    if let until = page.until {
      filters.append("created_at_i<\(DateSpelling.epochSeconds.text(of: until, .up))")
    }
    if !filters.isEmpty { parameters.append(("numericFilters", filters.joined(separator: ","))) }
    return HTTPRequest(
      url: "\(page.server.text)/api/v1/search_by_date?\(PercentEncoding.query(parameters))")
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    let builder = PageBuilder(try answer.list("hits", of: "hits")) { post($0, for: page) }
    if builder.items == 0, let message = answer["message"]?.string {
      // Beyond the ceiling the status is 200, with this message instead of hits.
      return builder.page(.beyondLimit(OneLine.of(message, without: page.secrets)))
    }
    let numbered = numbered(page)
    let before = numbered.number.multipliedReportingOverflow(by: numbered.size).partialValue
    let hits = answer["nbHits"]?.count ?? 0
    let hasMore =
      answer["nbPages"]?.count.map { numbered.number + 1 < $0 }
      ?? (hits > before + numbered.size)
    guard !hasMore else { return builder.page(.at(numbered.next)) }
    let count = before + max(builder.items, numbered.size)
    return builder.page(count >= 1000 && hits > count ? .beyondLimit(Self.ceiling) : .end)
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
    links.add(content?.links ?? [])
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
