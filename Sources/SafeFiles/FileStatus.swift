#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the system knows of a file.
struct FileStatus: Hashable {
  enum Kind { case regular, directory, link, other }

  let kind: Kind
  /// The permission bits, set-user-ID and the like included.
  let mode: mode_t
  let size: Int
  let owner: uid_t
  let group: gid_t
  /// With `volume`, what tells a file from another one of the same name.
  let number: UInt64
  let volume: UInt64

  private init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .directory
    case S_IFLNK: kind = .link
    case _: kind = .other
    }
    mode = status.st_mode & 0o7777
    size = Int(status.st_size)
    owner = status.st_uid
    group = status.st_gid
    number = UInt64(status.st_ino)
    volume = UInt64(truncatingIfNeeded: status.st_dev)
  }

  /// The status of an open file.
  init(of descriptor: Int32) throws(SystemError) {
    var status = stat()
    try SystemError.check { fstat(descriptor, &status) }
    self.init(status)
  }

  /// The status of what stands at a path, the link itself where it is one; nil when nothing does.
  init?(at path: String) throws(SystemError) {
    var status = stat()
    do throws(SystemError) {
      try SystemError.check { lstat(path, &status) }
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
    self.init(status)
  }

  /// Gives another file, which is open, this one's mode, and its owner where the system lets us.
  func apply(to descriptor: Int32) throws(SystemError) {
    // Only root gives files away, and others only to groups of theirs: what is refused stays ours.
    if fchown(descriptor, owner, group) != 0 { _ = fchown(descriptor, uid_t.max, group) }
    try SystemError.check { fchmod(descriptor, mode) }
  }
}
