/// A JSON file (RFC 8259) with the position of each value, for the small files that people edit.
///
/// Nothing is repaired. The order of members, repeated keys and the spelling of numbers are kept.
package struct JSONDocument: Sendable {
  /// Levels of nested arrays and objects that are read.
  static let maximumDepth = 1024

  /// The document as one value.
  package let value: JSONValue
  private let positions: Positions
  private let text: [UInt8]

  /// The offsets at which a value and the values inside it begin.
  struct Positions: Sendable {
    var offset: Int
    var children: [Positions] = []
  }

  /// Reads a whole document.
  package init(reading text: [UInt8]) throws(DocumentError) {
    var reader = JSONReader(text)
    try reader.checkEncoding()
    (value, positions) = try reader.read()
    self.text = text
  }

  /// Reads a document with one long list, whose elements it does not keep: in `value` the list is empty.
  ///
  /// - Parameters:
  ///   - key: The member of the document that is the list, unless the document itself is one.
  ///   - quotesValues: Whether errors may quote values.
  ///   - visit: Called with each element and its bytes in the text, before the rest is read.
  package init(
    reading text: [UInt8], listAt key: String, quotingValues quotesValues: Bool,
    _ visit: (JSONEntry, Range<Int>) -> Void
  ) throws(DocumentError) {
    var reader = JSONReader(text)
    try reader.checkEncoding()
    (value, positions) = try reader.read(listAt: key) { element in
      visit(
        JSONEntry(
          value: element.value, path: "\(element.path)[\(element.index)]",
          positions: element.positions, text: text, quotesValues: quotesValues),
        element.range)
    }
    self.text = text
  }

  /// The document as an entry, the way to read it as a known shape.
  ///
  /// - Parameter quotesValues: Whether errors may quote values; false for files with secrets.
  package func root(quotingValues quotesValues: Bool) -> JSONEntry {
    JSONEntry(
      value: value, path: "", positions: positions, text: text, quotesValues: quotesValues)
  }
}

extension JSONValue {
  /// Reads a whole document; what RFC 8259 does not allow is refused, not repaired.
  package init(reading text: [UInt8]) throws(DocumentError) {
    self = try JSONDocument(reading: text).value
  }
}

extension JSON {
  /// Returns whether a text that is not JSON is an array or object that was cut off.
  package static func endsEarly(_ text: [UInt8]) -> Bool {
    var reader = JSONReader(text)
    do throws(DocumentError) {
      _ = try reader.read()
      return false
    } catch {
      return reader.isCutOff
    }
  }
}

/// Reads JSON byte by byte, up to the first fault.
///
/// It has its own stack, so that a text of nothing but brackets costs memory but no call depth.
private struct JSONReader {
  private enum Next { case value, valueOrEnd, keyOrEnd, key, colon, commaOrEnd, end }

  /// An element of the long list.
  struct Element {
    var value: JSONValue
    var positions: JSONDocument.Positions
    /// The path of the list.
    var path: String
    var index: Int
    var range: Range<Int>
  }

  /// An array or object whose end is still to come.
  private struct Container {
    /// The number of elements that were passed on.
    var passed = 0
    var isObject: Bool
    var elements: [JSONValue] = []
    var members: [JSONMember] = []
    /// The key of the value that comes next.
    var key = ""
    var positions: JSONDocument.Positions
  }

  private let text: [UInt8]
  private var offset = 0
  private var open: [Container] = []
  private var root: (JSONValue, JSONDocument.Positions)?
  /// True if the fault is a string without an end.
  private var isStringOpen = false
  /// The element of the long list that was read last.
  private var element: Element?
  /// The member that is the long list, unless the document is one.
  private var listKey: String?

  init(_ text: [UInt8]) { self.text = text }

