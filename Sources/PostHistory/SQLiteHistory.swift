internal import Dispatch
internal import Glibc
internal import SafeFiles
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
  private let open: OpenDatabase
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
    open = OpenDatabase(try Self.database(at: path), inode: Self.inode(of: path))
  }

  /// Reports the repair of a database that turns out to be damaged later, as one line.
  package func onRepair(_ report: @escaping @Sendable (String) -> Void) {
    repairs.withLock { $0 = report }
  }

  private static func inode(of path: String) -> UInt64 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
  }

  private static func database(at path: String) throws(HistoryError) -> Database {
    try Self.createPrivately(path)
    do {
      let database = try Database(at: path, longestWait: longestWait)
      // In WAL mode this loses at most the last marks when the power fails, and never a post.
      try database.execute("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000")
      if try Schema.version(of: database) < Schema.version { try prepare(database, at: path) }
      let version = try Schema.version(of: database)
      if version > Schema.version { throw HistoryError.newer(path: path, version: version) }
      return database
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Makes the tables; one process at a time, as SQLite does not wait when the journal's mode changes.
  private static func prepare(_ database: Database, at path: String) throws {
    try FileLock.hold(path) {
      guard try Schema.version(of: database) < Schema.version else { return }
      try database.execute("PRAGMA journal_mode = WAL")
      try database.transaction(.writing) {
        try Schema.migrate(database, from: Schema.version(of: database))
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
          _ = try Schema.version(of: Database(at: path, longestWait: longestWait))
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
    let old = open.fileNumber
    let kept: String?
    do {
      kept = try FileLock.hold(path) { () throws(HistoryError) -> String? in
        // Another process may have done it.
        Self.inode(of: path) == old ? try Self.rename(path) : nil
      }.get()
    } catch {
      throw Self.failure(error, path)
    }
    open.replace(by: try Self.database(at: path), inode: Self.inode(of: path))
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
    case let error as SQLiteError:
      switch error.reason {
      case .damaged: return .damaged(path: path, kept: nil)
      case .diskFull: return .failed(path: path, reason: "the disk is full")
      case .readOnly: return .failed(path: path, reason: "no permission to write it")
      case .busy: return .failed(path: path, reason: "another process is using it")
      case .other: return .failed(path: path, reason: error.message)
      }
    case let error: return .failed(path: path, reason: "\(error)")
    }
  }

  /// Runs `body` in a transaction that no other writer can come between.
  func write<Value>(_ body: (Database) throws -> Value) throws(HistoryError) -> Value {
    try repairing(.writing, body)
  }

  /// Runs `body` on one state of the database, whatever others write meanwhile.
  func read<Value>(_ body: (Database) throws -> Value) throws(HistoryError) -> Value {
    try repairing(.reading, body)
  }

  /// Runs `body`, and again with an empty database if the present one turns out to be damaged.
  private func repairing<Value>(
    _ kind: Database.TransactionKind, _ body: (Database) throws -> Value
  ) throws(HistoryError) -> Value {
    do { return try open.use { try Self.run(kind, body, $0) } } catch {
      guard case .damaged = Self.failure(error, path) else { throw Self.failure(error, path) }
    }
    try repair()
    do { return try open.use { try Self.run(kind, body, $0) } } catch {
      throw Self.failure(error, path)
    }
  }

  private static func run<Value>(
    _ kind: Database.TransactionKind, _ body: (Database) throws -> Value, _ database: Database
  ) throws -> Value {
    try database.transaction(kind) { try body(database) }
  }
}

/// A database that threads use one after the other, and the number of its file.
///
/// `@unchecked Sendable`: all access to its variables is on its queue.
private final class OpenDatabase: @unchecked Sendable {
  private let queue = DispatchQueue(label: "searchagg.history")
  private var database: Database
  private var inode: UInt64

  init(_ database: Database, inode: UInt64) {
    self.database = database
    self.inode = inode
  }

  /// Runs `body` when no other thread uses the database.
  func use<Value>(_ body: (Database) throws -> Value) rethrows -> Value {
    try queue.sync { try body(database) }
  }

  /// The number of the file in its file system.
  var fileNumber: UInt64 { queue.sync { inode } }

  /// Takes another database from now on.
  func replace(by database: Database, inode: UInt64) {
    queue.sync { (self.database, self.inode) = (database, inode) }
  }
}
