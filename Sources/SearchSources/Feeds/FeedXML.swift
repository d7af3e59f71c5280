internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

/// Reads RSS 0.9 to 2.0, RDF, Atom 0.3 and 1.0 and similar formats, however broken.
struct FeedXML {
  private let base: String?
  private var feed = FeedDocument()
  private var links = FeedLinks()
  private var authors = FeedAuthors()
  private var isFeed = false

  /// Returns the feed in a document; nil for any other document.
  ///
  /// - Parameter base: The address of the document.
  static func read(_ document: XMLDocument, base: String?) -> FeedDocument? {
    var reader = FeedXML(base: base)
    guard !reader.isPage(document) else { return nil }
    reader.read(document)
    return reader.isFeed ? reader.feed : nil
  }

  private init(base: String?) { self.base = base }

  private func isPage(_ document: XMLDocument) -> Bool {
    document.roots.first { _ in true }.map { $0.key.hasSuffix("html") } ?? true
  }

  private mutating func read(_ document: XMLDocument) {
    var elements = document.elements
    while let element = elements.next() {
      let isRoot = element.parent == nil
      switch element.key {
      case "rss", "rdf:rdf", "rdf", "feed", "channel":
        isFeed = true
        feed.language = feed.language ?? element["xml:lang"]
        // In CDF address and date of the channel are attributes.
        if element.key == "channel" {
          links.add(plain: element["href"].flatMap { WebLink.resolved($0, against: base) })
          feed.updated = element["lastmod"].flatMap(LooseDate.parse)
        }
      case "item" where isRoot || isFeed, "entry" where isRoot || isFeed:
        isFeed = true
        // Half an entry would count as seen when it is there as a whole.
        if !element.isCut { feed.add(FeedXMLEntry.read(element, base: base)) }
        elements.skipChildren()
      // Entries may be anywhere, even in an element without its end tag; the feed's own properties are
      // direct children.
      case _ where isFeed && (isRoot || isHead(element.parent)): take(element)
      default: break
      }
    }
    feed.keepNewest()
    feed.link = links.best
    feed.next = links.next
    feed.namesNext = links.namesNext
    feed.authors = authors.best
    feed.isCut = document.isCut
    feed.isEndUnread = document.isFull
    guard document.roots.contains(where: { $0.key == "feed" }) else { return }
    // An Atom entry without authors has those of its feed (RFC 4287, section 4.2.1).
    for index in feed.entries.indices where feed.entries[index].authors.isEmpty {
      feed.entries[index].authors = feed.authors
    }
  }

  private func isHead(_ element: XMLElement?) -> Bool {
    switch element?.key {
    case "rss", "rdf:rdf", "rdf", "feed", "channel": true
    default: false
    }
  }

  private mutating func take(_ element: XMLElement) {
    if authors.take(element, base: base) { return }
    switch element.key {
    case "title", "dc:title":
      feed.title = feed.title ?? FeedXML.title(of: element, base: base)
    case "link": links.add(element, base: base)
    case "language", "dc:language": feed.language = String(element.text.trimmed)
    case "pubdate", "published", "dcterms:issued", "issued", "created", "dcterms:created":
      feed.published = feed.published ?? LooseDate.parse(element.text)
    case "lastbuilddate", "updated", "modified", "dc:date", "dcterms:modified":
      feed.updated = feed.updated ?? LooseDate.parse(element.text)
    case "opensearch:totalresults": feed.total = Int(element.text.trimmed)
    default: break
    }
  }

  /// A title on one line; nil if it is empty.
  static func title(of element: XMLElement, base: String?) -> String? {
    let line = FeedText.title(element, as: titleKind(in: element), base: base).onOneLine
    return line.isEmpty ? nil : line
  }

  /// The kind of a title without a type: plain in Atom, unknown elsewhere.
  private static func titleKind(in element: XMLElement) -> FeedText.Kind {
    isAtom(element) ? .plain : .unsure
  }

  /// True if an element belongs to Atom, according to the elements around it.
  static func isAtom(_ element: XMLElement) -> Bool {
    var ancestor: XMLElement? = element
    while let current = ancestor {
      if current.key == "feed" || current.key == "entry" { return true }
      if current.key == "item" || current.key == "channel" { return false }
      ancestor = current.parent
    }
    return false
  }
}

