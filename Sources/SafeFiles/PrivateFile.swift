internal import SystemPackage

/// A file that only its owner can read, such as a token: its mode is 0600.
package struct PrivateFile: Hashable, Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// Returns its bytes, unless others can read or write it.
  package func read(limit: Int) throws(FileReadError) -> [UInt8] {
    try BoundedRead.bytes(of: path, limit: limit, allowsStreams: false) { status in
      let mode = status.permissions.rawValue
      return mode & 0o077 == 0 ? nil : .openToOthers(path: path, mode: mode)
    }
  }

  /// Replaces it as a whole; others cannot read it at any time.
  package func write(_ bytes: [UInt8]) throws(FileWriteError) {
    var replacement = try FileReplacement(of: path, access: .ownerOnly)
    try replacement.write(bytes)
    try replacement.commit()
  }

  /// Creates it empty if it is missing, and makes one private that others can read or write.
  ///
  /// For libraries that open files themselves. An existing file is not opened here: closing it would
  /// end the locks that this process holds on it.
  package func createIfMissing() throws(FileWriteError) {
    try FileWriteError.naming(path) { () throws(Errno) in
      let path = try FilePath(path).resolved()
      guard let status = try path.status() else {
        do throws(Errno) {
          _ = try OpenFile(
            path, .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        } catch {
          // Another process may have been faster.
          guard error == .fileExists else { throw error }
        }
        return
      }
      let mode = status.permissions.rawValue
      if status.type == .regular, mode & 0o077 != 0 {
        try path.setPermissions(FilePermissions(rawValue: mode & 0o700))
      }
    }
  }
}

/// A folder in which only its owner can replace files; a folder that is created here is private
/// (0700).
package struct PrivateFolder: Hashable, Sendable {
  /// A regular file in the folder.
  package struct Member: Hashable, Sendable {
    package var name: String
    package var size: Int
    /// The time of the last change or `touch`, in nanoseconds since 1970.
    package var touched: Int64
  }

  package let path: String

  /// Creates the folder and those above it if they are missing; throws if it belongs to another user,
  /// or if others can write into it.
  package init(at path: String) throws(FileWriteError) {
    try Directories.create(above: "\(path)/.", mode: 0o700)
    let status = try FileWriteError.naming(path) { () throws(Errno) in
      try OpenFile(FilePath(path), .readOnly, options: .directory).status()
    }
    guard status.isOwnedByUser else {
      throw .failed(path: path, reason: "the folder belongs to another user")
    }
    guard status.permissions.rawValue & 0o022 == 0 else {
      throw .failed(path: path, reason: "others can write into it; run: chmod go-w \(path)")
    }
    self.path = path
  }

  /// The path of a file in the folder.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Its regular files, including hidden ones, in no order; leaves out files that vanish meanwhile.
  package func members() throws(FileReadError) -> [Member] {
    let names: [String]
    do throws(Errno) { names = try FilePath(path).names() } catch {
      throw FileReadError(error, path: path)
    }
    return names.compactMap { name in
      guard let status = try? FilePath(file(name)).status(), status.type == .regular else {
        return nil
      }
      return Member(name: name, size: Int(status.size), touched: status.modified)
    }
  }

  /// Removes a file; returns whether there was one.
  @discardableResult
  package func remove(_ name: String) -> Bool { FilePath(file(name)).remove() }

  /// Marks a file as used now; has no effect if it is gone.
  package func touch(_ name: String) { FilePath(file(name)).touch() }
}
