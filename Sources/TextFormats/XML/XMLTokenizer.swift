/// Reads XML, or text that was meant to be XML, in one pass over its UTF-8.
///
/// Never fails: anything that is not markup is text. Comments, processing instructions and the
/// document type are skipped, so nothing is ever loaded. References are those of HTML and the
/// plain ones that the document type declares, up to a bound. The tree matches end tags to elements.
struct XMLTokenizer {
  /// The most bytes that declared entities may add to a document.
  private static let expansionLimit = 1 << 20
  /// The most attributes of one element; others are left out.
  private static let attributeLimit = 64
  /// Attribute values longer than this, such as pictures within an address, hold no `<`.
  private static let longestValueWithMarkup = 4096

  private let source: [UInt8]
  private var position = 0
  private var tree: XMLTreeBuilder
  private var attributes: [XMLTreeBuilder.RawAttribute] = []
  private var entities = XMLEntities()
  private var expansion = 0
  /// True if the document ends inside a construct.
  private var isCut = false

  private init(_ source: [UInt8], _ tree: XMLTreeBuilder) {
    self.source = source
    self.tree = tree
  }

  /// Adds a whole document to a tree, and returns whether the document was cut off; unknown, and
  /// false, if the tree became full.
  static func read(
    _ source: [UInt8], into tree: XMLTreeBuilder
  ) -> (tree: XMLTreeBuilder, isCut: Bool) {
    var tokenizer = XMLTokenizer(source, tree)
    while tokenizer.position < source.count, !tokenizer.tree.isFull { tokenizer.takeNext() }
    return (
      tokenizer.tree,
      !tokenizer.tree.isFull && (tokenizer.isCut || tokenizer.tree.hasOpenElements)
    )
  }

  private mutating func takeNext() {
    switch source[position] {
    case UInt8(ascii: "<"): takeMarkup()
    case UInt8(ascii: "&"): takeReference(isInText: true)
    default:
      var end = position + 1
      while end < source.count, !Self.endsText(source[end]) { end += 1 }
      takeText(upTo: end)
    }
  }

  private static func endsText(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&")
  }

  // MARK: - Markup

  private mutating func takeMarkup() {
    if isNext("</"), let name = name(at: position + 2) {
      takeEnd(name)
    } else if let name = name(at: position + 1) {
      takeStart(name)
    } else if isNext("<![CDATA[") {
      takeData()
    } else if isNext("<!--") {
      skip(past: "-->")
    } else if isNext("<?") {
      skip(past: "?>")
    } else if isNext("<!") {
      skipDeclaration()
    } else {
      takeText(upTo: position + 1)
    }
  }

  private mutating func takeData() {
    position += 9
    let end = place(of: "]]>", from: position)
    isCut = isCut || end == nil
    takeText(upTo: end ?? source.count)
    position = min((end ?? source.count) + 3, source.count)
  }

  private mutating func skip(past end: StaticString) {
    guard let place = place(of: end, from: position) else {
      isCut = true
      position = source.count
      return
    }
    position = place + end.utf8CodeUnitCount
  }

