internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// The location of a post's field in an item: a path, a text with paths in braces, each element of a list,
/// or several of these, the first of which that finds something counts.
struct FieldLocation: Sendable {
  /// A path in braces.
  struct Slot: Sendable {
    let path: NodePath
    /// True if slashes in its value are parts of a link's path.
    var keepsSlashes = false
  }

  /// Something about each element of a list.
  struct Each: Sendable {
    let list: NodePath
    /// The values that an element must have.
    var conditions: [(path: NodePath, value: String)] = []
    let ways: [Way]
    var join: String?
    var split: String?
    /// The place of the part that counts, after `split`; a text that is not split has none.
    var place: Int?

    /// The element as a whole.
    static let itself: [Way] = [.path(.itself)]
  }

  indirect enum Way: Sendable {
    case path(NodePath)
    case template(Template<Slot>)
    /// A text that begins with the address of the server.
    case below(Template<Slot>)
    case each(Each)
    /// A text in HTML: its plain text, or where addresses are wanted, its links.
    case html(NodePath)
    /// A value that takes code, not data.
    case computed(@Sendable (JSONNode, PageRequest) -> String?)
  }

  private let ways: [Way]
  /// True if it is an address or an identifier, in which values are percent-encoded.
  private var isAddress = false
  /// True if its values are strings, and numbers mean nothing.
  private var isProse = false
  /// The text between several values that make one text.
  private var separator = ", "

  init(_ ways: [Way]) { self.ways = ways }

  func located(isAddress: Bool, isProse: Bool, separator: String) -> FieldLocation {
    var field = self
    field.isAddress = isAddress
    field.isProse = isProse
    field.separator = separator
    return field
  }

  /// The context in which an item is read.
  struct Reading {
    let page: PageRequest
    let server: ServerAddress
    /// True if texts may end in the middle of a word.
    let isExcerpt: Bool
  }

  /// Returns the text of an item at this location, never empty.
  @inline(__always)
  func text(of item: JSONNode, _ reading: Reading) -> String? {
    first(of: item, reading) { $0 }
  }

  /// Returns the first text that means something.
  @inline(__always)
  func first<Value>(
    of item: JSONNode, _ reading: Reading, _ read: (String) -> Value?
  ) -> Value? {
    for way in ways {
      if let text = text(way, of: item, reading), let value = read(text) { return value }
    }
    return nil
  }

  @inline(__always)
  private func text(_ way: Way, of item: JSONNode, _ reading: Reading) -> String? {
    switch way {
    case .path(let path):
      if let node = path.node(in: item) { return isProse ? node.text : node.identifier }
      guard path.isPlural else { return nil }
      return joined(texts(way, of: item, reading), by: separator)
    case .each(let each):
      return joined(texts(way, of: item, reading), by: each.join ?? separator)
    case .template(let template): return filled(template, of: item)
    case .below(let template):
      return filled(template, of: item).map { reading.server.text + $0 }
    case .html(let path):
      let text = path.node(in: item)?.text.map { HTMLText.read($0).text }
      return text?.isEmpty == true ? nil : text
    case .computed(let compute): return compute(item, reading.page)
    }
  }

  private func joined(_ texts: [String], by separator: String) -> String? {
    texts.isEmpty ? nil : texts.joined(separator: separator)
  }

  /// Returns all texts at this location: those of a list, or the only one.
  func texts(of item: JSONNode, _ reading: Reading) -> [String] {
    var texts: [String] = []
    for way in ways { texts += self.texts(way, of: item, reading) }
    return texts
  }

  private func texts(_ way: Way, of item: JSONNode, _ reading: Reading) -> [String] {
    var texts: [String] = []
    switch way {
    case .path(let path):
      path.visitAll(in: item) { node in
        if let text = isProse ? node.text : node.identifier { texts.append(text) }
      }
    case .html(let path) where isAddress:
      if let text = path.node(in: item)?.text { texts = HTMLText.read(text).links }
    case .template, .below, .html, .computed:
      if let text = text(way, of: item, reading) { texts.append(text) }
    case .each(let each):
      each.list.visitAll(in: item) { element in
        guard each.conditions.allSatisfy({ $0.path.node(in: element)?.identifier == $0.value })
        else { return }
        guard
          let text = each.ways.lazy.compactMap({ self.text($0, of: element, reading) }).first
        else { return }
        guard let split = each.split else { return texts.append(text) }
        let parts = text.components(separatedBy: split).filter { !$0.isEmpty }
        guard let place = each.place else { return texts += parts }
        if parts.count > 1, parts.indices.contains(place) { texts.append(parts[place]) }
      }
    }
    return texts
  }

