import Foundation
import Glibc

/// A folder of its own for a test's files, named by the process and removed by it alone.
struct ScratchFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "queued-http-tests-\(getpid())-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of all that is in it, hidden files too.
  var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? ["?"]
  }

  func bytes(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: file(name)).map { Array($0) }
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: file(name)))
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
