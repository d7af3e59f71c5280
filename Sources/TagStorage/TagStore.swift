package import SafeFiles
package import TextFormats

/// The reason why the stored tags were not read or changed; the file is left as it was.
package enum TagStoreError: Error, Hashable, Sendable {
  case unreadable(FileReadError)
  case unwritable(FileWriteError)
  case malformed(DocumentError)
  case refused(TagChangeRefusal)
}

/// A tags file: read, or changed under a lock that all processes share.
package struct TagStore: Hashable, Sendable {
  package let path: String
  /// The mode of parent folders that have to be created, before the user's umask.
  package let folderMode: UInt32
  /// True if the file may be a bare list of queries; other programs write such lists, too.
  package let acceptsList: Bool

  /// A larger file cannot be a list of tags.
  static let sizeLimit = 64 << 20

  package init(path: String, folderMode: UInt32 = 0o777, acceptsList: Bool = true) {
    self.path = path
    self.acceptsList = acceptsList
    self.folderMode = folderMode
  }

  /// Returns the tags; nil when there is no file.
  package func load() throws(TagStoreError) -> TagList? {
    try read()
  }

  /// Reads the list, changes it and replaces the file; an unchanged list is not written.
  ///
  /// Without a file the list is empty. Concurrent changes, in any number of processes, lose nothing.
  package func change<Outcome>(
    _ change: (TagList) throws(TagChangeRefusal) -> (TagList, Outcome)
  ) throws(TagStoreError) -> Outcome {
    // Without a file, a change without effect must not create folders.
    if !BoundedRead.isThere(path) {
      let (list, outcome) = try refusing(TagList(), change)
      if list == TagList() { return outcome }
    }
    let result: Result<Outcome, TagStoreError>
    do throws(FileWriteError) {
      try Directories.create(above: path, mode: folderMode)
      result = try FileLock.hold(path) { () throws(TagStoreError) in
        let old = try read() ?? TagList()
        let (new, outcome) = try refusing(old, change)
        if new != old { try save(new) }
        return outcome
      }
    } catch { throw .unwritable(error) }
    return try result.get()
  }

  private func refusing<Outcome>(
    _ list: TagList, _ change: (TagList) throws(TagChangeRefusal) -> (TagList, Outcome)
  ) throws(TagStoreError) -> (TagList, Outcome) {
    do throws(TagChangeRefusal) { return try change(list) } catch { throw .refused(error) }
  }

  private func read() throws(TagStoreError) -> TagList? {
    let text: [UInt8]
    do throws(FileReadError) {
      text = try BoundedRead.bytes(of: path, limit: Self.sizeLimit)
    } catch {
      if case .missing = error { return nil }
      throw .unreadable(error)
    }
    do throws(DocumentError) {
      return try TagList(reading: text, acceptsList: acceptsList)
    } catch { throw .malformed(error) }
  }

  private func save(_ list: TagList) throws(TagStoreError) {
    do throws(FileWriteError) {
      var replacement = try FileReplacement(of: path, isLocked: true)
      try list.writeFile { bytes throws(FileWriteError) in try replacement.write(bytes) }
      try replacement.commit()
    } catch { throw .unwritable(error) }
  }
}
