internal import FoundationEssentials
internal import TextFormats

/// Reads the texts of feeds, which are plain, escaped HTML, or HTML inside the XML.
enum FeedText {
  /// The kind of a text without a stated type.
  enum Kind {
    /// Plain, as in Atom.
    case plain
    /// Plain, unless it looks like HTML, such as RSS titles.
    case unsure
    case html
  }

  /// Returns the plain text and the links of an element.
  static func read(_ element: XMLElement, as kind: Kind, base: String?) -> HTMLText {
    var type = (element["type"] ?? "").lowercased()
    if let end = type.firstIndex(of: ";") { type = String(type[..<end]) }
    type = String(type.filter { !$0.isWhitespace })
    let mode = element["mode"]?.lowercased()
    // Pictures, sound and videos inside the XML have no text.
    if ["image/", "audio/", "video/"].contains(where: type.hasPrefix) { return HTMLText(text: "") }
    let base = self.base(of: element, within: base)
    // Any other type is binary data in base64, according to Atom (RFC 4287, section 4.1.3.3): perhaps a text.
    if mode == "base64" || type == "application/octet-stream" {
      let data = Data(base64Encoded: element.text, options: .ignoreUnknownCharacters)
      let text = String(decoding: data ?? Data(), as: UTF8.self)
      return read(
        text, as: mode == nil || type.isEmpty ? .unsure : self.kind(of: type, else: .unsure),
        base: base)
    }
    if isBinary(type) { return HTMLText(text: "") }
    if element.hasChildren {
      return HTMLText.read(element.markup, relativeTo: self.base(within: element, base))
    }
    if type == "xhtml" || type == "application/xhtml+xml" {
      // Markup that was escaped twice.
      return mode == "escaped"
        ? html(element.text, base: base) : HTMLText(text: tidied(element.text))
    }
    return read(element.text, as: self.kind(of: type, else: kind), base: base)
  }

  /// True for documents without plain text, such as PDF.
  private static func isBinary(_ type: String) -> Bool {
    type.hasPrefix("application/") && !type.hasSuffix("xml") && !type.hasSuffix("html")
      && !type.hasSuffix("json")
  }

  /// Returns the plain text of a title. A title that is declared as HTML but has unknown tags was escaped only
  /// once, as public-inbox does with a subject that names `<linux/list.h>`: it is read as plain text.
  static func title(_ element: XMLElement, as kind: Kind, base: String?) -> String {
    let isPlain = !element.hasChildren && hasUnknownTag(element.text)
    return isPlain ? tidied(element.text) : read(element, as: kind, base: base).text
  }

  private static func hasUnknownTag(_ text: String) -> Bool {
    text.split(separator: "<", omittingEmptySubsequences: false).dropFirst().contains { part in
      let name = part.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
      guard name.first?.isLetter == true, part.contains(">") else { return false }
      let rest = part[name.endIndex...]
      // Elements of other vocabularies, such as `<o:p>`, and those that pages define, such as `<my-title>`.
      if rest.first == ":" || rest.first == "-" { return false }
      // `<time.h>` and `<video/mmp_disp.h>` only begin like elements.
      guard rest.first?.isWhitespace == true || rest.hasPrefix(">") || rest.hasPrefix("/>") else {
        return true
      }
      let known = name.lowercased()
      return !elements.contains(known) && !furtherElements.contains(known)
    }
  }

  /// Returns the plain text and the links of a text.
  static func read(_ text: String, as kind: Kind, base: String?) -> HTMLText {
    switch kind {
    case .plain: HTMLText(text: tidied(text))
    case .unsure where !looksLikeHTML(text): HTMLText(text: tidied(text))
    case .unsure, .html: html(text, base: base)
    }
  }

  /// The base address of links in an element: its own `xml:base`, and those around it.
  static func base(of element: XMLElement, within outer: String?) -> String? {
    var bases: [String] = []
    var ancestor: XMLElement? = element
    while let current = ancestor {
      if let base = current["xml:base"] { bases.append(base) }
      ancestor = current.parent
    }
    return bases.reversed().reduce(outer) { WebLink.resolved($1, against: $0) ?? $0 }
  }

