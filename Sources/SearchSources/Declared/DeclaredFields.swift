internal import SearchModel
internal import TextFormats

/// Which part of an item is which part of a post.
struct DeclaredFields: Hashable, Sendable {
  /// The parts, by the names that they have in machine formats.
  enum Part: String, CaseIterable, Sendable {
    case id, url, uri, title, text, author
    case authorName = "author_name"
    case authorURL = "author_url"
    case createdAt = "created_at"
    case editedAt = "edited_at"
    case language, links, media, likes, reposts, replies, views
    case replyTo = "reply_to"
    case repostOf = "repost_of"
    case sensitive
  }

  var fields: [Part: DeclaredField]
  /// The parts whose texts are HTML.
  var html: Set<Part>
  var dates: DateForm

  /// The post that an item is; nil for one without an identity or a text.
  func post(_ item: JSONNode, of source: SourceName, on server: ServerAddress) -> Post? {
    guard item.kind == .object else { return nil }
    let url = address(.url, of: item, on: server)
    guard let id = fields[.id]?.text(of: item) ?? url else { return nil }
    var links = AddressList()
    for link in fields[.links]?.texts(of: item) ?? [] { links.add(absolute(link, on: server)) }
    var media = AddressList()
    for medium in fields[.media]?.texts(of: item) ?? [] { media.add(absolute(medium, on: server)) }
    let title = text(.title, of: item, adding: &links)
    let text = text(.text, of: item, adding: &links)
    guard title != nil || text != nil || !media.all.isEmpty else { return nil }
    return Post(
      id: id, source: source, server: server, url: url,
      uri: fields[.uri]?.text(of: item) ?? url ?? "\(server.text)#\(id)",
      author: Author(
        handle: fields[.author]?.text(of: item) ?? "", name: fields[.authorName]?.text(of: item),
        url: address(.authorURL, of: item, on: server)),
      title: title, text: text ?? "",
      createdAt: fields[.createdAt]?.node(of: item).flatMap(dates.date),
      editedAt: fields[.editedAt]?.node(of: item).flatMap(dates.date),
      language: fields[.language]?.text(of: item), links: links.all, media: media.all,
      counts: Counts(
        likes: fields[.likes]?.count(of: item), reposts: fields[.reposts]?.count(of: item),
        replies: fields[.replies]?.count(of: item), views: fields[.views]?.count(of: item)),
      replyTo: fields[.replyTo]?.text(of: item), repostOf: fields[.repostOf]?.text(of: item),
      isSensitive: fields[.sensitive]?.node(of: item).flatMap {
        $0.bool ?? $0.count.map { $0 != 0 }
      }
    )
  }

  private func text(_ part: Part, of item: JSONNode, adding links: inout AddressList) -> String? {
    guard let text = fields[part]?.text(of: item) else { return nil }
    guard html.contains(part) else { return text }
    let content = HTMLText.read(text)
    for link in content.links { links.add(link) }
    return content.text.isEmpty ? nil : content.text
  }

  /// An address that people may follow; other servers may put anything here.
  private func address(_ part: Part, of item: JSONNode, on server: ServerAddress) -> String? {
    let address = fields[part]?.text(of: item).map { absolute($0, on: server) }
    return address.flatMap { WebAddress.isOne($0) ? $0 : nil }
  }

  /// A path is one of the server's own.
  private func absolute(_ address: String, on server: ServerAddress) -> String {
    guard address.hasPrefix("/"), !address.hasPrefix("//") else { return address }
    return SameOrigin.address(of: address, on: server) ?? address
  }
}
