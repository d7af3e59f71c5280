internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// The locations of a post's fields in the items of a declared network.
struct PostFields: Sendable {
  /// The markup of texts, besides plain.
  struct Markup: OptionSet, Sendable {
    let rawValue: Int

    /// Entities in place of signs, even of those of markup.
    static let entities = Markup(rawValue: 1)
    static let html = Markup(rawValue: 2)
  }

  /// No network has posts with more topics; each is compared with those before it.
  private static let mostWords = 200

  /// The location of each field, by its raw value.
  private let locations: [FieldLocation?]
  /// The fields that have a location, but for those of which it depends whether an item is a post.
  private let others: [(field: PostField, place: PostPlace, content: PostField.Content)]
  /// The fields whose texts are not plain.
  private let markup: [PostField: Markup]
  private let dates: DateForm
  /// The kind of all media, if they are of one.
  private let mediaKind: PostAttachment.Kind?

  init(
    _ locations: [PostField: FieldLocation], markup: [PostField: Markup] = [:],
    dates: DateForm = .auto, mediaKind: PostAttachment.Kind? = nil
  ) {
    let core: Set<PostField> = [.id, .url, .uri, .title, .text, .links, .media]
    self.locations = PostField.allCases.map { field in
      locations[field]?.located(
        isAddress: [.identifier, .address].contains(field.description.content),
        // A name may be a number. Elsewhere a number is read only if there is no text.
        isProse: field.description.content == .prose && field != .authorName,
        separator: field == .text ? "\n" : ", ")
    }
    others = PostField.table.compactMap { entry in
      guard locations[entry.field] != nil, !core.contains(entry.field) else { return nil }
      return entry.content.map { (entry.field, entry.place, $0) }
    }
    self.markup = markup
    self.dates = dates
    self.mediaKind = mediaKind
  }

  @inline(__always)
  subscript(field: PostField) -> FieldLocation? { locations[Int(field.rawValue)] }

  /// True if authors have names, and no handles.
  var hasNamesOnly: Bool { self[.authorHandle] == nil && self[.authorName] != nil }

  /// Sets what an item tells of a post; returns false without an identity, and without a title, a text or a
  /// medium. A title or text may be empty, and may be missing where there are an address and a date.
  ///
  /// - Parameter language: The language that was asked for.
  func read(
    _ item: JSONNode, _ reading: FieldLocation.Reading, language: String?,
    into post: inout PackedPost, of draft: inout PageDraft
  ) -> Bool {
    guard item.kind == .object else { return false }
    let url = address(.url, of: item, reading)
    guard let id = self[.id]?.text(of: item, reading) ?? url else { return false }
    var links = addresses(.links, of: item, reading, except: url)
    var media = AttachmentList()
    for medium in addresses(.media, of: item, reading).all { media.add(medium, mediaKind) }
    let title = text(.title, of: item, reading, at: url, &links)
    let text = text(.text, of: item, reading, at: url, &links)
    if let text, markup[.text]?.contains(.html) != true {
      links.add(urlsIn: text, except: url, isExcerpt: reading.isExcerpt)
    }
    // Some of Crossref's works have no title.
    guard
      title != nil || text != nil || !media.isEmpty || hasWords(item)
        || url != nil && self[.createdAt]?.first(of: item, dates.date) != nil
    else { return false }
    // A path is the same on every server.
    let declared = self[.uri]?.text(of: item, reading)
    let uri =
      declared.map { $0.hasPrefix("/") ? absolute($0, on: reading.server) : $0 }
      ?? Self.uri(of: id, at: url, reading.server)
    post.id = draft.keep(id)
    post.uri = draft.keep(uri)
    post.url = draft.keep(url)
    post.title = draft.keep(title)
    post.text = draft.keep(text)
    post.attachments = draft.list(media.all)
    post.language = draft.keep(language)
    for (field, place, content) in others {
      set(field, at: place, content, of: &post, to: item, reading, &links, in: &draft)
    }
    post.links = draft.list(links.all)
    return true
  }

  /// The identity of a post for which none is declared: its address, or, where that does not name the post and may be
  /// that of others, too, the address with its identifier.
  private static func uri(of id: String, at url: String?, _ server: ServerAddress) -> String {
    guard let url else { return "\(server.text)#\(id)" }
    return names(url, id) || names(url, PathPart.of(id)) ? url : "\(url)#\(id)"
  }

  /// Returns whether an address has an identifier as one of its words.
  private static func names(_ url: String, _ id: String) -> Bool {
    guard !id.isEmpty else { return true }
    var (url, id, place) = (url, id, 0)
    return url.withUTF8 { url in
      id.withUTF8 { id in
        while let found = ByteSearch.first(id, in: url, from: place) {
          let end = found + id.count
          let isInWord =
            found > 0 && url[found - 1].isASCIILetterOrDigit && id[0].isASCIILetterOrDigit
            || end < url.count && url[end].isASCIILetterOrDigit
              && id[id.count - 1].isASCIILetterOrDigit
          if !isInWord { return true }
          place = found + 1
        }
        return false
      }
    }
  }

