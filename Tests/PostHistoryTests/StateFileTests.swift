import Foundation
import Glibc
import PostHistory
import SearchModel
import Synchronization
import TestSupport
import Testing

/// The database as a file: who may read it, and what happens when it is damaged.
@Suite struct StateFileTests {
  private let folder: Folder
  private let path: String

  init() throws {
    folder = try Folder()
    path = folder["state/searchagg/history.db"]
  }

  @Test func `The folders, the database and the files beside it are their owner's alone`() throws {
    let history = try SQLiteHistory(at: path)
    try history.add([post("1")])
    #expect(try folder.mode(of: "state/searchagg") == 0o700)
    for name in ["history.db", "history.db-wal", "history.db-shm"] {
      #expect(try folder.mode(of: "state/searchagg/\(name)") == 0o600, "\(name)")
    }
  }

  @Test func `A database that others could read is closed to them`() throws {
    try SQLiteHistory(at: path).add([post("1")])
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(try SQLiteHistory(at: path).ids() == ["1"])
    #expect(try folder.mode(of: "state/searchagg/history.db") == 0o600)
  }

  @Test func `A commit that fails in the middle keeps nothing`() throws {
    let history = try SQLiteHistory(at: path)
    try history.add([post("1")])
    try ForeignDatabase(at: path).run(
      "CREATE TRIGGER refusal BEFORE INSERT ON outbox BEGIN SELECT RAISE(FAIL, 'refused'); END")
    var batch = RunBatch(now: noon, findings: [.init(search: key("swift"), posts: [post("2")])])
    batch.outbox = [OutboxBatch(receiver: "a", lines: "{}\n", created: noon)]
    #expect(throws: (any Error).self) { try history.commit(batch) }
    #expect(try history.ids() == ["1"])
    #expect(
      try history.status(of: [post("2")], in: key("swift"))
        == [PostStatus(isPrinted: false, isRead: false)])
  }

  @Test func `Garbage is kept aside, and a new database is started`() throws {
    try folder.write(String(repeating: "garbage ", count: 1000), to: "state/searchagg/history.db")
    let history = try SQLiteHistory(at: path)
    #expect(
      history.notice
        == "\(path): the history was damaged; it was kept as \(path).damaged-1, and a new one is started"
    )
    try history.add([post("1")])
    #expect(try history.ids() == ["1"])
    #expect(try folder.text(of: "state/searchagg/history.db.damaged-1").hasPrefix("garbage"))
  }

  @Test func `A text is not a damaged history, whatever its name`() throws {
    let own = folder["mine.db"]
    try folder.write("my important list\n", to: "mine.db")
    #expect(throws: HistoryError.foreign(path: own)) { try SQLiteHistory(at: own) }
    #expect(try folder.names == ["mine.db"])
    try folder.write("SQLite f\0rmat 3", to: "mine.db")
    #expect(try SQLiteHistory(at: own).wasDamaged)
    #expect(try folder.names.contains("mine.db.damaged-1"))
  }

  @Test func `What is no file is refused, and stays where it is`() throws {
    let pipe = folder["pipe"]
    try #require(mkfifo(pipe, 0o600) == 0)
    #expect(throws: HistoryError.failed(path: pipe, reason: "not a file; name one with --state")) {
      try SQLiteHistory(at: pipe)
    }
    #expect(try folder.names == ["pipe"])
  }

  @Test func `A truncated database is said to be damaged, and never crashes`() throws {
    do {
      let history = try SQLiteHistory(at: path)
      try history.add((0..<3000).map { post("\($0)", minutesAgo: Double($0)) })
    }
    let size = try Data(contentsOf: URL(filePath: path)).count
    for part in stride(from: 0, through: 9, by: 1) {
      let copy = folder["copy-\(part).db"]
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      let file = try FileHandle(forWritingTo: URL(filePath: copy))
      try file.truncate(atOffset: UInt64(size * part / 10 + part * 100))
      try file.close()
      let bytes = try Data(contentsOf: URL(filePath: copy))
      let lines = Mutex<[String]>([])
      let history = try SQLiteHistory(at: copy)
      if let notice = history.notice { lines.withLock { $0.append(notice) } }
      history.onReport { line in lines.withLock { $0.append(line) } }
      _ = try history.ids("swift")
      try history.add([post("new")])
      #expect(try history.ids("swift").contains("new"))
      let kept = "\(copy).damaged-1"
      let said = lines.withLock { $0 }
      if FileManager.default.fileExists(atPath: kept) {
        #expect(said.count == 1 && said[0].contains(kept))
        #expect(try Data(contentsOf: URL(filePath: kept)).count == bytes.count)
      } else {
        #expect(said.isEmpty)
      }
    }
  }

  @Test func `Whoever listens late hears what has happened since a database was opened`() throws {
    do {
      let history = try SQLiteHistory(at: path)
      try history.add((0..<3000).map { post("\($0)", minutesAgo: Double($0)) })
    }
    var bytes = try Data(contentsOf: URL(filePath: path))
    for place in (bytes.count / 2)..<bytes.count { bytes[place] = 0xFF }
    try bytes.write(to: URL(filePath: path))
    let history = try SQLiteHistory(at: path)
    #expect(history.notice == nil)
    _ = try history.ids("swift")
    let lines = Mutex<[String]>([])
    history.onReport { line in lines.withLock { $0.append(line) } }
    #expect(
      lines.withLock { $0 } == [
        "\(HistoryError.damaged(path: path, kept: "\(path).damaged-1", isSaved: true))"
      ])
  }

  @Test func `A database from a later version is left alone`() throws {
    try SQLiteHistory(at: path).add([post("1")])
    var before = try Data(contentsOf: URL(filePath: path))
    // The last byte of `user_version`, in the header of the file (SQLite's format, section 1.3).
    before[63] = 99
    try before.write(to: URL(filePath: path))
    #expect(throws: HistoryError.newer(path: path, version: 99)) { try SQLiteHistory(at: path) }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `A file that was cut to nothing, or is new and empty, is taken`() throws {
    try SQLiteHistory(at: path).add([post("1")])
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try Data().write(to: URL(filePath: path))
    let history = try SQLiteHistory(at: path)
    #expect(history.notice == nil)
    #expect(!FileManager.default.fileExists(atPath: "\(path).damaged-1"))
    try history.add([post("2")])
    #expect(try history.ids() == ["2"])
  }

  @Test(arguments: ["notes.txt", "tags.json", "posts.csv", "notes", ".notes"])
  func `A file of another kind is refused, and stays as it is`(name: String) throws {
    try folder.write("my notes\n", to: name, mode: 0o644)
    let path = folder[name]
    #expect(throws: HistoryError.foreign(path: path)) { try SQLiteHistory(at: path) }
    #expect(try folder.text(of: name) == "my notes\n")
    #expect(try folder.names == [name])
    #expect(try folder.mode(of: name) == 0o644)
  }

  @Test(arguments: [0, 1, 3, 40])
  func `The database of another program is refused, and stays as it is`(version: Int) throws {
    try FileManager.default.createDirectory(
      atPath: folder["state/searchagg"], withIntermediateDirectories: true)
    try ForeignDatabase(at: path).run(
      "CREATE TABLE post (a); INSERT INTO post VALUES (1); PRAGMA user_version = \(version)")
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(throws: HistoryError.foreign(path: path)) { try SQLiteHistory(at: path) }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `A new database is never seen without its tables`() throws {
    try SQLiteHistory(at: path).add([post("1")])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder["state/searchagg"])
    #expect(names.sorted() == ["history.db"])
  }

  @Test func `A locked database is waited for as long as asked, and no longer once that is ended`()
    async throws
  {
    let wait = LockWait(longest: .seconds(1000))
    let history = try SQLiteHistory(at: path, wait: wait)
    try history.add([post("1")])
    let other = try ForeignDatabase(at: path)
    try other.run("BEGIN IMMEDIATE")
    let busy = HistoryError.failed(path: path, reason: "another process is using it")
    let impatient = try SQLiteHistory(at: path, wait: LockWait(longest: .milliseconds(20)))
    #expect(throws: busy) { try impatient.add([post("2")]) }
    let late = try SQLiteHistory(
      at: path, wait: LockWait(longest: .seconds(1000), until: .now))
    #expect(throws: busy) { try late.add([post("2")]) }
    async let failure: Void = { #expect(throws: busy) { try history.add([post("2")]) } }()
    wait.end()
    await failure
    // Reading waits for no writer.
    #expect(try history.ids() == ["1"])
    try other.run("ROLLBACK")
    try history.add([post("2")])
  }

  @Test func `Each batch of the outbox has a token that no other has`() throws {
    var tokens: Set<String> = []
    for name in ["one", "two"] {
      let history = try SQLiteHistory(at: folder["\(name)/history.db"])
      var batch = RunBatch(now: noon, findings: [])
      batch.outbox = ["a", "b"].map { OutboxBatch(receiver: $0, lines: "{}\n", created: noon) }
      try history.commit(batch)
      for receiver in ["a", "b"] {
        let token = try #require(try history.oldestBatch(for: receiver)?.token)
        #expect(try history.oldestBatch(for: receiver)?.token == token)
        tokens.insert(token)
      }
    }
    #expect(tokens.count == 4)
  }

  @Test func `The log beside the database stays small, however much is kept`() throws {
    let history = try SQLiteHistory(at: path)
    var largest: UInt64 = 0
    for run in 0..<16 {
      // Ten megabytes each, of which the index keeps little.
      let text = String(repeating: "word\(run) ", count: 1500)
      try history.add((0..<1000).map { post("\(run)-\($0)", text, minutesAgo: Double(run)) })
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
      largest = max(largest, attributes[.size] as? UInt64 ?? .max)
    }
    let kept = try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64 ?? 0
    #expect(kept > 128 << 20)
    #expect(largest < 128 << 20)
  }

  @Test func `A folder in the file's place is said so`() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(throws: HistoryError.self) { try SQLiteHistory(at: path) }
  }

  @Test func `Ten writers at once wait for one another, and lose nothing`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<10 {
        group.addTask {
          for number in 0..<20 {
            let history = try SQLiteHistory(at: path)
            try history.add([post("\(writer)-\(number)")])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try SQLiteHistory(at: path).ids().count == 200)
  }
}
