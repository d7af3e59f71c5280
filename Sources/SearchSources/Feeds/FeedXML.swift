internal import FoundationEssentials
internal import TextFormats

/// Reads RSS 0.9 to 2.0, RDF, Atom 0.3 and 1.0 and what is near to them, whatever is wrong with it.
struct FeedXML {
  private let base: String?
  private var feed = FeedDocument()
  private var links = FeedLinks()
  private var authors = FeedAuthors()
  private var isFeed = false

  /// Returns the feed in a document; nil when it is something else.
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
          links.add(plain: element["href"].flatMap { WebAddress.resolved($0, against: base) })
          feed.updated = element["lastmod"].flatMap(LooseDate.parse)
        }
      case "item" where isRoot || isFeed, "entry" where isRoot || isFeed:
        isFeed = true
        if feed.entries.count < FeedDocument.entryLimit {
          feed.add(FeedXMLEntry.read(element, base: base))
        } else {
          feed.isTooLong = true
        }
        elements.skipChildren()
      // Entries may be anywhere, also in an element that lost its end tag; what is said of the feed
      // is directly in it.
      case _ where isFeed && (isRoot || isHead(element.parent)): take(element)
      case _: break
      }
    }
    feed.link = links.best
    feed.next = links.next
    feed.authors = authors.best
    feed.isCut = document.isCut
    feed.isTooLong = feed.isTooLong || document.isFull
    guard document.roots.contains(where: { $0.key == "feed" }) else { return }
    // What an entry of Atom does not say, its feed does (RFC 4287, section 4.2.1).
    for index in feed.entries.indices where feed.entries[index].authors.isEmpty {
      feed.entries[index].authors = feed.authors
    }
  }

  private func isHead(_ element: XMLElement?) -> Bool {
    switch element?.key {
    case "rss", "rdf:rdf", "rdf", "feed", "channel": true
    case _: false
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
    case _: break
    }
  }

  /// A title on one line; nil when it is empty.
  static func title(of element: XMLElement, base: String?) -> String? {
    let text = FeedText.read(element, as: titleKind(in: element), base: base).text
    let line = line(text)
    return line.isEmpty ? nil : line
  }

  /// Returns a text on one line, with all that it holds but the blanks.
  static func line(_ text: String) -> String {
    guard text.contains(where: \.isWhitespace) else { return text }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// In Atom a title without a type is plain; elsewhere nobody knows.
  private static func titleKind(in element: XMLElement) -> FeedText.Kind {
    isAtom(element) ? .plain : .unsure
  }

  /// Whether an element stands in Atom, by the element around its entry.
  static func isAtom(_ element: XMLElement) -> Bool {
    var place: XMLElement? = element
    while let current = place {
      if current.key == "feed" || current.key == "entry" { return true }
      if current.key == "item" || current.key == "channel" { return false }
      place = current.parent
    }
    return false
  }
}
