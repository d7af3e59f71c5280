internal import CSimdJSON
internal import Synchronization

/// Reading JSON (RFC 8259) over simdjson.
package enum JSON {
  /// The number of bytes that must be readable after a text that is read in place.
  package static let spareBytes = 64

  /// Calls `visit` with the root of the document in `bytes`, and returns its result.
  ///
  /// `spareBytes` more must be readable after them. Nodes must not escape `visit`. Any number of
  /// threads may read at once; parsers are reused. Mistakes that leave the structure intact
  /// (`JSONRepair`) are repaired in a copy.
  package static func read<Result>(
    padded bytes: UnsafeRawBufferPointer, _ visit: (JSONNode) throws -> Result
  ) throws -> Result {
    let parser = try parsers.take()
    defer { parsers.give(back: parser) }
    let root: JSONNode
    do {
      root = try unsafe parser.parse(bytes)
    } catch {
      guard let mended = unsafe JSONRepair.mended(bytes) else { throw error }
      // Nodes refer to the parser's own buffers, so the copy can go once it is parsed.
      root = try parse(mended, with: parser)
    }
    return try visit(root)
  }

  private static func parse(_ bytes: [UInt8], with parser: JSONParser) throws(JSONError) -> JSONNode
  {
    var padded: [UInt8] = []
    padded.reserveCapacity(bytes.count + spareBytes)
    padded.append(contentsOf: bytes)
    padded.append(contentsOf: repeatElement(0, count: spareBytes))
    let parsed = unsafe padded.withUnsafeBytes { buffer -> Result<JSONNode, JSONError> in
      let text = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<bytes.count])
      do throws(JSONError) { return .success(try unsafe parser.parse(text)) } catch {
        return .failure(error)
      }
    }
    return try parsed.get()
  }

  /// Gives back the memory that parsers have kept for the next document.
  package static func releaseParsers() { parsers.empty() }

  private static let parsers = JSONParserPool()
}

/// The reason a text cannot be read as JSON.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// simdjson's error code, or a negative number for one of ours.
  let code: Int32

  static let empty = JSONError(code: -1)
  static let outOfMemory = JSONError(code: -2)

  package var description: String {
    switch self {
    case .empty: "the text is empty"
    case .outOfMemory: "out of memory"
    default: unsafe String(cString: csimdjson_message(code))
    }
  }
}

/// A simdjson parser with its buffers, kept from one document to the next. One thread at a time.
// Unchecked: the pool hands a parser to one caller at a time.
@safe
final class JSONParser: @unchecked Sendable {
  private let parser: OpaquePointer

  init() throws(JSONError) {
    guard let parser = unsafe csimdjson_parser_create() else { throw .outOfMemory }
    unsafe self.parser = unsafe parser
  }

  deinit { unsafe csimdjson_parser_destroy(parser) }

  /// Parses `bytes`, after which `JSON.spareBytes` more must be readable.
  ///
  /// The node is valid until the next parse or the end of the parser.
  func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONNode {
    guard let base = bytes.baseAddress else { throw .empty }
    let document = unsafe csimdjson_parse(
      parser, base.assumingMemoryBound(to: UInt8.self), bytes.count)
    guard let tape = unsafe document.tape, let strings = unsafe document.strings else {
      throw unsafe JSONError(code: document.error)
    }
    // Word 0 is the root; the document's value follows.
    return unsafe JSONNode(tape: tape, strings: strings, index: 1)
  }
}

/// Idle parsers, kept so that their buffers serve the next document.
private final class JSONParserPool: Sendable {
  /// More parsers than this are not kept: each holds buffers of the size of its largest document.
  private static let capacity = 8

  private let free = Mutex<[JSONParser]>([])

  func take() throws(JSONError) -> JSONParser {
    if let kept = free.withLock({ $0.popLast() }) { return kept }
    return try JSONParser()
  }

  func empty() { free.withLock { $0 = [] } }

  func give(back parser: JSONParser) {
    free.withLock { free in
      if free.count < Self.capacity { free.append(parser) }
    }
  }
}

/// Repairs mistakes of networks inside strings and numbers, so that one item is lost rather than the
/// whole page: a byte order mark, invalid UTF-8, half a surrogate pair, raw control characters and
/// backslashes in strings, numbers out of range (they become strings). Structure is not touched.
struct JSONRepair {
  private let text: [UInt8]
  private var mended: [UInt8] = []
  private var position = 0

  /// Returns a repaired copy, or nil if there was nothing to repair.
  static func mended(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    // Decoding replaces invalid UTF-8 by U+FFFD.
    let valid = Array(unsafe String(decoding: bytes, as: UTF8.self).utf8)
    var repair = JSONRepair(text: valid)
    repair.mend()
    return unsafe bytes.elementsEqual(repair.mended) ? nil : repair.mended
  }

  private init(text: [UInt8]) {
    self.text = text
    mended.reserveCapacity(text.count + 64)
  }

  private mutating func mend() {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: "\"") {
        mendString()
      } else if JSONToken.Number.begins(with: byte) {
        mendNumber()
      } else {
        keep(1)
      }
    }
  }

  private mutating func mendNumber() {
    let number = JSONToken.Number(in: text, at: position)
    guard number.isOutOfRange(in: text) else { return keep(number.range.count) }
    mended.append(UInt8(ascii: "\""))
    keep(number.range.count)
    mended.append(UInt8(ascii: "\""))
  }

  private mutating func mendString() {
    keep(1)
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: "\"") { return keep(1) }
      if byte == UInt8(ascii: "\\") {
        mendEscape()
      } else if byte < 0x20 {
        mended.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u001".utf8)
        mended.append(contentsOf: String(byte & 15, radix: 16).utf8)
        position += 1
      } else {
        keep(1)
      }
    }
  }

  private mutating func mendEscape() {
    guard let unit = JSONToken.escapedUnit(in: text, at: position) else {
      let isEscape = position + 1 < text.count && "\"\\/bfnrt".utf8.contains(text[position + 1])
      if isEscape { return keep(2) }
      mended.append(UInt8(ascii: "\\"))
      return keep(1)
    }
    guard (0xD800...0xDFFF).contains(unit) else { return keep(6) }
    if unit < 0xDC00, let low = JSONToken.escapedUnit(in: text, at: position + 6),
      (0xDC00...0xDFFF).contains(low)
    {
      return keep(12)
    }
    mended.append(contentsOf: "\\ufffd".utf8)
    position += 6
  }

  private mutating func keep(_ count: Int) {
    let end = min(position + count, text.count)
    mended.append(contentsOf: text[position..<end])
    position = end
  }
}
