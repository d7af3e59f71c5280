#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder whose files nobody but its owner can replace; one that is made here is its owner's alone
/// (0700).
package struct PrivateFolder: Hashable, Sendable {
  /// A regular file in it.
  package struct Member: Hashable, Sendable {
    package var name: String
    package var size: Int
    /// When it was last changed or touched, in nanoseconds from 1970 on.
    package var touched: Int64
  }

  package let path: String

  /// Makes the folder, and those above it, where there is none; throws where it is another user's,
  /// or others may write into it.
  package init(at path: String) throws(FileWriteError) {
    try Directories.create(above: "\(path)/.", mode: 0o700)
    let status = try FileWriteError.naming(path) { () throws(SystemError) in
      try Descriptor(opening: path, O_RDONLY | O_DIRECTORY).status()
    }
    guard status.owner == geteuid() else {
      throw .failed(path: path, reason: "the folder is another user's")
    }
    guard status.mode & 0o022 == 0 else {
      throw .failed(path: path, reason: "others may write into it; run: chmod go-w \(path)")
    }
    self.path = path
  }

  /// The path of a name in it.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Its regular files, hidden ones too, in no order; those that go meanwhile are left out.
  package func members() throws(FileReadError) -> [Member] {
    guard let stream = opendir(path) else { throw FileReadError(.latest, path: path) }
    defer { closedir(stream) }
    var members: [Member] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          String(cString: $0)
        }
      }
      var status = stat()
      guard fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      members.append(
        Member(
          name: name, size: Int(status.st_size),
          touched: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)))
    }
    return members
  }

  /// Removes a file; says whether there was one.
  @discardableResult
  package func remove(_ name: String) -> Bool { unlink(file(name)) == 0 }

  /// Marks a file as used now; without effect on one that is gone.
  package func touch(_ name: String) {
    // Only the order in which files are removed hangs on it.
    _ = utimensat(AT_FDCWD, file(name), nil, AT_SYMLINK_NOFOLLOW)
  }
}
