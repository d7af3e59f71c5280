internal import TextFormats

/// The names of elements and attributes in feeds, and the ends of elements without end tags.
enum FeedVocabulary {
  /// Returns the key of a name, and the role of its elements.
  static func term(_ name: XMLName) -> (key: String, role: XMLRole) {
    let key = key(name)
    return (key, role(of: key))
  }

  private static func role(of key: String) -> XMLRole {
    switch key {
    case "rss", "rdf:rdf", "rdf", "feed", "channel": .container
    case "item", "entry": .record
    case _: fields.contains(key) ? .field : .any
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
    "http://search.yahoo.com/mrss/": "media", "http://search.yahoo.com/mrss": "media",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "http://example.com/dtds/podcast-1.0.dtd": "itunes",
    "http://purl.org/rss/1.0/modules/taxonomy/": "taxo", "http://xmlns.com/foaf/0.1/": "foaf",
    "http://rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "http://www.georss.org/georss": "georss",
  ]
}