  /// Skips a document type, and keeps the plain entities that it declares.
  private mutating func skipDeclaration() {
    var depth = 0
    while position < source.count {
      if isNext("<!--") {
        skip(past: "-->")
        continue
      }
      switch source[position] {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "<") where depth > 0 && isNext("<!ENTITY"):
        position = entities.declaration(at: position + 8, in: source)
        continue
      case UInt8(ascii: ">") where depth <= 0:
        position += 1
        return
      default: break
      }
      position += 1
    }
    isCut = true
  }

  private mutating func takeStart(_ name: Range<Int>) {
    position = name.upperBound
    attributes.removeAll(keepingCapacity: true)
    let isEmpty = takeAttributes()
    tree.start(source[name], attributes, isEmpty: isEmpty, in: source)
  }

  private mutating func takeEnd(_ name: Range<Int>) {
    position = name.upperBound
    while position < source.count, source[position] != UInt8(ascii: "<") {
      position += 1
      if source[position - 1] == UInt8(ascii: ">") { break }
    }
    tree.end(source[name])
  }

  // MARK: - Attributes

  /// Takes the rest of a start tag; returns whether it is that of an empty element.
  ///
  /// Values may be without quotes, and quotes without an end.
  private mutating func takeAttributes() -> Bool {
    while position < source.count {
      switch source[position] {
      case UInt8(ascii: ">"):
        position += 1
        return false
      case UInt8(ascii: "<"): return false
      case UInt8(ascii: "/"):
        position += 1
        if position < source.count, source[position] == UInt8(ascii: ">") {
          position += 1
          return true
        }
      default:
        guard let name = name(at: position) else {
          position += 1
          continue
        }
        takeAttribute(name)
      }
    }
    return false
  }

  /// Takes an attribute; of several with one name the first counts.
  private mutating func takeAttribute(_ name: Range<Int>) {
    let start = tree.text.count
    position = name.upperBound
    skipBlanks()
    if position < source.count, source[position] == UInt8(ascii: "=") {
      position += 1
      skipBlanks()
      takeValue()
    }
    let isKnown = attributes.contains { source[$0.name].elementsEqual(source[name]) }
    if isKnown || attributes.count >= Self.attributeLimit {
      tree.dropText(from: start)
    } else {
      attributes.append(.init(name: name, value: start..<tree.text.count))
    }
  }

  private mutating func takeValue() {
    guard position < source.count else { return }
    let quote = source[position]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      position += 1
      if let end = end(ofQuote: quote) {
        takeValue(upTo: end)
        position = end + 1
        return
      }
    }
    var end = position
    while end < source.count, !Self.endsBareValue(source[end]) { end += 1 }
    // The slash of `<a href=b/>` belongs to the tag.
    if end < source.count, end > position, source[end] == UInt8(ascii: ">"),
      source[end - 1] == UInt8(ascii: "/")
    {
      end -= 1
    }
    takeValue(upTo: end)
  }

  private mutating func takeValue(upTo end: Int) {
    let start = tree.text.count
    while position < end {
      let room = XMLDocument.textLimit - (tree.text.count - start)
      if source[position] == UInt8(ascii: "&"), room > 0 {
        takeReference(isInText: false)
        continue
      }
      var next = position + 1
      while next < end, source[next] != UInt8(ascii: "&") { next += 1 }
      copy(upTo: next, inValue: true, room: room)
    }
  }

  /// The index of the quote that ends a value; nil when the quote was lost and markup follows.
  private func end(ofQuote quote: UInt8) -> Int? {
    var end = position
    while end < source.count {
      if source[end] == quote { return end }
      if source[end] == UInt8(ascii: "<"), end - position > Self.longestValueWithMarkup {
        return nil
      }
      end += 1
    }
    return nil
  }

  private mutating func skipBlanks() {
    while position < source.count, source[position] <= 0x20 { position += 1 }
  }

  private static func endsBareValue(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<")
  }

  // MARK: - Text

  private mutating func takeText(upTo end: Int) {
    let start = tree.text.count
    copy(upTo: end, inValue: false, room: tree.roomForText)
    tree.addText(from: start)
  }

  /// Takes text that begins with `&`, a reference or not.
  private mutating func takeReference(isInText: Bool) {
    let start = tree.text.count
    if let entity = entities.reference(at: position, in: source) {
      position = entity.end
      expansion += entity.text.count
      if expansion <= Self.expansionLimit { tree.text.append(contentsOf: entity.text) }
    } else if let reference = reference() {
      position = reference.end
      let isText = reference.text.unicodeScalars.allSatisfy(Self.isCharacter)
      if isText { tree.text.append(contentsOf: reference.text.utf8) }
    } else {
      tree.text.append(UInt8(ascii: "&"))
      position += 1
    }
    if isInText { tree.addText(from: start) }
  }

  private func reference() -> CharacterReference? {
    unsafe source.withUnsafeBufferPointer { bytes in
      unsafe CharacterReference(at: position, in: bytes, within: .xml)
    }
  }

  /// Returns whether a character is allowed in XML (XML 1.0, section 2.2).
  private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...: true
    default: false
    }
  }

  /// Copies text up to an index, within the room that is left, without characters that XML does not
  /// allow and with line ends normalized (section 2.11).
  private mutating func copy(upTo end: Int, inValue: Bool, room: Int) {
    defer { position = end }
    // Do not cut inside a character.
    var limit = min(end, position + max(room, 0))
    while limit < end, limit > position, source[limit] & 0xC0 == 0x80 { limit -= 1 }
    var start = position
    var place = position
    while place < limit {
      let byte = source[place]
      if byte >= 0x20, byte != 0xC2, byte != 0xEF {
        place += 1
        continue
      }
      let (length, replacement) = replacement(at: place, before: limit, inValue: inValue)
      if length > 0 {
        tree.text.append(contentsOf: source[start..<place])
        if let replacement { TextEncoding.append(replacement, to: &tree.text) }
        start = place + length
      }
      place += max(length, 1)
    }
    tree.text.append(contentsOf: source[start..<limit])
  }

  /// The length of a character that must be replaced (0 for any other), and its replacement.
  private func replacement(
    at place: Int, before end: Int, inValue: Bool
  ) -> (length: Int, by: Unicode.Scalar?) {
    switch source[place] {
    case 0x0D:
      let isPair = place + 1 < end && source[place + 1] == 0x0A
      return (isPair ? 2 : 1, inValue ? " " : "\n")
    case 0x09, 0x0A: return inValue ? (1, " ") : (0, nil)
    case 0..<0x20: return (1, nil)
    // Authors of U+0080 to U+009F mean Windows-1252.
    case 0xC2 where place + 1 < end && (0x80...0x9F).contains(source[place + 1]):
      return (2, Windows1252.scalar(source[place + 1]))
    case 0xEF where place + 2 < end && source[place + 1] == 0xBF && source[place + 2] >= 0xBE:
      return (3, nil)
    default: return (0, nil)
    }
  }

  // MARK: - Scanning

  private func isNext(_ text: StaticString) -> Bool { matches(text, at: position) }

  private func matches(_ text: StaticString, at place: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard place + count <= source.count else { return false }
    for offset in 0..<count where unsafe source[place + offset] != text.utf8Start[offset] {
      return false
    }
    return true
  }

  /// The index of the next occurrence of a text, or nil.
  private func place(of text: StaticString, from start: Int) -> Int? {
    let first = unsafe text.utf8Start.pointee
    var place = start
    while place < source.count {
      if source[place] == first, matches(text, at: place) { return place }
      place += 1
    }
    return nil
  }

  /// The name at an index, or nil.
  private func name(at start: Int) -> Range<Int>? {
    guard start < source.count, Self.beginsName(source[start]) else { return nil }
    var end = start + 1
    while end < source.count, Self.isInName(source[end]) { end += 1 }
    return start..<end
  }

  private static func beginsName(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte == UInt8(ascii: "_")
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    beginsName(byte) || byte.isASCIIDigit || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
  }
}

