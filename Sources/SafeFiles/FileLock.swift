internal import SystemPackage

/// A lock on a path that processes share; held as long as the value lives.
///
/// It is on a hidden file in the same folder, not on the file itself, which a replacement renames
/// away. The hidden file is removed with the lock.
package struct FileLock: ~Copyable {
  private let lockPath: FilePath
  private let file: OpenFile

  /// Waits until nobody else holds the lock of `path`; its folder must exist, the file need not.
  package init(of path: String) throws(FileWriteError) {
    let lockPath = try FileWriteError.naming(path) { () throws(Errno) in
      try FilePath(path).resolved().hiddenSibling(".lock")
    }
    let file = try FileWriteError.naming(path) { () throws(Errno) in try Self.lock(lockPath) }
    self.lockPath = lockPath
    self.file = file
  }

  /// Returns nil if somebody else holds the lock of `path`.
  package init?(ifFree path: String) throws(FileWriteError) {
    let lockPath = try FileWriteError.naming(path) { () throws(Errno) in
      try FilePath(path).resolved().hiddenSibling(".lock")
    }
    let file = try FileWriteError.naming(path) { () throws(Errno) in try Self.lockIfFree(lockPath) }
    guard let file else { return nil }
    self.lockPath = lockPath
    self.file = file
  }

  /// Runs `body` while holding the lock of `path`, and returns its result.
  package static func hold<Value, Failure: Error>(
    _ path: String, _ body: () throws(Failure) -> Value
  ) throws(FileWriteError) -> Result<Value, Failure> {
    let lock = try FileLock(of: path)
    defer { extendLifetime(lock) }
    do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
  }

  // Removed while it is still locked, see `lock`.
  deinit { lockPath.remove() }

  private static func lock(_ path: FilePath) throws(Errno) -> OpenFile {
    while true {
      let file = try open(path)
      try file.lock()
      // The previous holder has removed the file, so this lock may be on a file without a name, which
      // nobody else will find.
      if try isSame(file.status(), path.status()) { return file }
    }
  }

  private static func lockIfFree(_ path: FilePath) throws(Errno) -> OpenFile? {
    while true {
      let file = try open(path)
      guard try file.lockIfFree() else { return nil }
      if try isSame(file.status(), path.status()) { return file }
    }
  }

  private static func open(_ path: FilePath) throws(Errno) -> OpenFile {
    do throws(Errno) {
      return try OpenFile(
        path, .readWrite, options: [.create, .noFollow],
        permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
    } catch let refusal {
      // In a shared folder it may be another user's file; read access is enough to wait for its lock.
      guard refusal == .permissionDenied else { throw refusal }
      do throws(Errno) {
        return try OpenFile(path, .readOnly, options: .noFollow)
      } catch { throw refusal }
    }
  }

  private static func isSame(_ one: Stat, _ other: Stat?) -> Bool {
    one.inode == other?.inode && one.deviceID == other?.deviceID
  }
}
