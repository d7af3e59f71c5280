internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// The fields of items that make up a post.
struct PostFields: Sendable {
  /// The parts, by the names that they have in machine formats.
  enum Part: Int, CaseIterable, Sendable {
    case id, url, uri, title, text, author, authorName, authorURL, createdAt, editedAt, language
    case links, media, topics, likes, reposts, replies, views, replyTo, isReply, repostOf, sensitive
    case contentWarning, poll, visibility, pinned

    var name: String {
      switch self {
      case .authorName: "author_name"
      case .authorURL: "author_url"
      case .createdAt: "created_at"
      case .editedAt: "edited_at"
      case .replyTo: "reply_to"
      case .isReply: "is_reply"
      case .repostOf: "repost_of"
      case .contentWarning: "content_warning"
      case _: "\(self)"
      }
    }

    /// True if its text is an address or an identifier.
    fileprivate var isAddress: Bool {
      switch self {
      case .id, .url, .uri, .authorURL, .links, .media, .replyTo, .repostOf: true
      case _: false
      }
    }
    /// True if it is a string, so that a number means nothing.
    fileprivate var isProse: Bool { self == .title || self == .text || self == .topics }
  }

  /// What texts are, besides plain.
  struct Markup: OptionSet, Sendable {
    let rawValue: Int

    /// Entities in place of signs, even of those of markup.
    static let entities = Markup(rawValue: 1)
    static let html = Markup(rawValue: 2)
  }

  /// No network has posts with more; each is compared with those before it.
  private static let mostTopics = 200

  private let fields: [PostField?]
  /// The parts whose texts are not plain.
  private let markup: [Part: Markup]
  private let dates: DateForm
  /// What all media are, if they are the same.
  private let mediaKind: PostAttachment.Kind?

  init(
    _ fields: [Part: PostField], markup: [Part: Markup] = [:], dates: DateForm = .auto,
    mediaKind: PostAttachment.Kind? = nil
  ) {
    self.fields = Part.allCases.map { part in
      fields[part]?.forPart(
        isAddress: part.isAddress, isProse: part.isProse,
        separator: part == .text ? "\n" : ", ")
    }
    self.markup = markup
    self.dates = dates
    self.mediaKind = mediaKind
  }

  @inline(__always)
  subscript(part: Part) -> PostField? { fields[part.rawValue] }

  /// True if authors have names, and no handles.
  var hasNamesOnly: Bool { self[.author] == nil && self[.authorName] != nil }

  /// The names of the parts that have a field.
  var parts: [Part] { Part.allCases.filter { self[$0] != nil } }

  /// Returns the post that an item is; nil without an identity, and without a title, a text or a medium.
  /// A title or text may be empty.
  ///
  /// - Parameters:
  ///   - server: The server that answered, which may be that of one language.
  ///   - language: The language that was asked for.
  func post(
    _ item: JSONNode, of source: SourceName, to page: PageRequest, on server: ServerAddress,
    language: String?
  ) -> Post? {
    guard item.kind == .object else { return nil }
    let reading = PostField.Reading(page: page, server: server)
    func plain(_ part: Part) -> String? { self[part]?.text(of: item, reading) }
    func address(_ part: Part) -> String? {
      self[part]?.first(of: item, reading) { text in
        let address = absolute(text, on: server)
        return address.isHTTPURL ? address : nil
      }
    }
    let url = address(.url)
    guard let id = plain(.id) ?? url else { return nil }
    var links = addresses(.links, of: item, reading, except: url)
    var media = AttachmentList()
    for medium in addresses(.media, of: item, reading).all { media.add(medium, mediaKind) }
    let title = text(.title, of: item, reading, &links)
    let text = text(.text, of: item, reading, &links)
    guard title != nil || text != nil || !media.isEmpty || hasWords(item) else { return nil }
    return Post(
      id: id, source: source, server: page.server, url: url,
      uri: plain(.uri) ?? url ?? "\(server.text)#\(id)",
      author: Author(
        handle: plain(.author) ?? "", name: self.text(.authorName, of: item, reading, &links),
        url: address(.authorURL)),
      title: title, text: text ?? "", createdAt: self[.createdAt]?.first(of: item, dates.date),
      editedAt: self[.editedAt]?.first(of: item, dates.date),
      language: plain(.language) ?? language, topics: topics(of: item, reading),
      links: links.all, attachments: media.all,
      counts: Counts(
        likes: count(.likes, of: item), reposts: count(.reposts, of: item),
        replies: count(.replies, of: item), views: count(.views, of: item)),
      replyTo: plain(.replyTo), repostOf: plain(.repostOf), isSensitive: flag(.sensitive, of: item),
      contentWarning: plain(.contentWarning), poll: self[.poll]?.texts(of: item, reading) ?? [],
      isReply: flag(.isReply, of: item), isPinned: flag(.pinned, of: item) ?? false,
      visibility: self[.visibility]?.first(of: item) { $0 }?.visibility)
  }

