/// A small file that all processes of a user share: each reads it as a whole, and changes it while no
/// other one does.
package struct SharedFile: Hashable, Sendable {
  package let path: String
  /// The most bytes that are read.
  private let limit: Int
  private let access: FileReplacement.Access
  private let folderMode: UInt32
  private let isDisposable: Bool

  /// - Parameters:
  ///   - limit: A larger file cannot be what it should be.
  ///   - access: The users who can open it. A file for its owner alone is not read if others can open
  ///     it.
  ///   - folderMode: The mode of folders that have to be created for it, before the user's mask.
  ///   - isDisposable: Whether a file that cannot be read counts as missing, and is replaced.
  package init(
    path: String, limit: Int, access: FileReplacement.Access = .asBefore,
    folderMode: UInt32 = 0o700, isDisposable: Bool = false
  ) {
    self.path = path
    self.limit = limit
    self.access = access
    self.folderMode = folderMode
    self.isDisposable = isDisposable
  }

  /// Returns the bytes; nil if there is no file.
  package func read() throws(FileReadError) -> [UInt8]? {
    do throws(FileReadError) {
      return switch access {
      case .asBefore: try BoundedRead.bytes(of: path, limit: limit)
      case .ownerOnly: try PrivateFile(path: path).read(limit: limit)
      }
    } catch {
      if case .missing = error { return nil }
      if isDisposable { return nil }
      throw error
    }
  }

  /// Reads the file and replaces it as a whole. Concurrent changes, in any number of processes, lose
  /// nothing.
  ///
  /// - Parameter body: Reads the old bytes, nil without a file, and returns the new ones, nil to leave
  ///   everything as it is, with the result of the change. Without a file it may be called twice.
  package func change<Value>(
    _ body: (_ read: () throws -> [UInt8]?) throws -> (new: [UInt8]?, result: Value)
  ) throws -> Value {
    if !BoundedRead.isThere(path) {
      // A change without effect must not create folders.
      let (new, result) = try body { nil }
      if new == nil { return result }
    }
    try Directories.create(above: path, mode: folderMode)
    return try FileLock.hold(path) {
      let (new, result) = try body(read)
      if let new {
        var replacement = try FileReplacement(of: path, access: access, isLocked: true)
        try replacement.write(new)
        try replacement.commit()
      }
      return result
    }.get()
  }
}
