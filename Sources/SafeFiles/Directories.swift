#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The folders above a file.
package enum Directories {
  /// Makes those that are missing above `path`, or above the file that it links to.
  ///
  /// - Parameter mode: Their mode, before the user's mask.
  package static func create(above path: String, mode: UInt32 = 0o777) throws(FileWriteError) {
    try FileWriteError.naming(path) { () throws(SystemError) in
      try create(FilePath(path).resolved().directory, mode_t(mode))
    }
  }

  private static func create(_ directory: String, _ mode: mode_t) throws(SystemError) {
    var missing: [String] = []
    var path = FilePath(directory)
    while try FileStatus(at: path.string) == nil {
      missing.append(path.string)
      path = FilePath(path.directory)
    }
    for path in missing.reversed() where mkdir(path, mode) != 0 {
      // Another process may have been faster.
      let error = SystemError.latest
      guard error.code == EEXIST else { throw error }
    }
  }
}
