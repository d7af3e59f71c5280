/// Builds a document's nodes from its tags and texts.
///
/// An end tag ends the innermost element of its name and everything inside it; one without an
/// element is ignored. An element whose end tag is missing ends where its role requires it.
struct XMLTreeBuilder {
  /// An attribute as written; its value is part of the tree's text.
  struct RawAttribute {
    let name: Range<Int>
    let value: Range<Int>
  }

  private struct OpenElement {
    let node: Int32
    /// The index of its name as written, in lowercase.
    let folded: Int32
    let name: Int32
    /// The state to restore at its end.
    let declarations: Int
    let scope: Int
  }

  /// A name as written, and its meaning in the namespaces that were last in scope.
  private struct WrittenName {
    let prefix: String
    let local: String
    let folded: Int32
    var element: (scope: Int, name: Int32) = (-1, -1)
    var attribute: (scope: Int, name: Int32) = (-1, -1)
  }

  /// The most elements, texts and attributes.
  private static let limit = 1 << 20
  /// Elements nested deeper lose their tags and keep their text.
  private static let depthLimit = 200
  /// The most namespace declarations in scope; others are ignored.
  private static let declarationLimit = 128

  /// The first node holds all others.
  private(set) var nodes = [XMLDocument.Node(name: -1, parent: -1, start: 0, end: 0)]
  private(set) var attributes: [XMLDocument.Attribute] = []
  /// All texts and the values of all attributes.
  var text: [UInt8] = []
  private(set) var names: [XMLName] = []
  private(set) var keys: [String] = []
  private var roles: [XMLRole] = []

  private var nameIndices: [XMLName: Int32] = [:]
  private var written: [WrittenName] = []
  private var writtenIndices: [String: Int32] = [:]
  private var open: [OpenElement] = []
  private var declarations: [(prefix: String, namespace: String)] = [
    ("xml", "http://www.w3.org/XML/1998/namespace")
  ]
  /// A number for the declarations in scope.
  private var scope = 0
  private var lastScope = 0
  private let vocabulary: (XMLName) -> (key: String, role: XMLRole)

  init(calling vocabulary: @escaping (XMLName) -> (key: String, role: XMLRole)) {
    self.vocabulary = vocabulary
  }

  var isFull: Bool { nodes.count + attributes.count >= Self.limit }

  var hasOpenElements: Bool { !open.isEmpty }

  /// The elements that have not ended.
  var openNodes: [Int32] { open.map(\.node) }

  private var current: Int32 { open.last?.node ?? 0 }

  // MARK: - Text

  /// The number of bytes that can be added to the text here.
  var roomForText: Int {
    let last = Int(nodes[Int(current)].lastChild)
    guard last >= 0, nodes[last].name < 0 else { return XMLDocument.textLimit }
    return XMLDocument.textLimit - (nodes[last].end - nodes[last].start)
  }

  mutating func dropText(from start: Int) { text.removeSubrange(start...) }

  /// Adds everything appended to `text` since an index.
  mutating func addText(from start: Int) {
    guard text.count > start else { return }
    let last = Int(nodes[Int(current)].lastChild)
    if last >= 0, nodes[last].name < 0, nodes[last].end == start {
      guard start - nodes[last].start < XMLDocument.textLimit else { return dropText(from: start) }
      nodes[last].end = text.count
    } else {
      _ = add(XMLDocument.Node(name: -1, parent: current, start: start, end: text.count))
    }
  }

  // MARK: - Elements

  mutating func start(
    _ tag: ArraySlice<UInt8>, _ raw: [RawAttribute], isEmpty: Bool, in source: [UInt8]
  ) {
    var outer = (declarations: declarations.count, scope: scope)
    declareNamespaces(raw, in: source)
    let index = writtenIndex(of: tag)
    let name = elementName(index)
    let depth = open.count
    endElements(before: name)
    if open.count < depth {
      // The elements that ended took all later declarations with them.
      outer = (declarations.count, scope)
      declareNamespaces(raw, in: source)
    }
    guard open.count < Self.depthLimit else {
      declarations.removeSubrange(outer.declarations...)
      scope = outer.scope
      return
    }
    let node = add(
      XMLDocument.Node(
        name: name, parent: current, start: attributes.count, end: attributes.count))
    for attribute in raw where !Self.isDeclaration(source[attribute.name]) {
      attributes.append(
        XMLDocument.Attribute(
          name: attributeName(writtenIndex(of: source[attribute.name])), value: attribute.value))
    }
    nodes[Int(node)].end = attributes.count
    open.append(
      OpenElement(
        node: node, folded: written[Int(index)].folded, name: name,
        declarations: outer.declarations, scope: outer.scope))
    if isEmpty || Self.isVoid(tag) { close() }
  }

  mutating func end(_ tag: ArraySlice<UInt8>) {
    let folded = written[Int(writtenIndex(of: tag))].folded
    guard let place = open.lastIndex(where: { $0.folded == folded }) else { return }
    while open.count > place { close() }
  }

