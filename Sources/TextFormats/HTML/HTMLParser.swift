/// Splits HTML into tags and texts, and passes them to a builder as the starts and ends of elements.
///
/// Tags are read as browsers read them (https://html.spec.whatwg.org/multipage/parsing.html). Of their
/// rules for the tree it has those that a plain text shows: which elements a start tag ends, that an end
/// tag ends all that is open within its element, and that one without a start means nothing.
struct HTMLParser {
  /// Elements nested deeper than this have no content: what follows belongs to those around them.
  private static let depthLimit = 256

  private let bytes: [UInt8]
  private var builder: HTMLTextBuilder
  private var position = 0
  /// The open elements, the outermost first.
  private var open: [ElementName] = []
  /// False before the first element and the first text.
  private var hasBegun = false
  /// True once a tag without an end was found: no `>` follows it, and no attribute with a value.
  private var hasNoMoreEnds = false

  @unsafe
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>, into builder: inout HTMLTextBuilder) {
    var parser = HTMLParser(bytes: unsafe Array(bytes), builder: builder)
    parser.run()
    builder = parser.builder
  }

  private init(bytes: [UInt8], builder: HTMLTextBuilder) {
    self.bytes = bytes
    self.builder = builder
  }

  private mutating func run() {
    while position < bytes.count {
      if byte(0) == UInt8(ascii: "<"), readTag() { continue }
      // At least one byte, since what looks like a tag may be text.
      let end = index(of: UInt8(ascii: "<"), from: position + 1) ?? bytes.count
      emit(text: position..<end)
      position = end
    }
  }

  // MARK: Tags

  /// Reads what begins with `<`; false if it is text.
  private mutating func readTag() -> Bool {
    switch byte(1) {
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      skipComment()
    case UInt8(ascii: "/"):
      guard position + 2 < bytes.count else { return false }
      guard byte(2).isASCIILetter else {
        skip(to: UInt8(ascii: ">"))
        return true
      }
      position += 2
      let name = readName()
      skip(to: UInt8(ascii: ">"))
      end(name)
    case let first where first.isASCIILetter:
      return readStartTag()
    default:
      return false
    }
    return true
  }

  /// Reads a start tag; false if it is text.
  private mutating func readStartTag() -> Bool {
    // Read from here to the end once, and not again at each `<` of a text that has many.
    if hasNoMoreEnds { return readUnendedTag() }
    let beginning = position
    position += 1
    let name = readName()
    var attributes = HTMLAttributes(bytes, at: position)
    while attributes.readNext() {}
    position = attributes.position
    guard attributes.isComplete else {
      // `IL6 <TNF` is a comparison; of `<a href="…` neither the name nor the address can be trusted.
      guard !Self.isCommon(name), !attributes.hasValues else { return true }
      position = beginning
      hasNoMoreEnds = true
      return false
    }
    start(name, attributes)
    if attributes.isSelfClosing || Self.isVoid(name) {
      end(name)
    } else if name == "script" || name == "style" {
      skipRawText(of: name)
    } else if open.count > Self.depthLimit {
      end(name)
    }
    return true
  }

  /// Reads a start tag that has no end, and takes the rest with it; false if it is text.
  private mutating func readUnendedTag() -> Bool {
    let beginning = bytes[(position + 1)...].prefix(Self.longestCommonName + 1)
    let name = beginning.prefix { !Self.endsName($0) }
    guard name.count <= Self.longestCommonName, Self.isCommon(Self.name(inJournals: name)) else {
      return false
    }
    position = bytes.count
    return true
  }

  private mutating func readName() -> ElementName {
    let start = position
    while position < bytes.count, !Self.endsName(bytes[position]) { position += 1 }
    let name = bytes[start..<position]
    return name.count > Self.journals.count ? Self.name(inJournals: name) : ElementName(name)
  }

  /// The prefix of elements in the abstracts of journals (https://jats.nlm.nih.gov).
  private static let journals = Array("jats:".utf8)

  /// The element of HTML that is like one of a journal; any other as it is.
  private static func name(inJournals name: ArraySlice<UInt8>) -> ElementName {
    guard name.starts(with: journals) else { return ElementName(name) }
    let own = ElementName(name.dropFirst(journals.count))
    return switch own {
    case "title": ElementName("h4")
    case "sec": ElementName("div")
    case "list": ElementName("ul")
    case "list-item": ElementName("li")
    default: own
    }
  }

  /// Skips `<!-- … -->`, or anything else that begins with `<!` or `<?`, up to its `>`.
  private mutating func skipComment() {
    guard byte(2) == UInt8(ascii: "-"), byte(3) == UInt8(ascii: "-") else {
      return skip(to: UInt8(ascii: ">"))
    }
    position += 4
    // `<!-->` and `<!--->` are whole comments.
    if byte(0) == UInt8(ascii: ">") || byte(0) == UInt8(ascii: "-") && byte(1) == UInt8(ascii: ">")
    {
      return skip(to: UInt8(ascii: ">"))
    }
    while let dash = index(of: UInt8(ascii: "-"), from: position) {
      position = dash + 1
      guard byte(0) == UInt8(ascii: "-") else { continue }
      let end = byte(1) == UInt8(ascii: "!") ? 2 : 1
      if byte(end) == UInt8(ascii: ">") {
        position += end + 1
        return
      }
    }
    position = bytes.count
  }

  private mutating func skip(to end: UInt8) {
    position = index(of: end, from: position).map { $0 + 1 } ?? bytes.count
  }

  /// Skips a script or a style sheet, in which only its own end tag is one.
  private mutating func skipRawText(of name: ElementName) {
    while let bracket = index(of: UInt8(ascii: "<"), from: position) {
      position = bracket
      if byte(1) == UInt8(ascii: "/"),
        ElementName(bytes[min(bracket + 2, bytes.count)...].prefix(name.count)) == name,
        Self.endsName(byte(2 + name.count))
      {
        return
      }
      position += 1
    }
    position = bytes.count
  }

  // MARK: Elements

  private mutating func start(_ name: ElementName, _ attributes: HTMLAttributes) {
    while let last = open.last, Self.ends(last, before: name) {
      open.removeLast()
      builder.end(last)
    }
    hasBegun = true
    open.append(name)
    builder.start(name) { attributes.value(of: $0) }
  }

  private mutating func end(_ name: ElementName) {
    guard let index = open.lastIndex(of: name) else {
      // Such an end tag is an empty paragraph.
      if name == "p" {
        builder.start(name) { _ in nil }
        builder.end(name)
      }
      return
    }
    while open.count > index { builder.end(open.removeLast()) }
  }

  /// Returns whether the start of an element ends an open one.
  private static func ends(_ open: ElementName, before name: ElementName) -> Bool {
    switch open {
    case "p", "head": isBlock(name)
    case "h1", "h2", "h3", "h4", "h5", "h6": isHeading(name)
    case "li": name == "li"
    case "dt", "dd": name == "dt" || name == "dd"
    case "tr": name == "tr"
    case "td", "th": name == "tr" || name == "td" || name == "th"
    case "option": name == "option" || name == "optgroup"
    case "a": name == "a"
    default: false
    }
  }

  private static func isHeading(_ name: ElementName) -> Bool {
    switch name {
    case "h1", "h2", "h3", "h4", "h5", "h6": true
    default: false
    }
  }

  /// Returns whether an element ends a paragraph.
  private static func isBlock(_ name: ElementName) -> Bool {
    switch name {
    case "address", "blockquote", "body", "center", "dd", "dir", "div", "dl", "dt", "fieldset",
      "form", "hr", "li", "menu", "ol", "p", "pre", "table", "td", "th", "tr", "ul":
      true
    default: isHeading(name)
    }
  }

  /// The number of letters of `jats:list-item`.
  private static let longestCommonName = 14

  /// Returns whether an element is one that texts have.
  private static func isCommon(_ name: ElementName) -> Bool {
    switch name {
    case "a", "abbr", "b", "cite", "code", "del", "em", "figcaption", "figure", "font", "i",
      "iframe",
      "ins", "kbd", "label", "main", "mark", "picture", "q", "s", "samp", "script", "section",
      "small",
      "span", "strike", "strong", "style", "sub", "sup", "tbody", "thead", "time", "tt", "u", "var",
      "video":
      true
    default: isBlock(name) || isVoid(name)
    }
  }

  private static func isVoid(_ name: ElementName) -> Bool {
    switch name {
    case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
      "source", "track", "wbr":
      true
    default: false
    }
  }

  // MARK: Texts

  private mutating func emit(text range: Range<Int>) {
    // Text that is in no element is a paragraph.
    if !hasBegun, bytes[range].contains(where: { $0 > 0x20 }) {
      hasBegun = true
      open.append(ElementName("p"))
      builder.start(ElementName("p")) { _ in nil }
    }
    let bytes = bytes
    unsafe bytes.withUnsafeBufferPointer { bytes in
      var start = range.lowerBound
      var next = start
      while next < range.upperBound {
        let byte = unsafe bytes[next]
        guard byte == UInt8(ascii: "&") || byte < 0x20 && !byte.isASCIIBlank else {
          next += 1
          continue
        }
        unsafe builder.characters(UnsafeBufferPointer(rebasing: bytes[start..<next]))
        if let reference = unsafe CharacterReference(at: next, in: bytes, within: .text) {
          emit(reference)
          next = reference.end
          start = next
        } else {
          // A control code has no meaning; a lone `&` is one.
          start = byte < 0x20 ? next + 1 : next
          next += 1
        }
      }
      unsafe builder.characters(UnsafeBufferPointer(rebasing: bytes[start..<range.upperBound]))
    }
  }

  private mutating func emit(_ reference: CharacterReference) {
    var text = reference.text
    guard text.utf8.allSatisfy({ $0 >= 0x20 || $0.isASCIIBlank }) else { return }
    text.withUTF8 { unsafe builder.characters($0) }
  }

  // MARK: Bytes

  /// The byte at an offset from the position, 0 beyond the end.
  private func byte(_ offset: Int) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  private func index(of byte: UInt8, from start: Int) -> Int? {
    start < bytes.count ? bytes[start...].firstIndex(of: byte) : nil
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte.isASCIIBlank || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
  }
}

