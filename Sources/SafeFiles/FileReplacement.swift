internal import SystemPackage

/// A file that replaces another one as a whole: written next to it, synced, renamed.
///
/// If the process is killed at any moment, the old file or the new one is there. A symbolic link stays
/// a link: the file that it points to is replaced. The old file's mode is kept, and its owner if the
/// system allows that. Without `commit` nothing has changed.
package struct FileReplacement: ~Copyable {
  /// The users who can open the new file.
  package enum Access: Sendable, Hashable {
    /// The same users as before; without an old file, 0644 minus the user's mask.
    case asBefore
    /// Its owner alone (0600).
    case ownerOnly
  }

  private let replaced: ReplacedFile
  private let temporary: FilePath
  private let file: OpenFile
  private let access: Access
  private var isCommitted = false

  /// Begins to replace the file at `path`; its folder must exist, the file need not.
  ///
  /// - Parameter isLocked: Whether a `FileLock` keeps everyone else from replacing it now. Then the
  ///   remains of a killed process are removed.
  package init(
    of path: String, access: Access = .asBefore, isLocked: Bool = false
  ) throws(FileWriteError) {
    try self.init(ReplacedFile(path), access: access, isLocked: isLocked)
  }

  /// Begins to replace a file that was inspected before, and perhaps removed since.
  package init(
    _ replaced: ReplacedFile, access: Access = .asBefore, isLocked: Bool = false
  ) throws(FileWriteError) {
    let unique = String(UInt64.random(in: .min ... .max), radix: 36)
    let temporary = replaced.target.hiddenSibling(isLocked ? ".new" : ".\(unique).new")
    let mode: FilePermissions =
      access == .asBefore && replaced.old == nil
      ? [.ownerReadWrite, .groupRead, .otherRead] : .ownerReadWrite
    let file = try FileWriteError.naming(replaced.path) { () throws(Errno) in
      // Permission for the folder alone would be enough to replace a file that is read-only.
      if replaced.old != nil {
        do throws(Errno) { try replaced.target.checkWritable() } catch {
          // If it was removed meanwhile, there is nothing to protect.
          guard error == .noSuchFileOrDirectory else { throw error }
        }
      }
      if isLocked { temporary.remove() }
      return try OpenFile(
        temporary, .writeOnly, options: [.create, .exclusiveCreate, .noFollow], permissions: mode)
    }
    self.replaced = replaced
    self.access = access
    self.temporary = temporary
    self.file = file
  }

  deinit { if !isCommitted { temporary.remove() } }

  /// Appends bytes.
  package mutating func write(_ bytes: [UInt8]) throws(FileWriteError) {
    let failure = bytes.withUnsafeBytes { bytes -> Errno? in
      do throws(Errno) { try file.append(bytes) } catch { return error }
      return nil
    }
    if let failure { throw FileWriteError(failure, path: replaced.path) }
  }

  /// Appends bytes.
  package mutating func write(_ bytes: UnsafeRawBufferPointer) throws(FileWriteError) {
    do throws(Errno) { try file.append(bytes) } catch {
      throw FileWriteError(error, path: replaced.path)
    }
  }

  /// Replaces the old file once the disk has the new one.
  ///
  /// - Parameter isSynced: Whether to wait for the disk. Without it, the old file or the new one is
  ///   still there if the process is killed, but perhaps neither after a power failure.
  package consuming func commit(isSynced: Bool = true) throws(FileWriteError) {
    try replaced.commit(
      temporary, file.descriptor, keepsMode: access == .asBefore, isSynced: isSynced)
    isCommitted = true
  }
}

/// A file that another one will replace, which grows next to it, perhaps over several runs.
///
/// A symbolic link stays a link, and the old file's mode and owner are kept, as by `FileReplacement`.
package struct ReplacedFile: Sendable {
  /// The path as the caller gave it.
  package let path: String
  fileprivate let target: FilePath
  fileprivate let old: Stat?

  /// Inspects the file at `path`, which need not exist.
  package init(_ path: String) throws(FileWriteError) {
    // It can only be a folder.
    if path.hasSuffix("/") { throw .isDirectory(path: path) }
    // A link in /dev/fd to a pipe names no path; of a file that is open there, others hold the old one.
    if FilePath(path).leadsToPipeOrDevice || FilePath(path).namedDescriptor != nil {
      throw .notRegular(path: path)
    }
    let (target, old) = try FileWriteError.naming(path) { () throws(Errno) in
      let target = try FilePath(path).resolved()
      return (target, try target.status())
    }
    switch old?.type {
    case .directory?: throw .isDirectory(path: path)
    case .regular?, nil: break
    default: throw .notRegular(path: path)
    }
    (self.path, self.target, self.old) = (path, target, old)
  }

  /// The path of the file that grows.
  package var part: String { target.hiddenSibling(".part").string }

  /// The mode to create that file with: while it grows, only users who can open the old file can open
  /// it.
  package var modeOfPart: UInt32 { old == nil ? 0o644 : 0o600 }

  /// Puts the file that grew in its place, once the disk has it.
  package func commit(_ part: String, descriptor: Int32) throws(FileWriteError) {
    try commit(
      FilePath(part), FileDescriptor(rawValue: descriptor), keepsMode: true, isSynced: true)
  }

  fileprivate func commit(
    _ new: FilePath, _ descriptor: FileDescriptor, keepsMode: Bool, isSynced: Bool
  ) throws(FileWriteError) {
    try FileWriteError.naming(path) { () throws(Errno) in
      if keepsMode, let old { try old.apply(to: descriptor) }
      if isSynced { try descriptor.synchronize() }
      try new.rename(to: target)
      if isSynced { try target.synchronizeFolder() }
    }
  }
}

