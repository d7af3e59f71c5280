internal import Glibc

/// Searches in bytes, at the speed of the C library.
package enum ByteSearch {
  /// Returns the position of the first occurrence of a byte at or after a position; nil if there is none.
  @unsafe
  package static func first(
    _ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
    else { return nil }
    return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Returns the position of the first occurrence of some bytes at or after a position; nil if there is
  /// none.
  @unsafe
  package static func first(
    _ part: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    guard let first = unsafe part.first else { return start <= bytes.count ? start : nil }
    var start = start
    while let place = unsafe self.first(first, in: bytes, from: start) {
      if unsafe occurs(part, at: place, in: bytes) { return place }
      start = place + 1
    }
    return nil
  }

  /// Returns whether a text has the bytes of another one in it.
  package static func contains(_ part: String, in text: String) -> Bool {
    var (part, text) = (part, text)
    return part.withUTF8 { part in
      text.withUTF8 { unsafe first(part, in: $0, from: 0) != nil }
    }
  }

  /// Returns whether some bytes are at a position.
  @unsafe
  package static func occurs(
    _ part: UnsafeBufferPointer<UInt8>, at start: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard start + part.count <= bytes.count else { return false }
    for offset in part.indices where unsafe bytes[start + offset] != part[offset] { return false }
    return true
  }

  /// Returns whether bytes are those of a text.
  @unsafe
  static func isEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    let start = unsafe text.utf8Start
    for position in 0..<bytes.count where unsafe bytes[position] != start[position] { return false }
    return true
  }
}
