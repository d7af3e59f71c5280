internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// DEV and other Forem communities, through the articles of a tag: the API has no word search.
///
/// No credentials. Articles are sorted by activity, not by date; dates only restrict them to the last
/// days. A page has up to 1000 articles, or fewer if the server says so. Excluded tags are filtered
/// here, as the server ignores `tags_exclude` beside `tag`. Texts are the articles' own summaries.
/// https://developers.forem.com/api/v1#tag/articles
package struct DevTo: JSONSource {
  package let name: SourceName = "devto"
  package let traits = SourceTraits(
    defaultServer: "https://dev.to", pageSize: 250...1000, firstPage: 1,
    pace: Pace(requests: 3, per: .seconds(1)),
    order: .unordered, abilities: [.tags], givesExcerpts: true,
    attribution: "Articles belong to their authors, under DEV's terms of use")

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    split.onlyTag == nil ? QuerySplit.tagsOnly : nil
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    QuerySplit(oneTagOf: query, canBeAuthor: canBeAuthor)
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    guard let tag = page.split.onlyTag else {
      throw Failure(.permanent, message: QuerySplit.tagsOnly)
    }
    let numbered = numbered(page)
    var parameters = [
      ("tag", tag.lowercased()), ("per_page", String(numbered.size)),
      ("page", String(numbered.number)),
    ]
    if let since = page.since {
      let days = (page.now.timeIntervalSince(since) / 86_400).rounded(.up)
      // One more, as the server's clock may differ.
      if (1...3650).contains(days) { parameters.append(("top", String(Int(days) + 1))) }
    }
    return HTTPRequest(
      url: "\(page.server.text)/api/articles?\(PercentEncoding.query(parameters))",
      headers: ["Accept": "application/vnd.forem.api-v1+json"])
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    let builder = PageBuilder(try answer.list(of: "articles")) { post($0, for: page) }
    // A server may return smaller pages than requested, so only an empty one is the end.
    return builder.page(builder.items > 0 ? .at(numbered(page).next) : .end)
  }

  /// The tags of an article: a list, or on some servers one string.
  private func tags(of item: JSONNode) -> [String] {
    item["tag_list"]?.string.map { $0.split(separator: ",").map { String($0.trimmed) } }
      ?? item.list("tag_list").compactMap(\.text)
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard item.kind == .object, let id = item["id"]?.identifier, let title = item["title"]?.text
    else { return nil }
    let address = item["url"]?.address
    var links = AddressList()
    // An article that was first published elsewhere links there.
    if let canonical = item["canonical_url"]?.string, canonical != address { links.add(canonical) }
    var media = AttachmentList()
    media.add(item["cover_image"]?.string, .image)
    let handle = item["user"]?["username"]?.text ?? ""
    return Post(
      id: id, source: name, server: page.server, url: address,
      uri: address ?? "\(page.server.text)/articles/\(PathPart.of(id))",
      author: Author(
        handle: handle, name: item["user"]?["name"]?.text,
        url: handle.isEmpty ? nil : "\(page.server.text)/\(PathPart.of(handle))"),
      title: title, text: item["description"]?.string ?? "",
      createdAt: (item["published_at"] ?? item["published_timestamp"])?.rfc3339(),
      editedAt: item["edited_at"]?.rfc3339(), language: item["language"]?.text,
      topics: tags(of: item),
      links: links.all, attachments: media.all,
      counts: Counts(
        likes: (item["public_reactions_count"] ?? item["positive_reactions_count"])?.count,
        replies: item["comments_count"]?.count))
  }
}
