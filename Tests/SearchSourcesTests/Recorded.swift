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
