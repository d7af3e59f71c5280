import Foundation
import QueuedHTTP
import Testing

/// Answers of the networks as files, one folder for each network.
struct Recorded: Sendable, CustomTestStringConvertible {
  let testDescription: String
  private let folder: URL

  /// The fixtures of this package, which have the documented shapes and generated texts; and answers
  /// recorded from the real networks, where `SEARCHAGG_RECORDED` (`../shared/recorded` if unset) has them.
  ///
  /// The recordings belong to their authors, so they are not part of the package.
  static let all: [Recorded] = {
    let package = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let path = ProcessInfo.processInfo.environment["SEARCHAGG_RECORDED"] ?? "../shared/recorded"
    let recordings = URL(filePath: path, relativeTo: package).standardizedFileURL
    let fixtures = package.appending(path: "Tests/Fixtures")
    let answers = [
      Recorded(testDescription: "fixtures", folder: fixtures),
      Recorded(testDescription: "recordings", folder: recordings),
    ]
    return path.isEmpty || !FileManager.default.fileExists(atPath: recordings.path)
      ? [answers[0]] : answers
  }()

  /// The names of the JSON files of a provider.
  func names(_ provider: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: provider).path)
    return (names ?? []).filter { $0.hasSuffix(".json") }.sorted()
  }

  /// The paths of all files in a folder and below it, relative to that folder.
  func files(_ provider: String) -> [String] {
    let base = folder.appending(path: provider)
    let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { name in
      var isFolder: ObjCBool = false
      let path = base.appending(path: name).path
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  /// The lines of a table without its head, each split at its tabs.
  func table(_ path: String) throws -> [[String]] {
    let data = try Data(contentsOf: folder.appending(path: path))
    return String(decoding: data, as: UTF8.self).split(separator: "\n").dropFirst().map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// A file as a response, with the headers from the file beside it.
  func answer(_ path: String, status: Int = 200) throws -> HTTPResponse {
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

  /// A successful response with its JSON.
  struct Answer {
    var name: String
    var response: HTTPResponse
    var json: Any
  }

  /// The JSON files of a provider that are no error, as successful responses.
  func answers(_ provider: String) throws -> [Answer] {
    try names(provider).filter { !$0.hasPrefix("literal_error") }.compactMap { name in
      let response = try answer("\(provider)/\(name)")
      guard
        let json = try? JSONSerialization.jsonObject(
          with: Data(response.body.text.utf8), options: .fragmentsAllowed)
      else { return nil }
      return Answer(name: "\(provider)/\(name)", response: response, json: json)
    }
  }
}