  mutating func checkEncoding() throws(DocumentError) {
    guard (try? UTF8Span(validating: text.span)) == nil else { return }
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = text.makeIterator()
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let scalar): offset += scalar.count
      case .emptyInput: return
      case .error: throw fault("UTF-8", found: "the byte 0x\(String(text[offset], radix: 16))")
      }
    }
  }

  mutating func read(
    listAt listKey: String? = nil, _ visit: (Element) -> Void = { _ in }
  ) throws(DocumentError) -> (JSONValue, JSONDocument.Positions) {
    self.listKey = listKey
    var next = Next.value
    while true {
      if let element {
        visit(element)
        self.element = nil
      }
      while let byte, " \t\r\n".utf8.contains(byte) { offset += 1 }
      switch next {
      case .value: next = try readValue(or: nil)
      case .valueOrEnd: next = try readValue(or: UInt8(ascii: "]"))
      case .key, .keyOrEnd:
        if next == .keyOrEnd, byte == UInt8(ascii: "}") {
          next = close()
        } else if byte == UInt8(ascii: "\"") {
          open[open.count - 1].key = try readString()
          next = .colon
        } else {
          throw fault(next == .key ? "a key in quotation marks" : "a key in quotation marks or }")
        }
      case .colon:
        guard byte == UInt8(ascii: ":") else { throw fault("a colon") }
        offset += 1
        next = .value
      case .commaOrEnd:
        let isObject = open[open.count - 1].isObject
        if byte == UInt8(ascii: ",") {
          offset += 1
          next = isObject ? .key : .value
        } else if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          next = close()
        } else {
          throw fault(isObject ? "a comma or }" : "a comma or ]")
        }
      case .end:
        guard byte == nil, let root else { throw fault("the end of the text") }
        return root
      }
    }
  }

  /// True if the text could continue correctly after its end, inside an array or object.
  var isCutOff: Bool {
    guard !open.isEmpty else { return false }
    let rest = text[offset...]
    if rest.isEmpty || isStringOpen { return true }
    if rest.first == UInt8(ascii: "\\") {
      // Two escapes of six bytes may make one character.
      return rest.count == 1 || rest.count < 12 && rest.dropFirst().first == UInt8(ascii: "u")
    }
    return ["true", "false", "null"].contains { $0.utf8.starts(with: rest) }
  }

  private var byte: UInt8? { offset < text.count ? text[offset] : nil }

  private mutating func readValue(or end: UInt8?) throws(DocumentError) -> Next {
    guard let byte else { throw fault(end == nil ? "a value" : "a value or ]") }
    if byte == end { return close() }
    let start = offset
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < JSONDocument.maximumDepth else {
        throw fault("at most \(JSONDocument.maximumDepth) levels of arrays and objects")
      }
      let isObject = byte == UInt8(ascii: "{")
      open.append(Container(isObject: isObject, positions: .init(offset: start)))
      offset += 1
      return isObject ? .keyOrEnd : .valueOrEnd
    case UInt8(ascii: "\""):
      return add(.string(try readString()), .init(offset: start))
    case UInt8(ascii: "t") where word == "true": return add(.bool(true), length: 4)
    case UInt8(ascii: "f") where word == "false": return add(.bool(false), length: 5)
    case UInt8(ascii: "n") where word == "null": return add(.null, length: 4)
    case _ where JSONToken.Number.begins(with: byte):
      let number = JSONToken.Number(in: text, at: offset)
      if let place = number.fault {
        offset = place
        throw fault("a number such as 12, -0.5 or 1e3")
      }
      return add(.number(number.spelling(in: text)), length: number.range.count)
    default: throw fault(end == nil ? "a value" : "a value or ]")
    }
  }

  private mutating func add(_ value: JSONValue, length: Int) -> Next {
    let start = offset
    offset += length
    return add(value, .init(offset: start))
  }

  private mutating func add(_ value: JSONValue, _ positions: JSONDocument.Positions) -> Next {
    guard let last = open.indices.last else {
      root = (value, positions)
      return .end
    }
    if isInLongList {
      element = Element(
        value: value, positions: positions, path: open.count == 2 ? open[0].key : "",
        index: open[last].passed, range: positions.offset..<offset)
      open[last].passed += 1
      return .commaOrEnd
    }
    if open[last].isObject {
      open[last].members.append(JSONMember(open[last].key, value))
    } else {
      open[last].elements.append(value)
    }
    open[last].positions.children.append(positions)
    return .commaOrEnd
  }

  /// True if the innermost open container is the list whose elements are not kept.
  private var isInLongList: Bool {
    guard let listKey, open.last?.isObject == false else { return false }
    return open.count == 1 || open.count == 2 && open[0].isObject && open[0].key == listKey
  }

  private mutating func close() -> Next {
    offset += 1
    let closed = open.removeLast()
    return add(
      closed.isObject ? .object(closed.members) : .array(closed.elements), closed.positions)
  }

  private mutating func readString() throws(DocumentError) -> String {
    let start = offset
    var characters: [UInt8] = []
    offset += 1
    var runStart = offset
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        characters += text[runStart..<offset]
        offset += 1
        return String(decoding: characters, as: UTF8.self)
      case UInt8(ascii: "\\"):
        characters += text[runStart..<offset]
        characters += try readEscape().utf8
        runStart = offset
      case 0..<0x20: throw fault("the string to end, or an escape such as \\n")
      default: offset += 1
      }
    }
    offset = start
    isStringOpen = true
    throw fault("a string with a quotation mark at its end", found: "one without")
  }

  private mutating func readEscape() throws(DocumentError) -> String {
    if let unit = JSONToken.escapedUnit(in: text, at: offset) {
      var units = [unit]
      if UTF16.isLeadSurrogate(unit),
        let low = JSONToken.escapedUnit(in: text, at: offset + 6), UTF16.isTrailSurrogate(low)
      {
        units.append(low)
      }
      guard let character = String(validating: units, as: UTF16.self) else {
        throw fault("a pair of surrogates", found: "half of one")
      }
      offset += 6 * units.count
      return character
    }
    let letters: [UInt8: String] = [
      UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
      UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n",
      UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]
    guard offset + 1 < text.count, let character = letters[text[offset + 1]] else {
      throw fault("an escape such as \\n, \\\" or \\u00e9")
    }
    offset += 2
    return character
  }

  /// The letters at this position, or the one character.
  private var word: String {
    let letters = text[offset...].prefix(24).prefix {
      UnicodeScalar($0).properties.isAlphabetic && $0 < 0x80
    }
    if !letters.isEmpty { return String(decoding: letters, as: UTF8.self) }
    return String(decoding: text[offset...].prefix(32), as: UTF8.self).first.map { String($0) }
      ?? ""
  }

  private func fault(_ expected: String, found: String? = nil) -> DocumentError {
    let here: String
    switch byte {
    case nil: here = "the end"
    case UInt8(ascii: "\n")?: here = "the end of the line"
    case .some(let byte) where byte < 0x20 || byte == 0x7F: here = "a control character"
    case 0xEF? where text[offset...].starts(with: [0xEF, 0xBB, 0xBF]): here = "a byte order mark"
    case .some: here = word
    }
    return DocumentError(
      position: TextPosition(offset: offset, in: text), expected: expected, found: found ?? here)
  }
}

/// A position in a text as editors count it: lines and characters, both from 1.
package struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position of the byte at `offset`.
  package init(offset: Int, in text: [UInt8]) {
    let before = text[..<min(offset, text.count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
  }

  package var description: String { "line \(line), column \(column)" }
}

/// The reason a document cannot be read: one line for people, and where in the text it applies.
package struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  package let position: TextPosition
  /// The path of the value, such as `tags[3].limit`; empty for the document as a whole.
  package let path: String
  /// The reason alone, in lower case.
  package let message: String

  package init(position: TextPosition, path: String = "", message: String) {
    self.position = position
    self.path = path
    self.message = message
  }

  package init(position: TextPosition, path: String = "", expected: String, found: String) {
    self.init(position: position, path: path, message: "expected \(expected), found \(found)")
  }

  /// The reason after the path of the value.
  package var pathAndMessage: String { path.isEmpty ? message : "\(path): \(message)" }

  package var description: String { "\(position): \(pathAndMessage)" }
}