/// Reads an `item` or `entry` in one pass over its children.
struct FeedXMLEntry {
  private let base: String?
  private let isAtom: Bool
  private var entry = FeedEntry()
  private var links = FeedLinks()
  private var authors = FeedAuthors()
  private var sourceAuthors = FeedAuthors()
  private var created: Date?
  private var day: Date?
  private var content: HTMLText?
  private var summary: HTMLText?
  private var mediaTitle: String?
  private var mediaText: HTMLText?
  private var addresses = AddressList()
  private var media = AttachmentList()
  private var thumbnails = AttachmentList()

  private static let categoryLimit = 200

  static func read(_ element: XMLElement, base: String?) -> FeedEntry {
    var reader = FeedXMLEntry(base: base, isAtom: FeedXML.isAtom(element))
    reader.begin(element)
    for child in element.children { reader.take(child) }
    return reader.finish()
  }

  private init(base: String?, isAtom: Bool) {
    self.base = base
    self.isAtom = isAtom
  }

  private mutating func begin(_ element: XMLElement) {
    entry.id = element["rdf:about"] ?? element["about"]
    links.add(permanent: entry.id.flatMap { $0.isHTTPURL ? $0 : nil })
    entry.language = element["xml:lang"]
    // In CDF address and date are attributes.
    links.add(plain: element["href"].flatMap { WebLink.resolved($0, against: base) })
    entry.updated = element["lastmod"].flatMap(LooseDate.parse)
  }

  private mutating func take(_ element: XMLElement) {
    if takeText(element) || takeDate(element) || authors.take(element, base: base) { return }
    switch element.key {
    case "id":
      setID(element.text)
      links.add(identifier: entry.id)
    case "guid": takeIdentifier(element)
    case "link": links.add(element, base: base)
    case "enclosure":
      links.add(
        file: address(element, "url") ?? address(element, "href"), type: element["type"])
    case "category", "dc:subject", "media:category", "itunes:category", "keywords",
      "itunes:keywords", "media:keywords":
      takeCategory(element)
    case "media:content", "media:group", "media:thumbnail": takeMedia(element)
    case "slash:comments", "thr:total": entry.comments = Int(element.text.trimmed)
    case "thr:in-reply-to": entry.replyTo = element["ref"] ?? element["href"]
    case "language", "dc:language": entry.language = String(element.text.trimmed)
    case "source":
      for child in element.children { _ = sourceAuthors.take(child, base: base) }
    default: break
    }
  }

  /// Takes an element with a text; returns false for any other.
  private mutating func takeText(_ element: XMLElement) -> Bool {
    switch element.key {
    case "title": entry.title = entry.title ?? FeedXML.title(of: element, base: base)
    case "media:title": mediaTitle = mediaTitle ?? FeedXML.title(of: element, base: base)
    case "dc:title": mediaTitle = mediaTitle ?? FeedXML.title(of: element, base: base)
    case "content": takeContent(element)
    case "content:encoded", "xhtml:body", "body", "xhtml:div", "fullitem":
      content = worded(content, or: FeedText.read(element, as: .html, base: base))
    case "description", "summary", "abstract", "dc:description":
      summary = worded(summary, or: FeedText.read(element, as: bodyKind, base: base))
    case "media:description", "itunes:summary", "media:text", "itunes:subtitle":
      mediaText = worded(mediaText, or: FeedText.read(element, as: .unsure, base: base))
    default: return false
    }
    return true
  }

  private mutating func takeDate(_ element: XMLElement) -> Bool {
    switch element.key {
    case "pubdate", "published", "issued", "dcterms:issued":
      entry.published = entry.published ?? LooseDate.parse(element.text)
    case "created", "dcterms:created": created = created ?? LooseDate.parse(element.text)
    case "dc:date", "date": day = day ?? LooseDate.parse(element.text)
    case "updated", "modified", "dcterms:modified":
      entry.updated = entry.updated ?? LooseDate.parse(element.text)
    default: return false
    }
    return true
  }

  private var bodyKind: FeedText.Kind { isAtom ? .plain : .html }

