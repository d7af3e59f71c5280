/// Goes over what stands in an element without a call for each level: nesting costs no stack.
enum XMLWalk {
  /// Calls `visit` with each node, parents first, and `leaving` with each element behind its last.
  static func visit(
    _ element: XMLElement, _ visit: (XMLDocument.Node) -> Void,
    leaving: (XMLDocument.Node) -> Void
  ) {
    let nodes = element.document.nodes
    var index = Int(element.node.firstChild)
    guard index >= 0 else { return }
    while true {
      visit(nodes[index])
      if nodes[index].firstChild >= 0 {
        index = Int(nodes[index].firstChild)
        continue
      }
      if nodes[index].name >= 0 { leaving(nodes[index]) }
      while nodes[index].next < 0 {
        index = Int(nodes[index].parent)
        guard index != element.index, index >= 0 else { return }
        leaving(nodes[index])
      }
      index = Int(nodes[index].next)
    }
  }
}
