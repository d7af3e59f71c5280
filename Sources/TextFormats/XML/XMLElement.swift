/// An element of a document.
package struct XMLElement {
  let document: XMLDocument
  let index: Int

  init(_ document: XMLDocument, _ index: Int) {
    self.document = document
    self.index = index
  }

  var node: XMLDocument.Node { document.nodes[index] }

  /// What the reader calls the element.
  package var key: String { node.name < 0 ? "" : document.keys[Int(node.name)] }

  package var name: XMLName {
    node.name < 0
      ? XMLName(prefix: "", namespace: nil, local: "") : document.names[Int(node.name)]
  }

  /// The element around it; nil for the outermost.
  package var parent: XMLElement? {
    node.parent <= 0 ? nil : XMLElement(document, Int(node.parent))
  }

  package var children: XMLChildren { XMLChildren(of: self) }

  /// All elements within it, parents first.
  package var descendants: XMLDescendants { XMLDescendants(of: self) }

  /// The first child of that key; nil when there is none.
  package func child(_ key: String) -> XMLElement? { children.first { $0.key == key } }

  /// The value of the attribute that the reader calls so; nil when there is none.
  package subscript(_ key: String) -> String? {
    guard node.name >= 0 else { return nil }
    for attribute in document.attributes[node.start..<node.end]
    where document.keys[Int(attribute.name)] == key {
      return String(decoding: document.text[attribute.value], as: UTF8.self)
    }
    return nil
  }

  /// All texts within it, one after the other.
  package var text: String {
    var text: [UInt8] = []
    XMLWalk.visit(self) { node in
      if node.name < 0 { text.append(contentsOf: document.text[node.start..<node.end]) }
    } leaving: { _ in
    }
    return String(decoding: text, as: UTF8.self)
  }
}
