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
}
