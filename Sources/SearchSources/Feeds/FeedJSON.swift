internal import SearchModel
internal import TextFormats

/// Reads JSON Feed 1.0 and 1.1. https://www.jsonfeed.org/version/1.1/
enum FeedJSON {
  /// Returns the feed; nil for any other document.
  ///
  /// - Parameter base: The address of the document.
  static func read(_ root: JSONNode, base: String?) -> FeedDocument? {
    guard root.kind == .object, let items = root["items"], items.kind == .array else { return nil }
    var feed = FeedDocument()
    feed.title = root["title"]?.text.map(\.onOneLine)
    feed.link = address(root["home_page_url"], base)
    feed.authors = authors(of: root, base)
    feed.language = root["language"]?.text
    for item in items.elements { feed.add(entry(item, of: feed, base)) }
    feed.keepNewest()
    feed.next = address(root["next_url"], base)
    feed.namesNext = root["next_url"]?.isFilled == true
    return feed
  }

  private static func entry(
    _ item: JSONNode, of feed: FeedDocument, _ base: String?
  ) -> FeedEntry {
    var entry = FeedEntry()
    guard item.kind == .object else { return entry }
    entry.id = item["id"]?.identifier.flatMap { $0.isEmpty ? nil : $0 }
    let external = address(item["external_url"], base)
    entry.link = address(item["url"], base) ?? external
    entry.title = item["title"]?.text.map(\.onOneLine)
    let html = item["content_html"]?.text.map { HTMLText.read($0, relativeTo: entry.link ?? base) }
    entry.text =
      [item["content_text"]?.text, html?.text, item["summary"]?.text].lazy.compactMap(\.self)
      .first { !$0.isEmpty } ?? ""
    var links = AddressList()
    if external != entry.link { links.add(external) }
    links.add(html?.links ?? [])
    entry.links = links.all
    var media = AttachmentList()
    for attachment in item.list("attachments") {
      media.add(
        address(attachment["url"], base), type: attachment["mime_type"]?.text,
        description: attachment["title"]?.text)
    }
    for image in [item["image"], item["banner_image"]] { media.add(address(image, base), .image) }
    entry.attachments = media.all
    entry.published = item["date_published"]?.string.flatMap(LooseDate.parse)
    entry.updated = item["date_modified"]?.string.flatMap(LooseDate.parse)
    entry.language = item["language"]?.text
    for tag in item.list("tags") where entry.categories.count < 200 {
      if let tag = tag.text { entry.categories.append(tag) }
    }
    entry.topics = entry.categories
    let isReadable = !entry.isEmpty
    entry.authors = authors(of: item, base)
    if isReadable, entry.authors.isEmpty { entry.authors = feed.authors }
    return entry
  }

  /// The authors: a list in version 1.1, one author in 1.0, and either of them under either name.
  private static func authors(of node: JSONNode, _ base: String?) -> [FeedPerson] {
    for key in ["authors", "author"] as [StaticString] {
      guard let named = node[key] else { continue }
      var people: [FeedPerson] = []
      if named.kind == .array {
        for author in named.elements where people.count < FeedAuthors.limit {
          if let person = person(author, base) { people.append(person) }
        }
      } else if let person = person(named, base) {
        people.append(person)
      }
      if !people.isEmpty { return people }
    }
    return []
  }

  private static func person(_ node: JSONNode, _ base: String?) -> FeedPerson? {
    FeedPerson(
      name: (node["name"]?.text ?? node.text).map { $0.asName },
      url: address(node["url"], base))
  }

  private static func address(_ node: JSONNode?, _ base: String?) -> String? {
    node?.text.flatMap { WebLink.resolved($0, against: base) }
  }
}
