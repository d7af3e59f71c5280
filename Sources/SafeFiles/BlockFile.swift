internal import SystemPackage

/// A file that is read in blocks, in any order and again and again.
///
/// It is open only while a block is read, so that there may be any number of them. What a pipe or a device
/// has sent, which can be read once, is kept in memory.
package struct BlockFile: Sendable {
  private enum Source: Sendable {
    case file(Version)
    case memory([UInt8])
  }

  /// The facts that differ once a file was replaced or written.
  private struct Version: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let modified: Int64

    init(_ status: Stat) {
      device = UInt64(status.deviceID.rawValue)
      inode = UInt64(status.inode.rawValue)
      size = status.size
      modified = status.modified
    }
  }

  private let path: String
  private let source: Source

  /// - Parameter limit: The most bytes that a pipe or a device may send.
  package init(_ path: String, streamLimit limit: Int) throws(FileReadError) {
    self.path = path
    do throws(Errno) {
      // A pipe must not be opened twice.
      let status = try Stat(FilePath(path))
      if status.type == .regular {
        source = .file(Version(try OpenFile(FilePath(path), .readOnly).status()))
        return
      }
    } catch {
      throw FileReadError(error, path: path)
    }
    source = .memory(try BoundedRead.bytes(of: path, limit: limit, allowsStreams: true))
  }

  /// Returns `count` bytes from an offset on, or fewer where it ends.
  package func bytes(at offset: Int, count: Int) throws(FileReadError) -> [UInt8] {
    switch source {
    case .memory(let bytes): return Array(bytes.dropFirst(offset).prefix(count))
    case .file(let version):
      let bytes: [UInt8]?
      do throws(Errno) {
        let file = try OpenFile(FilePath(path), .readOnly)
        bytes = try Version(file.status()) == version ? file.bytes(at: offset, count: count) : nil
      } catch {
        throw FileReadError(error, path: path)
      }
      guard let bytes else {
        throw .failed(path: path, reason: "it was changed in the meantime")
      }
      return bytes
    }
  }
}
