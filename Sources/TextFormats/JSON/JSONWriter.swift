package import FoundationEssentials

/// Writes JSON (RFC 8259) to bytes on one line, with keys in the order of the calls.
///
/// It writes commas and colons; the caller must close objects and arrays.
package struct JSONWriter: ~Copyable {
  private var block: ByteBlock
  private var needsComma = false
  private var dates = RFC3339Writer()

  /// - Parameter capacity: The expected number of bytes.
  package init(capacity: Int = 0) { block = ByteBlock(capacity: capacity) }

  package var bytes: [UInt8] { consuming get { block.bytes } }

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes the key of the member whose value comes next.
  package mutating func key(_ name: String) {
    string(name)
    block.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a key of our own, which needs no escapes.
  package mutating func key(plain name: StaticString) {
    let comma = needsComma ? 1 : 0
    let count = name.utf8CodeUnitCount
    unsafe block.append(atMost: count + 4) { place in
      unsafe place[0] = UInt8(ascii: ",")
      let key = unsafe place + comma
      unsafe key[0] = UInt8(ascii: "\"")
      unsafe (key + 1).update(from: name.utf8Start, count: count)
      unsafe key[count + 1] = UInt8(ascii: "\"")
      unsafe key[count + 2] = UInt8(ascii: ":")
      return comma + count + 3
    }
    needsComma = false
  }

  /// Writes the same.
  package mutating func key(_ key: JSONKey) {
    guard key.count > 0 else { return self.key(plain: key.name) }
    let comma = needsComma ? 1 : 0
    unsafe block.append(atMost: 1 + JSONKey.most) { unsafe Self.write(key, comma, to: $0) }
    needsComma = false
  }

  /// Writes one comma or none and a short key from a place on, which has room for the longest.
  ///
  /// - Returns: The number of bytes.
  @unsafe
  @inline(__always)
  private static func write(
    _ key: JSONKey, _ comma: Int, to place: UnsafeMutablePointer<UInt8>
  ) -> Int {
    unsafe place[0] = UInt8(ascii: ",")
    let memory = unsafe UnsafeMutableRawPointer(place + comma)
    unsafe memory.storeBytes(of: key.words.0.littleEndian, as: UInt64.self)
    unsafe memory.storeBytes(of: key.words.1.littleEndian, toByteOffset: 8, as: UInt64.self)
    unsafe memory.storeBytes(of: key.words.2.littleEndian, toByteOffset: 16, as: UInt64.self)
    return comma + key.count
  }

  /// Writes a date as RFC 3339, or null when it is out of the range of RFC 3339.
  package mutating func date(_ date: Date) {
    guard RFC3339.canWrite(date) else { return null() }
    separate()
    block.append(UInt8(ascii: "\""))
    _ = dates.append(date, to: &block)
    block.append(UInt8(ascii: "\""))
  }

  package mutating func string(_ text: String) { string(text, isVisible: false) }

  /// Writes a string given as UTF-8.
  mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
    unsafe string(text, isVisible: false)
  }

  package mutating func integer(_ number: some BinaryInteger) { raw(String(number)) }

  /// Writes a number without a string between.
  package mutating func integer(_ number: Int) {
    separate()
    block.append(decimal: number)
  }

  package mutating func bool(_ value: Bool) {
    separate()
    block.append((value ? "true" : "false") as StaticString)
  }

  package mutating func null() {
    separate()
    block.append("null" as StaticString)
  }

  /// Writes a value that is already JSON, such as a number as written elsewhere.
  package mutating func raw(_ json: String) {
    separate()
    block.append(json)
  }

  /// Ends a line; a new value follows.
  package mutating func newline() {
    block.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    block.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    block.append(bracket)
    needsComma = true
  }

  @inline(__always)
  private mutating func separate() {
    if needsComma { block.append(UInt8(ascii: ",")) }
    needsComma = true
  }
}

