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

  /// Returns whether bytes are those of a text.
  @unsafe
  static func isEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    let start = unsafe text.utf8Start
    for position in 0..<bytes.count where unsafe bytes[position] != start[position] { return false }
    return true
  }
}
