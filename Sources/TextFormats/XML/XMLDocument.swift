/// The name of an element or attribute.
package struct XMLName: Hashable, Sendable {
  /// The prefix as written, or an empty string.
  package var prefix: String
  /// The namespace declared for the prefix, or nil.
  package var namespace: String?
  /// The name after the prefix, as written.
  package var local: String
}

/// The elements, attributes and texts of an XML document, or of a text that was meant to be one.
///
/// Never fails: unreadable parts are left out. Nothing is loaded, only plain entities are expanded,
/// and expansion, the number of elements and the length of each text are bounded.
package final class XMLDocument: Sendable {
  /// The maximum length of a text or attribute, in bytes.
  static let textLimit = 1 << 20

  /// One element or piece of text; related nodes are given by index, -1 for none.
  struct Node {
    /// The index of the element's name; -1 for a text.
    var name: Int32
    var parent: Int32
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    var next: Int32 = -1
    /// The range of the text in all text, or of the attributes in all attributes.
    var start: Int
    var end: Int
  }

  struct Attribute {
    var name: Int32
    var value: Range<Int>
  }

  fileprivate let nodes: [Node]
  fileprivate let attributes: [Attribute]
  fileprivate let text: [UInt8]
  fileprivate let names: [XMLName]
  /// The key that the vocabulary assigned to each name.
  fileprivate let keys: [String]
  /// The elements that have not ended where the text does.
  fileprivate let openNodes: [Int32]
  /// True if the text ends inside an element.
  package let isCut: Bool
  /// True if the text contains more elements than the limit.
  package let isFull: Bool

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: In any encoding.
  ///   - charset: The encoding named by the transport.
  ///   - vocabulary: Returns the key and role of a name; called once for each name.
  @unsafe
  package convenience init(
    _ bytes: UnsafeRawBufferPointer, charset: String? = nil,
    calling vocabulary: @escaping (XMLName) -> (key: String, role: XMLRole)
  ) {
    self.init(unsafe MarkupEncoding.utf8(bytes, charset: charset), calling: vocabulary)
  }

  /// Reads a document in UTF-8.
  package init(
    _ utf8: [UInt8], calling vocabulary: @escaping (XMLName) -> (key: String, role: XMLRole)
  ) {
    let (tree, isCut) = XMLTokenizer.read(utf8, into: XMLTreeBuilder(calling: vocabulary))
    nodes = tree.nodes
    attributes = tree.attributes
    text = tree.text
    names = tree.names
    keys = tree.keys
    openNodes = tree.openNodes
    self.isCut = isCut
    isFull = tree.isFull
  }

  /// The outermost elements.
  package var roots: XMLChildren { XMLChildren(of: XMLElement(self, 0)) }

  /// All elements, parents first.
  package var elements: XMLDescendants { XMLDescendants(of: XMLElement(self, 0)) }
}

/// An element of a document.
package struct XMLElement {
  fileprivate let document: XMLDocument
  fileprivate let index: Int

  init(_ document: XMLDocument, _ index: Int) {
    self.document = document
    self.index = index
  }

  private var node: XMLDocument.Node { document.nodes[index] }

  /// The key that the vocabulary assigned to the element's name.
  package var key: String { node.name < 0 ? "" : document.keys[Int(node.name)] }

  package var name: XMLName {
    node.name < 0
      ? XMLName(prefix: "", namespace: nil, local: "") : document.names[Int(node.name)]
  }

  /// The enclosing element; nil for the outermost.
  package var parent: XMLElement? {
    node.parent <= 0 ? nil : XMLElement(document, Int(node.parent))
  }

  /// True if the text ends inside it, so that parts of it may be missing.
  package var isCut: Bool { document.openNodes.contains { Int($0) == index } }

  package var children: XMLChildren { XMLChildren(of: self) }

  /// All elements inside it, parents first.
  package var descendants: XMLDescendants { XMLDescendants(of: self) }

  /// The first child with a key, or nil.
  package func child(_ key: String) -> XMLElement? { children.first { $0.key == key } }

  package var hasChildren: Bool {
    var children = children
    return children.next() != nil
  }

  /// The value of the attribute with a key, or nil.
  package subscript(_ key: String) -> String? {
    guard node.name >= 0 else { return nil }
    for attribute in document.attributes[node.start..<node.end]
    where document.keys[Int(attribute.name)] == key {
      return String(decoding: document.text[attribute.value], as: UTF8.self)
    }
    return nil
  }

  // MARK: - Contents

  /// All texts inside it, concatenated, up to a bound.
  package var text: String {
    var text: [UInt8] = []
    visit { node in
      if node.name < 0 { text.append(contentsOf: document.text[node.start..<node.end]) }
      return text.count < XMLDocument.textLimit
    } leaving: { _ in
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Its contents as HTML, up to a bound: tags without prefixes, texts escaped.
  package var markup: String {
    var html: [UInt8] = []
    visit { node in
      if node.name < 0 {
        append(node.start..<node.end, to: &html)
      } else {
        appendTag(of: node, to: &html)
      }
      return html.count < XMLDocument.textLimit
    } leaving: { node in
      html.append(contentsOf: "</".utf8)
      html.append(contentsOf: document.names[Int(node.name)].local.utf8)
      html.append(UInt8(ascii: ">"))
    }
    return String(decoding: html, as: UTF8.self)
  }

  private func appendTag(of node: XMLDocument.Node, to html: inout [UInt8]) {
    html.append(UInt8(ascii: "<"))
    html.append(contentsOf: document.names[Int(node.name)].local.utf8)
    for attribute in document.attributes[node.start..<node.end] {
      html.append(UInt8(ascii: " "))
      html.append(contentsOf: document.names[Int(attribute.name)].local.utf8)
      html.append(contentsOf: "=\"".utf8)
      append(attribute.value, to: &html)
      html.append(UInt8(ascii: "\""))
    }
    html.append(UInt8(ascii: ">"))
  }

  private func append(_ range: Range<Int>, to html: inout [UInt8]) {
    for byte in document.text[range] { MarkupEscape.append(byte, to: &html) }
  }

  /// Calls `visit` with each node inside it, parents first, until it returns false, and `leaving`
  /// with each element after its contents.
  // Not recursive: nesting costs no stack.
  private func visit(
    _ visit: (XMLDocument.Node) -> Bool, leaving: (XMLDocument.Node) -> Void
  ) {
    let nodes = document.nodes
    var index = Int(node.firstChild)
    guard index >= 0 else { return }
    while visit(nodes[index]) {
      if nodes[index].firstChild >= 0 {
        index = Int(nodes[index].firstChild)
        continue
      }
      if nodes[index].name >= 0 { leaving(nodes[index]) }
      while nodes[index].next < 0 {
        index = Int(nodes[index].parent)
        guard index != self.index, index >= 0 else { return }
        leaving(nodes[index])
      }
      index = Int(nodes[index].next)
    }
  }
}

/// The child elements of an element.
package struct XMLChildren: Sequence, IteratorProtocol {
  private let document: XMLDocument
  private var following: Int32

  init(of element: XMLElement) {
    document = element.document
    following = document.nodes[element.index].firstChild
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

/// The elements inside an element, parents first.
package struct XMLDescendants: Sequence, IteratorProtocol {
  private let root: XMLElement
  private var current: Int

  init(of element: XMLElement) {
    root = element
    current = element.index
  }

  package mutating func next() -> XMLElement? {
    let nodes = root.document.nodes
    repeat {
      guard let next = step(in: nodes) else { return nil }
      current = next
    } while nodes[current].name < 0
    return XMLElement(root.document, current)
  }

  /// Skips the elements inside the last one returned.
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
