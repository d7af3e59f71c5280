internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// Opens responses with feeds, by their content and not by their stated type.
enum FeedAnswer {
  /// The formats that requests ask for.
  static let accept =
    "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, "
    + "application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"

  /// Returns the feed in a response.
  static func read(
    _ response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> FeedDocument {
    let base = base(of: response, to: page)
    if isJSON(response) { return try json(response, to: page, base: base) }
    let charset = charset(of: response.headers["content-type"])
    let feed = response.body.withUnsafeBytes { bytes in
      FeedXML.read(
        XMLDocument(bytes, charset: charset, calling: FeedVocabulary.term), base: base)
    }
    if let feed { return feed }
    guard let named = FeedPage.feeds(namedBy: response, at: base ?? page.server.text)?.first else {
      throw Answer.unreadable("a feed", response, to: page)
    }
    throw .failed(
      Failure(
        .permanent, status: response.status, message: "this is a web page, not a feed",
        advice: OneLine.of("use the address of its feed: \(named)")))
  }

  private static func json(
    _ response: HTTPResponse, to page: PageRequest, base: String?
  ) throws(SourceFault) -> FeedDocument {
    let feed = Answer.value(in: response) { root -> Result<FeedDocument, SourceFault>? in
      let answer = Answer(root: root, response: response, page: page)
      guard let feed = FeedJSON.read(root, base: base) else {
        return .failure(answer.fault(missing: "no list of items"))
      }
      return Result { () throws(SourceFault) in
        if feed.entries.isEmpty { _ = try answer.checked(Page(brokenItems: feed.brokenEntries)) }
        return feed
      }
    }
    guard let feed else { throw Answer.unreadable("a feed", response, to: page) }
    return try feed.get()
  }

  /// True if the body begins with `{`, after a byte order mark and blanks.
  private static func isJSON(_ response: HTTPResponse) -> Bool {
    response.body.withUnsafeBytes { bytes in
      var bytes = bytes[...]
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
      return bytes.first { $0 > 0x20 } == UInt8(ascii: "{")
    }
  }

  /// The base address of relative links (RFC 3986, section 5.1), without its query: that matters to links within the
  /// document alone, and may hold a secret.
  private static func base(of response: HTTPResponse, to page: PageRequest) -> String? {
    let address = response.url.isEmpty ? page.server.text : response.url
    let stated = response.headers["content-location"].flatMap {
      WebLink.resolved($0, against: address)
    }
    return String((stated ?? address).prefix { $0 != "?" && $0 != "#" })
  }

  /// The parameter of a `Content-Type`.
  static func charset(of type: String?) -> String? {
    for parameter in (type ?? "").split(separator: ";").dropFirst() {
      let halves = parameter.split(separator: "=", maxSplits: 1)
      guard halves.count == 2, halves[0].trimmed.lowercased() == "charset" else { continue }
      let value = halves[1].trimmed.filter { $0 != "\"" && $0 != "'" }
      return value.isEmpty ? nil : value
    }
    return nil
  }
}

/// The names of elements and attributes in feeds, and the ends of elements without end tags.
private enum FeedVocabulary {
  /// Returns the key of a name, and the role of its elements.
  static func term(_ name: XMLName) -> (key: String, role: XMLRole) {
    let key = key(name)
    return (key, role(of: key))
  }

  private static func role(of key: String) -> XMLRole {
    switch key {
    case "rss", "rdf:rdf", "rdf", "feed", "channel": .container
    case "item", "entry": .item
    default: fields.contains(key) ? .field : .any
    }
  }

  /// Elements of feeds and entries that are never direct children of one another.
  private static let fields: Set = [
    "title", "link", "guid", "id", "author", "category", "comments", "enclosure", "pubdate",
    "published", "updated", "created", "issued", "modified", "lastbuilddate", "managingeditor",
    "webmaster", "copyright", "rights", "generator", "docs", "ttl", "language", "description",
    "summary", "content", "content:encoded", "subtitle", "tagline", "logo", "icon",
    "dc:creator", "dc:date", "dc:subject", "dc:title", "dc:description", "dc:language",
    "dc:publisher", "dc:rights", "dcterms:issued", "dcterms:created", "dcterms:modified",
    "slash:comments", "itunes:author", "itunes:summary", "itunes:subtitle", "itunes:duration",
    "itunes:keywords", "itunes:explicit",
  ]

  /// Returns the canonical name of an element in lower case: `title` in all formats, and with the usual
  /// prefix in all extensions, whatever the feed's prefix is.
  ///
  /// Feeds often use a prefix without declaring it, or declare it with a namespace of their own: then it
  /// has its usual meaning.
  static func key(_ name: XMLName) -> String {
    let local = name.local.lowercased()
    let known = name.namespace.flatMap { prefixes[$0.lowercased()] }
    let prefix = known ?? usual(name.prefix.lowercased())
    return prefix.isEmpty ? local : "\(prefix):\(local)"
  }

  private static func usual(_ prefix: String) -> String {
    prefix == "atom" || prefix == "rss" ? "" : prefix
  }

  private static let prefixes = [
    "http://backend.userland.com/rss": "", "http://backend.userland.com/rss2": "",
    "http://blogs.law.harvard.edu/tech/rss": "", "http://purl.org/rss/1.0/": "",
    "http://purl.org/rss/1.0": "", "http://my.netscape.com/rdf/simple/0.9/": "",
    "http://channel.netscape.com/rdf/simple/0.9/": "", "http://purl.org/net/rss1.1#": "",
    "http://example.com/newformat#": "", "http://example.com/necho": "",
    "http://purl.org/echo/": "", "uri/of/echo/namespace#": "", "http://purl.org/pie/": "",
    "http://purl.org/rss/1.0/modules/rss091#": "", "http://purl.org/rss/2.0/": "",
    "http://www.w3.org/2005/atom": "", "https://www.w3.org/2005/atom": "",
    "http://purl.org/atom/ns#": "", "http://purl.org/atom/ns": "",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://www.w3.org/xml/1998/namespace": "xml", "http://www.w3.org/1999/xhtml": "xhtml",
    "http://purl.org/dc/elements/1.1/": "dc", "http://purl.org/dc/elements/1.0/": "dc",
    "http://purl.org/dc/elements/1.1": "dc", "http://purl.org/dc/terms/": "dcterms",
    "http://purl.org/rss/1.0/modules/content/": "content",
    "http://purl.org/rss/1.0/modules/content": "content",
    "http://purl.org/rss/1.0/modules/slash/": "slash",
    "http://purl.org/syndication/thread/1.0": "thr",
    "http://a9.com/-/spec/opensearch/1.1/": "opensearch",
    "http://search.yahoo.com/mrss/": "media", "http://search.yahoo.com/mrss": "media",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "http://example.com/dtds/podcast-1.0.dtd": "itunes",
    "http://purl.org/rss/1.0/modules/taxonomy/": "taxo", "http://xmlns.com/foaf/0.1/": "foaf",
    "http://rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "http://www.georss.org/georss": "georss",
  ]
}
