internal import FoundationEssentials
internal import GRDB
internal import Glibc
internal import SafeFiles
package import SearchModel
internal import Synchronization

/// The history in an SQLite database that only its owner can read.
///
/// Any number of processes may use it at once: a write waits for those before it.
package final class SQLiteHistory: HistoryStore {
  /// The longest wait of a write for those of other processes.
  private static let longestWait = 30.0

  package let path: String
  /// The problem that was found and solved when it was opened: one line.
  package let notice: String?
  /// The file that is open; another one once it has turned out to be damaged.
  private let open: Mutex<OpenDatabase>
  private let repairs = Mutex<(@Sendable (String) -> Void)?>(nil)

  /// Opens the database, and makes it, with the folders above it, where there is none.
  ///
  /// A file that is not a database, or is damaged, is moved aside first.
  package convenience init(at path: String) throws(HistoryError) {
    do throws(HistoryError) {
      try self.init(opening: path, notice: nil)
    } catch .damaged {
      let kept = try Self.moveAside(path)
      try self.init(
        opening: path, notice: kept.map { "\(HistoryError.damaged(path: path, kept: $0))" })
    }
  }

  private init(opening path: String, notice: String?) throws(HistoryError) {
    self.path = path
    self.notice = notice
    open = Mutex(try OpenDatabase(at: path))
  }

  /// Reports the repair of a database that turns out to be damaged later, as one line.
  package func onRepair(_ report: @escaping @Sendable (String) -> Void) {
    repairs.withLock { $0 = report }
  }

  /// A database that was opened, and the file that it is in.
  private struct OpenDatabase {
    let queue: DatabaseQueue
    /// The number of the file in its file system.
    let inode: UInt64

    init(at path: String) throws(HistoryError) {
      queue = try SQLiteHistory.queue(at: path)
      inode = SQLiteHistory.inode(of: path)
    }
  }

  private static func inode(of path: String) -> UInt64 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
  }

  private static func queue(at path: String) throws(HistoryError) -> DatabaseQueue {
    try Self.createPrivately(path)
    var configuration = Configuration()
    configuration.busyMode = .timeout(Self.longestWait)
    configuration.prepareDatabase { database in
      // In WAL mode this loses at most the last marks when the power fails, and never a post.
      try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000")
    }
    do {
      let database = try DatabaseQueue(path: path, configuration: configuration)
      if try database.read(Self.version) < Schema.version { try Self.prepare(database, at: path) }
      let version = try database.read(Self.version)
      if version > Schema.version { throw HistoryError.newer(path: path, version: version) }
      return database
    } catch {
      throw Self.failure(error, path)
    }
  }

  private static func version(_ database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }

  /// Makes the tables; one process at a time, as SQLite does not wait when the journal's mode changes.
  private static func prepare(_ database: DatabaseQueue, at path: String) throws {
    try FileLock.hold(path) {
      try database.writeWithoutTransaction { database in
        guard try version(database) < Schema.version else { return }
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try database.inTransaction(.immediate) {
          try Schema.migrate(database, from: version(database))
          return .commit
        }
      }
    }.get()
  }

  /// Makes the file, or closes one to others that is open to them. SQLite gives the files beside it the
  /// same mode.
  private static func createPrivately(_ path: String) throws(HistoryError) {
    do throws(FileWriteError) {
      try Directories.create(above: path, mode: 0o700)
      try PrivateFile(path: path).createIfMissing()
    } catch {
      throw .failed(path: path, reason: error.reason)
    }
  }

  /// Moves a damaged database aside; returns its new path, or nil when another process was faster.
  private static func moveAside(_ path: String) throws(HistoryError) -> String? {
    do {
      return try FileLock.hold(path) { () -> String? in
        do {
          // Another process may have put it right meanwhile.
          _ = try DatabaseQueue(path: path).read(version)
          return nil
        } catch {
          guard case .damaged = failure(error, path) else { throw error }
        }
        return try rename(path)
      }.get()
    } catch {
      throw failure(error, path)
    }
  }

  /// Gives a damaged database and the files beside it another name, and returns that.
  private static func rename(_ path: String) throws(HistoryError) -> String {
    let kept = try freeName(beside: path)
    for suffix in ["", "-wal", "-shm"] where Glibc.rename(path + suffix, kept + suffix) != 0 {
      guard suffix.isEmpty else { continue }
      throw HistoryError.damaged(path: path, kept: nil)
    }
    return kept
  }

  /// Replaces a database that has turned out to be damaged by an empty one.
  private func repair() throws(HistoryError) {
    let path = path
    let old = open.withLock { $0.inode }
    let kept: String?
    do {
      kept = try FileLock.hold(path) { () throws(HistoryError) -> String? in
        // Another process may have done it.
        Self.inode(of: path) == old ? try Self.rename(path) : nil
      }.get()
    } catch {
      throw Self.failure(error, path)
    }
    let new = try OpenDatabase(at: path)
    open.withLock { $0 = new }
    if let kept, let report = repairs.withLock({ $0 }) {
      report("\(HistoryError.damaged(path: path, kept: kept))")
    }
  }

  private static func freeName(beside path: String) throws(HistoryError) -> String {
    for number in 1...1000 {
      let name = "\(path).damaged-\(number)"
      if !BoundedRead.isThere(name) { return name }
    }
    throw .damaged(path: path, kept: nil)
  }

  /// The meaning of an error for the user.
  private static func failure(_ error: any Error, _ path: String) -> HistoryError {
    switch error {
    case let error as HistoryError: return error
    case let error as FileWriteError: return .failed(path: path, reason: error.reason)
    case let error as DatabaseError:
      switch error.resultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .damaged(path: path, kept: nil)
      case .SQLITE_FULL: return .failed(path: path, reason: "the disk is full")
      case .SQLITE_READONLY: return .failed(path: path, reason: "no permission to write it")
      case .SQLITE_BUSY: return .failed(path: path, reason: "another process is using it")
      case let code: return .failed(path: path, reason: error.message ?? "\(code)")
      }
    case let error: return .failed(path: path, reason: "\(error)")
    }
  }

  /// Runs `body` in a transaction that no other writer can come between.
  func write<Value>(_ body: (Database) throws -> Value) throws(HistoryError) -> Value {
    try repairing { try $0.write(body) }
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(HistoryError) -> Value {
    try repairing { try $0.read(body) }
  }

  /// Runs `body`, and again with an empty database if the present one turns out to be damaged.
  private func repairing<Value>(
    _ body: (DatabaseQueue) throws -> Value
  ) throws(HistoryError) -> Value {
    do { return try body(open.withLock { $0.queue }) } catch {
      guard case .damaged = Self.failure(error, path) else { throw Self.failure(error, path) }
    }
    try repair()
    do { return try body(open.withLock { $0.queue }) } catch { throw Self.failure(error, path) }
  }

  // MARK: Runs

  package func lease(_ searches: [SearchKey]) throws(HistoryError) -> RunLease {
    try read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT oldest, read_to FROM search
          WHERE tag = ? AND raw = ? AND source = (SELECT id FROM source WHERE name = ?)
            AND server = ? AND first_run IS NOT NULL
          """)
      var lease = RunLease()
      for search in searches {
        let arguments: StatementArguments = [
          search.tag, search.isRaw, search.source.rawValue, search.server,
        ]
        guard let row = try Row.fetchOne(statement, arguments: arguments) else { continue }
        lease.memories[search] = SearchMemory(
          oldest: (row[0] as Int64?).map { Milliseconds(count: $0).date },
          readUpTo: (row[1] as Int64?).map { Milliseconds(count: $0).date })
      }
      return lease
    }
  }

  package func status(
    of posts: [Post], in search: SearchKey
  ) throws(HistoryError) -> [PostStatus] {
    try read { database in
      let number = try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT id FROM search WHERE tag = ? AND raw = ? AND server = ?
              AND source = (SELECT id FROM source WHERE name = ?)
            """),
        arguments: [search.tag, search.isRaw, search.server, search.source.rawValue])
      let statement = try RepeatedStatement(
        """
        SELECT search, printed FROM finding
        WHERE uri = ? AND source = (SELECT id FROM source WHERE name = ?)
        """, in: database)
      return try posts.map { post in
        let identity = PostIdentity(post)
        var status = PostStatus(isPrinted: false, isRead: false)
        try statement.run(.text(identity.uri), .text(identity.source.rawValue)) { row in
          if row[1] == 1 { status.isPrinted = true }
          if row[0] == number { status.isRead = true }
        }
        return status
      }
    }
  }

  package func commit(_ batch: RunBatch) throws(HistoryError) {
    try write { database in
      var writer = try BatchWriter(database, batch)
      try writer.write()
      try OutboxTable.insert(batch.outbox, in: database)
    }
  }

  package func forget(tags: [String]?) throws(HistoryError) -> Int {
    try write { database in
      let tags = tags.map(Set.init)
      var searches: [Int64] = []
      let rows = try Row.fetchCursor(
        database, sql: "SELECT id, tag FROM search WHERE first_run IS NOT NULL")
      while let row = try rows.next() {
        let tag: String = row[1]
        if tags.map({ $0.contains(tag) }) ?? true { searches.append(row[0]) }
      }
      for search in searches {
        try database.execute(
          sql: """
            UPDATE search SET first_run = NULL, oldest = NULL, read_to = NULL WHERE id = ?;
            DELETE FROM finding WHERE search = ? AND post IS NULL;
            UPDATE finding SET printed = 0 WHERE search = ?
            """, arguments: [search, search, search])
      }
      return searches.count
    }
  }
}
