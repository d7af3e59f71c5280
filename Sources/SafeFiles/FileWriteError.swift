#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Why a file was not written; its description is one line that names the path.
package enum FileWriteError: Error, Hashable, Sendable, CustomStringConvertible {
  case isDirectory(path: String)
  /// A pipe, a device or a socket, which must not be replaced by a file.
  case notRegular(path: String)
  case permissionDenied(path: String)
  /// The folder that it should stand in is missing.
  case noDirectory(path: String)
  /// Anything else, in the system's words.
  case failed(path: String, reason: String)

  init(_ error: SystemError, path: String) {
    switch error.code {
    case ENOENT: self = .noDirectory(path: path)
    case EISDIR: self = .isDirectory(path: path)
    case EACCES, EPERM: self = .permissionDenied(path: path)
    case _: self = .failed(path: path, reason: error.reason)
    }
  }

  /// Returns what `body` returns; a system's error is thrown as one about the file at `path`.
  static func naming<Value: ~Copyable>(
    _ path: String, _ body: () throws(SystemError) -> Value
  ) throws(FileWriteError) -> Value {
    do throws(SystemError) { return try body() } catch { throw FileWriteError(error, path: path) }
  }

  package var description: String { "\(path): \(reason)" }

  /// The file that it is about.
  package var path: String {
    switch self {
    case .isDirectory(let path), .notRegular(let path), .permissionDenied(let path),
      .noDirectory(let path), .failed(let path, _):
      path
    }
  }

  /// What is wrong, without the path before it.
  package var reason: String {
    switch self {
    case .isDirectory: "is a directory, not a file"
    case .notRegular: "is no regular file, so it is not replaced"
    case .permissionDenied: "no permission to write it"
    case .noDirectory: "its folder does not exist"
    case .failed(_, let reason): "cannot be written: \(reason)"
    }
  }
}
