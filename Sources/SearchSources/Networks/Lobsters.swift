package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Lobsters' stories, through their tag, as its search has no JSON API.
///
/// Other terms are filtered here. No credentials; 25 stories a page, newest first; dates are filtered here. An unknown tag is a 404, but
/// not a failure: the site's tags are few and fixed. 4 requests a second and 100 in 10 minutes. https://lobste.rs/about
package struct Lobsters: JSONSource {
  package let name: SourceName = "lobsters"
  package let traits = SourceTraits(
    defaultServer: "https://lobste.rs", pageSize: 25...25, firstPage: 1,
    pace: Pace(requests: 4, per: .seconds(24)), abilities: [.tags],
    attribution: "Stories belong to their authors; the site asks not to be scraped")

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
    let number = numbered(page).number
    let suffix = number == 1 ? "" : "/page/\(number)"
    let path = "/t/\(PercentEncoding.encode(tag.lowercased()))\(suffix).json"
    return HTTPRequest(url: page.server.text + path)
  }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    guard response.status == 404, page.cursor == nil else { return }
    refusal.meaning = .page(Page(notes: ["there is no such tag"]))
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    let builder = PageBuilder(try answer.list(of: "stories")) { post($0, for: page) }
    // Nothing names the next page, and any may be short: the hidden stories are left out afterwards.
    return builder.page(builder.items > 0 ? .at(numbered(page).next) : .end)
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard item.kind == .object, let id = item["short_id"]?.identifier,
      let title = item["title"]?.text
    else { return nil }
    let content = item["description"]?.text.map { HTMLText.read($0) }
    var links = AddressList()
    links.add(item["url"]?.string)
    links.add(content?.links ?? [])
    let own = "\(page.server.text)/s/\(PathPart.of(id))"
    let address = item["short_id_url"]?.address ?? own
    // Until 2023 the submitter was an object.
    let submitter = item["submitter_user"]
    let handle = submitter?.text ?? submitter?["username"]?.text ?? ""
    return Post(
      id: id, source: name, server: page.server, url: address, uri: address,
      author: Author(
        handle: handle,
        url: handle.isEmpty ? nil : "\(page.server.text)/~\(PathPart.of(handle))"),
      title: title, text: item["description_plain"]?.text ?? content?.text ?? "",
      createdAt: item["created_at"]?.rfc3339(), topics: item.list("tags").compactMap(\.text),
      links: links.all,
      counts: Counts(likes: item["score"]?.count, replies: item["comment_count"]?.count))
  }
}