  private mutating func takeContent(_ element: XMLElement) {
    // Content with an address is elsewhere (RFC 4287, section 4.1.3.2).
    if let source = address(element, "src") {
      addresses.add(source)
    } else {
      content = worded(content, or: FeedText.read(element, as: bodyKind, base: base))
    }
  }

  /// The first text with words, or else with links, such as that around a picture, which stay when another takes its
  /// place.
  private mutating func worded(_ text: HTMLText?, or other: HTMLText) -> HTMLText? {
    guard let text else { return other.text.isEmpty && other.links.isEmpty ? nil : other }
    if !text.text.isEmpty || other.text.isEmpty { return text }
    for link in text.links { addresses.add(link) }
    return other
  }

  private mutating func setID(_ text: String) {
    let id = text.trimmed
    if !id.isEmpty { entry.id = String(id) }
  }

  private mutating func takeIdentifier(_ element: XMLElement) {
    setID(element.text)
    let isAddress = element["ispermalink"]?.lowercased() != "false"
    guard isAddress, let id = entry.id, id.isHTTPURL else { return }
    links.add(permanent: id)
  }

  private mutating func takeCategory(_ element: XMLElement) {
    // Keywords are one text, and podcasts nest their categories.
    if element.key.hasSuffix("keywords") {
      for word in element.text.split(separator: ",") { addCategory([String(word)]) }
    } else {
      // The text of one that has others inside is theirs, too.
      let text = element.child(element.key) == nil ? Entities.decode(element.text) : nil
      addCategory([element["term"], element["label"], element["text"], text])
    }
    for child in element.children where child.key == element.key { takeCategory(child) }
  }

  /// Adds a category by its names.
  private mutating func addCategory(_ names: [String?]) {
    var isNamed = false
    for word in names {
      guard entry.categories.count < Self.categoryLimit else { return }
      guard let word = word?.trimmed, !word.isEmpty else { continue }
      // A label only says it again, for people.
      let isLabel = isNamed
      isNamed = true
      guard !entry.categories.contains(String(word)) else { continue }
      entry.categories.append(String(word))
      if !isLabel { entry.topics.append(String(word)) }
    }
  }

  private mutating func takeMedia(_ element: XMLElement) {
    switch element.key {
    case "media:thumbnail": thumbnails.add(address(element, "url"), .image)
    case "media:content": addMedium(element)
    default: break
    }
    for child in element.descendants {
      switch child.key {
      case "media:thumbnail": thumbnails.add(address(child, "url"), .image)
      case "media:content": addMedium(child)
      case "media:title", "media:description", "media:text": _ = takeText(child)
      case "media:category", "media:keywords": takeCategory(child)
      default: continue
      }
    }
  }

  private mutating func addMedium(_ element: XMLElement) {
    guard !media.isFull else { return }
    let words = element.child("media:description") ?? element.child("media:title")
    media.add(
      address(element, "url"), element["medium"].map { PostAttachment.Kind(rawValue: $0) ?? .file },
      type: element["type"],
      description: words.map { FeedText.read($0, as: .unsure, base: base).text },
      thumbnail: element.child("media:thumbnail").flatMap { address($0, "url") })
  }

  private func address(_ element: XMLElement, _ attribute: String) -> String? {
    element[attribute].flatMap {
      WebLink.resolved($0, against: FeedText.base(of: element, within: base))
    }
  }

  private mutating func finish() -> FeedEntry {
    entry.link = links.best
    entry.title = entry.title ?? mediaTitle
    // A text without words has its links, and leaves the words to the next one.
    for text in [content, summary, mediaText].compactMap(\.self) where entry.text.isEmpty {
      entry.text = text.text
      for link in text.links { addresses.add(link) }
    }
    for link in links.related { addresses.add(link) }
    entry.links = addresses.all
    media.add(links.files.all)
    entry.attachments = media.isEmpty ? thumbnails.all : media.all
    let own = authors.best
    entry.authors = own.isEmpty ? sourceAuthors.best : own
    entry.published = entry.published ?? created ?? (entry.updated == nil ? nil : day)
    entry.updated = entry.updated ?? day
    return entry
  }
}