  /// Sets a field of a post from an item, by its type and its contents.
  private func set(
    _ field: PostField, at place: PostPlace, _ content: PostField.Content,
    of post: inout PackedPost, to item: JSONNode, _ reading: FieldLocation.Reading,
    _ links: inout AddressList, in draft: inout PageDraft
  ) {
    switch place {
    case .text(let slot), .handle(let slot):
      let found =
        switch content {
        case .address: address(field, of: item, reading)
        case .prose: text(field, of: item, reading, at: nil, &links)
        case .plain, .identifier: self[field]?.text(of: item, reading)
        }
      guard let found else { return }
      // Mbin writes those of other servers as @amy@a.example.
      let isHandle = if case .handle = place { true } else { false }
      post[slot] = draft.keep(isHandle ? String(found.drop { $0 == "@" }) : found)
    case .list(let slot, let rule):
      let found =
        switch content {
        case .address: addresses(field, of: item, reading).all
        case .prose: words(field, of: item, reading)
        case .plain, .identifier: self[field]?.texts(of: item, reading) ?? []
        }
      post[slot] = draft.list(found, rule)
    case .created(let slot), .date(let slot):
      post[slot] = self[field]?.first(of: item, dates.date)
    case .number(let slot): post[slot] = self[field]?.first(of: item) { $0 }?.wholeNumber
    case .flag(let slot):
      post[slot] =
        self[field]?.first(of: item) { $0 }.flatMap { Self.flag($0) }
    case .visibility(let slot): post[slot] = self[field]?.first(of: item) { $0 }?.visibility
    // Media are read with the links; the others cannot be declared.
    case .addresses, .attachments, .context: break
    }
  }

  private static func flag(_ node: JSONNode) -> Bool? {
    if node.isString("true") { return true }
    if node.isString("false") { return false }
    return node.bool ?? node.count.map { $0 != 0 }
  }

  private func hasWords(_ item: JSONNode) -> Bool {
    self[.text]?.hasString(in: item) == true || self[.title]?.hasString(in: item) == true
  }

  private func text(
    _ field: PostField, of item: JSONNode, _ reading: FieldLocation.Reading, at url: String?,
    _ links: inout AddressList
  ) -> String? {
    guard let location = self[field] else { return nil }
    // PHP's JSON_NUMERIC_CHECK writes each text of digits as a number.
    let text = location.text(of: item, reading) ?? location.first(of: item) { $0.spelling }
    return text.flatMap { plainText($0, of: field, relativeTo: url, &links) }
  }

  private func plainText(
    _ text: String, of field: PostField, relativeTo url: String?, _ links: inout AddressList
  ) -> String? {
    guard let markup = markup[field] else { return text }
    let text = markup.contains(.entities) ? Entities.decode(text) : text
    guard markup.contains(.html) else { return text }
    let content = HTMLText.read(text, relativeTo: url)
    links.add(content.links)
    return content.text.isEmpty ? nil : content.text
  }

  /// Each text of a list of words, such as topics, once.
  private func words(
    _ field: PostField, of item: JSONNode, _ reading: FieldLocation.Reading
  ) -> [String] {
    guard let location = self[field] else { return [] }
    var found: [String] = []
    var links = AddressList()
    for text in location.texts(of: item, reading).prefix(Self.mostWords) {
      let word = plainText(text, of: field, relativeTo: nil, &links).map { String($0.trimmed) }
      if let word, !word.isEmpty, !found.contains(word) { found.append(word) }
    }
    return found
  }

  private func address(
    _ field: PostField, of item: JSONNode, _ reading: FieldLocation.Reading
  ) -> String? {
    self[field]?.first(of: item, reading) { text in
      let address = absolute(text, on: reading.server)
      return address.isHTTPURL ? address : nil
    }
  }

  /// - Parameter own: The address of the post, which is no link of it.
  private func addresses(
    _ field: PostField, of item: JSONNode, _ reading: FieldLocation.Reading,
    except own: String? = nil
  ) -> AddressList {
    var list = AddressList()
    guard let location = self[field] else { return list }
    for text in location.texts(of: item, reading) {
      let address = absolute(text, on: reading.server)
      if address != own { list.add(address) }
    }
    return list
  }

  /// An address that begins like a relative one is relative to the server's (RFC 3986, section 5); a word may be
  /// anything.
  private func absolute(_ address: String, on server: ServerAddress) -> String {
    let bytes = address.utf8
    guard let first = bytes.first, let last = bytes.last,
      "/?.".utf8.contains(first) || first.isASCIIBlank || last.isASCIIBlank
    else { return address }
    return WebLink.resolved(address, against: server.text + "/") ?? address
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
    let parts = try entry.object(knowing: PostField.declared.map(\.description.declaredName))
    var fields: [PostField: FieldLocation] = [:]
    for field in PostField.declared {
      fields[field] = try parts[field.description.declaredName].map(FieldLocation.init)
    }
    guard fields[.id] != nil || fields[.url] != nil else {
      throw entry.fault(expected: "an id or a url, which tell posts apart")
    }
    guard fields[.text] != nil || fields[.title] != nil else {
      throw entry.fault(expected: "a text or a title")
    }
    var markup: [PostField: Markup] = [:]
    for field in try Self.prose(known["entities"]) { markup[field, default: []].insert(.entities) }
    for field in try Self.prose(known["html"]) { markup[field, default: []].insert(.html) }
    self.init(fields, markup: markup, dates: try known["dates"].map(DateForm.init) ?? .auto)
  }

  private static func prose(_ entry: JSONEntry?) throws(DocumentError) -> [PostField] {
    let fields = PostField.declared.filter { $0.description.content == .prose }
    let expected = "a list of text and title, author_name or topics"
    return try entry?.oneOrMore(expected: expected).map { entry throws(DocumentError) in
      let name = try entry.string(expected: expected)
      guard let field = fields.first(where: { $0.description.declaredName == name }) else {
        throw entry.fault(expected: expected)
      }
      return field
    } ?? []
  }
}
