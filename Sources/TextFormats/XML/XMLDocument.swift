/// The elements, attributes and texts of an XML document, or of what was meant for one.
///
/// Never fails: what cannot be read is left out. Nothing is loaded, no entity is expanded but plain
/// ones up to a bound, and the number of elements has a bound too.
package final class XMLDocument: Sendable {
  /// One element or piece of text; the places of others are indices, -1 for none.
  struct Node {
    /// The index of the element's name; -1 for a text.
    var name: Int32
    var parent: Int32
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    var next: Int32 = -1
    /// Where the text stands among all, or the attributes among all.
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
  /// What the reader calls each of the names.
  let keys: [String]
  /// Whether the text ends within an element, or holds more elements than are read.
  package let isCut: Bool

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: In any encoding.
  ///   - charset: What the transport says of it.
  ///   - key: What each name is to be called; asked once for each.
  @unsafe
  package convenience init(
    _ bytes: UnsafeRawBufferPointer, charset: String? = nil, calling key: (XMLName) -> String
  ) {
    self.init(unsafe MarkupEncoding.utf8(bytes, charset: charset), calling: key)
  }

  /// Reads a document in UTF-8.
  package init(_ utf8: [UInt8], calling key: (XMLName) -> String) {
    let (xml, isCut) = XMLTidying.tidied(utf8)
    let builder = XMLTreeBuilder()
    XMLParser.parse(xml, into: builder)
    nodes = builder.nodes
    attributes = builder.attributes
    text = builder.text
    names = builder.names
    keys = builder.names.map(key)
    self.isCut = isCut || builder.isFull
  }

  /// The elements that stand in no other.
  package var roots: XMLChildren { XMLChildren(of: XMLElement(self, 0)) }

  /// All elements within all, parents first.
  package var elements: XMLDescendants { XMLDescendants(of: XMLElement(self, 0)) }
}
