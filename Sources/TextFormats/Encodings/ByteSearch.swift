internal import Glibc

/// Searches in bytes, at the speed of the C library.
@usableFromInline
package enum ByteSearch {
  /// Returns whether the first bytes at two places are the same.
  // Eight at a time, the last eight once more where they do not divide the number; of fewer both ends, which meet or
  // overlap. With a known number of bytes this is compiled into one or two comparisons.
  @unsafe
  @inlinable
  @inline(__always)
  package static func areSame(
    _ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, count: Int
  ) -> Bool {
    switch count {
    case 4..<8: return unsafe haveSameEnds(one, other, count, UInt32.self)
    case 2..<4: return unsafe haveSameEnds(one, other, count, UInt16.self)
    case 1: return unsafe one.pointee == other.pointee
    default: break
    }
    var position = 0
    while position < count {
      let place = min(position, count - 8)
      guard unsafe word(one, place, UInt64.self) == word(other, place, UInt64.self) else {
        return false
      }
      position += 8
    }
    return true
  }

  @unsafe
  @inlinable
  @inline(__always)
  static func haveSameEnds<Word: BitwiseCopyable & Equatable>(
    _ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int, _ type: Word.Type
  ) -> Bool {
    let last = count - MemoryLayout<Word>.size
    return unsafe word(one, 0, type) == word(other, 0, type)
      && word(one, last, type) == word(other, last, type)
  }

  @unsafe
  @inlinable
  @inline(__always)
  static func word<Word: BitwiseCopyable>(
    _ bytes: UnsafePointer<UInt8>, _ place: Int, _ type: Word.Type
  ) -> Word {
    unsafe UnsafeRawPointer(bytes + place).loadUnaligned(as: type)
  }

  /// Returns whether two texts are the same.
  @unsafe
  @inlinable
  package static func areSame(
    _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard one.count == other.count else { return false }
    guard let start = one.baseAddress, let otherStart = other.baseAddress else { return true }
    return unsafe areSame(start, otherStart, count: one.count)
  }

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

  /// Returns a text with another one in place of each occurrence of a part.
  package static func replacing(_ part: String, in text: String, with other: String) -> String {
    guard !part.isEmpty else { return text }
    var (part, text) = (part, text)
    return part.withUTF8 { part in
      text.withUTF8 { bytes in
        var result: [UInt8] = []
        var start = 0
        while let place = unsafe first(part, in: bytes, from: start) {
          unsafe result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<place]))
          result += other.utf8
          start = place + part.count
        }
        unsafe result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        return String(decoding: result, as: UTF8.self)
      }
    }
  }

  /// Returns whether some bytes are at a position.
  @unsafe
  package static func occurs(
    _ part: UnsafeBufferPointer<UInt8>, at start: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard start + part.count <= bytes.count else { return false }
    return unsafe areSame(UnsafeBufferPointer(rebasing: bytes[start..<start + part.count]), part)
  }

  /// Returns whether bytes are those of a text.
  @unsafe
  package static func isEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    unsafe areSame(
      bytes, UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
