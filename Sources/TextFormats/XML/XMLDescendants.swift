/// The elements within an element, parents first.
package struct XMLDescendants: Sequence, IteratorProtocol {
  private let root: XMLElement
  private var current: Int

  init(of element: XMLElement) {
    root = element
    current = element.index
  }

  package mutating func next() -> XMLElement? {
    let nodes = root.document.nodes
    guard !nodes.isEmpty else { return nil }
    repeat {
      guard let next = step(in: nodes) else { return nil }
      current = next
    } while nodes[current].name < 0
    return XMLElement(root.document, current)
  }

  /// Leaves out what stands in the element that came last.
  package mutating func skipChildren() {
    var last = current
    let nodes = root.document.nodes
    while nodes[last].lastChild >= 0 { last = Int(nodes[last].lastChild) }
    current = last
  }

  private func step(in nodes: [XMLDocument.Node]) -> Int? {
    if nodes[current].firstChild >= 0 { return Int(nodes[current].firstChild) }
    var index = current
    while index != root.index {
      if nodes[index].next >= 0 { return Int(nodes[index].next) }
      index = Int(nodes[index].parent)
      guard index >= 0 else { return nil }
    }
    return nil
  }
}
