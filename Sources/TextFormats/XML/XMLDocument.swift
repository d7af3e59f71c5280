/// The name of an element or attribute.
package struct XMLName: Hashable, Sendable {
  /// The prefix as it is written; empty when there is none.
  package var prefix: String
  /// The namespace that the prefix is declared for; nil when it was never declared, or there is none.
  package var namespace: String?
  /// The name after the prefix, as it is written.
  package var local: String
}

/// The elements, attributes and texts of an XML document, or of what was meant to be one.
///
/// Never fails: what cannot be read is left out. Nothing is loaded, no entity is expanded but plain
/// ones up to a bound, and the number of elements and the length of each text have bounds too.
package final class XMLDocument: Sendable {
  /// The most bytes of one text or attribute that are kept.
  static let textLimit = 1 << 20

  /// One element or piece of text; the places of others are indices, -1 for none.
  struct Node {
    /// The index of the element's name; -1 for a text.
    var name: Int32
    var parent: Int32
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    var next: Int32 = -1
    /// The range of the text among all texts, or of the attributes among all attributes.
    var start: Int
    var end: Int
  }

  struct Attribute {
    var name: Int32
    var value: Range<Int>
  }

  let nodes: [Node]
  let attributes: [Attribute]
  let text: [UInt8]
  let names: [XMLName]
  /// The key that the reader gave to each of the names.
  let keys: [String]
  /// Whether the text ends within an element.
  package let isCut: Bool
  /// Whether the text holds more elements than are read.
  package let isFull: Bool

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: In any encoding.
  ///   - charset: The encoding that the transport names.
  ///   - vocabulary: Returns the key of a name, and how its elements end; asked once for each name.
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
    self.isCut = isCut
    isFull = tree.isFull
  }

  /// The elements that are in no other.
  package var roots: XMLChildren { XMLChildren(of: XMLElement(self, 0)) }

  /// All elements within all, parents first.
  package var elements: XMLDescendants { XMLDescendants(of: XMLElement(self, 0)) }
}
