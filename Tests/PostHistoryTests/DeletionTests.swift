import Foundation
import PostHistory
import SearchModel
import TestSupport
import Testing

/// What is deleted is gone from the files, and what was printed stays known.
@Suite struct DeletionTests {
  private let folder: Folder
  private let history: SQLiteHistory

  init() throws {
    folder = try Folder()
    history = try SQLiteHistory(at: folder["history.db"])
  }

  /// Stores 600 posts in runs of their own, so that the index has many parts, and among them posts with
  /// words that no other has.
  private func fill() throws {
    for run in 0..<20 {
      var posts = (0..<30).map { post("\(run)-\($0)", "about swift \(run)", minutesAgo: 5) }
      posts.append(secret(run))
      try history.add(posts)
    }
    // The text of an edited post, too.
    try history.add(
      [secret(7, "another zygomorphic7 text")], at: noon.addingTimeInterval(60))
  }

  private func secret(_ number: Int, _ text: String? = nil, minutesAgo: Double = 10) -> Post {
    post(
      "secret\(number)", text ?? "quixotic\(number) words, 東京\(number)塔", minutesAgo: minutesAgo,
      author: "xanthippe\(number)")
  }

  @Test func `Nothing of a deleted post is left in the database and its log`() throws {
    try fill()
    #expect(try folder.holds("quixotic7"))
    #expect(try history.delete("https://mastodon.example/secret7") == 1)
    for word in ["quixotic7", "zygomorphic7", "xanthippe7", "secret7", "京7"] {
      #expect(try !folder.holds(word), "\(word)")
    }
    #expect(try folder.holds("quixotic8"))
    #expect(try folder.bytes(of: "history.db-wal").isEmpty)
    #expect(
      try history.status(of: [secret(7)], in: key("swift"))
        == [PostStatus(isPrinted: true, isRead: true)])
  }

  @Test func `A deleted post is taken out of the batches that wait, and of none that it is not in`()
    throws
  {
    func line(_ id: String) -> String {
      #"{"id":"\#(id)","uri":"https://mastodon.example/\#(id)","text":"of \#(id)"}"# + "\n"
    }
    var batch = RunBatch(now: noon, findings: [])
    batch.outbox = [
      OutboxBatch(receiver: "a", lines: line("1") + line("secret7") + line("2"), created: noon),
      OutboxBatch(receiver: "b", lines: line("secret7"), created: noon),
      OutboxBatch(receiver: "c", lines: line("3"), created: noon),
    ]
    try history.commit(batch)
    var begun = try #require(try history.oldestBatch(for: "a"))
    begun.taken = 2
    try history.update(begun)
    try history.keep(UndeliveredPosts(name: "1-d.ndjson", lines: line("4") + line("secret7")))
    try history.keep(UndeliveredPosts(name: "2-e.ndjson", lines: line("secret7")))
    // It need not be among the posts that are kept.
    #expect(try history.delete("https://mastodon.example/secret7") == 1)
    let left = try #require(try history.oldestBatch(for: "a"))
    #expect(left.lines == line("1") + line("2"))
    #expect(left.taken == 1)
    #expect(left.token == begun.token)
    #expect(try history.oldestBatch(for: "b") == nil)
    #expect(try history.oldestBatch(for: "c")?.lines == line("3"))
    #expect(
      try history.undelivered() == [UndeliveredPosts(name: "1-d.ndjson", lines: line("4"))])
    #expect(try !folder.holds("secret7"))
    #expect(try history.delete("https://mastodon.example/secret7") == 0)
  }

  @Test(arguments: Store.all)
  func `What an author wrote is taken out of the batches, even if the history keeps nothing`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    func line(_ id: String, by handle: String, reposter: String? = nil, tag: String = "swift")
      -> String
    {
      let repost = reposter.map { #","reposted_by":{"handle":"\#($0)"}"# } ?? ""
      return """
        {"id":"\(id)","uri":"https://mastodon.example/\(id)","source":"mastodon","text":"of \(id)",\
        "author":{"handle":"\(handle)","name":null},"tags":["rust","\(tag)"]\(repost)}

        """
    }
    var batch = RunBatch(now: noon, findings: [])
    let kept = line("2", by: "bob") + line("5", by: "amy@elsewhere.example")
    batch.outbox = [
      OutboxBatch(
        receiver: "a",
        lines: line("1", by: "amy@mastodon.example") + kept
          + line("3", by: "bob", reposter: "amy@mastodon.example"), created: noon)
    ]
    try history.commit(batch)
    try history.keep(
      UndeliveredPosts(
        name: "1-d.ndjson",
        lines: line("4", by: "amy@mastodon.example", tag: "linux")
          + line("1", by: "amy@mastodon.example") + "not JSON\n"))
    func query(_ tags: [String] = [], _ source: SourceName = "mastodon") -> HistoryQuery {
      HistoryQuery(
        terms: [QueryTerm(.author, "amy@mastodon.example")], sources: [source], tags: tags)
    }
    for others in [query(["java"]), query([], "lemmy")] {
      #expect(try history.count(matching: others) == 0)
      #expect(try history.delete(matching: others) == 0)
    }
    #expect(try history.count(matching: query(["linux"])) == 1)
    #expect(try history.delete(matching: query(["linux"])) == 1)
    #expect(try history.count(matching: query()) == 2)
    #expect(try history.count(named: "https://mastodon.example/1") == 1)
    #expect(try history.delete(matching: query()) == 2)
    #expect(try history.oldestBatch(for: "a")?.lines == kept)
    #expect(
      try history.undelivered() == [UndeliveredPosts(name: "1-d.ndjson", lines: "not JSON\n")])
    #expect(try history.delete(matching: query()) == 0)
  }

  @Test func `Nothing of what an author wrote is left after it was deleted`() throws {
    try fill()
    var query = HistoryQuery(
      terms: [QueryTerm(.author, "xanthippe7")], sources: ["lemmy"], limit: 1)
    #expect(try history.delete(matching: query) == 0)
    query.sources = ["mastodon"]
    query.tags = ["rust"]
    #expect(try history.delete(matching: query) == 0)
    query.tags = []
    #expect(try history.delete(matching: query) == 1)
    for word in ["quixotic7", "zygomorphic7", "xanthippe7"] {
      #expect(try !folder.holds(word), "\(word)")
    }
    #expect(try folder.holds("quixotic8"))
    #expect(try history.status(of: [secret(7)], in: key("swift")).map(\.isPrinted) == [true])
    #expect(try history.delete(matching: HistoryQuery(tags: ["swift"])) == 619)
    #expect(try history.posts(matching: HistoryQuery()).isEmpty)
  }

  @Test(arguments: Store.all)
  func `Deleting what an author wrote includes what is private`(store: Store) throws {
    let history = try store.open(in: Folder())
    let hidden = Post(
      id: "1", source: "mastodon", server: mastodon, url: nil, uri: "https://mastodon.example/1",
      author: Author(handle: "amy"), text: "for friends", visibility: .private)
    try history.add([hidden, post("2", author: "amy"), post("3", author: "bob")])
    let query = HistoryQuery(terms: [QueryTerm(.author, "amy")], limit: 1)
    #expect(try history.delete(matching: query) == 2)
    #expect(try history.posts(matching: HistoryQuery(includesPrivate: true)).map(\.id) == ["3"])
  }

  @Test func `Nothing of a pruned post is left in the database and its log`() throws {
    let old = noon.addingTimeInterval(-99 * 86_400)
    for number in 0..<20 {
      try history.add([secret(number, minutesAgo: 100 * 1440)], at: old)
      try history.add([post("\(number)")])
    }
    #expect(try folder.holds("quixotic7"))
    #expect(try history.prune(before: noon.addingTimeInterval(-90 * 86_400)) == 20)
    for word in ["quixotic7", "xanthippe7", "secret7", "quixotic19", "xanthippe19"] {
      #expect(try !folder.holds(word), "\(word)")
    }
    #expect(try folder.bytes(of: "history.db-wal").isEmpty)
    #expect(try history.status(of: [secret(7)], in: key("swift")).map(\.isPrinted) == [true])
  }

  @Test func `A run that keeps no posts leaves no address`() throws {
    try history.commit(
      RunBatch(
        now: noon, findings: [.init(search: key("swift"), posts: [secret(1)])],
        printed: [PostIdentity(secret(1))], keepsPosts: false))
    #expect(
      try history.status(of: [secret(1)], in: key("swift"))
        == [PostStatus(isPrinted: true, isRead: true)])
    #expect(try !folder.holds("secret1"))
    #expect(try history.forget(tags: ["swift"]) == 0)
  }

  @Test(arguments: [
    "SELECT mark FROM skimmed", "SELECT unicode(substr(hex(fingerprint), 1, 16)) FROM mark",
  ])
  func `The hashes of one address in two databases differ`(sql: String) throws {
    func hashes(_ name: String) throws -> [Int64] {
      let history = try SQLiteHistory(at: folder["\(name)/history.db"])
      var finding = RunBatch.Finding(
        search: key("swift"), posts: (0..<40).map { secret($0) }, memory: MemoryChange())
      finding.skimmed = finding.posts.map(\.uri)
      try history.commit(RunBatch(now: noon, findings: [finding], keepsPosts: false))
      return try ForeignDatabase(at: folder["\(name)/history.db"]).numbers(sql)
    }
    let (one, two) = (try hashes("one"), try hashes("two"))
    #expect(one.count == 40 && two.count == 40)
    #expect(one != two)
  }
}

extension Folder {
  /// The bytes of a file; none if there is none.
  func bytes(of name: String) throws -> [UInt8] {
    guard FileManager.default.fileExists(atPath: self[name]) else { return [] }
    return [UInt8](try Data(contentsOf: URL(filePath: self[name])))
  }

  /// True if the database or a file beside it holds a text.
  func holds(_ text: String) throws -> Bool {
    try ["history.db", "history.db-wal"].contains { name in
      Data(try bytes(of: name)).range(of: Data(text.utf8)) != nil
    }
  }
}