  private func hasWords(_ item: JSONNode) -> Bool {
    self[.text]?.hasString(in: item) == true || self[.title]?.hasString(in: item) == true
  }

  private func text(
    _ part: Part, of item: JSONNode, _ reading: PostField.Reading, _ links: inout AddressList
  ) -> String? {
    self[part]?.text(of: item, reading).flatMap { plainText($0, of: part, &links) }
  }

  private func plainText(_ text: String, of part: Part, _ links: inout AddressList) -> String? {
    guard let markup = markup[part] else { return text }
    let text = markup.contains(.entities) ? Entities.decode(text) : text
    guard markup.contains(.html) else { return text }
    let content = HTMLText.read(text)
    links.add(content.links)
    return content.text.isEmpty ? nil : content.text
  }

  /// Each of the item's topics once.
  private func topics(of item: JSONNode, _ reading: PostField.Reading) -> [String] {
    guard let field = self[.topics] else { return [] }
    var topics: [String] = []
    var links = AddressList()
    for text in field.texts(of: item, reading).prefix(Self.mostTopics) {
      let topic = plainText(text, of: .topics, &links).map { String($0.trimmed) }
      if let topic, !topic.isEmpty, !topics.contains(topic) { topics.append(topic) }
    }
    return topics
  }

  private func count(_ part: Part, of item: JSONNode) -> Int? {
    self[part]?.first(of: item) { $0 }?.wholeNumber
  }

  private func flag(_ part: Part, of item: JSONNode) -> Bool? {
    self[part]?.first(of: item) { $0 }.flatMap { $0.bool ?? $0.count.map { $0 != 0 } }
  }

  /// - Parameter own: The address of the post, which is no link of it.
  private func addresses(
    _ part: Part, of item: JSONNode, _ reading: PostField.Reading, except own: String? = nil
  ) -> AddressList {
    var list = AddressList()
    guard let field = self[part] else { return list }
    for text in field.texts(of: item, reading) {
      let address = absolute(text, on: reading.server)
      if address != own { list.add(address) }
    }
    return list
  }

  /// A path is one of the server's own.
  private func absolute(_ address: String, on server: ServerAddress) -> String {
    guard address.hasPrefix("/"), !address.hasPrefix("//") else { return address }
    return SameOrigin.address(of: address, on: server) ?? address
  }
}

extension PostFields {
  static let keys = ["fields", "html", "entities", "dates"]

  /// Reads the keys of a declaration that are about posts.
  init(_ known: [String: JSONEntry], of declaration: JSONEntry) throws(DocumentError) {
    guard let entry = known["fields"] else {
      throw declaration.fault(
        expected: "an object with id, url, text, created_at and so on", at: "fields")
    }
    let parts = try entry.object(knowing: Part.allCases.map(\.name))
    var fields: [Part: PostField] = [:]
    for part in Part.allCases { fields[part] = try parts[part.name].map(PostField.init) }
    guard fields[.id] != nil || fields[.url] != nil else {
      throw entry.fault(expected: "an id or a url, which tell posts apart")
    }
    guard fields[.text] != nil || fields[.title] != nil else {
      throw entry.fault(expected: "a text or a title")
    }
    var markup: [Part: Markup] = [:]
    for part in try Self.texts(known["entities"]) { markup[part, default: []].insert(.entities) }
    for part in try Self.texts(known["html"]) { markup[part, default: []].insert(.html) }
    self.init(fields, markup: markup, dates: try known["dates"].map(DateForm.init) ?? .auto)
  }

  private static func texts(_ entry: JSONEntry?) throws(DocumentError) -> [Part] {
    let expected = "a list of text and title, author_name or topics"
    return try entry?.oneOrMore(expected: expected).map { entry throws(DocumentError) in
      let name = try entry.string(expected: expected)
      guard let part = [Part.text, .title, .authorName, .topics].first(where: { $0.name == name })
      else {
        throw entry.fault(expected: expected)
      }
      return part
    } ?? []
  }
}
