/// The elements that stand directly in an element.
package struct XMLChildren: Sequence, IteratorProtocol {
  private let document: XMLDocument
  private var following: Int32

  init(of element: XMLElement) {
    document = element.document
    following = document.nodes.isEmpty ? -1 : element.node.firstChild
  }

  package mutating func next() -> XMLElement? {
    while following >= 0 {
      let index = Int(following)
      following = document.nodes[index].next
      if document.nodes[index].name >= 0 { return XMLElement(document, index) }
    }
    return nil
  }
}