/// The attributes of a start tag.
private struct HTMLAttributes {
  private let bytes: [UInt8]
  /// The index after what was read.
  private(set) var position: Int
  /// True if one has a value.
  var hasValues: Bool { found.contains { !$0.value.isEmpty } }
  /// True once the `>` of the tag was read.
  private(set) var isComplete = false
  /// True if a `/` is before it.
  private(set) var isSelfClosing = false
  private var found: [(name: Range<Int>, value: Range<Int>)] = []

  init(_ bytes: [UInt8], at position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// Reads one attribute; false at the end of the tag.
  mutating func readNext() -> Bool {
    isSelfClosing = false
    while position < bytes.count,
      bytes[position].isASCIIBlank || bytes[position] == UInt8(ascii: "/")
    {
      isSelfClosing = bytes[position] == UInt8(ascii: "/")
      position += 1
    }
    guard position < bytes.count else { return false }
    if bytes[position] == UInt8(ascii: ">") {
      position += 1
      isComplete = true
      return false
    }
    let start = position
    // An equals sign at the beginning is part of the name.
    position += 1
    while position < bytes.count, !endsName(bytes[position]) { position += 1 }
    let name = start..<position
    // Few tags have more.
    if found.isEmpty { found.reserveCapacity(4) }
    found.append((name, readValue()))
    return true
  }

  private mutating func readValue() -> Range<Int> {
    let afterName = position
    skipBlanks()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
      position = afterName
      return afterName..<afterName
    }
    position += 1
    skipBlanks()
    guard position < bytes.count else { return position..<position }
    let quote = bytes[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let start = position
      while position < bytes.count, !bytes[position].isASCIIBlank,
        bytes[position] != UInt8(ascii: ">")
      {
        position += 1
      }
      return start..<position
    }
    let start = position + 1
    let end = bytes[start...].firstIndex(of: quote) ?? bytes.count
    position = min(end + 1, bytes.count)
    return start..<end
  }

  private mutating func skipBlanks() {
    while position < bytes.count, bytes[position].isASCIIBlank { position += 1 }
  }

  private func endsName(_ byte: UInt8) -> Bool {
    byte.isASCIIBlank || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
      || byte == UInt8(ascii: "=")
  }

  /// The value of the first attribute of a name, with its references resolved; nil without one.
  func value(of name: StaticString) -> String? {
    let attribute = found.first { attribute in
      attribute.name.count == name.utf8CodeUnitCount
        && zip(attribute.name, 0..<name.utf8CodeUnitCount).allSatisfy { position, letter in
          unsafe bytes[position].lowercasedASCII == name.utf8Start[letter]
        }
    }
    guard let attribute else { return nil }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe Entities.decode(utf8: UnsafeBufferPointer(rebasing: bytes[attribute.value]))
    }
  }
}