extension JSONWriter {
  /// Writes a string with escapes even for DEL, C1, bidirectional and other invisible controls.
  ///
  /// JSON requires this for C0 only, but the output may reach a terminal. It reads back as the same
  /// text.
  package mutating func visibleString(_ text: String) { string(text, isVisible: true) }

  /// Writes such a string given as UTF-8.
  @unsafe
  package mutating func visibleString(_ text: UnsafeBufferPointer<UInt8>) {
    unsafe string(text, isVisible: true)
  }

  /// Writes a key and such a string.
  // In one go, as most of a post consists of such members.
  @unsafe
  package mutating func member(_ key: JSONKey, visible text: UnsafeBufferPointer<UInt8>) {
    guard key.count > 0 else {
      self.key(key)
      return unsafe string(text, isVisible: true)
    }
    let comma = needsComma ? 1 : 0
    var plain = 0
    unsafe block.append(atMost: JSONKey.most + text.count + 3) { place in
      let start = unsafe Self.write(key, comma, to: place)
      let value = unsafe place + start + 1
      unsafe value[-1] = UInt8(ascii: "\"")
      plain = unsafe ControlCodes.copyPlain(text, orQuote: true, to: value)
      unsafe value[plain] = UInt8(ascii: "\"")
      return start + 1 + plain + (plain == text.count ? 1 : 0)
    }
    needsComma = true
    guard plain < text.count else { return }
    unsafe append(text, from: plain, isVisible: true)
    block.append(UInt8(ascii: "\""))
  }

  /// Writes a key and a number.
  package mutating func member(_ key: JSONKey, _ number: Int) {
    self.key(key)
    integer(number)
  }

  private mutating func string(_ text: String, isVisible: Bool) {
    // Not `withUTF8` at once: that needs a copy of the string, which is a retain of cold memory.
    let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe string($0, isVisible: isVisible)
    }
    if isDone != nil { return }
    var text = text
    text.withUTF8 { unsafe string($0, isVisible: isVisible) }
  }

  @inline(__always)
  private mutating func string(_ text: UnsafeBufferPointer<UInt8>, isVisible: Bool) {
    separate()
    block.append(UInt8(ascii: "\""))
    let plain = unsafe ControlCodes.appendPlain(text, orQuote: true, to: &block)
    if plain < text.count { unsafe append(text, from: plain, isVisible: isVisible) }
    block.append(UInt8(ascii: "\""))
  }

  /// Appends the rest of a string with escapes.
  private mutating func append(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, isVisible: Bool
  ) {
    var runStart = start
    var position = start
    while true {
      position = unsafe ControlCodes.firstCandidate(in: text, from: position, orQuote: true)
      guard position < text.count else { break }
      let byte = unsafe text[position]
      let length =
        byte < 0x7F
        ? 1 : isVisible ? unsafe ControlCodes.controlLength(in: text, at: position) : 0
      if length == 0 {
        position += ControlCodes.sequenceLength(leading: byte)
        continue
      }
      let end = position + length
      unsafe block.append(UnsafeBufferPointer(rebasing: text[runStart..<position]))
      unsafe append(escaped: UnsafeBufferPointer(rebasing: text[position..<end]))
      position = end
      runStart = end
    }
    unsafe block.append(UnsafeBufferPointer(rebasing: text[runStart...]))
  }

  /// Appends the escape of a character.
  private mutating func append(escaped character: UnsafeBufferPointer<UInt8>) {
    switch unsafe character.first {
    case UInt8(ascii: "\n"): block.append("\\n" as StaticString)
    case UInt8(ascii: "\r"): block.append("\\r" as StaticString)
    case UInt8(ascii: "\t"): block.append("\\t" as StaticString)
    case UInt8(ascii: "\""): block.append("\\\"" as StaticString)
    case UInt8(ascii: "\\"): block.append("\\\\" as StaticString)
    default:
      for unit in unsafe String(decoding: character, as: UTF8.self).utf16 {
        block.append(Self.escape(of: unit))
      }
    }
  }

  private static func escape(of unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
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
      for unit in String(scalar).utf16 { escaped += escape(of: unit) }
    }
    return escaped
  }
}
