internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// The fields of items that make up a post.
struct DeclaredFields: Hashable, Sendable {
  /// The parts, by the names that they have in machine formats.
  enum Part: String, CaseIterable, Sendable {
    case id, url, uri, title, text, author
    case authorName = "author_name"
    case authorURL = "author_url"
    case createdAt = "created_at"
    case editedAt = "edited_at"
    case language, topics, links, media, likes, reposts, replies, views
    case replyTo = "reply_to"
    case repostOf = "repost_of"
    case sensitive
    case contentWarning = "content_warning"
    case poll, visibility
  }

  var fields: [Part: DeclaredField]
  /// The parts whose texts are HTML.
  var html: Set<Part>
  var dates: DateForm

  /// Returns the post that an item is; nil without an identity or a text.
  func post(_ item: JSONNode, of source: SourceName, on server: ServerAddress) -> Post? {
    guard item.kind == .object else { return nil }
    let url = address(.url, of: item, on: server)
    guard let id = fields[.id]?.text(of: item) ?? url else { return nil }
    var links = AddressList()
    for link in fields[.links]?.texts(of: item) ?? [] { links.add(absolute(link, on: server)) }
    var media = AttachmentList()
    for medium in fields[.media]?.texts(of: item) ?? [] { media.add(absolute(medium, on: server)) }
    let title = text(.title, of: item, adding: &links)
    let text = text(.text, of: item, adding: &links)
    guard title != nil || text != nil || !media.isEmpty else { return nil }
    return Post(
      id: id, source: source, server: server, url: url,
      uri: fields[.uri]?.text(of: item) ?? url ?? "\(server.text)#\(id)",
      author: Author(
        handle: fields[.author]?.text(of: item) ?? "", name: fields[.authorName]?.text(of: item),
        url: address(.authorURL, of: item, on: server)),
      title: title, text: text ?? "",
      createdAt: fields[.createdAt]?.node(of: item).flatMap(dates.date),
      editedAt: fields[.editedAt]?.node(of: item).flatMap(dates.date),
      language: fields[.language]?.text(of: item), topics: fields[.topics]?.texts(of: item) ?? [],
      links: links.all, attachments: media.all,
      counts: Counts(
        likes: fields[.likes]?.count(of: item), reposts: fields[.reposts]?.count(of: item),
        replies: fields[.replies]?.count(of: item), views: fields[.views]?.count(of: item)),
      replyTo: fields[.replyTo]?.text(of: item), repostOf: fields[.repostOf]?.text(of: item),
      isSensitive: fields[.sensitive]?.node(of: item).flatMap {
        $0.bool ?? $0.count.map { $0 != 0 }
      },
      contentWarning: fields[.contentWarning]?.text(of: item),
      poll: fields[.poll]?.texts(of: item) ?? [],
      visibility: fields[.visibility]?.node(of: item)?.visibility
    )
  }

  private func text(_ part: Part, of item: JSONNode, adding links: inout AddressList) -> String? {
    guard let text = fields[part]?.text(of: item) else { return nil }
    guard html.contains(part) else { return text }
    let content = HTMLText.read(text)
    for link in content.links { links.add(link) }
    return content.text.isEmpty ? nil : content.text
  }

  /// An http or https address; nil for anything else, as servers may put anything here.
  private func address(_ part: Part, of item: JSONNode, on server: ServerAddress) -> String? {
    let address = fields[part]?.text(of: item).map { absolute($0, on: server) }
    return address.flatMap { $0.isHTTPURL ? $0 : nil }
  }

  /// A path is one of the server's own.
  private func absolute(_ address: String, on server: ServerAddress) -> String {
    guard address.hasPrefix("/"), !address.hasPrefix("//") else { return address }
    return SameOrigin.address(of: address, on: server) ?? address
  }
}

/// The location of one part of a post in an item: a path, an address with paths in braces, or several of
/// these, the first of which that exists counts.
struct DeclaredField: Hashable, Sendable {
  static let expected =
    "a path such as user.name, an address such as https://forum.example/t/{id}, or a list of these"

  private enum Way: Hashable, Sendable {
    case path(NodePath)
    case template(Template<NodePath>)
  }

  private let ways: [Way]

  /// Reads one text, or a list of texts, of which the first that finds something counts.
  init(_ entry: JSONEntry) throws(DocumentError) {
    ways = try entry.oneOrMore(expected: Self.expected).map { entry throws(DocumentError) in
      let text = try entry.string(expected: Self.expected)
      guard text.contains("{") else { return .path(try NodePath(text, at: entry)) }
      return .template(
        try Template(text, at: entry) { slot throws(DocumentError) in
          try NodePath(slot, at: entry)
        })
    }
  }

  /// Returns the text of an item at this location, never empty.
  func text(of item: JSONNode) -> String? {
    for way in ways {
      switch way {
      case .path(let path):
        if let text = path.node(in: item)?.identifier { return text }
      case .template(let template):
        let text = template.filled { $0.node(in: item)?.identifier.map(PercentEncoding.encode) }
        if let text { return text }
      }
    }
    return nil
  }

  /// Returns the node at the first path that exists.
  func node(of item: JSONNode) -> JSONNode? {
    for case .path(let path) in ways {
      if let node = path.node(in: item) { return node }
    }
    return nil
  }

  /// Returns a count, which some networks write as a string.
  func count(of item: JSONNode) -> Int? {
    guard let node = node(of: item) else { return nil }
    return node.count ?? node.string.flatMap { Int($0) }
  }

  /// Returns all texts at this location: those of a list, or the only one.
  func texts(of item: JSONNode) -> [String] {
    var texts: [String] = []
    for way in ways {
      switch way {
      case .path(let path):
        path.visitAll(in: item) { node in if let text = node.text { texts.append(text) } }
      case .template:
        if let text = text(of: item) { texts.append(text) }
      }
    }
    return texts
  }
}

/// The format of dates in responses.
enum DateForm: String, CaseIterable, Sendable {
  /// Detects the format.
  case auto
  case epochSeconds = "epoch-seconds"
  case epochMilliseconds = "epoch-milliseconds"
  case rfc3339
  case rfc822

  /// From here on a number counts milliseconds: as seconds it would lie beyond the year 5000.
  private static let leastMilliseconds = 1e11

  /// Reads a date; nil for anything else.
  func date(_ node: JSONNode) -> Date? {
    switch self {
    case .auto:
      if let number = number(node) {
        return EpochTime.date(
          seconds: abs(number) >= Self.leastMilliseconds ? number / 1000 : number)
      }
      return node.rfc3339(allowing: [.missingZone, .shortForms]) ?? node.rfc822
    case .epochSeconds: return number(node).flatMap { EpochTime.date(seconds: $0) }
    case .epochMilliseconds: return number(node).flatMap { EpochTime.date(seconds: $0 / 1000) }
    case .rfc3339: return node.rfc3339(allowing: [.missingZone, .shortForms])
    case .rfc822: return node.rfc822
    }
  }

  /// A number, which some write as a string. Four digits are a year rather than an hour of 1970.
  private func number(_ node: JSONNode) -> Double? {
    if let number = node.double { return number }
    guard let text = node.string, text.utf8.count > 4 || self != .auto,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D })
    else { return nil }
    return Double(text)
  }
}