  private func filled(_ template: Template<Slot>, of item: JSONNode) -> String? {
    let text = template.filled { slot in
      guard let text = slot.path.node(in: item)?.identifier else { return nil }
      if slot.keepsSlashes { return LinkPath.encoded(text) }
      return isAddress ? PercentEncoding.encode(text) : text
    }
    return text?.isEmpty == true ? nil : text
  }

  /// Returns the first node at its paths that means something.
  @inline(__always)
  func first<Value>(of item: JSONNode, _ read: (JSONNode) -> Value?) -> Value? {
    for case .path(let path) in ways {
      if let node = path.node(in: item), let value = read(node) { return value }
    }
    return nil
  }

  /// Returns whether an item has a string at one of its paths, even an empty one.
  func hasString(in item: JSONNode) -> Bool {
    ways.contains { way in
      switch way {
      case .path(let path), .html(let path): path.node(in: item)?.kind == .string
      case .template, .below, .each, .computed: false
      }
    }
  }
}

/// The path of a link that readers are shown, in a value that has slashes.
enum LinkPath {
  /// Returns the path with each part percent-encoded; nil if it could lead elsewhere.
  static func encoded(_ text: String) -> String? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isSafe = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".."
        && part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
    }
    return isSafe ? parts.map { PercentEncoding.encode(String($0)) }.joined(separator: "/") : nil
  }
}

extension FieldLocation {
  static let expected =
    "a path such as user.name, an address such as https://forum.example/t/{id}, or a list of these"

  /// Reads one text, or a list of texts, of which the first that finds something counts.
  init(_ entry: JSONEntry) throws(DocumentError) {
    ways = try entry.oneOrMore(expected: Self.expected).map { entry throws(DocumentError) in
      try Way(entry)
    }
  }
}

extension FieldLocation.Way {
  private static let server = "{server}"

  init(_ entry: JSONEntry) throws(DocumentError) {
    if case .object = entry.value {
      self = .each(try FieldLocation.Each(entry))
      return
    }
    let text = try entry.string(expected: FieldLocation.expected)
    guard text.contains("{") else {
      self = .path(try NodePath(text, at: entry))
      return
    }
    let isBelow = text.hasPrefix(Self.server)
    let template = try Template(
      isBelow ? text.dropFirst(Self.server.count) : text[...], at: entry
    ) { slot throws(DocumentError) in
      guard slot.hasSuffix(":path") else {
        return FieldLocation.Slot(path: try NodePath(slot, at: entry))
      }
      return FieldLocation.Slot(path: try NodePath(slot.dropLast(5), at: entry), keepsSlashes: true)
    }
    self = isBelow ? .below(template) : .template(template)
  }
}

extension FieldLocation.Each {
  init(_ entry: JSONEntry) throws(DocumentError) {
    let known = try entry.object(knowing: ["each", "when", "text", "join", "split", "at"])
    guard let list = known["each"] else {
      throw entry.fault(expected: "the path of a list", at: "each")
    }
    self.list = try NodePath(list)
    conditions =
      try known["when"]?.members(expected: #"an object such as {"type": "author"}"#).map {
        path, value throws(DocumentError) in
        (try NodePath(path, at: value), try value.string(expected: "a string"))
      } ?? []
    ways =
      try known["text"]?.oneOrMore(expected: FieldLocation.expected).map {
        entry throws(DocumentError) in try FieldLocation.Way(entry)
      } ?? Self.itself
    join = try known["join"]?.string(expected: "a string", allowsEmpty: true)
    split = try known["split"]?.string(expected: "the text between two entries")
    place = try known["at"]?.integer(in: 0...100)
  }
}
