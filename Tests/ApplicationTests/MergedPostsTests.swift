import Foundation
import Printing
import SearchModel
import TestSupport
import Testing

@testable import Application

/// Parts are merged post by post, and come out as one run would have merged them.
@Suite struct MergedPostsTests {
  /// 2026-11-20T12:00:00Z.
  private static let now = Date(timeIntervalSince1970: 1_795_176_000)

  /// A plan of three tags on five servers, and what its searches found.
  private struct Plan {
    var found: [FoundPosts] = []
    /// The server of each search, as a number.
    var lanes: [Int] = []

    init(_ random: inout SeededRandom) throws {
      for tag in ["a", "b", "c"] {
        for lane in 0..<5 {
          let server = try #require(ServerAddress("https://s\(lane).example"))
          let source: SourceName = lane < 3 ? "mastodon" : "lemmy"
          let posts = (0..<Int.random(in: 0...12, using: &random)).map { _ in
            // Few identities and moments, so that there are copies and ties.
            let number = Int.random(in: 0..<40, using: &random)
            // Other servers may know another date.
            let delay = lane == number % 5 ? 0 : Double(Int.random(in: 0...2, using: &random))
            let date =
              Int.random(in: 0..<8, using: &random) == 0
              ? nil
              : MergedPostsTests.now.addingTimeInterval(Double(number % 9) * 100 - 300 + delay)
            return Post(
              id: "\(number)", source: source, server: server,
              uri: "https://s\(number % 5).example/\(number)", text: "by \(lane)", createdAt: date)
          }
          found.append(FoundPosts(tag: tag, posts: posts))
          lanes.append(lane)
        }
      }
    }

    /// Writes the output of a part: the searches of some servers, run before the whole was merged.
    func write(
      _ number: Int, of count: Int, _ printer: any PostPrinter, to path: String
    ) throws {
      let now = MergedPostsTests.now.addingTimeInterval(Double(number * -100))
      let places = lanes.indices.filter { lanes[$0] % count == number - 1 }
      let posts = Merge(now: now).posts(of: places.map { found[$0] })
      var result = RunResult(
        posts: posts[...],
        outcomes: places.map { place in
          SearchOutcome(
            tag: found[place].tag, source: lanes[place] < 3 ? "mastodon" : "lemmy",
            server: ServerAddress("https://s\(lanes[place]).example"), ending: .completed())
        }, now: now)
      result.part = PlanPart(number: number, count: count, plan: "p", places: places)
      var bytes: [UInt8] = []
      printer.write(result) { bytes += $0 }
      try Data(bytes).write(to: URL(filePath: path))
    }
  }

  /// Reads parts, and returns their posts merged in memory, and merged one by one.
  private func merged(_ paths: [String], blockSize: Int) throws -> (all: [Post], each: [Post]) {
    var apart = PostsApart()
    var files: [PartFile] = []
    for path in paths {
      var file = try PartFile(path, at: path, blockSize: blockSize)
      try file.read { apart.add($0, ofFile: files.count) }
      #expect(file.closing != nil)
      files.append(file)
    }
    let merge = Merge(now: Self.now)
    let searches = PartSearches(of: files)
    let all = merge.posts(of: try searches.found())
    var each = try MergedPosts(
      of: files, apart: apart, merged: merge.posts(of: try searches.found(only: apart)),
      now: Self.now)
    return (all, try each.next(.max))
  }

  @Test(arguments: 1...40)
  func `Parts merged one by one are what one run merges`(seed: Int) throws {
    let folder = try Folder()
    var random = SeededRandom(seed: UInt64(seed))
    let plan = try Plan(&random)
    let whole = Merge(now: Self.now).posts(of: plan.found)
    #expect(whole.contains { $0.tags.count > 1 })
    for count in [1, 2, 5] {
      for (name, printer) in [
        ("ndjson", NDJSONPrinter() as any PostPrinter), ("json", JSONPrinter()),
      ] {
        let paths = (1...count).map { folder["\(name)-\(count)-\($0)"] }
        for (index, path) in paths.enumerated() {
          try plan.write(index + 1, of: count, printer, to: path)
        }
        // With blocks shorter than a line, too.
        let found = try merged(paths.reversed(), blockSize: seed.isMultiple(of: 2) ? 100 : 1 << 16)
        #expect(found.each == whole)
        #expect(found.all == whole)
      }
    }
  }

  @Test func `Posts that are in another order than that of their part are merged, too`() throws {
    let folder = try Folder()
    var random = SeededRandom(seed: 1)
    let plan = try Plan(&random)
    try plan.write(1, of: 1, NDJSONPrinter(), to: folder["part"])
    var lines = try String(contentsOfFile: folder["part"], encoding: .utf8)
      .split(separator: "\n")
    let closing = try #require(lines.last)
    lines.removeLast()
    lines.shuffle(using: &random)
    try folder.write((lines + [closing]).joined(separator: "\n"), to: "part")
    let found = try merged([folder["part"]], blockSize: 1 << 16)
    #expect(found.each.count == lines.count)
    #expect(found.each.map(\.createdAt) == found.all.map(\.createdAt))
    #expect(Set(found.each) == Set(found.all))
  }

  @Test func `A file that changes while it is read is an error`() throws {
    let folder = try Folder()
    var random = SeededRandom(seed: 1)
    let plan = try Plan(&random)
    try plan.write(1, of: 1, NDJSONPrinter(), to: folder["part"])
    var file = try PartFile("part", at: folder["part"], blockSize: 1 << 16)
    try file.read { _ in }
    try folder.write("other", to: "part")
    var records = file.records()
    let error = #expect(throws: (any Error).self) { try records.next() }
    #expect("\(try #require(error))".hasSuffix("it was changed in the meantime"))
  }

  @Test(arguments: [
    (#"{"posts": [{"uri": "u", "source": "x", "server": "https://a.example"}],"#, "\n"),
    (#"{"posts": [{"uri": "u", "source": "x", "server": "https://a.example"}],"#, ""),
  ])
  func `An object in another layout is read as a whole`(beginning: String, end: String) throws {
    let folder = try Folder()
    try folder.write(
      beginning + end
        + #""outcomes": [], "incomplete": false, "shard": {"part": 1, "parts": 1, "plan": "p", "#
        + #""now": "2026-11-20T12:00:00Z", "places": [], "failures": []}}"#,
      to: "part")
    var file = try PartFile("part", at: folder["part"], blockSize: 1 << 16)
    var uris: [String] = []
    try file.read { uris.append($0.post.uri) }
    #expect(uris == ["u"] && file.closing?.part.plan == "p")
  }

  @Test(arguments: [(10_000, true), (10_001, false), (0, false), (Int.max, false)])
  func `A plan has as many parts as --shard takes`(parts: Int, isPart: Bool) throws {
    let folder = try Folder()
    try folder.write(
      #"{"outcomes": [], "shard": {"part": 1, "parts": \#(parts), "plan": "p", "#
        + #""now": "2026-11-20T12:00:00Z", "places": [], "failures": []}}"#,
      to: "part")
    var file = try PartFile("part", at: folder["part"], blockSize: 1 << 16)
    if isPart {
      try file.read { _ in }
      #expect(file.closing?.part.count == parts)
    } else {
      #expect(throws: PartFile.Fault.self) { try file.read { _ in } }
    }
  }
}
