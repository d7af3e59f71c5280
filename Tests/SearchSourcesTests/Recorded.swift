import Foundation
import QueuedHTTP

/// Recorded answers of the real networks, where these stand beside the package.
enum Recorded {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "../shared/recorded").standardizedFileURL

  static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

  /// The names of the JSON files of a provider.
  static func names(_ provider: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: provider).path)
    return (names ?? []).filter { $0.hasSuffix(".json") }.sorted()
  }

  /// The paths of all files in a folder and below it, from that folder on.
  static func files(_ provider: String) -> [String] {
    let base = folder.appending(path: provider)
    let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { name in
      var isFolder: ObjCBool = false
      let path = base.appending(path: name).path
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  /// The lines of a table, each cut at its tabs, without the head; none where it is absent.
  static func table(_ path: String) -> [[String]] {
    guard let data = try? Data(contentsOf: folder.appending(path: path)) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").dropFirst().map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// A file as an answer, with the headers recorded beside it.
  static func answer(_ path: String, status: Int = 200) throws -> HTTPResponse {
    let data = try Data(contentsOf: folder.appending(path: path))
    var headers = HTTPHeaders()
    let fields = folder.appending(path: path.replacing(".json", with: ".headers.txt"))
    for line in ((try? String(contentsOf: fields, encoding: .utf8)) ?? "").split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers.append(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
    }
    return HTTPResponse(status: status, headers: headers, body: HTTPBody([UInt8](data)))
  }
}