/// The entities that a document type declares as plain text; others are ignored.
private struct XMLEntities {
  private static let countLimit = 256
  private static let lengthLimit = 256

  private static let longestName = 64

  /// The texts in UTF-8.
  private var texts: [String: [UInt8]] = [:]

  /// Returns the text of the reference at an index, and the index after its semicolon, or nil if no
  /// such entity is declared.
  func reference(at start: Int, in source: [UInt8]) -> (text: [UInt8], end: Int)? {
    guard !texts.isEmpty else { return nil }
    let name = source[(start + 1)...].prefix(Self.longestName)
    guard let end = name.firstIndex(of: UInt8(ascii: ";")),
      let text = texts[String(decoding: source[start + 1..<end], as: UTF8.self)]
    else { return nil }
    return (text, end + 1)
  }

  /// Reads the declaration that continues at an index, and returns the index after it.
  ///
  /// References in a value are those of HTML, never other declared entities, so that expansion cannot
  /// grow exponentially.
  mutating func declaration(at start: Int, in source: [UInt8]) -> Int {
    var position = start
    var quote: UInt8?
    var valueStart = start
    var value: Range<Int>?
    while position < source.count {
      let byte = source[position]
      if let open = quote {
        if byte == open {
          value = value ?? valueStart..<position
          quote = nil
        }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        valueStart = position + 1
      } else if byte == UInt8(ascii: ">") {
        break
      }
      position += 1
    }
    if let value { declare(source[start..<value.lowerBound], as: source[value]) }
    return min(position + 1, source.count)
  }

  private mutating func declare(_ head: ArraySlice<UInt8>, as value: ArraySlice<UInt8>) {
    // `name "`; SYSTEM or PUBLIC precede an address, and % a parameter entity.
    let words = String(decoding: head.dropLast(), as: UTF8.self).split(
      whereSeparator: \.isWhitespace)
    guard words.count == 1, let name = words.first, name != "%",
      value.count <= Self.lengthLimit, texts.count < Self.countLimit
    else { return }
    let text = Entities.decode(String(decoding: value, as: UTF8.self))
    let key = String(name)
    if texts[key] == nil {
      texts[key] = text.utf8.filter { $0 >= 0x20 || $0 == 0x0A || $0 == 0x09 }
    }
  }
}
