#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that another one, which grows beside it over several runs, will replace.
///
/// A symbolic link stays one, as with `FileReplacement`, and the old file's mode and owner are kept.
package struct ReplacedFile: Sendable {
  /// The path as it was named.
  package let path: String
  private let target: FilePath
  private let old: FileStatus?

  /// Looks at the file at `path`, which need not exist.
  package init(_ path: String) throws(FileWriteError) {
    let (target, old) = try FileWriteError.naming(path) { () throws(SystemError) in
      let target = try FilePath(path).resolved()
      return (target, try FileStatus(at: target.string))
    }
    switch old?.kind {
    case .directory: throw .isDirectory(path: path)
    case .link, .other: throw .notRegular(path: path)
    case .regular, nil: break
    }
    (self.path, self.target, self.old) = (path, target, old)
  }

  /// Where the file grows that will replace it.
  package var part: String { target.beside(".part") }

  /// The mode to make that file with: as long as it grows, nobody may open it who may not open the old
  /// one.
  package var modeOfPart: UInt32 { old == nil ? 0o644 : 0o600 }

  /// Puts the file that grew in its place, once the disk has it.
  package func commit(_ part: String, descriptor: Int32) throws(FileWriteError) {
    try FileWriteError.naming(path) { () throws(SystemError) in
      if let old { try old.apply(to: descriptor) }
      try SystemError.check { fsync(descriptor) }
      try SystemError.check { rename(part, target.string) }
      try target.synchronizeDirectory()
    }
  }
}
