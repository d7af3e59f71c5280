internal import Glibc

/// What a file that cannot be read as a history may be instead.
enum StateFile {
  /// True if a file has no bytes, like one that `mktemp` made.
  static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == 0
  }

  /// True if a file that is no database is none by its name either: a history that was overwritten is still
  /// called like one.
  static func isOfAnotherKind(_ path: String) -> Bool {
    guard !isEmpty(path), let name = path.split(separator: "/").last,
      let dot = name.lastIndex(of: "."), dot > name.startIndex
    else { return false }
    return !["db", "sqlite", "sqlite3"].contains(name[name.index(after: dot)...].lowercased())
  }
}
