extension XMLElement {
  /// Whether an element stands in it.
  package var hasChildren: Bool {
    var children = children
    return children.next() != nil
  }

  /// What stands in it as HTML: tags without prefixes, texts escaped.
  package var markup: String {
    var html: [UInt8] = []
    XMLWalk.visit(self) { node in
      guard node.name >= 0 else { return append(node.start..<node.end, to: &html) }
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
    } leaving: { node in
      html.append(contentsOf: "</".utf8)
      html.append(contentsOf: document.names[Int(node.name)].local.utf8)
      html.append(UInt8(ascii: ">"))
    }
    return String(decoding: html, as: UTF8.self)
  }

  private func append(_ range: Range<Int>, to html: inout [UInt8]) {
    for byte in document.text[range] {
      switch byte {
      case UInt8(ascii: "&"): html.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): html.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): html.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): html.append(contentsOf: "&quot;".utf8)
      case _: html.append(byte)
      }
    }
  }
}
