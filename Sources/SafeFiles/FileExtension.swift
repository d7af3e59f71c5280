#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that is continued: by all of the bytes, or by none when that fails.
package struct FileExtension: ~Copyable {
  /// How long the file was when it was opened.
  package let length: Int
  private let path: String
  private let file: Descriptor

  /// Opens a file, or makes one where there is none, and waits until no other process appends to it.
  package init(of path: String) throws(FileWriteError) {
    let file = try FileWriteError.naming(path) { () throws(SystemError) in
      let file = try Descriptor(opening: path, O_RDWR | O_CREAT | O_APPEND, mode: 0o666)
      try file.lock()
      return file
    }
    let number = file.number
    length = try FileWriteError.naming(path) { () throws(SystemError) in
      try FileStatus(of: number).size
    }
    self.path = path
    self.file = file
  }

  /// Appends lines, on a line of their own even where the last one was never finished.
  ///
  /// - Parameter isSynced: Whether to wait until the disk has them.
  package borrowing func append(_ bytes: [UInt8], isSynced: Bool = true) throws(FileWriteError) {
    let (number, length, path) = (file.number, length, path)
    do throws(SystemError) {
      var last: UInt8 = UInt8(ascii: "\n")
      if length > 0 {
        try SystemError.check { pread(number, &last, 1, off_t(length - 1)) }
      }
      let whole = last == UInt8(ascii: "\n") ? bytes : [UInt8(ascii: "\n")] + bytes
      let result = whole.withUnsafeBytes { buffer in
        Result { () throws(SystemError) in try file.append(buffer) }
      }
      try result.get()
      if isSynced { try file.synchronize() }
    } catch {
      // What cannot be cut off again stays a part of a line, as after a power failure.
      _ = ftruncate(number, off_t(length))
      throw FileWriteError(error, path: path)
    }
  }
}
