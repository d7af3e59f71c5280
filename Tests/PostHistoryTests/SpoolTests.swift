import Foundation
import PostHistory
import SearchModel
import Synchronization
import TestSupport
import Testing

/// What plain runs leave in the spool, and how it gets into the tables.
@Suite struct SpoolTests {
  private let folder: Folder
  private let history: SQLiteHistory

  init() throws {
    folder = try Folder()
    history = try SQLiteHistory(at: folder["history.db"])
  }

  /// Commits a run that prints nothing, as far as `--new` is concerned.
  private func run(
    _ posts: [Post], tag: String = "swift", at now: Date = noon, name: String? = nil,
    in history: SQLiteHistory? = nil
  ) throws {
    let history = history ?? self.history
    try history.commit(
      RunBatch(
        now: now, findings: [.init(search: key(tag), posts: posts, isAnswered: true)],
        run: name.map { name in
          PastRun(
            name: name, began: now, parts: [.init(search: key(tag), answer: StoredAnswer())])
        }))
  }

  private func count(_ table: String) throws -> Int64 {
    try #require(
      try ForeignDatabase(at: folder["history.db"]).numbers("SELECT count(*) FROM \(table)").first)
  }

  /// The bytes of the database and of its log.
  private func size() throws -> Int {
    try folder.bytes(of: "history.db").count + folder.bytes(of: "history.db-wal").count
  }

  // MARK: Readers

  @Test(arguments: [
    "posts", "statistics", "versions", "status", "answers", "run", "found", "delete", "prune",
  ])
  func `Every reader sees what plain runs have left`(reader: String) throws {
    try run([post("1", "first words"), post("2")], name: "daily")
    try run([post("1", "second words")], tag: "apple")
    #expect(try count("spool") == 2)
    #expect(try count("post") == 0)
    let identity = PostIdentity(post("1"))
    switch reader {
    case "posts":
      #expect(try history.ids("second") == ["1"])
      #expect(try history.ids("first") == [])
      #expect(
        try history.posts(matching: HistoryQuery()).map { $0.tags.joined(separator: " ") }
          == ["swift", "apple swift"])
    case "statistics": #expect(try history.statistics(of: HistoryQuery()) { _ in "" }.posts == 2)
    case "versions":
      #expect(try history.versions(named: "1").map(\.text) == ["second words", "first words"])
    case "status":
      #expect(
        try history.status(of: [post("1"), post("2"), post("3")], in: key("apple"))
          == [true, false, false].map { PostStatus(isPrinted: false, isRead: $0) })
    case "answers":
      #expect(
        try history.answers(to: [key("swift")], since: nil, until: nil)[key("swift")]?
          .posts.count == 2)
    case "run": #expect(try history.run(named: "daily")?.parts.first?.posts.count == 2)
    case "found":
      #expect(
        try history.found(from: noon.addingTimeInterval(-3600), until: noon)[TagKey(tag: "apple")]
          == [identity])
    case "delete":
      #expect(try history.delete("1") == 1)
      #expect(try history.ids() == ["2"])
      #expect(try history.status(of: [post("1")], in: key("swift")).map(\.isRead) == [false])
    default:
      #expect(try history.prune(before: noon.addingTimeInterval(60)) == 2)
      #expect(try count("post") == 0)
    }
    #expect(try count("spool") == 0)
  }

  @Test func `What is read later counts, whether it was spooled or not`() throws {
    try run([post("1", "one")])
    try history.add([post("1", "two")], at: noon.addingTimeInterval(1))
    #expect(try count("spool") == 0)
    try run([post("1", "three")], at: noon.addingTimeInterval(2))
    try run([post("1", "four")], at: noon.addingTimeInterval(3))
    #expect(try history.ids("four") == ["1"])
    #expect(try history.versions(named: "1").map(\.text) == ["four", "three", "two", "one"])
  }

  @Test func `Of two copies of a post in one run the first one is kept`() throws {
    try history.commit(
      RunBatch(
        now: noon,
        findings: [
          .init(search: key("swift"), posts: [post("1", "the first")]),
          .init(search: key("apple"), posts: [post("1", "the second"), post("2")]),
        ]))
    #expect(
      try history.posts(matching: HistoryQuery()).map { "\($0.text): \($0.tags)" }.sorted()
        == [#"about swift: ["apple"]"#, #"the first: ["apple", "swift"]"#])
    #expect(try history.versions(named: "1").count == 1)
  }

  @Test func `Posts of a row that can no longer be read are counted`() throws {
    try run((0..<20).map { post("\($0)", minutesAgo: Double($0)) })
    try ForeignDatabase(at: folder["history.db"]).run(
      "UPDATE spool SET posts = substr(posts, 1, length(posts) / 2)")
    let lines = Lines()
    history.onReport { lines.add($0) }
    let left = try history.ids().count
    #expect(left > 0 && left < 20)
    #expect(
      lines.all == [
        "\(folder["history.db"]): lost \(20 - left) posts of earlier runs, which could not be read"
      ])
    #expect(try history.ids().count == left)
    #expect(lines.all.count == 1)
  }

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  @Test func `More posts than a row or a part holds are all folded`() throws {
    let posts = (0..<9500).map { post("\($0)", minutesAgo: Double($0)) }
    try run(posts, name: "large")
    #expect(try count("spool") == 10)
    #expect(try history.ids().count == 9500)
    #expect(try history.run(named: "large")?.parts.first?.posts.count == 9500)
  }

  @Test func `A post is read back from the spool as it was`() throws {
    let post = Post(
      id: "1", source: "lemmy", server: mastodon, uri: "https://a.example/1",
      author: Author(handle: "amy", name: "", url: "https://a.example/@amy"), feed: "News",
      title: "Title", text: "Text with \"marks\", \u{0}\u{1B} and 東京",
      createdAt: noon.addingTimeInterval(-0.25),
      editedAt: noon, language: "en", topics: ["c++", "Machine Learning"],
      links: ["https://b.example", ""],
      attachments: [
        PostAttachment(
          "https://c.example/1.png", type: "image/png", description: "A \"cat\"",
          thumbnail: "https://c.example/s.png"),
        PostAttachment("https://c.example/2"), PostAttachment("https://c.example/3", kind: .file),
      ],
      counts: Counts(likes: 0, reposts: -2, replies: .max, views: .min + 1), replyTo: "0",
      repostOf: "2", repostedBy: Author(handle: "", url: "x"), isSensitive: false,
      contentWarning: "loud", poll: ["yes", "no"], visibility: .unlisted)
    let bare = Post(id: "", source: "rss", server: mastodon, uri: "u", text: "", isReply: true)
    try run([post, bare])
    var found = try history.posts(matching: HistoryQuery())
    for index in found.indices { found[index].tags = [] }
    #expect(found == [post, bare])
  }

  @Test func `What folding indexes of a post is what deleting it takes out again`() throws {
    let texts = [
      "plain #Hashtag and @mail#One#two_three#", "", "#", "ünlü #Café #東京 ＃wide", "東京都",
      "nul\u{0}byte #a\u{0}b", "line\nbreak\t#Tab", "e\u{301}tude", "#swift #swift #SWIFT",
    ]
    let posts = texts.enumerated().flatMap { number, text in
      [nil, "Title #here", "Überschrift"].enumerated().map { place, title in
        Post(
          id: "\(number)-\(place)", source: "lemmy", server: mastodon,
          uri: "https://a.example/\(number)/\(place)",
          author: Author(
            handle: ["@Amy@b.example", "", "東"][place], name: [nil, "", "Amy Ü"][place]),
          title: title, text: text, createdAt: place == 1 ? nil : noon,
          language: ["en", "in", "de-AT", "zxx", "Deutsch", nil][(number + place) % 6],
          topics: [[], ["Swift", "two words"], ["ÜBER", "swift", "#hash-tag"]][number % 3],
          repostedBy: [nil, Author(handle: "", name: "Nobody"), Author(handle: "Bob")][place],
          poll: number % 4 == 0 ? ["yes", "nein"] : [])
      }
    }
    try run(posts)
    #expect(try history.ids().count == posts.count)
    #expect(try history.ids("#swift").contains("1-0"))
    #expect(try history.ids("from:bob").count == texts.count)
    try ForeignDatabase(at: folder["history.db"])
      .run("CREATE VIRTUAL TABLE term USING fts5vocab(post_words, row)")
    #expect(try count("term") > 30)
    #expect(try history.delete(matching: HistoryQuery()) == posts.count)
    #expect(try count("term") == 0)
  }

  @Test(arguments: [1, 100])
  func `The words of the index are those that any SQLite finds`(times: Int) throws {
    // All of ASCII but the zero, at which a text in SQL ends.
    let ascii = String(String.UnicodeScalarView((1..<0x80).compactMap { Unicode.Scalar($0) }))
    let text = String(repeating: "\(ascii) A_b9-C\u{7F}d's http://E.example/?f=%20 ", count: times)
    try run([post("1", text), post("2", "plain words")])
    #expect(try history.ids("plain") == ["2"])
    let foreign = try ForeignDatabase(at: folder["history.db"])
    let literals = [text, "plain words"].map { text in
      "('\(text.replacingOccurrences(of: "'", with: "''"))')"
    }
    try foreign.run(
      """
      CREATE VIRTUAL TABLE other USING fts5(words, tokenize = "unicode61 remove_diacritics 2");
      INSERT INTO other (words) VALUES \(literals.joined(separator: ", "));
      CREATE VIRTUAL TABLE other_term USING fts5vocab(other, col);
      CREATE VIRTUAL TABLE term USING fts5vocab(post_words, col);
      """)
    let (own, others) = (
      "SELECT term, doc, cnt FROM term WHERE col = 'words'",
      "SELECT term, doc, cnt FROM other_term"
    )
    #expect(try count("(\(others))") > 8)
    #expect(try count("(\(own) EXCEPT \(others))") == 0)
    #expect(try count("(\(others) EXCEPT \(own))") == 0)
    #expect(
      try foreign.numbers("SELECT count(*) FROM post_words WHERE post_words MATCH 'plain'") == [1])
  }

  // MARK: Several processes

  @Test func `Processes that fold at once fold each post once`() async throws {
    for number in 0..<20 {
      try run((0..<100).map { post("\(number)-\($0)") }, tag: "tag\(number)")
    }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<4 {
        group.addTask {
          let history = try SQLiteHistory(at: folder["history.db"])
          try run([post("late \(number)")], in: history)
          return try history.ids().count
        }
      }
      for try await count in group { #expect(count > 2000) }
    }
    #expect(try history.ids().count == 2004)
    #expect(try count("mark") == 2004)
    #expect(try count("spool") == 0)
  }

  // MARK: Files

  @Test func `A plain run writes nothing but the log`() throws {
    let before: [UInt8] = try folder.bytes(of: "history.db")
    do {
      let own = try SQLiteHistory(at: folder["history.db"])
      try run((0..<3000).map { post("\($0)") }, in: own)
    }
    #expect(try folder.bytes(of: "history.db") == before)
    #expect(try folder.bytes(of: "history.db-wal").count > 300_000)
  }

  @Test(arguments: [true, false])
  func `A hundred equal runs leave hardly more than one`(isRead: Bool) throws {
    func run() throws {
      let history = try SQLiteHistory(at: folder["history.db"])
      for tag in ["swift", "apple"] {
        try self.run(
          (0..<100).map { post("\(tag)-\($0)", minutesAgo: Double($0)) }, tag: tag, name: tag,
          in: history)
      }
      try history.tidy(now: noon)
      if isRead { _ = try history.ids() }
    }
    try run()
    let first = try size()
    for _ in 1..<100 { try run() }
    #expect(try Double(size()) <= 1.2 * Double(first))
    #expect(try history.ids().count == 200)
  }

  @Test func `What was read before is spooled again once a post of it has changed`() throws {
    let posts = (0..<10).map { post("\($0)") }
    try run(posts)
    #expect(try history.ids().count == 10)
    try run(posts)
    #expect(try count("spool") == 0)
    #expect(try history.delete("3") == 1)
    try run(posts)
    #expect(try count("spool") == 1)
    #expect(try history.ids().count == 10)
    try history.add([post("3", "edited")], at: noon.addingTimeInterval(1))
    try run(posts, at: noon.addingTimeInterval(2))
    #expect(try history.ids("edited") == [])
    #expect(
      try history.versions(named: "3").dropFirst().map(\.text) == ["edited", "about swift"])
  }

  @Test func `The log stays below 128 MB however much a run has read, and a part is folded`() throws
  {
    let text = String(repeating: "many words ", count: 20_000)
    let posts = (0..<800).map { post("\($0)", text + "\($0)") }
    try history.commit(
      RunBatch(
        now: noon,
        findings: posts.indices.map { index in
          .init(search: key("tag\(index / 10)"), posts: [posts[index]])
        }))
    #expect(try folder.bytes(of: "history.db-wal").count < 128 << 20)
    #expect(try count("spool") == 800)
    try history.tidy(now: noon)
    #expect(try (1..<800).contains(count("spool")))
  }

  @Test func `Many runs, or an old one, are folded when a run is over`() throws {
    try run([post("0")])
    try history.tidy(now: noon)
    #expect(try count("spool") == 1)
    try history.tidy(now: noon.addingTimeInterval(86_401))
    #expect(try count("spool") == 0)
    for number in 1...33 {
      #expect(try count("spool") == Int64(number) - 1)
      try run([post("\(number)")])
      try history.tidy(now: noon)
    }
    #expect(try count("spool") == 0)
    #expect(try history.ids().count == 34)
  }

  @Test func `A run whose clock was wrong is folded when the next one is over`() throws {
    try run([post("1")], at: noon.addingTimeInterval(9_000_000))
    try history.tidy(now: noon)
    #expect(try count("spool") == 0)
  }

  @Test func `Nothing of a deleted post is left of the spool`() throws {
    for number in 0..<9 {
      try run([post("secret\(number)", "quixotic\(number) words", author: "xanthippe\(number)")])
    }
    #expect(try folder.holds("quixotic7"))
    #expect(try history.delete("secret7") == 1)
    for word in ["quixotic7", "xanthippe7", "secret7"] {
      #expect(try !folder.holds(word), "\(word)")
    }
    #expect(try history.ids().count == 8)
  }

  @Test func `A post is known by its identity, whatever its address holds`() throws {
    let posts = ["1", "a\0b", "ü"].map { post($0) }
    try run(posts)
    let status = try history.status(of: posts + [post("a\u{FFFD}b"), post("2")], in: key("swift"))
    #expect(status.map(\.isRead) == [true, true, true, true, false])
  }
}
