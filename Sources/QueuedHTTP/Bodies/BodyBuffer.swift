internal import Glibc

/// A growing piece of memory that becomes a body without another copy.
@safe
struct BodyBuffer: ~Copyable {
  private var storage: UnsafeMutableRawPointer?
  private var capacity = 0
  private(set) var count = 0

  init() { unsafe storage = nil }

  deinit { unsafe free(storage) }

  /// Makes room for so many bytes in all, and the spare ones.
  ///
  /// - Returns: false when there is no memory; the bytes so far stay.
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
  /// - Returns: false when there is no memory.
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
    // Not in a closure of the array's: it could not reach the buffer that is being changed.
    let span = bytes.span
    reserve(count + span.count)
    _ = unsafe span.withUnsafeBytes { unsafe append($0) }
  }

  /// Hands the memory over, zeros behind the bytes, and starts anew.
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
    // A buffer that doubled may be half empty; shrinking it gives that half back.
    var kept = unsafe bytes
    if capacity > count + count / 4, let less = unsafe realloc(bytes, count + HTTPBody.spareBytes) {
      unsafe kept = unsafe less
    }
    unsafe memset(kept + count, 0, HTTPBody.spareBytes)
    return unsafe (kept, count)
  }

  /// Forgets the bytes and keeps the memory for the next ones.
  mutating func clear() { count = 0 }
}
