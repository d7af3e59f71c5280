#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A path, taken apart as text.
struct FilePath: Hashable {
  let string: String

  init(_ string: String) { self.string = string }

  /// The folder that the name stands in.
  var directory: String {
    guard let slash = string.lastIndex(of: "/") else { return "." }
    return slash == string.startIndex ? "/" : String(string[..<slash])
  }

  var name: String {
    string.lastIndex(of: "/").map { String(string[string.index(after: $0)...]) } ?? string
  }

  /// A file beside this one, hidden, whose name tells whose it is.
  func beside(_ suffix: String) -> String {
    // A name may have 255 bytes.
    let stem = name.utf8.count + suffix.utf8.count < 255 ? name : String(name.prefix(40))
    return "\(directory)/.\(stem)\(suffix)"
  }

  /// The path behind the symbolic links that stand at its end; there need not be a file yet.
  func resolved() throws(SystemError) -> FilePath {
    var path = self
    // As many as Linux follows.
    for _ in 0..<40 {
      guard let status = try FileStatus(at: path.string), status.kind == .link else { return path }
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = try SystemError.check { readlink(path.string, &buffer, buffer.count) }
      let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      path = FilePath(target.hasPrefix("/") ? target : "\(path.directory)/\(target)")
    }
    throw SystemError(code: ELOOP)
  }

  /// Waits until the disk has the names in its folder.
  func synchronizeDirectory() throws(SystemError) {
    do throws(SystemError) {
      try Descriptor(opening: directory, O_RDONLY | O_DIRECTORY).synchronize()
    } catch {
      // A folder that may be written and not read cannot be synced; some file systems sync none.
      guard [EACCES, EINVAL, ENOTSUP].contains(error.code) else { throw error }
    }
  }
}
