internal import TextFormats

/// A feed in the user's list, with the names that readers of feeds give it.
package struct Subscription: Hashable, Sendable {
  package let address: String
  package var title: String?
  /// The folder that it is in, and those around that, outermost first, with a slash between them.
  package var folder: String?

  package init(address: String, title: String? = nil, folder: String? = nil) {
    (self.address, self.title, self.folder) = (address, title, folder)
  }
}

/// Outline Processor Markup Language 2.0 (opml.org), the format in which feed readers exchange their
/// subscriptions.
package enum OPML {
  /// The feeds in a file of any encoding; nil for anything but OPML.
  package static func subscriptions(in bytes: [UInt8]) -> [Subscription]? {
    let document = bytes.withUnsafeBytes { bytes in
      // Some programs write `xmlurl`.
      XMLDocument(bytes) { (key: $0.local.lowercased(), role: .any) }
    }
    guard document.roots.contains(where: { $0.key == "opml" }), !document.isCut else { return nil }
    return document.elements.filter { $0.key == "outline" }.compactMap { outline in
      outline["xmlurl"].map { address in
        let title = name(of: outline)
        return Subscription(
          address: address, title: title == address ? nil : title, folder: folder(of: outline))
      }
    }
  }

  /// The name of an outline on one line; nil if it has none.
  private static func name(of outline: XMLElement) -> String? {
    for text in [outline["title"], outline["text"]] {
      let line = ControlCodes.strippedToLine(text ?? "").trimmed.prefix(longestName)
      if !line.isEmpty { return String(line) }
    }
    return nil
  }

  /// In characters; feeds have shorter ones.
  private static let longestName = 200

  private static func folder(of outline: XMLElement) -> String? {
    var names: [String] = []
    var parent = outline.parent
    while let folder = parent, folder.key == "outline" {
      // A slash in a name would be a folder of its own.
      if let name = name(of: folder) { names.insert(name.replacing("/", with: "\u{2215}"), at: 0) }
      parent = folder.parent
    }
    return names.isEmpty ? nil : names.joined(separator: "/")
  }

  /// A file with feeds.
  package static func document(of subscriptions: [Subscription]) -> String {
    var body = ""
    var open: [Substring] = []
    for feed in grouped(subscriptions) {
      let folders = feed.folder?.split(separator: "/") ?? []
      let shared = zip(open, folders).prefix { $0 == $1 }.count
      close(&open, to: shared, &body)
      for folder in folders.dropFirst(shared) {
        body += indent(open.count) + "<outline text=\"\(MarkupEscape.escaped(String(folder)))\">\n"
        open.append(folder)
      }
      let address = MarkupEscape.escaped(feed.address)
      let title = feed.title.map { MarkupEscape.escaped($0) } ?? address
      body +=
        indent(open.count)
        + "<outline type=\"rss\" text=\"\(title)\" xmlUrl=\"\(address)\"/>\n"
    }
    close(&open, to: 0, &body)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0">
        <head><title>searchagg</title></head>
        <body>
      \(body)  </body>
      </opml>

      """
  }

  /// The feeds of a folder together, in the order in which folders occur first.
  private static func grouped(_ feeds: [Subscription]) -> [Subscription] {
    let groups = Dictionary(grouping: feeds.enumerated()) { $0.element.folder }
    return groups.values.sorted { $0[0].offset < $1[0].offset }.joined().map(\.element)
  }

  private static func close(_ open: inout [Substring], to depth: Int, _ body: inout String) {
    while open.count > depth {
      open.removeLast()
      body += indent(open.count) + "</outline>\n"
    }
  }

  private static func indent(_ depth: Int) -> String {
    String(repeating: "  ", count: depth + 2)
  }
}
