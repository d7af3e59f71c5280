#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads whole files that have a bound, so that a wrong path cannot fill the memory.
package enum BoundedRead {
  /// Returns the bytes of a file of at most `limit` bytes.
  ///
  /// - Parameter allowsStreams: Whether a pipe or a device will do, such as a shell's `<(command)`.
  package static func bytes(
    of path: String, limit: Int, allowsStreams: Bool = false
  ) throws(FileReadError) -> [UInt8] {
    try bytes(of: path, limit: limit, allowsStreams: allowsStreams) { _ in nil }
  }

  /// The same; `refusal` sees the status of the file that is open, before a byte is read.
  static func bytes(
    of path: String, limit: Int, allowsStreams: Bool, refusal: (FileStatus) -> FileReadError?
  ) throws(FileReadError) -> [UInt8] {
    let outcome: Result<[UInt8], FileReadError>
    do throws(SystemError) {
      // Opening a pipe waits for its writer, unless it is told not to.
      let file = try Descriptor(opening: path, O_RDONLY | (allowsStreams ? 0 : O_NONBLOCK))
      let status = try file.status()
      if status.kind == .directory {
        outcome = .failure(.isDirectory(path: path))
      } else if status.kind != .regular && !allowsStreams {
        outcome = .failure(.notRegular(path: path))
      } else if let refusal = refusal(status) {
        outcome = .failure(refusal)
      } else if status.size <= limit,
        let bytes = try file.contents(limit: limit, expecting: status.size)
      {
        outcome = .success(bytes)
      } else {
        outcome = .failure(.tooLarge(path: path, limit: limit))
      }
    } catch {
      throw FileReadError(error, path: path)
    }
    return try outcome.get()
  }

  /// Whether anything stands at a path, also a link that leads nowhere.
  package static func isThere(_ path: String) -> Bool {
    do throws(SystemError) { return try FileStatus(at: path) != nil } catch {
      // What cannot be looked at is there for those who read it next, and say why they cannot.
      return error.code != ENOTDIR
    }
  }
}
