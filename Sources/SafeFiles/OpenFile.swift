internal import Glibc
internal import SystemPackage

// The calls that swift-system lacks, in its terms.

extension FilePath {
  /// Returns the value of a call after retrying it while signals interrupt it.
  @discardableResult
  fileprivate static func check<Number: SignedInteger>(
    _ call: () -> Number
  ) throws(Errno) -> Number {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw Errno(rawValue: errno) }
    }
  }

  /// The kind of file at the path, without following a link at its end; nil if there is none.
  func status() throws(Errno) -> Stat? {
    do throws(Errno) { return try Stat(self, followTargetSymlink: false) } catch {
      if error == .noSuchFileOrDirectory { return nil }
      throw error
    }
  }

  /// The number of an open descriptor of this process that the path names, perhaps behind links, as /dev/stdout does.
  var namedDescriptor: Int32? {
    var path = self
    for _ in 0..<40 {
      let parts = path.lexicallyNormalized().string.split(separator: "/").map(String.init)
      let isOwn = parts.count == 4 && ["self", "thread-self", String(getpid())].contains(parts[1])
      if parts.count == 3 && parts[0] == "dev" && parts[1] == "fd"
        || isOwn && parts[0] == "proc" && parts[2] == "fd"
      {
        return Int32(parts[parts.count - 1])
      }
      guard let target = try? path.linkTarget() else { return nil }
      path = target
    }
    return nil
  }

  /// True if something else than a file or a folder is there, perhaps behind a link.
  var leadsToPipeOrDevice: Bool {
    guard let there = try? Stat(self, followTargetSymlink: true) else { return false }
    return there.type != .regular && there.type != .directory
  }

  /// The folder that contains the file; "." for a bare name.
  var folder: FilePath {
    let folder = removingLastComponent()
    return folder.isEmpty ? "." : folder
  }

  /// The path of a hidden file in the same folder, named after this one.
  func hiddenSibling(_ suffix: String) -> FilePath {
    var stem = lastComponent?.string ?? ""
    // A name can have 255 bytes.
    while stem.utf8.count + suffix.utf8.count >= 255, !stem.isEmpty { stem.removeLast() }
    return folder.appending(".\(stem)\(suffix)")
  }

  /// The path after following the symbolic links at its end; the file need not exist.
  func resolved() throws(Errno) -> FilePath {
    var path = self
    // As many as Linux follows.
    for _ in 0..<40 {
      guard let target = try path.linkTarget() else { return path }
      path = target
    }
    throw .tooManySymbolicLinkLevels
  }

  /// The path that a symbolic link leads to; nil if this is not a link.
  private func linkTarget() throws(Errno) -> FilePath? {
    guard try status()?.type == .symbolicLink else { return nil }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = try Self.check { readlink(string, &buffer, buffer.count) }
    let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return folder.pushing(FilePath(target))
  }

  func createFolder(mode: FilePermissions) throws(Errno) {
    try Self.check { mkdir(string, mode.rawValue) }
  }

  func setPermissions(_ permissions: FilePermissions) throws(Errno) {
    try Self.check { chmod(string, permissions.rawValue) }
  }

  func rename(to target: FilePath) throws(Errno) {
    try Self.check { Glibc.rename(string, target.string) }
  }

  /// Removes the file; returns whether there was one.
  @discardableResult
  func remove() -> Bool { unlink(string) == 0 }

  /// Throws unless this process may write the file.
  func checkWritable() throws(Errno) {
    try Self.check { faccessat(AT_FDCWD, string, W_OK, AT_EACCESS) }
  }

  /// Throws if this user may not look for files in the folder.
  func checkSearchable() throws(Errno) {
    try Self.check { faccessat(AT_FDCWD, string, X_OK, AT_EACCESS) }
  }

  /// Sets the times of the file to now, if it still exists.
  func touch() { _ = utimensat(AT_FDCWD, string, nil, AT_SYMLINK_NOFOLLOW) }

  /// The names in the folder, in no order.
  func names() throws(Errno) -> [String] {
    guard let stream = opendir(string) else { throw Errno(rawValue: errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Waits until the disk has the names in the file's folder.
  func synchronizeFolder() throws(Errno) {
    do throws(Errno) {
      try OpenFile(folder, .readOnly, options: .directory).synchronize()
    } catch {
      // A folder that can be written but not read cannot be synced; some file systems sync none.
      guard [.permissionDenied, .invalidArgument, .notSupported].contains(error) else {
        throw error
      }
    }
  }
}

extension Stat {
  /// Gives an open file this one's mode, and its owner if the system allows that.
  func apply(to descriptor: FileDescriptor) throws(Errno) {
    // Only root may give files away, and others only to their own groups: else they stay ours.
    if fchown(descriptor.rawValue, userID.rawValue, groupID.rawValue) != 0 {
      _ = fchown(descriptor.rawValue, uid_t.max, groupID.rawValue)
    }
    try FilePath.check { fchmod(descriptor.rawValue, permissions.rawValue) }
  }

  /// True if this is a folder that the current user owns.
  var isOwnedByUser: Bool { userID.rawValue == geteuid() }

  /// The time of the last change, in nanoseconds since 1970.
  var modified: Int64 { Int64(st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(st_mtim.tv_nsec) }
}

/// The owner of an open file, which programs that this one starts do not inherit.
struct OpenFile: ~Copyable {
  let descriptor: FileDescriptor

  init(
    _ path: FilePath, _ mode: FileDescriptor.AccessMode,
    options: FileDescriptor.OpenOptions = [], permissions: FilePermissions? = nil
  ) throws(Errno) {
    descriptor = try Self.errno {
      try FileDescriptor.open(
        path, mode, options: options.union(.closeOnExec), permissions: permissions)
    }
  }

  deinit { close(descriptor.rawValue) }

  // swift-system's calls throw `Errno` alone, but their types do not say so.
  private static func errno<Value>(_ body: () throws -> Value) throws(Errno) -> Value {
    do { return try body() } catch { throw error as? Errno ?? .ioError }
  }

  borrowing func status() throws(Errno) -> Stat { try descriptor.stat() }

  /// Waits for the file's lock, which is released with the descriptor.
  borrowing func lock() throws(Errno) {
    try FilePath.check { flock(descriptor.rawValue, LOCK_EX) }
  }

  /// Takes the file's lock; returns false if somebody else has it.
  borrowing func lockIfFree() throws(Errno) -> Bool {
    do throws(Errno) {
      try FilePath.check { flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }
      return true
    } catch .wouldBlock {
      return false
    }
  }

  /// Returns the bytes up to the end; nil if there are more than `limit`.
  borrowing func contents(limit: Int, expecting count: Int) throws(Errno) -> [UInt8]? {
    let descriptor = descriptor
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(count, limit))
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try Self.errno {
        try chunk.withUnsafeMutableBytes { try descriptor.read(into: $0) }
      }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { return nil }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Returns `count` bytes from an offset on, or fewer where the file ends.
  borrowing func bytes(at offset: Int, count: Int) throws(Errno) -> [UInt8] {
    let descriptor = descriptor
    let most = min(count, max(Int(try status().size) - offset, 0))
    return try Self.errno {
      try [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
        while filled < most {
          let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled...])
          let read = try descriptor.read(
            fromAbsoluteOffset: Int64(offset + filled), into: UnsafeMutableRawBufferPointer(rest))
          if read == 0 { break }
          filled += read
        }
      }
    }
  }

  borrowing func append(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    let descriptor = descriptor
    _ = try Self.errno { try descriptor.writeAll(bytes) }
  }

  /// Waits until the disk has the bytes.
  borrowing func synchronize() throws(Errno) { try descriptor.synchronize() }
}

extension FileDescriptor {
  /// Waits until the disk has the bytes.
  func synchronize() throws(Errno) { try FilePath.check { fsync(rawValue) } }
}