  /// The base address inside an element whose only child may have its own, like the `div` of XHTML.
  private static func base(within element: XMLElement, _ base: String?) -> String? {
    guard let own = element.children.first(where: { _ in true })?["xml:base"] else { return base }
    return WebLink.resolved(own, against: base) ?? base
  }

  private static func kind(of type: String, else kind: Kind) -> Kind {
    switch type {
    case "": kind
    case "html", "text/html", "xhtml", "application/xhtml+xml": .html
    case "text", "text/plain", "plain": kind == .plain ? .plain : .unsure
    default: type.hasPrefix("text/") ? .plain : kind
    }
  }

  private static func html(_ text: String, base: String?) -> HTMLText {
    let read = HTMLText.read(text, relativeTo: base)
    // Escaped twice: the text has no tag, but its decoded form begins with one.
    guard !text.utf8.contains(UInt8(ascii: "<")), beginsWithBlock(read.text),
      looksLikeHTML(read.text)
    else {
      return read
    }
    return HTMLText.read(read.text, relativeTo: base)
  }

  private static func beginsWithBlock(_ text: String) -> Bool {
    guard text.hasPrefix("<") else { return false }
    let name = text.dropFirst().prefix { $0.isLetter || $0.isNumber }.lowercased()
    return blocks.contains(name)
  }

  /// True if a text is HTML: it has an end tag or a reference, and only tags and references of HTML.
  /// "History of the <blink> tag" is not.
  static func looksLikeHTML(_ text: String) -> Bool {
    guard ["</", "&", "/>"].contains(where: { ByteSearch.contains($0, in: text) }) else {
      return false
    }
    var hasMark = false
    for part in text.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
      let isEnd = part.hasPrefix("/")
      let name = part.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
      if name.isEmpty { continue }
      guard elements.contains(name) else { return false }
      hasMark = hasMark || isEnd || part.prefix { $0 != ">" }.hasSuffix("/")
    }
    return hasMark || Entities.containsComplete(in: text)
  }

  /// A plain text without its indentation in the XML.
  private static func tidied(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\n")) else { return String(text.trimmed) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(\.trimmed)
    var kept: [Substring] = []
    for line in lines where !line.isEmpty || kept.last?.isEmpty == false { kept.append(line) }
    if kept.last?.isEmpty == true { kept.removeLast() }
    return kept.joined(separator: "\n")
  }

  private static let blocks: Set = [
    "p", "div", "table", "ul", "ol", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "img", "br",
    "span", "a", "b", "i", "em", "strong", "pre", "section", "article", "figure", "center", "font",
  ]

  /// The other elements of HTML: a text that names one of them need not be HTML.
  private static let furtherElements: Set = [
    "base", "bdi", "bdo", "blink", "body", "data", "datalist", "dialog", "embed", "frame",
    "frameset", "head", "hgroup", "html", "link", "main", "marquee", "math", "meta", "meter",
    "nobr", "noscript", "object", "optgroup", "output", "param", "picture", "progress", "rp", "rt",
    "ruby", "script", "search", "slot", "style", "svg", "template", "title", "track",
  ]

  private static let elements = blocks.union([
    "abbr", "acronym", "address", "area", "aside", "audio", "big", "button", "canvas", "caption",
    "cite", "code", "col", "colgroup", "dd", "del", "details", "dfn", "dir", "dl", "dt",
    "fieldset", "figcaption", "footer", "form", "header", "hr", "input", "ins", "kbd", "label",
    "legend", "li", "map", "mark", "menu", "nav", "option", "q", "s", "samp", "select", "small",
    "source", "strike", "sub", "summary", "sup", "tbody", "td", "textarea", "tfoot", "th", "thead",
    "time", "tr", "tt", "u", "var", "video", "wbr", "iframe",
  ])
}

extension StringProtocol {
  /// The text as a name: on one line, with runs of blanks as one, and at most 200 characters.
  var asName: String {
    String(onOneLine.prefix(200))
  }
}
