/// The plain text and the links of a piece of HTML.
///
/// Paragraphs end in a blank line, and `<br>` ends a line; lists get `-` or numbers, quotes `>`;
/// scripts and styles are left out, and blanks collapse outside `<pre>`. Malformed HTML is fine:
/// unclosed tags, entities in URLs, endless nesting.
package struct HTMLText: Hashable, Sendable {
  /// The text, without blanks at its ends.
  package var text: String
  /// The distinct http and https URLs of its `<a>` elements, in order.
  package var links: [String]

  package init(text: String, links: [String] = []) {
    self.text = text
    self.links = links
  }

  /// The maximum length of HTML that is read, in bytes; the rest is ignored.
  static let sizeLimit = 1 << 20

  /// Reads a piece of HTML; never fails.
  ///
  /// - Parameters:
  ///   - classes: Classes of links to leave out, such as the hashtags and mentions of a Mastodon post;
  ///     their text is kept.
  ///   - base: The URL that relative links are resolved against; without it they are left out.
  ///   - describesPictures: Whether the descriptions of pictures belong to the text.
  package static func read(
    _ html: String, leavingOutLinksOf classes: [String] = [], relativeTo base: String? = nil,
    describesPictures: Bool = true
  ) -> HTMLText {
    var builder = HTMLTextBuilder(
      leavingOutLinksOf: classes, relativeTo: base, describesPictures: describesPictures)
    var html = html
    html.withUTF8 { bytes in
      // Most posts contain no markup and need no parser.
      if unsafe bytes.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
        unsafe HTMLParser.parse(cut(bytes), into: &builder)
      } else {
        unsafe builder.characters(cut(bytes))
      }
    }
    return builder.finish()
  }

  /// The bytes within the limit, without a partial character at the end.
  private static func cut(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard bytes.count > sizeLimit else { return unsafe bytes }
    var end = sizeLimit
    while end > 0, unsafe bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return unsafe UnsafeBufferPointer(rebasing: bytes[..<end])
  }
}

/// Builds plain text from the events of an HTML parser.
struct HTMLTextBuilder {
  /// The maximum number of links of one text; each is compared with all others.
  private static let linkLimit = 1000

  private let ignoredClasses: [String]
  private let base: String?
  private let describesPictures: Bool
  private var text: [UInt8] = []
  private var links: [String] = []

  /// Line ends and a blank that are written only if more text follows.
  private var breaks = 0
  private var hasBlank = false
  private var isAtLineStart = true

  /// The next number of each enclosing list; nil for one without numbers.
  private var lists: [Int?] = []
  /// The pending marker of a list item.
  private var marker: String?
  private var quoteDepth = 0
  private var preDepth = 0
  private var isPreEmpty = false
  private var ignoredDepth = 0

  private var address: String?
  private var addressTextStart: Int?

  init(
    leavingOutLinksOf classes: [String], relativeTo base: String? = nil,
    describesPictures: Bool = true
  ) {
    ignoredClasses = classes
    self.base = base
    self.describesPictures = describesPictures
  }

  /// The text and the links so far.
  func finish() -> HTMLText {
    HTMLText(text: String(decoding: text, as: UTF8.self), links: links)
  }

  mutating func start(_ element: ElementName, attribute: (StaticString) -> String?) {
    if Self.isIgnored(element) { ignoredDepth += 1 }
    guard ignoredDepth == 0 else { return }
    switch element {
    case "br": breaks = preDepth > 0 ? breaks + 1 : min(breaks + 1, 2)
    case "a": startLink(attribute)
    case "img":
      if describesPictures, let alternative = attribute("alt") { append(picture: alternative) }
    case "li": startItem()
    case "ul": startList(nil)
    case "ol": startList(1)
    case "blockquote":
      endBlock(2)
      quoteDepth += 1
    case "pre":
      endBlock(2)
      preDepth += 1
      isPreEmpty = true
    case "td", "th": hasBlank = true
    default: endBlock(Self.breaks(around: element))
    }
  }

  mutating func end(_ element: ElementName) {
    if Self.isIgnored(element) { ignoredDepth = max(ignoredDepth - 1, 0) }
    guard ignoredDepth == 0 else { return }
    switch element {
    case "br", "img", "td", "th": break
    case "a": endLink()
    case "li":
      marker = nil
      endBlock(1)
    case "ul", "ol":
      if !lists.isEmpty { lists.removeLast() }
      endBlock(lists.isEmpty ? 2 : 1)
    case "blockquote":
      endBlock(2)
      quoteDepth = max(quoteDepth - 1, 0)
    case "pre":
      preDepth = max(preDepth - 1, 0)
      breaks = min(breaks, 2)
      endBlock(2)
    default: endBlock(Self.breaks(around: element))
    }
  }

