internal import QueuedHTTP
internal import TextFormats

/// Where one part of a post stands in an item: a path, or an address with paths in braces, or several
/// of these, of which the first that finds something counts.
struct DeclaredField: Hashable, Sendable {
  static let expected =
    "a path such as user.name, an address such as https://forum.example/t/{id}, or a list of these"

  private enum Way: Hashable, Sendable {
    case path(NodePath)
    case template(Template<NodePath>)
  }

  private let ways: [Way]

  /// Reads one text, or a list of texts, of which the first that finds something counts.
  init(_ entry: JSONEntry) throws(DocumentError) {
    ways = try entry.oneOrMore(expected: Self.expected).map { entry throws(DocumentError) in
      let text = try entry.string(expected: Self.expected)
      guard text.contains("{") else { return .path(try NodePath(text, at: entry)) }
      return .template(
        try Template(text, at: entry) { slot throws(DocumentError) in
          try NodePath(slot, at: entry)
        })
    }
  }

  /// The text that an item has here, never empty.
  func text(of item: JSONNode) -> String? {
    for way in ways {
      switch way {
      case .path(let path):
        if let text = path.node(in: item)?.identifier { return text }
      case .template(let template):
        let text = template.filled { $0.node(in: item)?.identifier.map(PercentEncoding.encode) }
        if let text { return text }
      }
    }
    return nil
  }

  /// What stands at the first path that leads anywhere.
  func node(of item: JSONNode) -> JSONNode? {
    for case .path(let path) in ways {
      if let node = path.node(in: item) { return node }
    }
    return nil
  }

  /// A number of likes or the like, which some write as a string.
  func count(of item: JSONNode) -> Int? {
    guard let node = node(of: item) else { return nil }
    return node.count ?? node.string.flatMap { Int($0) }
  }

  /// All texts that stand here: those of a list, or the only one.
  func texts(of item: JSONNode) -> [String] {
    var texts: [String] = []
    for way in ways {
      switch way {
      case .path(let path):
        path.visitAll(in: item) { node in if let text = node.text { texts.append(text) } }
      case .template:
        if let text = text(of: item) { texts.append(text) }
      }
    }
    return texts
  }
}
