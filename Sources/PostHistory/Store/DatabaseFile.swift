internal import Glibc
internal import SafeFiles

/// Tells a damaged history from a file of another kind.
enum DatabaseFile {
  /// True if a file has no bytes, like one that `mktemp` made.
  static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == 0
  }

  /// True if a file is a text, or neither named like a database nor begins like one. A history that was overwritten
  /// still has its name, so it counts as damaged.
  static func isOfAnotherKind(_ path: String) -> Bool {
    guard !isEmpty(path), let name = path.split(separator: "/").last else { return false }
    let isNamedSo = ["db", "sqlite", "sqlite3"].contains { name.lowercased().hasSuffix(".\($0)") }
    let header = header(of: path)
    if header.starts(with: "SQLite format 3\0".utf8) { return false }
    return !isNamedSo || name != ownName && isText(header)
  }

  /// The name of the history that no setting names: nothing else was put there by mistake.
  private static let ownName = "history.db"

  private static func isText(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
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