  @unsafe
  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard ignoredDepth == 0 else { return }
    var start = 0
    let count = bytes.count
    while start < count {
      var end = start
      while end < count, unsafe !Self.isBlank(bytes[end]) { end += 1 }
      if end > start {
        beginText()
        unsafe text.append(contentsOf: bytes[start..<end])
      }
      while end < count, unsafe Self.isBlank(bytes[end]) {
        unsafe appendBlank(bytes[end])
        end += 1
      }
      start = end
    }
  }

  private mutating func append(_ string: String) {
    var string = string
    string.withUTF8 { unsafe characters($0) }
  }

  /// Appends the description of a picture, as a word of its own; an emoji may be a part of one.
  private mutating func append(picture description: String) {
    let isWord = description.contains { $0.isLetter || $0.isNumber }
    if isWord { hasBlank = true }
    append(description)
    if isWord { hasBlank = true }
  }

  private mutating func appendBlank(_ byte: UInt8) {
    guard preDepth > 0 else {
      hasBlank = true
      return
    }
    switch byte {
    case UInt8(ascii: "\n"): if !isPreEmpty { breaks += 1 }
    case UInt8(ascii: "\r"): break
    default:
      beginText()
      text.append(byte)
    }
  }

  /// Writes the pending line ends, indentation, marker and blank.
  private mutating func beginText() {
    if text.isEmpty {
      breaks = 0
    } else if breaks > 0 {
      text.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: breaks))
      breaks = 0
      isAtLineStart = true
    }
    if isAtLineStart {
      for _ in 0..<quoteDepth { text.append(contentsOf: "> ".utf8) }
      let indentation = 2 * (marker == nil ? lists.count : max(lists.count - 1, 0))
      text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation))
      if let marker { text.append(contentsOf: marker.utf8) }
      marker = nil
    } else if hasBlank {
      text.append(UInt8(ascii: " "))
    }
    isAtLineStart = false
    hasBlank = false
    isPreEmpty = false
    if address != nil, addressTextStart == nil { addressTextStart = text.count }
  }

  /// Ends the line, or with 2 the paragraph; a pending list marker waits for its text.
  private mutating func endBlock(_ count: Int) {
    guard count > 0, marker == nil else { return }
    breaks = max(breaks, count)
  }

  private mutating func startList(_ number: Int?) {
    endBlock(lists.isEmpty ? 2 : 1)
    lists.append(number)
  }

  private mutating func startItem() {
    marker = nil
    endBlock(1)
    guard let number = lists.last ?? nil else {
      marker = "- "
      return
    }
    marker = "\(number). "
    lists[lists.count - 1] = number + 1
  }

  private mutating func startLink(_ attribute: (StaticString) -> String?) {
    // References within the text, such as footnotes, do not count as links.
    guard let written = attribute("href"), written.utf8.first != UInt8(ascii: "#"),
      let href = WebLink.resolved(written, against: base)
    else { return }
    address = href
    addressTextStart = nil
    let isIgnored = attribute("class").map { classes in
      classes.utf8.split(separator: UInt8(ascii: " ")).contains { name in
        ignoredClasses.contains { $0.utf8.elementsEqual(name) }
      }
    }
    if isIgnored == true { return }
    if links.count < Self.linkLimit, !links.contains(href) { links.append(href) }
  }

  private mutating func endLink() {
    guard let address else { return }
    self.address = nil
    guard let start = addressTextStart else { return }
    addressTextStart = nil
    let shown = String(decoding: text[start...], as: UTF8.self)
    guard WebLink.isShortened(shown, of: address) else { return }
    text.replaceSubrange(start..., with: address.utf8)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }

  private static func isIgnored(_ element: ElementName) -> Bool {
    switch element {
    case "script", "style", "title", "template", "iframe", "object", "textarea", "select": true
    default: false
    }
  }

  private static func breaks(around element: ElementName) -> Int {
    switch element {
    case "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "dl", "hr", "figure": 2
    case "div", "tr", "dt", "dd", "section", "article", "header", "footer", "aside", "main",
      "figcaption", "center", "details", "summary", "address", "nav", "hgroup", "dialog", "form",
      "fieldset", "legend", "caption", "menu", "dir":
      1
    default: 0
    }
  }
}
