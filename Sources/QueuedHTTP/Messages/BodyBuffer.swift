internal import Glibc

/// A growing buffer that becomes a body without a copy.
@safe
struct BodyBuffer: ~Copyable {
  private var storage: UnsafeMutableRawPointer?
  private var capacity = 0
  private(set) var count = 0

  init() { unsafe storage = nil }

  deinit { unsafe free(storage) }

  /// Makes room for `bytes` bytes in total, plus the spare ones.
  ///
  /// - Returns: false without memory; the current bytes stay.
  @discardableResult
  mutating func reserve(_ bytes: Int) -> Bool {
    guard bytes > capacity || (unsafe storage == nil) else { return true }
    guard let grown = unsafe realloc(storage, bytes + HTTPBody.spareBytes) else { return false }
    unsafe storage = unsafe grown
    capacity = bytes
    return true
  }

  /// Copies bytes to the end.
  ///
  /// - Returns: false without memory.
  @unsafe
  @discardableResult
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let source = bytes.baseAddress, unsafe !bytes.isEmpty else { return true }
    let needed = count + bytes.count
    if needed > capacity, !reserve(max(needed, capacity * 2, 16 << 10)) { return false }
    guard let storage = unsafe storage else { return false }
    unsafe memcpy(storage + count, source, bytes.count)
    count = needed
    return true
  }

  /// Copies bytes to the end.
  mutating func append(_ bytes: [UInt8]) {
    // Not in a closure of the array, which could not access the buffer while it is changed.
    let span = bytes.span
    reserve(count + span.count)
    _ = unsafe span.withUnsafeBytes { unsafe append($0) }
  }

  /// Hands over the memory, with zeros after the bytes, and becomes empty.
  @unsafe
  mutating func giveUp() -> (storage: UnsafeMutableRawPointer?, count: Int) {
    defer {
      unsafe storage = nil
      (capacity, count) = (0, 0)
    }
    guard count > 0, let bytes = unsafe storage else {
      unsafe free(storage)
      return (nil, 0)
    }
    // A buffer that was doubled may be half empty; shrinking frees that half.
    var kept = unsafe bytes
    if capacity > count + count / 4, let less = unsafe realloc(bytes, count + HTTPBody.spareBytes) {
      unsafe kept = unsafe less
    }
    unsafe memset(kept + count, 0, HTTPBody.spareBytes)
    return unsafe (kept, count)
  }

  /// Removes the bytes and keeps the memory.
  mutating func clear() { count = 0 }
}
