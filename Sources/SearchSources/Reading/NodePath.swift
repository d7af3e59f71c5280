internal import TextFormats

/// A path into a response: keys and indices, such as `data.results.0.user.name`.
///
/// A key that holds a dot has a backslash before it; `-1` is the last element of a list, and `*` each of
/// its elements. A value that is no list is a list of one.
struct NodePath: Sendable {
  static let expected = "a path such as data.results"

  /// The path of a node to itself.
  static let itself = NodePath([], of: "")

  /// Paths and answers are not deep; what is beyond is a mistake.
  private static let longest = 32

  private struct Step: Sendable {
    let key: [UInt8]
    let index: Int?
    let isEach: Bool

    init(_ text: String) {
      key = Array(text.utf8)
      index = Int(text)
      isEach = text == "*"
    }
  }

  private let steps: [Step]
  /// True if it names several values.
  let isPlural: Bool
  let text: String

  init(_ entry: JSONEntry) throws(DocumentError) {
    try self.init(entry.string(expected: Self.expected), at: entry)
  }

  /// - Parameter entry: The value that contains the text.
  init(_ text: some StringProtocol, at entry: JSONEntry) throws(DocumentError) {
    guard let steps = Self.steps(of: text) else { throw entry.fault(expected: Self.expected) }
    self.init(steps, of: String(text))
  }

  private init(_ steps: [String], of text: String) {
    self.init(steps: steps.map(Step.init), of: text)
  }

  private init(steps: [Step], of text: String) {
    self.steps = steps
    isPlural = steps.contains { $0.isEach }
    self.text = text
  }

  /// The path of what contains the node.
  var parent: NodePath { NodePath(steps: steps.dropLast(), of: text) }

  private static func steps(of text: some StringProtocol) -> [String]? {
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
    guard !isEscaped, steps.count <= longest, steps.allSatisfy({ !$0.isEmpty }) else { return nil }
    return steps
  }

  /// Returns the node at the path; nil if it is absent or null, or if the path names several.
  @inline(__always)
  func node(in root: JSONNode) -> JSONNode? {
    var node = root
    for step in steps {
      guard let next = Self.child(of: node, step) else { return nil }
      node = next
    }
    return node
  }

  /// Calls `visit` with each node at the path; `*` and a list at its end mean all elements.
  @inline(__always)
  func visitAll(in root: JSONNode, _ visit: (JSONNode) -> Void) {
    guard !isPlural else { return Self.visit(steps[...], root, visit) }
    guard let node = node(in: root) else { return }
    if node.kind == .array {
      for element in node.elements { visit(element) }
    } else {
      visit(node)
    }
  }

  private static func visit(
    _ steps: ArraySlice<Step>, _ node: JSONNode, _ visit: (JSONNode) -> Void
  ) {
    guard let step = steps.first else {
      if node.kind == .array {
        for element in node.elements { visit(element) }
      } else {
        visit(node)
      }
      return
    }
    if step.isEach {
      if node.kind == .array {
        for element in node.elements { Self.visit(steps.dropFirst(), element, visit) }
      } else {
        Self.visit(steps.dropFirst(), node, visit)
      }
    } else if let child = child(of: node, step) {
      Self.visit(steps.dropFirst(), child, visit)
    }
  }

  @inline(__always)
  private static func child(of node: JSONNode, _ step: Step) -> JSONNode? {
    if let child = node[utf8: step.key] { return child }
    guard node.kind == .array, let index = step.index else { return nil }
    var offset = index < 0 ? node.childCount + index : index
    guard offset >= 0, offset < node.childCount else { return nil }
    for element in node.elements {
      if offset == 0 { return element.isNull ? nil : element }
      offset -= 1
    }
    return nil
  }
}

extension NodePath: ExpressibleByStringLiteral {
  /// The path of a network in Swift; text that is no path is one key.
  init(stringLiteral text: String) { self.init(Self.steps(of: text) ?? [text], of: text) }
}
