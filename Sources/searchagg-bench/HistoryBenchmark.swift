import CSQLite
import FoundationEssentials
import Glibc
import PostHistory
import Printing
import SearchModel
import TextFormats

/// Times the history at size, beside bare SQLite that writes the same rows into the same indices.
struct HistoryBenchmark {
  private static let batch = 1000
  private static let queries = 200
  /// The number of batches that each side writes before the other one's turn.
  private static let turn = 100

  private let count: Int
  private let folder: String
  private let now = Date(timeIntervalSince1970: 1_795_262_400)
  private let server: ServerAddress
  private var numbers = Numbers(state: 7)
  private var words: [String] = []

  /// Writes `count` posts into a new folder below `parent`, and prints the table.
  static func run(posts count: Int, below parent: String) throws {
    guard let server = ServerAddress("https://mastodon.example") else {
      preconditionFailure("the address is one")
    }
    let folder = "\(parent)/searchagg-history-\(ContinuousClock.now.hashValue & 0xFFFFFF)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var benchmark = HistoryBenchmark(count: count, folder: folder, server: server)
    try benchmark.measure()
  }

  /// Writes `count` posts into a history as plain runs do, which leaves all of them in the spool.
  static func spool(posts count: Int, at path: String) throws {
    guard let server = ServerAddress("https://mastodon.example") else { return }
    var benchmark = HistoryBenchmark(count: count, folder: path, server: server)
    let history = try SQLiteHistory(at: path)
    let key = SearchKey(tag: "swift", source: "mastodon", server: server)
    for first in stride(from: 0, to: count, by: batch) {
      let posts = benchmark.posts(first..<min(first + batch, count))
      try history.commit(
        RunBatch(now: benchmark.now, findings: [.init(search: key, posts: posts)]))
    }
  }

  /// Folds what waits in the spool of a history, and prints how long it took.
  static func fold(at path: String) throws {
    let history = try SQLiteHistory(at: path)
    let before = ProcessorTime()
    let took = try ContinuousClock().measure { try history.fold() }
    let cost = ProcessorTime().since(before)
    print("folded in \(hundredths(took / .seconds(1))) s, \(cost), \(ProcessorTime.memory) MB")
  }

  private init(count: Int, folder: String, server: ServerAddress) {
    self.count = count
    self.folder = folder
    self.server = server
    words = (0..<20_000).map { rank in
      var word = ""
      var rest = rank + 30
      while rest > 0 {
        word += ["ka", "to", "mi", "ren", "sol", "ba", "ly", "er", "in", "os"][rest % 10]
        rest /= 10
      }
      return word
    }
  }

