internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// DEV and other communities of Forem, by the articles of a tag: the API has no search for words.
///
/// No credentials. Articles come by how much is going on around them, not by date, which only narrows
/// them to those of the last days; so a few large pages are read, and a note says that the rest was not
/// looked at. A page holds up to 1000 articles, or fewer where the server says so. Tags that are left
/// out are judged by each article's own list, as the server ignores `tags_exclude` beside `tag`. A text
/// is the article's own summary.
/// https://developers.forem.com/api/v1#tag/articles
package struct DevTo: Source {
  package let name: SourceName = "devto"
  package let traits = SourceTraits(
    defaultServer: "https://dev.to", pageSize: 250...1000,
    pace: Pace(requests: 3, per: .seconds(1)),
    order: .unordered, abilities: [.tags, .excludedTags], givesExcerpts: true,
    attribution: "Articles belong to their authors, under DEV's terms of use")

  /// How many pages are read of a tag, of which some have tens of thousands of articles.
  private static let lastPage = 4
  /// The size of a page that nobody asked another of: a server that allows less gives at least this.
  private static let usualSize = 30

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    split.onlyTag == nil ? QuerySplit.tagsOnly : nil
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    var split = QuerySplit(oneTagOf: query, canBeAuthor: canBeAuthor)
    split.remote += split.local.filter { $0.kind == .tag }
    split.local.removeAll { $0.kind == .tag }
    return split
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    guard let tag = page.split.onlyTag else {
      throw Failure(.permanent, message: QuerySplit.tagsOnly)
    }
    let place = NumberedPage(page, sizes: traits.pageSize)
    var parameters = [
      ("tag", tag.lowercased()), ("per_page", String(place.size)), ("page", String(place.number)),
    ]
    if let since = page.since {
      let days = (page.now.timeIntervalSince(since) / 86_400).rounded(.up)
      // One more, as the server's clock is another.
      if (1...3650).contains(days) { parameters.append(("top", String(Int(days) + 1))) }
    }
    return HTTPRequest(
      url: "\(page.server.text)/api/articles?\(PercentEncoding.query(parameters))",
      headers: ["Accept": "application/vnd.forem.api-v1+json"])
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else { throw Refusal(response, to: page, from: traits).fault }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard root.kind == .array else {
        if root["error"] != nil { throw Answer.error(ErrorBody(JSON: root), response, to: page) }
        throw Answer.misshapen("no list of articles", response)
      }
      var builder = PageBuilder()
      let excluded = Set(page.split.remoteExclusions(.tag).map { $0.value.lowercased() })
      var count = 0
      for item in root.elements {
        count += 1
        if excluded.isEmpty || excluded.isDisjoint(with: tags(of: item)) {
          builder.add(post(item, for: page))
        }
      }
      let place = NumberedPage(page, sizes: traits.pageSize)
      guard count >= Self.usualSize else { return builder.page(next: nil, after: page.cursor) }
      guard place.number < Self.lastPage else {
        return builder.page(
          next: nil, after: page.cursor,
          notes: ["only the articles with the most activity were searched"])
      }
      return builder.page(next: place.next, after: page.cursor)
    }
  }

  /// The tags of an article, in lower case: a list, or on some servers one text.
  private func tags(of item: JSONNode) -> [String] {
    let list = item["tag_list"]
    let names =
      list?.string.map { $0.split(separator: ",").map(String.init) }
      ?? item.list("tag_list").compactMap(\.text)
    return names.map { String($0.filter { !$0.isWhitespace }).lowercased() }
  }

  package func secondPage(after page: PageRequest) -> Cursor? {
    NumberedPage(page, sizes: traits.pageSize).next
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard item.kind == .object, let id = item["id"]?.identifier, let title = item["title"]?.text
    else { return nil }
    let address = item["url"]?.string.flatMap { WebAddress.isOne($0) ? $0 : nil }
    var links = AddressList()
    // An article that was first published elsewhere names that place.
    if let canonical = item["canonical_url"]?.string, canonical != address { links.add(canonical) }
    var media = AddressList()
    media.add(item["cover_image"]?.string)
    let handle = item["user"]?["username"]?.text ?? ""
    return Post(
      id: id, source: name, server: page.server, url: address,
      uri: address ?? "\(page.server.text)/articles/\(PathPart.of(id))",
      author: Author(
        handle: handle, name: item["user"]?["name"]?.text,
        url: handle.isEmpty ? nil : "\(page.server.text)/\(PathPart.of(handle))"),
      title: title, text: item["description"]?.string ?? "",
      createdAt: (item["published_at"] ?? item["published_timestamp"])?.rfc3339(),
      editedAt: item["edited_at"]?.rfc3339(), language: item["language"]?.text, links: links.all,
      media: media.all,
      counts: Counts(
        likes: (item["public_reactions_count"] ?? item["positive_reactions_count"])?.count,
        replies: item["comments_count"]?.count))
  }
}
