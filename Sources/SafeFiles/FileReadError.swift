#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Why a file was not read; its description is one line that names the path.
package enum FileReadError: Error, Hashable, Sendable, CustomStringConvertible {
  case missing(path: String)
  case isDirectory(path: String)
  /// A pipe, a device or a socket where a regular file belongs.
  case notRegular(path: String)
  case permissionDenied(path: String)
  case tooLarge(path: String, limit: Int)
  /// A private file whose mode lets others in.
  case openToOthers(path: String, mode: UInt32)
  /// Anything else, in the system's words.
  case failed(path: String, reason: String)

  init(_ error: SystemError, path: String) {
    switch error.code {
    case ENOENT: self = .missing(path: path)
    case EISDIR: self = .isDirectory(path: path)
    case EACCES, EPERM: self = .permissionDenied(path: path)
    case _: self = .failed(path: path, reason: error.reason)
    }
  }

  package var description: String { "\(path): \(reason)" }

  /// The file that it is about.
  package var path: String {
    switch self {
    case .missing(let path), .isDirectory(let path), .notRegular(let path),
      .permissionDenied(let path), .tooLarge(let path, _), .openToOthers(let path, _),
      .failed(let path, _):
      path
    }
  }

  /// What is wrong, without the path before it.
  package var reason: String {
    switch self {
    case .missing: "no such file"
    case .isDirectory: "is a directory, not a file"
    case .notRegular: "is no regular file"
    case .permissionDenied: "no permission to read it"
    case .tooLarge(_, let limit): "is larger than \(limit >> 20) MiB"
    case .openToOthers(let path, let mode):
      "others can read it (mode \(String(mode, radix: 8))); run: chmod 600 \(path)"
    case .failed(_, let reason): "cannot be read: \(reason)"
    }
  }
}
