#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file for its owner's eyes, such as a token: its mode is 0600.
package struct PrivateFile: Hashable, Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// Returns its bytes, unless its mode lets others read or write it.
  package func read(limit: Int) throws(FileReadError) -> [UInt8] {
    try BoundedRead.bytes(of: path, limit: limit, allowsStreams: false) { status in
      let open = status.mode & 0o077
      return open == 0 ? nil : .openToOthers(path: path, mode: UInt32(status.mode))
    }
  }

  /// Replaces it as a whole; it is never open to others, not even while it is written.
  package func write(_ bytes: [UInt8]) throws(FileWriteError) {
    var replacement = try FileReplacement(of: path, access: .ownerOnly)
    try replacement.write(bytes)
    try replacement.commit()
  }

  /// Creates it empty where it is missing, and closes one to others that they could read or write.
  ///
  /// For libraries that open files themselves. A file that is there is not opened here: to close it
  /// would end the locks that this process has on it.
  package func createIfMissing() throws(FileWriteError) {
    try FileWriteError.naming(path) { () throws(SystemError) in
      let path = try FilePath(path).resolved().string
      guard let status = try FileStatus(at: path) else {
        do throws(SystemError) {
          _ = try Descriptor(opening: path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        } catch {
          // Another process may have been faster.
          guard error.code == EEXIST else { throw error }
        }
        return
      }
      if status.kind == .regular, status.mode & 0o077 != 0 {
        try SystemError.check { chmod(path, status.mode & 0o700) }
      }
    }
  }
}
