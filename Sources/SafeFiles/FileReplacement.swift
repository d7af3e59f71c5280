#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that takes the place of another as a whole: written beside it, synced, renamed.
///
/// A kill at any moment leaves the old file or the new one. A symbolic link stays one: the file behind
/// it is replaced. The old file's mode is kept, and its owner where the system lets us. Without
/// `commit` nothing has happened.
package struct FileReplacement: ~Copyable {
  /// Who may open the new file.
  package enum Access: Sendable, Hashable {
    /// Whoever may open the old one; without one, what the user's mask leaves of 0644.
    case asBefore
    /// Its owner alone (0600).
    case ownerOnly
  }

  private let path: String
  private let target: FilePath
  private let temporary: String
  private let file: Descriptor
  private let old: FileStatus?
  private let access: Access
  private var isOver = false

  /// Begins to replace the file at `path`, which need not exist; its folder must.
  ///
  /// - Parameter isLocked: Whether a `FileLock` keeps all others from replacing it now. Then what an
  ///   earlier process left when it was killed is cleared away.
  package init(
    of path: String, access: Access = .asBefore, isLocked: Bool = false
  ) throws(FileWriteError) {
    let (target, old) = try FileWriteError.naming(path) { () throws(SystemError) in
      let target = try FilePath(path).resolved()
      return (target, try FileStatus(at: target.string))
    }
    switch old?.kind {
    case .directory: throw .isDirectory(path: path)
    case .link, .other: throw .notRegular(path: path)
    case .regular, nil: break
    }
    let unique = String(UInt64.random(in: .min ... .max), radix: 36)
    let temporary = target.beside(isLocked ? ".new" : ".\(unique).new")
    let mode: mode_t = access == .asBefore && old == nil ? 0o644 : 0o600
    let file = try FileWriteError.naming(path) { () throws(SystemError) in
      // The folder's leave is enough to rename over a file that its owner made read-only.
      if old != nil, faccessat(AT_FDCWD, target.string, W_OK, AT_EACCESS) != 0 {
        // Others may have removed it meanwhile, and then there is nothing to guard.
        let failure = SystemError.latest
        guard failure.code == ENOENT else { throw failure }
      }
      if isLocked { unlink(temporary) }
      return try Descriptor(
        opening: temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    }
    self.path = path
    self.access = access
    self.target = target
    self.old = old
    self.temporary = temporary
    self.file = file
  }

  deinit { if !isOver { unlink(temporary) } }

  /// Writes bytes behind those written before.
  package mutating func write(_ bytes: [UInt8]) throws(FileWriteError) {
    let failure = bytes.withUnsafeBytes { bytes -> SystemError? in
      do throws(SystemError) { try file.append(bytes) } catch { return error }
      return nil
    }
    if let failure { throw FileWriteError(failure, path: path) }
  }

  /// Writes bytes behind those written before.
  package mutating func write(_ bytes: UnsafeRawBufferPointer) throws(FileWriteError) {
    do throws(SystemError) { try file.append(bytes) } catch {
      throw FileWriteError(error, path: path)
    }
  }

  /// Puts the new file in the place of the old one, once the disk has it.
  ///
  /// - Parameter isSynced: Whether to wait for the disk. Without it a kill still leaves the old file or
  ///   the new one, but a power cut may not.
  package consuming func commit(isSynced: Bool = true) throws(FileWriteError) {
    do throws(SystemError) {
      if access == .asBefore, let old { try old.apply(to: file.number) }
      if isSynced { try file.synchronize() }
      try SystemError.check { rename(temporary, target.string) }
      isOver = true
      if isSynced { try target.synchronizeDirectory() }
    } catch { throw FileWriteError(error, path: path) }
  }
}