/// The folders above a file.
package enum Directories {
  /// Creates the missing folders above `path`, or above the file that it links to.
  ///
  /// - Parameter mode: Their mode, before the user's mask.
  package static func create(above path: String, mode: UInt32 = 0o777) throws(FileWriteError) {
    try FileWriteError.naming(path) { () throws(Errno) in
      try create(FilePath(path).resolved().folder, FilePermissions(rawValue: mode))
    }
  }

  /// The users besides its owner for whom a folder is.
  package enum Audience: Sendable {
    case nobody
    /// Others can look into it.
    case others
    /// Everybody can create files in it, as in /tmp.
    case everybody
  }

  /// Returns who can look into the folder of a file, or write into it.
  package static func audience(above path: String) -> Audience {
    // A folder that cannot be inspected is reported by whoever opens the file.
    guard let folder = try? FilePath(path).resolved().folder,
      let permissions = try? folder.status()?.permissions.rawValue
    else { return .nobody }
    return permissions & 0o002 != 0 ? .everybody : permissions & 0o077 != 0 ? .others : .nobody
  }

  /// Takes all permissions for the folder of a file from others; returns whether that worked.
  package static func makePrivate(above path: String) -> Bool {
    guard let folder = try? FilePath(path).resolved().folder else { return false }
    do throws(Errno) {
      try folder.setPermissions(.ownerReadWriteExecute)
      return true
    } catch {
      return false
    }
  }

  private static func create(_ folder: FilePath, _ mode: FilePermissions) throws(Errno) {
    var missing: [FilePath] = []
    var path = folder
    while try path.status() == nil {
      missing.append(path)
      path = path.folder
    }
    for path in missing.reversed() {
      do throws(Errno) { try path.createFolder(mode: mode) } catch {
        // Another process may have been faster.
        guard error == .fileExists else { throw error }
      }
    }
  }
}

/// The reason a file was not written; its description is one line that names the path.
package enum FileWriteError: Error, Hashable, Sendable, CustomStringConvertible {
  case isDirectory(path: String)
  /// The path is a pipe, a device or a socket, which a file must not replace.
  case notRegular(path: String)
  case permissionDenied(path: String)
  /// The folder of the file is missing.
  case noDirectory(path: String)
  /// Any other error, in the system's words.
  case failed(path: String, reason: String)

  init(_ error: Errno, path: String) {
    switch error {
    case .noSuchFileOrDirectory: self = .noDirectory(path: path)
    case .isDirectory: self = .isDirectory(path: path)
    case .permissionDenied, .notPermitted: self = .permissionDenied(path: path)
    default: self = .failed(path: path, reason: error.description)
    }
  }

  /// Returns what `body` returns; an error of the system is thrown as one about the file at `path`.
  static func naming<Value: ~Copyable>(
    _ path: String, _ body: () throws(Errno) -> Value
  ) throws(FileWriteError) -> Value {
    do throws(Errno) { return try body() } catch { throw FileWriteError(error, path: path) }
  }

  package var description: String { "\(path): \(reason)" }

  package var path: String {
    switch self {
    case .isDirectory(let path), .notRegular(let path), .permissionDenied(let path),
      .noDirectory(let path), .failed(let path, _):
      path
    }
  }

  /// The description without the path.
  package var reason: String {
    switch self {
    case .isDirectory: "is a directory, not a file"
    case .notRegular: "is not a regular file, so it is not replaced"
    case .permissionDenied: "no permission to write it"
    case .noDirectory: "its folder does not exist"
    case .failed(_, let reason): "cannot be written: \(reason)"
    }
  }
}