  private mutating func close() {
    guard let element = open.popLast() else { return }
    declarations.removeSubrange(element.declarations...)
    scope = element.scope
  }

  /// Ends elements that lack end tags and cannot contain the one that begins.
  private mutating func endElements(before name: Int32) {
    let role = roles[Int(name)]
    guard role != .any else { return }
    if role == .item, let keep = itemsParent(of: name) {
      while open.count > keep { close() }
    }
    while let last = open.last, roles[Int(last.name)] == .field { close() }
  }

  /// The number of open elements that may contain an item: its container, but no other item unless
  /// that belongs to another vocabulary.
  private func itemsParent(of name: Int32) -> Int? {
    let container = open.lastIndex { roles[Int($0.name)] == .container }
    let item = open.lastIndex { roles[Int($0.name)] == .item }
    guard let item, item > container ?? -1 else { return container.map { $0 + 1 } }
    let isSameKind = names[Int(open[item].name)].namespace == names[Int(name)].namespace
    return isSameKind ? container.map { $0 + 1 } ?? item : nil
  }

  private mutating func add(_ node: XMLDocument.Node) -> Int32 {
    let index = Int32(truncatingIfNeeded: nodes.count)
    nodes.append(node)
    let parent = Int(current)
    let last = nodes[parent].lastChild
    if last >= 0 { nodes[Int(last)].next = index } else { nodes[parent].firstChild = index }
    nodes[parent].lastChild = index
    return index
  }

  /// HTML elements without content, for which people write no end tag.
  private static func isVoid(_ tag: ArraySlice<UInt8>) -> Bool {
    ["br", "hr", "img", "wbr", "input"].contains { word in
      word.utf8.count == tag.count && zip(word.utf8, tag).allSatisfy { $0 == $1 | 0x20 }
    }
  }

  // MARK: - Names

  private static func isDeclaration(_ name: ArraySlice<UInt8>) -> Bool {
    name.starts(with: "xmlns".utf8)
      && (name.count == 5 || name[name.startIndex + 5] == UInt8(ascii: ":"))
  }

  private mutating func declareNamespaces(_ raw: [RawAttribute], in source: [UInt8]) {
    var isNew = false
    for attribute in raw where Self.isDeclaration(source[attribute.name]) {
      guard declarations.count < Self.declarationLimit else { break }
      declarations.append(
        (
          String(decoding: source[attribute.name].dropFirst(6), as: UTF8.self),
          String(decoding: text[attribute.value], as: UTF8.self)
        ))
      isNew = true
    }
    guard isNew else { return }
    lastScope += 1
    scope = lastScope
  }

  private func namespace(of prefix: String) -> String? {
    let found = declarations.last { $0.prefix == prefix }?.namespace
    return found?.isEmpty == true ? nil : found
  }

  private mutating func writtenIndex(of name: ArraySlice<UInt8>) -> Int32 {
    let whole = String(decoding: name, as: UTF8.self)
    if let index = writtenIndices[whole] { return index }
    let lower = whole.lowercased()
    let folded = lower == whole ? nil : writtenIndex(of: Array(lower.utf8)[...])
    // A colon at either end belongs to the name.
    let parts = whole.split(separator: ":", maxSplits: 1)
    let isQualified = parts.count == 2 && !whole.hasPrefix(":")
    let own = Int32(truncatingIfNeeded: written.count)
    written.append(
      WrittenName(
        prefix: isQualified ? String(parts[0]) : "", local: isQualified ? String(parts[1]) : whole,
        folded: folded ?? own))
    writtenIndices[whole] = own
    return own
  }

  private mutating func elementName(_ index: Int32) -> Int32 {
    let name = written[Int(index)]
    if name.element.scope == scope { return name.element.name }
    let found = self.index(
      of: XMLName(prefix: name.prefix, namespace: namespace(of: name.prefix), local: name.local))
    written[Int(index)].element = (scope, found)
    return found
  }

  /// The default namespace is not for attributes.
  private mutating func attributeName(_ index: Int32) -> Int32 {
    let name = written[Int(index)]
    if name.attribute.scope == scope { return name.attribute.name }
    let found = self.index(
      of: XMLName(
        prefix: name.prefix, namespace: name.prefix.isEmpty ? nil : namespace(of: name.prefix),
        local: name.local))
    written[Int(index)].attribute = (scope, found)
    return found
  }

  private mutating func index(of name: XMLName) -> Int32 {
    if let index = nameIndices[name] { return index }
    let index = Int32(truncatingIfNeeded: names.count)
    let (key, role) = vocabulary(name)
    names.append(name)
    keys.append(key)
    roles.append(role)
    nameIndices[name] = index
    return index
  }
}

/// The place where an element ends if its end tag is missing.
package enum XMLRole: Sendable {
  /// With the element around it.
  case any
  /// With the element around it; contains items, as a feed does.
  case container
  /// Where the next item of its container begins, such as an entry of a feed.
  case item
  /// Where another field, an item or a container begins directly in it, such as a title.
  case field
}