  private mutating func measure() throws {
    let history = try SQLiteHistory(at: "\(folder)/history.db")
    let bare = BareTables(at: "\(folder)/bare.db")
    let key = SearchKey(tag: "swift", source: "mastodon", server: server)
    var seconds = (spooling: 0.0, indexing: 0.0, bare: 0.0)
    var cost = (indexing: ProcessorTime.none, bare: ProcessorTime.none)
    var memory = 0
    var bytes = 0
    let clock = ContinuousClock()
    for first in stride(from: 0, to: count, by: Self.batch * Self.turn) {
      let ends = min(first + Self.batch * Self.turn, count)
      let batches = stride(from: first, to: ends, by: Self.batch).map { begin in
        posts(begin..<min(begin + Self.batch, ends))
      }
      for posts in batches {
        NDJSONPrinter().write(RunResult(posts: posts[...], now: now)) { bytes += $0.count }
      }
      seconds.spooling +=
        try clock.measure {
          for posts in batches {
            try history.commit(RunBatch(now: now, findings: [.init(search: key, posts: posts)]))
          }
        } / .seconds(1)
      var before = ProcessorTime()
      seconds.indexing += try clock.measure { try history.fold() } / .seconds(1)
      cost.indexing.add(ProcessorTime().since(before))
      memory = max(memory, ProcessorTime.memory)
      // What is stored is made before the clock starts.
      let rows = batches.map { $0.map(BareTables.Row.init) }
      before = ProcessorTime()
      seconds.bare += clock.measure { for rows in rows { bare.insert(rows) } } / .seconds(1)
      cost.bare.add(ProcessorTime().since(before))
    }
    let ratio = seconds.bare / (seconds.spooling + seconds.indexing)
    print(
      "history: \(count) posts, spooled at \(Int(Double(count) / seconds.spooling)) a second, indexed at "
        + "\(Int(Double(count) / seconds.indexing)) (bar: 100000), together "
        + "\(Self.hundredths(ratio)) × bare SQLite (bar: 0.5)")
    print(
      "  indexing: \(cost.indexing.each(of: count)), \(memory) MB at most; bare SQLite: "
        + "\(cost.bare.each(of: count))")
    let size = ["", "-wal"].reduce(0) { sum, suffix in
      var status = stat()
      return stat("\(folder)/history.db\(suffix)", &status) == 0 ? sum + Int(status.st_size) : sum
    }
    print(
      "  \(size / 1_000_000) MB, \(Self.hundredths(Double(size) / Double(bytes))) × ndjson (bar: 1.5)"
    )
    var times: [Double] = []
    for _ in 0..<Self.queries {
      let query = HistoryQuery(terms: Query(queryText())?.terms ?? [], limit: 50)
      times.append(
        try clock.measure { _ = try history.posts(matching: query) } / .milliseconds(1))
    }
    times.sort()
    print(
      "  \(Self.queries) queries, the newest 50 of each: median "
        + "\(Self.hundredths(times[times.count / 2])) ms, p99 "
        + "\(Self.hundredths(times[times.count * 99 / 100])) ms (bar: 50)")
  }

  /// A word, two words, a phrase, a word without another one, or an author with a word.
  private mutating func queryText() -> String {
    let (one, other) = (word(), word())
    return switch numbers.next() % 6 {
    case 0: one
    case 1: "\(one) \(other)"
    case 2: "\"\(one) \(other)\""
    case 3: "\(one) -\(other)"
    case 4: "from:user\(numbers.next() % 5000) \(words[0])"
    default: "lang:de \(one) #\(other)"
    }
  }

  /// A word by Zipf's law: the common ones are in most posts.
  private mutating func word() -> String {
    let chance = Double(numbers.next() % 1_000_000) / 1_000_000
    let rank = exp2(chance * log2(Double(words.count))) - 1
    return words[min(Int(rank), words.count - 1)]
  }

  private mutating func posts(_ numbers: Range<Int>) -> [Post] {
    var page = PageDraft(source: "mastodon", server: server, expecting: numbers.count)
    for number in numbers { page.add(post(number, in: &page)) }
    return page.posts()
  }

  private mutating func post(_ number: Int, in page: inout PageDraft) -> PackedPost {
    var text = ""
    for index in 0..<Int(12 + numbers.next() % 40) {
      text += (index > 0 ? " " : "") + (numbers.next() % 20 == 0 ? "#" : "") + word()
    }
    let author = numbers.next() % 5000
    let id = "1\(15_000_000_000_000_000 + number)"
    return PackedPost(
      id: id, url: "https://mastodon.example/@user\(author)/\(id)",
      uri: "https://mastodon.example/users/user\(author)/statuses/\(id)",
      author: Author(
        handle: "user\(author)", name: "User Number \(author)",
        url: "https://mastodon.example/@user\(author)"), text: text,
      // Ninety days.
      createdAt: now.addingTimeInterval(Double(number - count) / Double(count) * 7_776_000),
      language: ["en", "de", "ja", nil][Int(numbers.next() % 4)],
      links: numbers.next() % 3 == 0 ? ["https://example.org/\(number)"] : [],
      counts: Counts(
        likes: Int(numbers.next() % 900), reposts: Int(numbers.next() % 120),
        replies: Int(numbers.next() % 40)), in: &page)
  }

  private static func hundredths(_ number: Double) -> String {
    "\(Double(Int(number * 100)) / 100)"
  }
}

/// The processor time of this process.
private struct ProcessorTime: CustomStringConvertible {
  static let none = ProcessorTime(user: 0, system: 0)

  /// In seconds.
  private var user: Double
  private var system: Double

