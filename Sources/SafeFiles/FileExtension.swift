internal import Glibc
internal import SystemPackage

/// A file that is continued: by all of the bytes, or by none when that fails.
package struct FileExtension: ~Copyable {
  /// The size of the file when it was opened.
  package let length: Int
  private let path: String
  private let file: OpenFile

  /// Opens a file, or creates it, and waits until no other process appends to it.
  package init(of path: String) throws(FileWriteError) {
    let file = try FileWriteError.naming(path) { () throws(Errno) in
      let file = try OpenFile(
        FilePath(path), .readWrite, options: [.create, .append],
        permissions: FilePermissions(rawValue: 0o666))
      try file.lock()
      return file
    }
    let descriptor = file.descriptor
    length = try FileWriteError.naming(path) { () throws(Errno) in
      Int(try descriptor.stat().size)
    }
    self.path = path
    self.file = file
  }

  /// Appends lines, on a line of their own even if the last one was never finished.
  ///
  /// - Parameter isSynced: Whether to wait until the disk has them.
  package borrowing func append(_ bytes: [UInt8], isSynced: Bool = true) throws(FileWriteError) {
    let (number, length, path) = (file.descriptor.rawValue, length, path)
    do throws(Errno) {
      var last: UInt8 = UInt8(ascii: "\n")
      if length > 0, pread(number, &last, 1, off_t(length - 1)) < 0 {
        throw Errno(rawValue: errno)
      }
      let whole = last == UInt8(ascii: "\n") ? bytes : [UInt8(ascii: "\n")] + bytes
      let result = whole.withUnsafeBytes { buffer in
        Result { () throws(Errno) in try file.append(buffer) }
      }
      try result.get()
      if isSynced { try file.synchronize() }
    } catch {
      // What cannot be cut off again stays as part of a line, as after a power failure.
      _ = ftruncate(number, off_t(length))
      throw FileWriteError(error, path: path)
    }
  }
}
