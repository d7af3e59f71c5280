/// Writes JSON (RFC 8259) to bytes, keys in the order that they are written, on one line.
///
/// Commas and colons are its work; that objects and arrays are closed is the caller's.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// - Parameter capacity: How many bytes are expected, to be held from the start.
  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Gives up the bytes written so far and begins anew; the storage is kept where it can be.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

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

  package mutating func string(_ text: String) {
    // Not `withUTF8` at once: that needs a copy of the string, which is a retain of cold memory.
    let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe string($0) }
    if isDone != nil { return }
    var text = text
    text.withUTF8 { unsafe string($0) }
  }

  /// Writes a string of which the UTF-8 is at hand.
  mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    unsafe append(escaping: text)
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func integer(_ number: some BinaryInteger) { raw(String(number)) }

  /// Writes a number; those that JSON cannot say become null.
  package mutating func double(_ number: Double) {
    raw(number.isFinite ? "\(number)" : "null")
  }

  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
  package mutating func null() { raw("null") }

  /// Writes a value that is JSON already, such as a number kept in its own spelling.
  package mutating func raw(_ json: String) {
    separate()
    bytes.append(contentsOf: json.utf8)
  }

  /// Ends a line: what comes next is a value of its own.
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

  /// Appends the inside of a string, in runs between the characters that must be escaped.
  private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
    var runStart = 0
    while true {
      let position = unsafe JSONEscape.firstSpecial(in: text, from: runStart)
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
}
