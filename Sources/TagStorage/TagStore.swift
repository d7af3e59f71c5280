internal import SafeFiles

/// A tags file: read, or changed under a lock that all processes share.
package struct TagStore: Hashable, Sendable {
  /// A larger file cannot be a list of tags.
  private static let sizeLimit = 64 << 20

  private let file: SharedFile
  /// True if the file may be a bare list of queries; other programs write such lists, too.
  private let acceptsList: Bool

  /// - Parameter folderMode: The mode of parent folders that have to be created, before the user's
  ///   umask.
  package init(path: String, folderMode: UInt32 = 0o777, acceptsList: Bool = true) {
    file = SharedFile(path: path, limit: Self.sizeLimit, folderMode: folderMode)
    self.acceptsList = acceptsList
  }

  /// Returns the tags; nil when there is no file.
  package func load() throws -> TagList? { try file.read().map(list) }

  /// Reads the list, changes it and replaces the file; an unchanged list is not written.
  ///
  /// Without a file the list is empty. Concurrent changes, in any number of processes, lose nothing.
  package func change<Outcome>(
    _ change: (TagList) throws -> (TagList, Outcome)
  ) throws -> Outcome {
    try file.change { read in
      let old = try read().map(list) ?? TagList()
      let (new, outcome) = try change(old)
      guard new != old else { return (nil, outcome) }
      var bytes: [UInt8] = []
      new.writeFile { bytes += $0 }
      return (bytes, outcome)
    }
  }

  private func list(_ text: [UInt8]) throws -> TagList {
    try TagList(reading: text, acceptsList: acceptsList)
  }
}
