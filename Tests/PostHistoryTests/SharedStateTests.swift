import Foundation
import PostHistory
import SearchModel
import TestSupport
import Testing

@testable import SharedHistory

/// The tables of a shared state, and what becomes of its connections.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct SharedStateTests {
  @Test func `The tables are made once, by whoever is first`() async throws {
    let address = try SharedAddress.sample()
    let changes = try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { try SharedState(at: address).prepare() }
      }
      return try await group.reduce(into: [SharedState.Change]()) { $0.append($1) }
    }
    #expect(changes.count { $0 == .made } == 1)
    #expect(changes.count { $0 == .none } == 3)
  }

  @Test func `The printed SQL makes the same tables`() throws {
    let address = try SharedAddress.sample()
    _ = try PostgresServer.shared().query(SharedSchema.sql, in: address.text)
    #expect(try SharedState(at: address).prepare() == .none)
    let history = try SharedHistory(at: address)
    try history.add([post("1")])
    #expect(try history.ids() == ["1"])
  }

  @Test func `A database without tables says how to make them, and a newer one is left alone`()
    throws
  {
    let address = try SharedAddress.sample()
    #expect {
      try SharedHistory(at: address)
    } throws: {
      "\($0)".contains("no state is in this database yet; run: searchagg state init")
    }
    _ = try SharedState(at: address).prepare()
    _ = try PostgresServer.shared().query(
      "UPDATE searchagg.fact SET version = 99", in: address.text)
    let newer = HistoryError.newer(path: address.name, version: 99)
    #expect(throws: newer) { try SharedHistory(at: address) }
    #expect(throws: newer) { try SharedState(at: address).prepare() }
  }

  @Test func `The tables of an earlier version are brought up to date, and keep what they hold`()
    throws
  {
    let address = try SharedAddress.sample()
    #expect(try SharedState(at: address).prepare(upTo: 1) == .made)
    _ = try PostgresServer.shared().query(
      "INSERT INTO searchagg.chore VALUES ('pruning', 7)", in: address.text)
    #expect {
      try SharedHistory(at: address)
    } throws: {
      "\($0)".contains("those of an earlier searchagg; run: searchagg state init")
    }
    #expect(try SharedState(at: address).prepare() == .migrated(from: 1))
    #expect(try SharedState(at: address).prepare() == .none)
    let history = try SharedHistory(at: address)
    try history.add([post("1")])
    #expect(try history.ids() == ["1"])
    #expect(
      try PostgresServer.shared().query(
        "SELECT value FROM searchagg.chore WHERE name = 'pruning'", in: address.text) == "7\n")
  }

  @Test func `Posts are in the partition of the month of their last fetch`() throws {
    let address = try Store.preparedAddress()
    let history = try SharedHistory(at: address)
    try history.add([post("1")])
    let december = noon.addingTimeInterval(15 * 86_400)
    try history.add([post("1", "edited"), post("2")], at: december)
    #expect(
      try PostgresServer.shared().query(
        "SELECT tableoid::regclass, count(*) FROM searchagg.post GROUP BY 1 ORDER BY 1",
        in: address.text) == "searchagg.post_2026_12|2\n")
    #expect(try history.ids("edited") == ["1"])
  }

  @Test func `Every word of a very long text is found, and very long words by their beginning`()
    throws
  {
    let folder = try Folder()
    defer { folder.remove() }
    let words = (0..<30_000).map { "w\($0)" }.joined(separator: " ")
    let long = String(repeating: "z", count: 5000)
    for store in Store.allCases {
      let history = try store.open(in: folder)
      try history.add([post("1", "\(words) \(long)"), post("2", String(repeating: "z", count: 99))])
      for word in ["w0", "w12345", "w29999", long] { #expect(try history.ids(word) == ["1"]) }
      #expect(try history.ids("w30000") == [])
    }
  }

  /// Commits a run that has printed one post, and passes it on.
  private func commit(_ number: Int, to history: SharedHistory) throws {
    var batch = RunBatch(
      now: noon, findings: [.init(search: key("swift"), posts: [post("\(number)")])],
      printed: [PostIdentity(post("\(number)"))])
    batch.outbox = [OutboxBatch(receiver: "a", lines: "\(number)\n", created: noon)]
    try history.commit(batch)
  }

  @Test func `A connection that was cut is opened again, and nothing is lost or stored twice`()
    throws
  {
    let address = try Store.preparedAddress()
    let history = try SharedHistory(at: address)
    for number in 0..<20 {
      _ = try PostgresServer.shared().query(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """, in: address.text)
      try commit(number, to: history)
    }
    #expect(try history.ids().count == 20)
    #expect(
      try history.batches(before: .distantFuture, except: []).map(\.lines)
        == (0..<20).map { "\($0)\n" })
  }

  @Test func `A server that crashes 20 times is waited for, and loses nothing`() async throws {
    let server = try PostgresServer()
    let address = try #require(SharedAddress(server.database()))
    _ = try SharedState(at: address).prepare()
    let history = try SharedHistory(at: address)
    var random = SeededRandom(seed: 20)
    for number in 0..<20 {
      try server.restart()
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...200, using: &random)))
      try commit(number, to: history)
    }
    #expect(try history.ids().count == 20)
    #expect(
      try history.batches(before: .distantFuture, except: []).map(\.lines)
        == (0..<20).map { "\($0)\n" })
    #expect(
      try history.status(of: (0..<20).map { post("\($0)") }, in: key("swift"))
        .allSatisfy(\.isPrinted))
    try server.stop()
  }

  @Test func `Runs at the same time lose nothing and wait for nobody for ever`() async throws {
    let address = try Store.preparedAddress()
    let posts = (0..<40).map { post("\($0)") }
    try await withThrowingTaskGroup { group in
      for worker in 0..<6 {
        group.addTask {
          let history = try SharedHistory(at: address)
          var random = SeededRandom(seed: UInt64(worker))
          for round in 0..<15 {
            let found = posts.shuffled(using: &random).prefix(20)
            var batch = RunBatch(
              now: noon,
              findings: ["a", "b"].shuffled(using: &random).map { tag in
                .init(search: key(tag), posts: Array(found), memory: MemoryChange())
              }, printed: Set(found.map { PostIdentity($0) }))
            batch.outbox = [
              OutboxBatch(receiver: "r", lines: "\(worker).\(round)\n", created: noon)
            ]
            try history.commit(batch)
          }
        }
      }
      try await group.waitForAll()
    }
    let history = try SharedHistory(at: address)
    #expect(try history.ids().count == 40)
    #expect(try history.batches(before: .distantFuture, except: []).count == 90)
    #expect(
      try history.status(of: posts, in: key("a")).allSatisfy { $0.isPrinted && $0.isRead })
    #expect(
      try PostgresServer.shared().query("SELECT count(*) FROM searchagg.identity", in: address.text)
        == "40\n")
  }

  @Test func `Nothing of a deleted post is left in the tables`() throws {
    let address = try Store.preparedAddress()
    let history = try SharedHistory(at: address)
    try history.add([post("secret", "quixotic words"), post("2")])
    try history.add([post("secret", "other words")], at: noon.addingTimeInterval(60))
    #expect(try history.count(named: "secret") == 1)
    #expect(try history.delete("secret") == 1)
    for table in ["post", "revision", "outbox", "run", "span", "tag", "mark", "identity"] {
      // Bodies are bytes, which the server writes as digits.
      let rows = try PostgresServer.shared().query(
        "SELECT encode(convert_to(t::text, 'UTF8'), 'escape') FROM searchagg.\(table) t",
        in: address.text)
      let digits = Data("quixotic".utf8).map { String(format: "%02x", $0) }.joined()
      for text in ["secret", "quixotic", digits] { #expect(!rows.contains(text), "\(table)") }
    }
    #expect(
      try history.status(of: [post("secret")], in: key("swift"))
        == [PostStatus(isPrinted: true, isRead: true)])
  }
}

/// Addresses of shared states.
@Suite struct SharedAddressTests {
  @Test(arguments: [
    ("postgresql://db.example/searchagg", "postgresql://db.example/searchagg", false),
    ("postgres://amy@db.example/s", "postgres://amy@db.example/s", false),
    ("postgresql://amy:se/cr@et@db.example/s", "postgresql://amy@db.example/s", true),
    ("postgresql://amy:@db.example/s", "postgresql://amy@db.example/s", false),
    ("postgresql:///s?host=/tmp&password=secret", "postgresql:///s?host=/tmp", true),
    ("postgresql:///s?p%61ssword=secret&port=1", "postgresql:///s?port=1", true),
    (
      "postgresql:///s?sslmode=verify-full&sslpassword=secret",
      "postgresql:///s?sslmode=verify-full", true
    ),
    ("postgresql:///s?passfile=/a", "postgresql:///s?passfile=/a", false),
    ("postgresql://amy:hun?ter2@db.example/s", "postgresql://amy@db.example/s", true),
    ("postgresql://amy:hun?t@r2@db.example/s?port=1", "postgresql://amy@db.example/s?port=1", true),
    ("postgresql://db.example/s?user=a@b", "postgresql://db.example/s?user=a@b", false),
    ("postgresql://db.example/my@s", "postgresql://db.example/my@s", false),
  ])
  func `A password is told apart, and never shown`(
    text: String, name: String, hasPassword: Bool
  ) throws {
    let address = try #require(SharedAddress(text))
    #expect(address.name == name)
    #expect(address.hasPassword == hasPassword)
  }

  @Test(arguments: [
    "postgresql://amy:hunt/er2@db.example/s", "postgresql://amy:hunt@er2@db.example/s",
    "postgresql://amy:hunt?er2@db.example/s", "postgresql://db.example/s?password=hunt&er2",
  ])
  func `A password that the library would cut is refused before it is asked`(text: String) throws {
    let address = try #require(SharedAddress(text))
    #expect(!address.name.contains("hunt") && !address.name.contains("er2"))
    #expect {
      _ = try SharedHistory(at: address)
    } throws: { "\($0)".contains("as %2F %40 %3F and %26") && !"\($0)".contains("er2") }
  }

  @Test(arguments: ["history.db", "/postgresql://a", "mysql://a/b", ""])
  func `Everything else is a file`(text: String) { #expect(SharedAddress(text) == nil) }

  @Test func `A server that cannot be reached, or an address that is wrong, shows no password`() {
    for text in [
      "postgresql://amy:hunter2@127.0.0.1:1/s", "postgresql://amy:hunter2@127.0.0.1:1x/s",
      "postgresql://amy:hunt%2r2@127.0.0.1:1/s?password=hunter2",
      "postgresql://amy:1/hunter2@127.0.0.1:1/s", "postgresql://amy:hunt@er2@127.0.0.1:1/s",
      "postgresql://amy@127.0.0.1:1/s?password=hunter2&hunter3",
    ] {
      #expect {
        _ = try SharedHistory(at: #require(SharedAddress(text)))
      } throws: { error in
        switch error as? HistoryError {
        case .unavailable, .rejected(_, _, needsPassword: false): break
        default: return false
        }
        return !"\(error)".contains("hunt") && !"\(error)".contains("\n")
      }
    }
  }
}
