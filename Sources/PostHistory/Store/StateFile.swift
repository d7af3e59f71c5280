internal import Glibc

/// Tells a damaged history from a file of another kind.
enum StateFile {
  /// True if a file has no bytes, like one that `mktemp` made.
  static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == 0
  }

  /// True if a file is not named like a database. A history that was overwritten still is, so it counts as
  /// damaged.
  static func isOfAnotherKind(_ path: String) -> Bool {
    guard !isEmpty(path), let name = path.split(separator: "/").last,
      let dot = name.lastIndex(of: "."), dot > name.startIndex
    else { return false }
    return !["db", "sqlite", "sqlite3"].contains(name[name.index(after: dot)...].lowercased())
  }
}
