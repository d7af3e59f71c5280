internal import TextFormats

/// The links of a feed or an entry, told apart by what they lead to.
struct FeedLinks {
  /// The address that RSS and RDF have as a text.
  private var plain: String?
  /// The first page for people.
  private var page: String?
  /// The first alternative that is no page.
  private var alternative: String?
  /// The identifier of RSS, where it is an address too.
  private var permanent: String?
  /// The address of the next page of the feed.
  private(set) var next: String?
  /// Files that belong to it.
  private(set) var files: [String] = []
  /// Where else it leads.
  private(set) var related: [String] = []

  /// The page for people.
  var best: String? { plain ?? page ?? permanent ?? alternative }

  mutating func add(_ element: XMLElement, base: String?) {
    let base = FeedText.base(of: element, within: base)
    let relation = relation(of: element)
    guard let reference = element["href"] ?? element["rdf:resource"] else {
      // An Atom link without an address may hold some text.
      guard element["rel"] == nil || relation == "alternate" else { return }
      plain = plain ?? WebAddress.resolved(String(element.text.trimmed), against: base)
      return
    }
    guard let address = WebAddress.resolved(reference, against: base) else { return }
    switch relation {
    case "alternate":
      if isPage(element["type"]) {
        page = page ?? address
      } else {
        alternative = alternative ?? address
      }
    case "enclosure": files.append(address)
    case "related", "via": related.append(address)
    case "next": next = next ?? address
    case _: break
    }
  }

  mutating func add(plain address: String?) { plain = plain ?? address }
  mutating func add(permanent address: String?) { permanent = permanent ?? address }
  mutating func add(file address: String?) { if let address { files.append(address) } }

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
