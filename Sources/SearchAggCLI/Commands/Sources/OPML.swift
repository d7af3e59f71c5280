internal import Application
internal import SafeFiles
internal import SearchModel
internal import TextFormats

/// A feed in the user's list, with the names that readers of feeds give it.
struct Subscription: Hashable {
  let address: String
  var title: String?
  /// The folder that it is in, and those around that, outermost first, with a slash between them.
  var folder: String?
}

/// Outline Processor Markup Language 2.0 (opml.org), the format in which feed readers exchange their
/// subscriptions.
enum OPML {
  static func subscriptions(
    in path: String, _ context: Context
  ) throws -> [Subscription] {
    let bytes: [UInt8]
    if path == "-" {
      bytes = try QueryWords.input(in: context)
    } else {
      do throws(FileReadError) {
        bytes = try BoundedRead.bytes(
          of: context.absolutePath(path), limit: QueryWords.inputLimit, allowsStreams: true)
      } catch {
        throw CommandFailure(.unreadableInput, "\(path): \(error.reason)")
      }
    }
    let document = XMLDocument(bytes) { (key: $0.local, role: .any) }
    guard document.roots.contains(where: { $0.key == "opml" }), !document.isCut else {
      throw CommandFailure(.malformedInput, "\(path): not an OPML file")
    }
    return document.elements.filter { $0.key == "outline" }.compactMap { outline in
      outline["xmlUrl"].map { address in
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

  static func document(of subscriptions: [Subscription]) -> String {
    var body = ""
    var open: [Substring] = []
    for feed in grouped(subscriptions) {
      let folders = feed.folder?.split(separator: "/") ?? []
      let shared = zip(open, folders).prefix { $0 == $1 }.count
      close(&open, to: shared, &body)
      for folder in folders.dropFirst(shared) {
        body += indent(open.count) + "<outline text=\"\(escaped(String(folder)))\">\n"
        open.append(folder)
      }
      let address = escaped(feed.address)
      let title = feed.title.map { escaped($0) } ?? address
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

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}