  private init(user: Double, system: Double) {
    self.user = user
    self.system = system
  }

  /// The time until now.
  init() {
    let usage = Self.usage
    let seconds = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    self.init(user: seconds(usage.ru_utime), system: seconds(usage.ru_stime))
  }

  private static var usage: rusage {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage
  }

  /// The most memory that the process has had, in megabytes.
  static var memory: Int { usage.ru_maxrss / 1000 }

  func since(_ earlier: ProcessorTime) -> ProcessorTime {
    ProcessorTime(user: user - earlier.user, system: system - earlier.system)
  }

  mutating func add(_ other: ProcessorTime) {
    user += other.user
    system += other.system
  }

  /// The share of each of some posts, in words.
  func each(of count: Int) -> String {
    let share = { (seconds: Double) in Double(Int(seconds / Double(count) * 1e8)) / 100 }
    return "\(share(user)) µs of user and \(share(system)) of system time a post"
  }

  var description: String {
    "\(Double(Int(user * 100)) / 100) s of user and \(Double(Int(system * 100)) / 100) s of system time"
  }
}

/// Numbers that look like chance and are the same in every run (xorshift).
private struct Numbers {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state >> 11
  }
}

/// The same rows in the same tables and indices, by SQLite's own calls and nothing else.
private final class BareTables {
  struct Row {
    let number: Int64
    let uri: String
    let body: String
    let words: String

    init(_ post: Post) {
      number = Int64((post.createdAt?.timeIntervalSince1970 ?? 0) * 1000) << 4
      uri = post.uri
      var writer = JSONWriter()
      writer.string(post.text + post.id + (post.url ?? "") + post.author.handle + post.uri)
      body = String(decoding: writer.bytes, as: UTF8.self)
      words = post.text
    }
  }

  private var database: OpaquePointer?
  private var posts: OpaquePointer?
  private var findings: OpaquePointer?
  private var index: OpaquePointer?

  init(at path: String) {
    check(sqlite3_open(path, &database))
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000")
    run(
      """
      CREATE TABLE post (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
      CREATE TABLE finding (
        uri TEXT NOT NULL, source INTEGER NOT NULL, search INTEGER NOT NULL, post INTEGER,
        PRIMARY KEY (uri, source, search)) WITHOUT ROWID;
      CREATE VIRTUAL TABLE post_words USING fts5(
        words, facets, content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2");
      """)
    posts = prepare("INSERT OR REPLACE INTO post VALUES (?, ?)")
    findings = prepare("INSERT INTO finding VALUES (?, 1, 1, ?)")
    index = prepare("INSERT INTO post_words (rowid, words, facets) VALUES (?, ?, ?)")
  }

  deinit {
    for statement in [posts, findings, index] { sqlite3_finalize(statement) }
    sqlite3_close(database)
  }

  func insert(_ rows: [Row]) {
    run("BEGIN IMMEDIATE")
    for row in rows {
      sqlite3_bind_int64(posts, 1, row.number)
      bind(row.body, to: posts, 2)
      step(posts)
      bind(row.uri, to: findings, 1)
      sqlite3_bind_int64(findings, 2, row.number)
      step(findings)
      sqlite3_bind_int64(index, 1, row.number)
      bind(row.words, to: index, 2)
      bind("smastodon auser len", to: index, 3)
      step(index)
    }
    run("COMMIT")
  }

  private func bind(_ text: String, to statement: OpaquePointer?, _ column: Int32) {
    check(csqlite_bind_text(statement, column, text, UInt64(text.utf8.count)))
  }

  private func step(_ statement: OpaquePointer?) {
    precondition(sqlite3_step(statement) == SQLITE_DONE)
    sqlite3_reset(statement)
  }

  private func prepare(_ sql: String) -> OpaquePointer? {
    var statement: OpaquePointer?
    check(sqlite3_prepare_v2(database, sql, -1, &statement, nil))
    return statement
  }

  private func run(_ sql: String) { check(sqlite3_exec(database, sql, nil, nil, nil)) }

  private func check(_ code: Int32) { precondition(code == SQLITE_OK, "SQLite: \(code)") }
}
