/// Builds a document's nodes from the events of a parser.
final class XMLTreeBuilder {
  /// More elements and texts than these are left out.
  private static let limit = 1 << 19

  private(set) var nodes: [XMLDocument.Node] = []
  private(set) var attributes: [XMLDocument.Attribute] = []
  private(set) var text: [UInt8] = []
  private(set) var names: [XMLName] = []
  private var nameIndices: [XMLName: Int32] = [:]
  /// The element that is open; -1 outside of all.
  private var current: Int32 = -1

  var isFull: Bool { nodes.count + attributes.count >= Self.limit }

  func start(_ name: XMLName) {
    let index = add(
      XMLDocument.Node(
        name: self.index(of: name), parent: current, start: attributes.count, end: attributes.count)
    )
    current = index
  }

  /// Adds an attribute to the element that has just begun.
  func attribute(_ name: XMLName, _ value: some Sequence<UInt8>) {
    let start = text.count
    text.append(contentsOf: value)
    attributes.append(
      XMLDocument.Attribute(name: index(of: name), value: start..<text.count))
    if current >= 0 { nodes[Int(current)].end = attributes.count }
  }

  func end() {
    guard current >= 0 else { return }
    current = nodes[Int(current)].parent
  }

  func characters(_ characters: some Sequence<UInt8>) {
    guard current >= 0 else { return }
    let start = text.count
    text.append(contentsOf: characters)
    let last = Int(nodes[Int(current)].lastChild)
    // Texts that follow one another are one.
    if last >= 0, nodes[last].name < 0, nodes[last].end == start {
      nodes[last].end = text.count
    } else {
      _ = add(XMLDocument.Node(name: -1, parent: current, start: start, end: text.count))
    }
  }

  private func add(_ node: XMLDocument.Node) -> Int32 {
    let index = Int32(truncatingIfNeeded: nodes.count)
    nodes.append(node)
    guard current >= 0 else { return index }
    let parent = Int(current)
    let last = nodes[parent].lastChild
    if last >= 0 { nodes[Int(last)].next = index } else { nodes[parent].firstChild = index }
    nodes[parent].lastChild = index
    return index
  }

  private func index(of name: XMLName) -> Int32 {
    if let index = nameIndices[name] { return index }
    let index = Int32(truncatingIfNeeded: names.count)
    names.append(name)
    nameIndices[name] = index
    return index
  }
}
