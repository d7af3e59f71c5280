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

  @Test(arguments: 1...1)
  func `A database of each earlier schema opens with all it holds`(version: Int) throws {
    let folder = try Folder()
    try FileManager.default.copyItem(
      at: Self.fixtures.appending(path: "schema-\(version).db"),
      to: URL(filePath: folder["history.db"]))
    let history = try SQLiteHistory(at: folder["history.db"])
    #expect(history.notice == nil)
    #expect(try history.ids() == ["1", "2", "3"])
    #expect(try history.ids("東京 #swift") == ["2"])
    #expect(try history.posts(matching: HistoryQuery(limit: 1)).first?.tags == ["apple", "swift"])
    #expect(try history.earlierTexts(of: PostIdentity(post("1"))) == ["about swift"])
    #expect(
      try history.lease([key("swift")]).memories
        == [key("swift"): SearchMemory(oldest: noon.addingTimeInterval(-1200), readUpTo: noon)])
    #expect(
      try history.status(of: [post("1"), post("2")], in: key("swift")) == [
        PostStatus(isPrinted: true, isRead: true), PostStatus(isPrinted: false, isRead: true),
      ])
    try history.add([post("4", minutesAgo: 1)])
    #expect(try history.ids("swift") == ["4", "1", "2", "3"])
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
            memory: SearchMemory(oldest: noon.addingTimeInterval(-1200), readUpTo: noon))
        ], printed: [PostIdentity(first[0])]))
    try history.add([post("1", "about swift, edited", minutesAgo: 5)], tag: "apple")
  }
}
