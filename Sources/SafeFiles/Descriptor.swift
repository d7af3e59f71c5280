#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open file; closed when it goes.
struct Descriptor: ~Copyable {
  let number: Int32

  /// Opens a file; it is not handed on to programs that this one starts.
  init(opening path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemError) {
    number = try SystemError.check { open(path, flags | O_CLOEXEC, mode) }
  }

  deinit { close(number) }

  borrowing func status() throws(SystemError) -> FileStatus { try FileStatus(of: number) }

  /// Waits until it alone holds the file's lock, which ends with the descriptor.
  borrowing func lock() throws(SystemError) {
    try SystemError.check { flock(number, LOCK_EX) }
  }

  /// Returns the bytes up to the end; nil when there are more than `limit`.
  borrowing func contents(limit: Int, expecting count: Int) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(count, limit))
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try SystemError.check { read(number, &chunk, chunk.count) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { return nil }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  borrowing func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      written += try SystemError.check {
        write(number, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      }
    }
  }

  /// Waits until the disk has it.
  borrowing func synchronize() throws(SystemError) {
    try SystemError.check { fsync(number) }
  }
}
