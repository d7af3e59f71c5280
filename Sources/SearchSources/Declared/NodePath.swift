internal import TextFormats

/// A path into a response: keys and indices, such as `data.results.0.user.name`.
///
/// A key that holds a dot has a backslash before it; `-1` is the last element of a list. For links and
/// media, `*` is each element of a list.
struct NodePath: Hashable, Sendable {
  static let expected = "a path such as data.results"

  /// Paths and answers are not deep; what is beyond is a mistake.
  private static let longest = 32

  private let steps: [String]
  let text: String

  init(_ entry: JSONEntry) throws(DocumentError) {
    try self.init(entry.string(expected: Self.expected), at: entry)
  }

  /// - Parameter entry: The value that contains the text.
  init(_ text: some StringProtocol, at entry: JSONEntry) throws(DocumentError) {
    var steps = [""]
    var isEscaped = false
    for character in text {
      if isEscaped || (character != "." && character != "\\") {
        steps[steps.count - 1].append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        steps.append("")
      }
    }
    guard !isEscaped, steps.count <= Self.longest, steps.allSatisfy({ !$0.isEmpty }) else {
      throw entry.fault(expected: Self.expected)
    }
    self.steps = steps
    self.text = String(text)
  }

  /// Returns the node at the path; nil if it is absent or null.
  func node(in root: JSONNode) -> JSONNode? {
    var node = root
    for step in steps {
      guard let next = Self.child(of: node, step) else { return nil }
      node = next
    }
    return node.isNull ? nil : node
  }

  /// Calls `visit` with each node at the path; `*` and a list at its end mean all elements.
  func visitAll(in root: JSONNode, _ visit: (JSONNode) -> Void) {
    Self.visit(steps[...], root, visit)
  }

  private static func visit(
    _ steps: ArraySlice<String>, _ node: JSONNode, _ visit: (JSONNode) -> Void
  ) {
    guard let step = steps.first else {
      if node.kind == .array {
        for element in node.elements { visit(element) }
      } else {
        visit(node)
      }
      return
    }
    if step == "*", node.kind == .array {
      for element in node.elements { Self.visit(steps.dropFirst(), element, visit) }
    } else if let child = child(of: node, step) {
      Self.visit(steps.dropFirst(), child, visit)
    }
  }

  private static func child(of node: JSONNode, _ step: String) -> JSONNode? {
    switch node.kind {
    case .object:
      for (key, value) in node.members {
        if let bytes = key.stringBytes, bytes.elementsEqual(step.utf8) { return value }
      }
      return nil
    case .array:
      guard let index = Int(step) else { return nil }
      var offset = index < 0 ? node.childCount + index : index
      guard offset >= 0, offset < node.childCount else { return nil }
      for element in node.elements {
        if offset == 0 { return element }
        offset -= 1
      }
      return nil
    case .string, .number, .bool, .null: return nil
    }
  }
}
