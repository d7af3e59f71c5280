import Foundation
import PostHistory
import SearchModel
import Synchronization
import TestSupport
import Testing

/// Takes over what can be read of a damaged history.
struct SalvageTests {
  private let folder: Folder
  private let path: String

  init() throws {
    folder = try Folder()
    path = folder["history.db"]
  }

  /// A history with posts, of which the first is printed, and a batch that waits.
  private func fill(posts count: Int) throws {
    let history = try SQLiteHistory(at: path)
    try history.add((0..<count).map { post("\($0)", minutesAgo: Double($0)) })
    var batch = RunBatch(
      now: noon, findings: [.init(search: key("swift"), posts: [post("0")])],
      printed: [PostIdentity(post("0"))])
    batch.outbox = [OutboxBatch(receiver: "a", lines: "{}\n", created: noon)]
    try history.commit(batch)
  }

  /// Overwrites the page at which a table or index begins.
  private func damage(_ name: String) throws {
    let database = try ForeignDatabase(at: path)
    let root = try #require(
      try database.numbers("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'").first)
    let size = try #require(try database.numbers("PRAGMA page_size").first)
    try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seek(toOffset: UInt64((root - 1) * size))
    try file.write(contentsOf: Data(repeating: 0xFF, count: 100))
    try file.close()
  }

  @Test(arguments: ["post_words_data", "post", "tag", "spool_search"])
  func `Only what lies in the damaged page is lost`(table: String) throws {
    try fill(posts: 300)
    try damage(table)
    let history = try SQLiteHistory(at: path)
    let lines = Mutex<[String]>([])
    history.onReport { line in lines.withLock { $0.append(line) } }
    // A reader meets the damage first.
    _ = try? history.ids("swift")
    #expect(try history.batches(before: noon.addingTimeInterval(60), except: []).count == 1)
    #expect(try history.status(of: [post("0")], in: key("swift")).map(\.isPrinted) == [true])
    try history.add([post("new")])
    let ids = try history.ids("swift")
    #expect(ids.contains("new"))
    #expect(ids.count == (table == "post" ? ids.count : 301))
    let said = (history.notice.map { [$0] } ?? []) + lines.withLock { $0 }
    #expect(
      said.allSatisfy { $0.hasSuffix(".damaged-1, and a new one has what could be read of it") })
  }
}
