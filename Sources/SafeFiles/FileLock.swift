#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A lock on a path that processes share; held while the value lives.
///
/// It lies on a hidden file beside the path, not on the file itself, which a replacement renames away.
/// The hidden file goes when the lock does.
package struct FileLock: ~Copyable {
  private let lockPath: String
  private let file: Descriptor

  /// Waits until no other holds the lock of `path`, which need not exist; its folder must.
  package init(of path: String) throws(FileWriteError) {
    let lockPath = try FileWriteError.naming(path) { () throws(SystemError) in
      try FilePath(path).resolved().beside(".lock")
    }
    let file = try FileWriteError.naming(path) { () throws(SystemError) in try Self.lock(lockPath) }
    self.lockPath = lockPath
    self.file = file
  }

  /// Runs `body` while the lock of `path` is held, and returns what it returns.
  package static func hold<Value, Failure: Error>(
    _ path: String, _ body: () throws(Failure) -> Value
  ) throws(FileWriteError) -> Result<Value, Failure> {
    let lock = try FileLock(of: path)
    defer { extendLifetime(lock) }
    do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
  }

  // Removed while it is still locked: see above.
  deinit { unlink(lockPath) }

  private static func lock(_ path: String) throws(SystemError) -> Descriptor {
    while true {
      let file = try open(path)
      try file.lock()
      // The one who held it before has removed the file, so this lock may be on a file without a
      // name, which nobody else will find.
      if try isSame(file.status(), FileStatus(at: path)) { return file }
    }
  }

  private static func open(_ path: String) throws(SystemError) -> Descriptor {
    do throws(SystemError) {
      return try Descriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o666)
    } catch let refusal {
      // In a shared folder another user may have made it, and to wait for it needs no more than this.
      guard refusal.code == EACCES else { throw refusal }
      do throws(SystemError) {
        return try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW)
      } catch { throw refusal }
    }
  }

  private static func isSame(_ one: FileStatus, _ other: FileStatus?) -> Bool {
    one.number == other?.number && one.volume == other?.volume
  }
}