/// The links of a feed or an entry, by their kind.
struct FeedLinks {
  /// The address in the text of an RSS or RDF element.
  private var plain: String?
  /// The first web page.
  private var page: String?
  /// The first alternative in another format.
  private var alternative: String?
  /// The RSS identifier, if it is an address.
  private var permanent: String?
  /// The Atom identifier, if it has the form of an address.
  private var identifier: String?
  /// The address of the next page of the feed.
  private(set) var next: String?
  /// True if there is a link to one, even without a usable address.
  private(set) var namesNext = false
  /// The attached files.
  private(set) var files = AttachmentList()
  /// The addresses of related pages.
  private(set) var related: [String] = []

  /// The address of the page.
  var best: String? { plain ?? page ?? permanent ?? alternative ?? identifier }

  mutating func add(_ element: XMLElement, base: String?) {
    let base = FeedText.base(of: element, within: base)
    let relation = relation(of: element)
    guard let reference = element["href"] ?? element["rdf:resource"] else {
      // An Atom link without an address may hold some text.
      guard element["rel"] == nil || relation == "alternate" else { return }
      plain = plain ?? WebLink.resolved(String(element.text.trimmed), against: base)
      return
    }
    if relation == "next" { namesNext = true }
    guard let address = WebLink.resolved(reference, against: base) else { return }
    switch relation {
    case "alternate":
      if isPage(element["type"]) {
        page = page ?? address
      } else {
        alternative = alternative ?? address
      }
    case "enclosure": files.add(address, type: element["type"], description: element["title"])
    case "related", "via": related.append(address)
    case "next": next = next ?? address
    default: break
    }
  }

  mutating func add(plain address: String?) { plain = plain ?? address }
  mutating func add(permanent address: String?) { permanent = permanent ?? address }
  mutating func add(identifier: String?) {
    if identifier?.isHTTPURL == true { self.identifier = identifier }
  }
  mutating func add(file address: String?, type: String?) { files.add(address, type: type) }

  private func relation(of element: XMLElement) -> String {
    let relation = (element["rel"] ?? "alternate").lowercased()
    // Relations are addresses too (RFC 4287, section 4.2.7.2).
    let registry = "http://www.iana.org/assignments/relation/"
    let short = relation.hasPrefix(registry) ? String(relation.dropFirst(registry.count)) : relation
    return short.isEmpty ? "alternate" : short
  }

  private func isPage(_ type: String?) -> Bool {
    guard let type = type?.lowercased(), !type.isEmpty else { return true }
    return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml+xml")
  }
}

/// The authors of a feed or an entry, by the elements that name them.
struct FeedAuthors {
  private var own: [FeedPerson] = []
  private var dublinCore: [FeedPerson] = []
  private var podcast: [FeedPerson] = []
  private var editor: [FeedPerson] = []

  /// Papers have many.
  static let limit = 100

  /// Those with a name, as an RSS author should be an address alone, and else those without.
  var best: [FeedPerson] {
    let all = [own, dublinCore, podcast, editor]
    return all.first { $0.contains { $0.name != nil } } ?? all.first { !$0.isEmpty } ?? []
  }

  /// Takes an element; returns false if it does not name an author.
  mutating func take(_ element: XMLElement, base: String?) -> Bool {
    switch element.key {
    case "author": add(element, base, to: &own)
    case "dc:creator", "dc:author", "creator": add(element, base, to: &dublinCore)
    case "itunes:author": add(element, base, to: &podcast)
    case "managingeditor": add(element, base, to: &editor)
    default: return false
    }
    return true
  }

  private func add(_ element: XMLElement, _ base: String?, to people: inout [FeedPerson]) {
    guard people.count < Self.limit, let person = person(element, base: base),
      !people.contains(person)
    else { return }
    people.append(person)
  }

  private func person(_ element: XMLElement, base: String?) -> FeedPerson? {
    let name = element.child("name") ?? element.child("foaf:name")
    let email = element.child("email")
    let address =
      element.child("uri") ?? element.child("url") ?? element.child("homepage")
      ?? element.child("foaf:homepage")
    guard name != nil || email != nil || address != nil else {
      return FeedPerson(Entities.decode(element.text))
    }
    let base = FeedText.base(of: element, within: base)
    return FeedPerson(
      name: name.map { $0.text.asName }, email: email.map { String($0.text.trimmed) },
      url: address.flatMap {
        WebLink.resolved($0["rdf:resource"] ?? String($0.text.trimmed), against: base)
      })
  }
}
