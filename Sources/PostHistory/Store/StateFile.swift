internal import Glibc
internal import SafeFiles

/// Tells a damaged history from a file of another kind.
enum StateFile {
  /// True if a file has no bytes, like one that `mktemp` made.
  static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == 0
  }

  /// True if a file is neither named like a database nor begins like one. A history that was overwritten still
  /// has its name, so it counts as damaged.
  static func isOfAnotherKind(_ path: String) -> Bool {
    guard !isEmpty(path), let name = path.split(separator: "/").last else { return false }
    let isNamedSo = ["db", "sqlite", "sqlite3"].contains { name.lowercased().hasSuffix(".\($0)") }
    return !isNamedSo && !header(of: path).starts(with: "SQLite format 3\0".utf8)
  }

  /// The header of a database (https://www.sqlite.org/fileformat.html#the_database_header); nothing where it
  /// cannot be read, which opening the file will say.
  static func header(of path: String) -> [UInt8] {
    do {
      return try BoundedRead.beginning(of: path, count: 100)
    } catch {
      return []
    }
  }
}
