package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Lobsters' stories, by their tag: its search speaks no JSON. All else is judged here, but for tags that
/// are left out, as stories do not tell theirs in their texts.
///
/// No credentials; 25 stories a page, newest first, dates are filtered here. A tag that the site does
/// not have is a 404, which is no failure: its tags are few and fixed. 4 requests a second and 100 in
/// 10 minutes. https://lobste.rs/about
package struct Lobsters: Source {
  package let name: SourceName = "lobsters"
  package let traits = SourceTraits(
    defaultServer: "https://lobste.rs", pageSize: 25...25,
    pace: Pace(requests: 4, per: .seconds(24)), abilities: [.tags],
    attribution: "Stories belong to their authors; the site asks not to be scraped")

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    split.onlyTag == nil ? QuerySplit.tagsOnly : nil
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    var split = QuerySplit(oneTagOf: query, canBeAuthor: canBeAuthor)
    split.makeUnsupported { $0.kind == .tag }
    return split
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    guard let tag = page.split.onlyTag else {
      throw Failure(.permanent, message: QuerySplit.tagsOnly)
    }
    let number = NumberedPage(page, sizes: traits.pageSize).number
    let place = number == 1 ? "" : "/page/\(number)"
    let path = "/t/\(PercentEncoding.encode(tag.lowercased()))\(place).json"
    return HTTPRequest(url: page.server.text + path)
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    if response.status == 404, page.cursor == nil {
      return Page(notes: ["there is no such tag"])
    }
    guard response.status == 200 else { throw Refusal(response, to: page, from: traits).fault }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard root.kind == .array else {
        if root["error"] != nil { throw Answer.error(ErrorBody(JSON: root), response, to: page) }
        throw Answer.misshapen("no list of stories", response)
      }
      var builder = PageBuilder()
      for item in root.elements { builder.add(post(item, for: page)) }
      let place = NumberedPage(page, sizes: traits.pageSize)
      let isFull = builder.items >= traits.pageSize.upperBound
      return builder.page(next: isFull ? place.next : nil, after: page.cursor)
    }
  }

  package func secondPage(after page: PageRequest) -> Cursor? {
    NumberedPage(page, sizes: traits.pageSize).next
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard item.kind == .object, let id = item["short_id"]?.identifier,
      let title = item["title"]?.text
    else { return nil }
    let content = item["description"]?.text.map { HTMLText.read($0) }
    var links = AddressList()
    links.add(item["url"]?.string)
    for link in content?.links ?? [] { links.add(link) }
    let own = "\(page.server.text)/s/\(PathPart.of(id))"
    let address = item["short_id_url"]?.string.flatMap { WebAddress.isOne($0) ? $0 : nil } ?? own
    // Until 2023 the submitter was an object.
    let submitter = item["submitter_user"]
    let handle = submitter?.text ?? submitter?["username"]?.text ?? ""
    return Post(
      id: id, source: name, server: page.server, url: address, uri: address,
      author: Author(
        handle: handle,
        url: handle.isEmpty ? nil : "\(page.server.text)/~\(PathPart.of(handle))"),
      title: title, text: item["description_plain"]?.text ?? content?.text ?? "",
      createdAt: item["created_at"]?.rfc3339(), links: links.all,
      counts: Counts(likes: item["score"]?.count, replies: item["comment_count"]?.count))
  }
}
