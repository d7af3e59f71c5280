internal import SafeFiles
internal import TagStorage

extension TagsFileLocation {
  /// Returns the tags for a run: a file that was named must be there.
  func loadOrFail(isNamed: Bool) throws(CommandFailure) -> TagList {
    if isNamed, !BoundedRead.isThere(path) {
      throw CommandFailure(.unreadableInput, "\(name): no such file")
    }
    return try load()
  }
}
