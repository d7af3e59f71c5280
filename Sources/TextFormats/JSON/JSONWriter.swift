package import FoundationEssentials

/// Writes JSON (RFC 8259) to bytes on one line, with keys in the order of the calls.
///
/// It writes commas and colons; the caller must close objects and arrays.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// - Parameter capacity: The expected number of bytes.
  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes the key of the member whose value comes next.
  package mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a key of our own, which needs no escapes.
  package mutating func key(plain name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a date as RFC 3339, or null when it is out of the range of RFC 3339.
  package mutating func date(_ date: Date) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    guard RFC3339.append(date, to: &bytes) else {
      bytes.removeLast()
      bytes.append(contentsOf: "null".utf8)
      return
    }
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func string(_ text: String) {
    // Not `withUTF8` at once: that needs a copy of the string, which is a retain of cold memory.
    let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe string($0) }
    if isDone != nil { return }
    var text = text
    text.withUTF8 { unsafe string($0) }
  }

  /// Writes a string given as UTF-8.
  mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    unsafe append(escaping: text)
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func integer(_ number: some BinaryInteger) { raw(String(number)) }

  /// Writes a small number without a string between.
  package mutating func integer(_ number: Int) {
    guard (0..<1_000_000_000).contains(number) else { return raw(String(number)) }
    separate()
    let start = bytes.count
    var rest = number
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
  package mutating func null() { raw("null") }

  /// Writes a value that is already JSON, such as a number as written elsewhere.
  package mutating func raw(_ json: String) {
    separate()
    bytes.append(contentsOf: json.utf8)
  }

  /// Ends a line; a new value follows.
  package mutating func newline() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  /// Appends the contents of a string, in runs between the characters that must be escaped.
  private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
    var runStart = 0
    while true {
      let position = unsafe Self.firstSpecial(in: text, from: runStart)
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart..<position]))
      guard position < text.count else { return }
      let byte = unsafe text[position]
      runStart = position + 1
      bytes.append(UInt8(ascii: "\\"))
      switch byte {
      case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
      case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
      case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
      case _:
        let digits = Array("0123456789abcdef".utf8)
        bytes.append(contentsOf: "u00".utf8)
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      }
    }
  }

  /// Returns the position of the first character that a string must escape, or the end.
  // Eight bytes at a time: see `ControlCodes`.
  private static func firstSpecial(in utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let raw = UnsafeRawBufferPointer(utf8)
    var position = start
    while position + 8 <= utf8.count {
      let word = unsafe raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let below = (word &- ones &* 0x20) & ~word
      let equal = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      guard (below | equal) & highs == 0 else { break }
      position += 8
    }
    while position < utf8.count {
      let byte = unsafe utf8[position]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
      position += 1
    }
    return position
  }
}

extension JSONWriter {
  /// Writes a string with escapes even for DEL, C1, bidirectional and other invisible controls.
  ///
  /// JSON requires this for C0 only, but the output may reach a terminal. It reads back as the same
  /// text.
  package mutating func visibleString(_ text: String) {
    let isDone = unsafe text.utf8.withContiguousStorageIfAvailable { utf8 in
      guard unsafe !Self.needsMoreEscapes(utf8) else { return false }
      unsafe string(utf8)
      return true
    }
    if isDone != true { raw(Self.escaped(text)) }
  }

  private static func needsMoreEscapes(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    while position < utf8.count {
      unsafe position = ControlCodes.firstCode(in: utf8, from: position)
      // The writer itself escapes C0.
      guard position < utf8.count, unsafe utf8[position] < 0x20 else {
        return position < utf8.count
      }
      position += 1
    }
    return false
  }

  private static func escaped(_ text: String) -> String {
    var plain = JSONWriter()
    plain.string(text)
    return escaped(json: String(decoding: plain.bytes, as: UTF8.self))
  }

  /// Escapes the controls that JSON permits. They occur only in strings, except for line breaks between
  /// values.
  static func escaped(json: String) -> String {
    var escaped = ""
    for scalar in json.unicodeScalars {
      guard scalar != "\n", ControlCodes.isControl(scalar) else {
        escaped.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return escaped
  }
}
