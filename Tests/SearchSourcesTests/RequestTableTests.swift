import Foundation
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// Every request of the networks that are declarations, byte for byte as their code once wrote it.
///
/// After a wanted change: `UPDATE_GOLDEN=1 swift test --filter RequestTableTests`.
@Suite struct RequestTableTests {
  private static let networks = ["lobsters", "hackernews", "devto", "searxng", "youtube"]
  private static let file = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Golden/requests.tsv")

  private static let queries = [
    "swift", "#SwiftLang", "\"data race\"", "C++ node.js", "swift -rust -\"old news\" #ios -#jobs",
    "swift from:amy", "swift from:amy from:bob_2 -from:eve", "swift from:a@b.example",
    "swift lang:de", "swift lang:de lang:fr -lang:en", "don't AND or not", "größe 日本",
    "a&b=c?d/e#f",
    "#größe", "from:UCabcdefghijklmnopqrstuv swift",
  ]
  private static let bounds: [(since: String?, until: String?)] = [
    (nil, nil), ("2026-11-20T12:00:30.5Z", nil), (nil, "2026-11-21T00:00:00Z"),
    ("2026-11-19T00:00:00Z", "2026-11-20T23:59:59.2Z"),
  ]

  private func lines(of source: any Source) throws -> [String] {
    let server = source.traits.defaultServer ?? "https://own.example/base"
    var lines: [String] = []
    for query in Self.queries {
      for bound in Self.bounds {
        for wanted in [nil, 7, 5000] {
          let page = try source.asking(
            query, at: server, since: bound.since, until: bound.until, wanted: wanted,
            credentials: source.traits.credentialNames.isEmpty ? nil : ["s3cret&"])
          lines.append(line(source, page, "\(query)\t\(lines.count)"))
          var second = page
          second.cursor = source.secondPage(after: page)
          if second.cursor != nil { lines.append(line(source, second, "later")) }
        }
      }
    }
    return lines
  }

  private func line(_ source: any Source, _ page: PageRequest, _ name: String) -> String {
    do {
      let request = try source.request(for: page)
      let headers = request.headers.fields.map { "\($0.name): \($0.value)" }.sorted()
      return "\(source.name)\t\(name)\t\(request.method.rawValue) \(request.url)\t"
        + headers.joined(separator: " | ") + "\t\(request.secretHeaders.sorted())"
    } catch {
      return "\(source.name)\t\(name)\t\(error)"
    }
  }

  @Test func `A declaration writes the requests of the code before it`() throws {
    let found = try Self.networks.flatMap { try lines(of: #require(Sources.named($0))) }
    let text = found.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try Data(text.utf8).write(to: Self.file)
    }
    let known = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
    #expect(found.count > 500)
    for (line, expected) in zip(found, known.split(separator: "\n")) { #expect(line == expected) }
    #expect(text.utf8.count == known.utf8.count)
  }
}
