import Foundation
import PostHistory
import SearchModel
import TestSupport
import Testing

/// Databases of earlier versions, which every later one must open.
@Suite struct UpgradeTests {
  /// Databases as they were written, one for each version of the schema.
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures")

  @Test func `Costs count for a day, whichever clock is wrong`() throws {
    let store = try SQLiteHistory(at: Folder()["history.db"])
    func spend(_ costs: [SourceName: Int], hoursLater hours: Double) throws {
      var batch = RunBatch(now: noon.addingTimeInterval(hours * 3600), findings: [])
      batch.costs = costs
      try store.commit(batch)
    }
    try spend(["x": 30], hoursLater: 0)
    try spend(["x": 20, "youtube": 100], hoursLater: 0.5)
    try spend(["x": 5], hoursLater: 30)
    // The clock may have been ahead, or it is behind now.
    #expect(try store.costs(at: noon) == ["x": 50, "youtube": 100])
    #expect(try store.costs(at: noon.addingTimeInterval(-3600)) == ["x": 50, "youtube": 100])
    try spend(["x": 7], hoursLater: 8)
    #expect(try store.costs(at: noon.addingTimeInterval(31 * 3600)) == ["x": 12])
    #expect(try store.costs(at: noon.addingTimeInterval(60 * 3600)) == [:])
  }

  @Test func `The words of an earlier schema are indexed anew`() throws {
    let folder = try Folder()
    let path = folder["history.db"]
    try SQLiteHistory(at: path).add([post("1", "soft\u{AD}ware"), post("2")])
    do {
      let database = try ForeignDatabase(at: path)
      // As if the posts had been indexed with other words.
      try database.run("INSERT INTO post_words (post_words) VALUES ('delete-all')")
      try database.run("DROP TABLE cost")
      try database.run("PRAGMA user_version = 11")
    }
    let history = try SQLiteHistory(at: path)
    #expect(try history.ids("software") == ["1"] && history.ids("swift") == ["2"])
    #expect(try history.delete("1") == 1)
    #expect(try history.ids("software") == [])
  }

  @Test(arguments: 1...9)
  func `A database of each earlier schema opens with all it holds`(version: Int) throws {
    let folder = try Folder()
    try FileManager.default.copyItem(
      at: Self.fixtures.appending(path: "schema-\(version).db"),
      to: URL(filePath: folder["history.db"]))
    let history = try SQLiteHistory(at: folder["history.db"])
    #expect(history.notice == nil)
    #expect(try history.ids() == ["1", "2", "3"])
    #expect(try history.ids("東京 #swift") == ["2"])
    #expect(
      try history.posts(matching: HistoryQuery(limit: 1)).first?.tags
        == (version >= 6 ? ["apple", "cherry", "swift"] : ["apple", "swift"]))
    #expect(try history.versions(named: "1").dropFirst().map(\.text) == ["about swift"])
    #expect(
      try history.memories(of: [key("swift")], filter: SearchMemory.noFilter)
        == [key("swift"): SearchMemory(knownBefore: noon.addingTimeInterval(-1200), readUpTo: noon)]
    )
    #expect(
      try history.status(of: [post("1"), post("2")], in: key("swift")) == [
        PostStatus(isPrinted: true, isRead: true), PostStatus(isPrinted: false, isRead: true),
      ])
    try history.add([post("4", minutesAgo: 1)])
    #expect(try history.ids("swift") == ["4", "1", "2", "3"])
    if version >= 2 {
      let part = try #require(try history.run(named: "daily")?.parts.first)
      #expect(part.answer == StoredAnswer(notes: ["a note"], posts: 3, pages: 1))
      #expect(part.posts.map(\.id) == ["3", "2", "1"])
      #expect(
        try history.windows(of: key("swift"), filter: "none").map(\.posts.count) == [3])
      #expect(
        try history.tags()[TagKey(tag: "swift")]
          == TagMemory(
            firstRun: noon, newest: noon.addingTimeInterval(-300), lastFound: noon, posts: 3))
      #expect(
        try history.answers(to: [key("swift")], since: nil, until: nil)[key("swift")]?
          .answered == noon)
    }
    if version == 3 || version >= 5 {
      let batch = try #require(try history.oldestBatch(for: "exec cat"))
      #expect(batch.token.utf8.count == 32)
      #expect(
        try history.status(of: [post("unkept")], in: key("swift"))
          == [PostStatus(isPrinted: true, isRead: true)])
      #expect(try !folder.holds("mastodon.example/unkept"))
    }
    #expect(try history.prune(before: noon.addingTimeInterval(60)) == 4)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SEARCHAGG_NEW_FIXTURE"] != nil))
  func `A fixture of the present schema is made on request`() throws {
    let path = try #require(ProcessInfo.processInfo.environment["SEARCHAGG_NEW_FIXTURE"])
    let history = try SQLiteHistory(at: path)
    let first = [
      post("1", minutesAgo: 5), post("2", "#swift 東京", minutesAgo: 10),
      post("3", "old swift", minutesAgo: 20),
    ]
    try history.commit(
      RunBatch(
        now: noon,
        findings: [
          .init(
            search: key("swift"), posts: first,
            memory: MemoryChange(
              knownBefore: noon.addingTimeInterval(-1200), reach: .forth(to: noon)),
            isAnswered: true,
            window: StoredWindow(filter: "none", first: noon.addingTimeInterval(-3600), last: noon))
        ], printed: [PostIdentity(first[0])],
        run: PastRun(
          name: "daily", began: noon,
          parts: [
            .init(
              search: key("swift"), answer: StoredAnswer(notes: ["a note"], posts: 3, pages: 1))
          ]),
        sightings: [
          TagSighting(tag: TagKey(tag: "swift"), newest: noon.addingTimeInterval(-300), posts: 3)
        ]))
    try history.add([post("1", "about swift, edited", minutesAgo: 5)], tag: "apple")
    var batch = RunBatch(
      now: noon, findings: [.init(search: key("swift"), posts: [post("unkept")])],
      printed: [PostIdentity(post("unkept"))], keepsPosts: false)
    batch.outbox = [OutboxBatch(receiver: "exec cat", lines: "{}\n", created: noon)]
    try history.commit(batch)
    // In the spool.
    try history.commit(
      RunBatch(
        now: noon,
        findings: [
          .init(
            search: key("cherry"), posts: [post("1", "about swift, edited", minutesAgo: 5)],
            isAnswered: true)
        ]))
  }
}
