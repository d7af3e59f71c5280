package import FoundationEssentials

/// A value in a parsed document, read lazily from simdjson's tape.
///
/// Valid only inside the closure of `JSON.read`. Missing values and values of another kind are nil and
/// never trap, since adapters receive responses of every shape.
// Safe as long as it does not outlive `JSON.read`: the indices are those of simdjson, which has
// checked the whole document. What every member of a document needs is compiled into the adapters.
@safe
@usableFromInline
package struct JSONNode {
  /// The kinds of values.
  @usableFromInline
  package enum Kind: Sendable, Hashable { case object, array, string, number, bool, null }

  @usableFromInline let tape: UnsafePointer<UInt64>
  @usableFromInline let strings: UnsafePointer<UInt8>
  @usableFromInline let index: Int

  @inlinable
  init(tape: UnsafePointer<UInt64>, strings: UnsafePointer<UInt8>, index: Int) {
    unsafe self.tape = tape
    unsafe self.strings = strings
    self.index = index
  }

  @inlinable
  @inline(__always)
  var word: UInt64 { unsafe tape[index] }

  @inlinable
  @inline(__always)
  var tag: UInt8 { UInt8(truncatingIfNeeded: word >> 56) }

  @inlinable
  @inline(__always)
  var payload: Int { Int(truncatingIfNeeded: word & 0x00FF_FFFF_FFFF_FFFF) }

  @inlinable package var kind: Kind {
    switch tag {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    default: .null
    }
  }

  @inlinable package var isNull: Bool { tag == UInt8(ascii: "n") }

  /// The index after this value.
  @inlinable
  @inline(__always)
  var end: Int {
    switch tag {
    case UInt8(ascii: "{"), UInt8(ascii: "["): payload & 0xFFFF_FFFF
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
    default: index + 1
    }
  }

  /// The maximum length in bytes of a string in a response; longer ones are truncated to whole
  /// characters.
  @inlinable static var longestString: Int { 1 << 20 }

  /// The unescaped bytes of a string, not copied, up to a bound; nil for another kind.
  @inlinable
  @inline(__always)
  package var stringBytes: UnsafeBufferPointer<UInt8>? {
    guard let bytes = unsafe wholeStringBytes else { return nil }
    guard bytes.count > Self.longestString else { return unsafe bytes }
    var end = Self.longestString
    while end > 0, unsafe bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return unsafe UnsafeBufferPointer(rebasing: bytes[..<end])
  }

  /// The unescaped bytes of a string of any length; nil for another kind.
  @inlinable
  @inline(__always)
  package var wholeStringBytes: UnsafeBufferPointer<UInt8>? {
    guard tag == UInt8(ascii: "\"") else { return nil }
    let start = unsafe strings + payload
    let count = unsafe UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
    return unsafe UnsafeBufferPointer(start: start + 4, count: Int(count))
  }

  /// The text of a string, up to a bound; nil for another kind.
  package var string: String? {
    guard let bytes = unsafe stringBytes else { return nil }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// The strings of an array, empty in place of an element of another kind.
  package var texts: [String] {
    var texts: [String] = []
    for element in elements { texts.append(element.string ?? "") }
    return texts
  }

  /// A whole number that fits, even if written `12.0`; nil for another kind.
  @inlinable package var integer: Int64? {
    switch tag {
    case UInt8(ascii: "l"): Int64(bitPattern: unsafe tape[index + 1])
    case UInt8(ascii: "u"): Int64(exactly: unsafe tape[index + 1])
    case UInt8(ascii: "d"): Int64(exactly: Double(bitPattern: unsafe tape[index + 1]))
    default: nil
    }
  }

  /// Any number; nil for another kind.
  package var double: Double? {
    switch tag {
    case UInt8(ascii: "l"): Double(Int64(bitPattern: unsafe tape[index + 1]))
    case UInt8(ascii: "u"): Double(unsafe tape[index + 1])
    case UInt8(ascii: "d"): Double(bitPattern: unsafe tape[index + 1])
    default: nil
    }
  }

  @inlinable package var bool: Bool? {
    switch tag {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: nil
    }
  }

  /// The date of a string in the format of RFC 3339; nil for anything else.
  package func rfc3339(allowing allowance: RFC3339.Allowance = []) -> Date? {
    guard let bytes = unsafe stringBytes else { return nil }
    return unsafe RFC3339.parse(utf8: bytes, allowing: allowance)
  }

  /// The date of a string in the format of mail or `asctime`; nil for anything else.
  package var rfc822: Date? {
    guard let bytes = unsafe stringBytes else { return nil }
    return unsafe RFC822.parse(utf8: bytes)
  }

  /// An identifier: a string that is not empty, or a whole number in decimal; nil for anything else.
  package var identifier: String? {
    switch tag {
    case UInt8(ascii: "\""): string.flatMap { $0.isEmpty ? nil : $0 }
    case UInt8(ascii: "u"): String(unsafe tape[index + 1])
    case UInt8(ascii: "l"), UInt8(ascii: "d"): integer.map { String($0) }
    default: nil
    }
  }

  /// A string that is not empty, or any number as it is written; nil for anything else.
  ///
  /// The tape has only the value of a number with a fraction: `1.50` becomes `1.5`.
  package var spelling: String? { identifier ?? double.map { "\($0)" } }

  /// The elements of an array; empty for another kind.
  @inlinable package var elements: JSONElements {
    tag == UInt8(ascii: "[")
      ? unsafe JSONElements(
        next: JSONNode(tape: tape, strings: strings, index: index + 1), end: end - 1)
      : JSONElements(next: self, end: index)
  }

  /// The members of an object in their order; empty for another kind.
  @inlinable package var members: JSONMembers {
    tag == UInt8(ascii: "{")
      ? unsafe JSONMembers(
        next: JSONNode(tape: tape, strings: strings, index: index + 1), end: end - 1)
      : JSONMembers(next: self, end: index)
  }

  /// The value of a key; nil if it is absent or null, or this is not an object.
  package subscript(_ key: StaticString) -> JSONNode? {
    unsafe member(UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
  }

  /// The value of a key that is not known when the program is compiled; nil if it is absent or null, or
  /// this is not an object.
  package subscript(utf8 key: [UInt8]) -> JSONNode? {
    unsafe key.withUnsafeBufferPointer { unsafe member($0) }
  }

  // Most keys differ in their lengths, which take one load to compare. They are strings without exception.
  @inline(__always)
  private func member(_ key: UnsafeBufferPointer<UInt8>) -> JSONNode? {
    guard tag == UInt8(ascii: "{") else { return nil }
    let end = self.end - 1
    var next = index + 1
    while next < end {
      let name = unsafe JSONNode(tape: tape, strings: strings, index: next)
      let value = unsafe JSONNode(tape: tape, strings: strings, index: next + 1)
      let start = unsafe strings + name.payload
      if unsafe UnsafeRawPointer(start).loadUnaligned(as: UInt32.self) == key.count,
        unsafe ByteSearch.areSame(UnsafeBufferPointer(start: start + 4, count: key.count), key)
      {
        return value.isNull ? nil : value
      }
      next = value.end
    }
    return nil
  }

  /// Returns whether this is a string equal to `text`.
  @inlinable
  @inline(__always)
  package func isString(_ text: StaticString) -> Bool {
    guard let bytes = unsafe stringBytes, bytes.count == text.utf8CodeUnitCount,
      let start = bytes.baseAddress
    else { return false }
    return unsafe ByteSearch.areSame(start, text.utf8Start, count: bytes.count)
  }

  /// Returns whether this is a string that begins with `text`.
  package func hasPrefix(_ text: StaticString) -> Bool {
    guard let bytes = unsafe stringBytes, bytes.count >= text.utf8CodeUnitCount else {
      return false
    }
    guard let start = bytes.baseAddress else { return true }
    return unsafe ByteSearch.areSame(start, text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Returns whether both are strings with the same bytes.
  package func isSameString(as other: JSONNode) -> Bool {
    guard let one = unsafe stringBytes, let other = unsafe other.stringBytes else { return false }
    return unsafe ByteSearch.areSame(one, other)
  }

  /// The number of elements or members, up to 16,777,215; 0 for another kind.
  @inlinable package var childCount: Int {
    switch tag {
    case UInt8(ascii: "{"), UInt8(ascii: "["): payload >> 32
    default: 0
    }
  }
}

/// The elements of an array.
@safe
@usableFromInline
package struct JSONElements: Sequence, IteratorProtocol {
  @usableFromInline var upcoming: JSONNode
  @usableFromInline let end: Int

  @inlinable
  init(next: JSONNode, end: Int) {
    upcoming = next
    self.end = end
  }

  @inlinable package mutating func next() -> JSONNode? {
    guard upcoming.index < end else { return nil }
    let node = upcoming
    upcoming = unsafe JSONNode(tape: node.tape, strings: node.strings, index: node.end)
    return node
  }
}

/// The members of an object, in the order of the document.
@safe
@usableFromInline
package struct JSONMembers: Sequence, IteratorProtocol {
  @usableFromInline var upcoming: JSONNode
  @usableFromInline let end: Int

  @inlinable
  init(next: JSONNode, end: Int) {
    upcoming = next
    self.end = end
  }

  /// The next key, itself a string node, and its value, which may be null.
  @inlinable package mutating func next() -> (key: JSONNode, value: JSONNode)? {
    guard upcoming.index < end else { return nil }
    let key = upcoming
    let value = unsafe JSONNode(tape: key.tape, strings: key.strings, index: key.index + 1)
    upcoming = unsafe JSONNode(tape: key.tape, strings: key.strings, index: value.end)
    return (key, value)
  }
}
