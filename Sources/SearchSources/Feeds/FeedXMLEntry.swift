internal import FoundationEssentials
internal import TextFormats

/// Reads an `item` or `entry`, in one walk over what stands in it.
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
  private var media = AddressList()
  private var thumbnails = AddressList()

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
    links.add(permanent: entry.id.flatMap { WebAddress.isOne($0) ? $0 : nil })
    entry.language = element["xml:lang"]
    // In CDF address and date are attributes.
    links.add(plain: element["href"].flatMap { WebAddress.resolved($0, against: base) })
    entry.updated = element["lastmod"].flatMap(LooseDate.parse)
  }

  private mutating func take(_ element: XMLElement) {
    if takeText(element) || takeDate(element) || authors.take(element, base: base) { return }
    switch element.key {
    case "id": setID(element.text)
    case "guid": takeIdentifier(element)
    case "link": links.add(element, base: base)
    case "enclosure": links.add(file: address(element, "url") ?? address(element, "href"))
    case "category", "dc:subject", "media:category", "itunes:category", "keywords",
      "itunes:keywords", "media:keywords":
      takeCategory(element)
    case "media:content", "media:group", "media:thumbnail": takeMedia(element)
    case "slash:comments", "thr:total": entry.comments = Int(element.text.trimmed)
    case "thr:in-reply-to": entry.replyTo = element["ref"] ?? element["href"]
    case "language", "dc:language": entry.language = String(element.text.trimmed)
    case "source":
      for child in element.children { _ = sourceAuthors.take(child, base: base) }
    case _: break
    }
  }

  /// Takes an element that holds a text; false for any other.
  private mutating func takeText(_ element: XMLElement) -> Bool {
    switch element.key {
    case "title": entry.title = entry.title ?? FeedXML.title(of: element, base: base)
    case "media:title": mediaTitle = mediaTitle ?? FeedXML.title(of: element, base: base)
    case "dc:title": mediaTitle = mediaTitle ?? FeedXML.title(of: element, base: base)
    case "content": takeContent(element)
    case "content:encoded", "xhtml:body", "body", "xhtml:div", "fullitem":
      content = content ?? filled(FeedText.read(element, as: .html, base: base))
    case "description", "summary", "abstract", "dc:description":
      summary = summary ?? filled(FeedText.read(element, as: bodyKind, base: base))
    case "media:description", "itunes:summary", "media:text", "itunes:subtitle":
      mediaText = mediaText ?? filled(FeedText.read(element, as: .unsure, base: base))
    case _: return false
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
    case _: return false
    }
    return true
  }

  private var bodyKind: FeedText.Kind { isAtom ? .plain : .html }

  private mutating func takeContent(_ element: XMLElement) {
    // With an address it is somewhere else (RFC 4287, section 4.1.3.2).
    if let source = address(element, "src") {
      addresses.add(source)
    } else {
      content = content ?? filled(FeedText.read(element, as: bodyKind, base: base))
    }
  }

  private func filled(_ text: HTMLText) -> HTMLText? {
    text.text.isEmpty && text.links.isEmpty ? nil : text
  }

  private mutating func setID(_ text: String) {
    let id = text.trimmed
    if !id.isEmpty { entry.id = String(id) }
  }

  private mutating func takeIdentifier(_ element: XMLElement) {
    setID(element.text)
    let isAddress = element["ispermalink"]?.lowercased() != "false"
    guard isAddress, let id = entry.id, WebAddress.isOne(id) else { return }
    links.add(permanent: id)
  }

  private mutating func takeCategory(_ element: XMLElement) {
    let words = [
      element["term"], element["label"], element.key == "itunes:category" ? element["text"] : nil,
    ]
    for word in words + [element.text] {
      guard let word = word?.trimmed, !word.isEmpty, !entry.categories.contains(String(word)),
        entry.categories.count < Self.categoryLimit
      else { continue }
      entry.categories.append(String(word))
    }
  }

  private mutating func takeMedia(_ element: XMLElement) {
    switch element.key {
    case "media:thumbnail": thumbnails.add(address(element, "url"))
    case "media:content": media.add(address(element, "url"))
    case _: break
    }
    for child in element.descendants {
      switch child.key {
      case "media:thumbnail": thumbnails.add(address(child, "url"))
      case "media:content": media.add(address(child, "url"))
      case "media:title", "media:description", "media:text": _ = takeText(child)
      case "media:category", "media:keywords": takeCategory(child)
      case _: continue
      }
    }
  }

  private func address(_ element: XMLElement, _ attribute: String) -> String? {
    element[attribute].flatMap {
      WebAddress.resolved($0, against: FeedText.base(of: element, within: base))
    }
  }

  private mutating func finish() -> FeedEntry {
    entry.link = links.best
    entry.title = entry.title ?? mediaTitle
    let body = content ?? summary ?? mediaText
    entry.text = body?.text ?? ""
    for link in (body?.links ?? []) + links.related { addresses.add(link) }
    entry.links = addresses.all
    for file in links.files { media.add(file) }
    entry.media = media.all.isEmpty ? thumbnails.all : media.all
    let own = authors.best
    entry.authors = own.isEmpty ? sourceAuthors.best : own
    entry.published = entry.published ?? created ?? (entry.updated == nil ? nil : day)
    entry.updated = entry.updated ?? day
    return entry
  }
}
