internal import SystemPackage

/// Reads whole files up to a limit, so that a wrong path cannot fill the memory.
package enum BoundedRead {
  /// Returns the bytes of a file of at most `limit` bytes.
  ///
  /// - Parameter allowsStreams: Whether the path may be a pipe or a device, such as a shell's
  ///   `<(command)`.
  package static func bytes(
    of path: String, limit: Int, allowsStreams: Bool = false
  ) throws(FileReadError) -> [UInt8] {
    try bytes(of: path, limit: limit, allowsStreams: allowsStreams) { _ in nil }
  }

  /// Returns the bytes of a file unless `refusal` refuses the status of the open file.
  static func bytes(
    of path: String, limit: Int, allowsStreams: Bool, refusal: (Stat) -> FileReadError?
  ) throws(FileReadError) -> [UInt8] {
    let outcome: Result<[UInt8], FileReadError>
    do throws(Errno) {
      // Otherwise opening a pipe would wait for its writer.
      let file = try OpenFile(
        FilePath(path), .readOnly, options: allowsStreams ? [] : .nonBlocking)
      let status = try file.status()
      if status.type == .directory {
        outcome = .failure(.isDirectory(path: path))
      } else if status.type != .regular && !allowsStreams {
        outcome = .failure(.notRegular(path: path))
      } else if let refusal = refusal(status) {
        outcome = .failure(refusal)
      } else if status.size <= limit,
        let bytes = try file.contents(limit: limit, expecting: Int(status.size))
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

  /// Returns the first bytes of a regular file, or all if it has fewer.
  package static func beginning(of path: String, count: Int) throws(FileReadError) -> [UInt8] {
    do throws(Errno) {
      return try OpenFile(FilePath(path), .readOnly, options: .nonBlocking)
        .bytes(at: 0, count: count)
    } catch {
      throw FileReadError(error, path: path)
    }
  }

  /// True if there is anything at a path, even a broken link.
  package static func isThere(_ path: String) -> Bool {
    do throws(Errno) { return try FilePath(path).status() != nil } catch {
      // Whatever cannot be inspected is there for the next reader, which says why it cannot read it.
      return error != .notDirectory
    }
  }

  /// True if this user may look for files in a folder.
  package static func canLook(into folder: String) -> Bool {
    do throws(Errno) {
      try FilePath(folder).checkSearchable()
      return true
    } catch {
      return error != .permissionDenied
    }
  }

  /// True if two absolute paths lead to one file, perhaps by links; where one is not there, only if they are equal.
  package static func leadToSame(_ one: String, _ other: String) -> Bool {
    do throws(Errno) {
      let statuses = try [one, other].map { path throws(Errno) in
        try Stat(FilePath(path), followTargetSymlink: true)
      }
      return statuses[0].inode == statuses[1].inode
        && statuses[0].deviceID == statuses[1].deviceID
    } catch {
      return FilePath(one).lexicallyNormalized() == FilePath(other).lexicallyNormalized()
    }
  }
}

/// The reason a file was not read; its description is one line that names the path.
package enum FileReadError: Error, Hashable, Sendable, CustomStringConvertible {
  case missing(path: String)
  case isDirectory(path: String)
  /// The path is a pipe, a device or a socket.
  case notRegular(path: String)
  case permissionDenied(path: String)
  case tooLarge(path: String, limit: Int)
  /// A private file that others can read.
  case openToOthers(path: String, mode: UInt32)
  /// Any other error, in the system's words.
  case failed(path: String, reason: String)

  init(_ error: Errno, path: String) {
    switch error {
    // A file instead of one of the folders above, as with HOME=/dev/null, holds no file either.
    case .noSuchFileOrDirectory, .notDirectory: self = .missing(path: path)
    case .isDirectory: self = .isDirectory(path: path)
    case .permissionDenied, .notPermitted: self = .permissionDenied(path: path)
    default: self = .failed(path: path, reason: error.description)
    }
  }

  package var description: String { "\(path): \(reason)" }

  package var path: String {
    switch self {
    case .missing(let path), .isDirectory(let path), .notRegular(let path),
      .permissionDenied(let path), .tooLarge(let path, _), .openToOthers(let path, _),
      .failed(let path, _):
      path
    }
  }

  /// The description without the path.
  package var reason: String {
    switch self {
    case .missing: "no such file"
    case .isDirectory: "is a directory, not a file"
    case .notRegular: "is not a regular file"
    case .permissionDenied: "no permission to read it"
    case .tooLarge(_, let limit): "is larger than \(limit >> 20) MiB"
    case .openToOthers(let path, let mode):
      "others can read it (mode \(String(mode, radix: 8))); run: chmod 600 \(path)"
    case .failed(_, let reason): "cannot be read: \(reason)"
    }
  }
}
