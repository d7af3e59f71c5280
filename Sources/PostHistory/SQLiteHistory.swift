internal import Dispatch
internal import Glibc
internal import SafeFiles
internal import Synchronization

/// The history in an SQLite database that only its owner can read.
///
/// Any number of processes may use it at once: a write waits for those before it.
package final class SQLiteHistory: HistoryStore {
  private static let emptyingLog = "PRAGMA wal_checkpoint(TRUNCATE)"
  /// In megabytes.
  private static let usualCache = 16
  /// The pages of a new file, in bytes. The log gets each page by calls of its own: a run of 100,000 posts takes a
  /// fifteenth less time than with 16,384.
  private static let pageSize = 32768

  package let path: String
  /// The problem that was found and solved when it was opened: one line.
  package let notice: String?
  /// The file that is open; another one once it has turned out to be damaged.
  private let open: OpenDatabase
  private let wait: LockWait
  private let listener = Mutex(Listener.nobody(missed: []))

  /// The observer of events.
  private enum Listener {
    case nobody(missed: [String])
    case somebody(@Sendable (String) -> Void)
  }

  /// Opens the database; creates it, and the folders above it, if it is missing.
  ///
  /// A damaged history is moved aside first, and what can be read of it is taken over. A file of another kind,
  /// which somebody has named by mistake, is refused as it is; an empty one is taken.
  ///
  /// - Parameter wait: The wait for other processes.
  package convenience init(
    at path: String, wait: LockWait = LockWait()
  ) throws(HistoryError) {
    do throws(HistoryError) {
      try self.init(opening: path, wait: wait, notice: nil)
    } catch .damaged {
      if DatabaseFile.isOfAnotherKind(path) { throw .foreign(path: path) }
      let notice = try Self.replaceIfDamaged(path, wait)
      try self.init(opening: path, wait: wait, notice: notice)
    }
  }

  private init(opening path: String, wait: LockWait, notice: String?) throws(HistoryError) {
    // A device or a pipe is not a damaged history, and must not be moved away.
    guard Self.isFileOrMissing(path) else {
      throw HistoryError.failed(path: path, reason: "not a file; name one with --state")
    }
    self.path = path
    self.wait = wait
    self.notice = notice
    open = OpenDatabase(try Self.database(at: path, wait), inode: Self.inode(of: path))
  }

  /// Reports, as one line each, what has happened since it was opened and what happens later: the repair of
  /// a database that turns out to be damaged, and work that takes long.
  package func onReport(_ report: @escaping @Sendable (String) -> Void) {
    let before = listener.withLock { listener in
      defer { listener = .somebody(report) }
      return listener
    }
    if case .nobody(let missed) = before { for line in missed { report(line) } }
  }

  func tell(_ line: String) {
    let report: (@Sendable (String) -> Void)? = listener.withLock { listener in
      switch listener {
      case .somebody(let report): return report
      case .nobody(let missed):
        listener = .nobody(missed: missed + [line])
        return nil
      }
    }
    report?(line)
  }

  /// The size of the database, or of a file beside it.
  func fileSize(_ suffix: String) -> Int64 {
    var status = stat()
    return stat(path + suffix, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// True if it was found damaged and moved aside, so that an empty one is open.
  package var wasDamaged: Bool { notice != nil || open.wasReplaced }

  /// True if its path still leads to the file that is open.
  var isInPlace: Bool { Self.inode(of: path) == open.fileNumber }

  private static func isFileOrMissing(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  private static func inode(of path: String) -> UInt64 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
  }

  private static func database(at path: String, _ wait: LockWait) throws(HistoryError) -> Database {
    try Self.createPrivately(path, wait)
    do {
      let database = try Self.connection(to: path, wait)
      try PrivateFile(path: path).createIfMissing()
      if try Schema.version(of: database) < Schema.version { try update(database, at: path) }
      return database
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Opens a file that has to be a history.
  private static func connection(to path: String, _ wait: LockWait) throws -> Database {
    let database = try Database(at: path, wait: wait)
    // In WAL mode this loses at most the last marks when the power fails, and never a post. What is
    // deleted is overwritten, wherever SQLite moves it. A log that has grown is cut to 16 MB.
    try database.execute(
      """
      PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 16777216
      """)
    try database.setCache(megabytes: usualCache)
    guard try Schema.isHistory(database) else {
      // A file of no bytes is a database without tables, too.
      throw DatabaseFile.isEmpty(path)
        ? HistoryError.damaged(path: path, kept: nil) : HistoryError.foreign(path: path)
    }
    let version = try Schema.version(of: database)
    if version > Schema.version { throw HistoryError.newer(path: path, version: version) }
    return database
  }

  /// Brings the tables up to date; one process at a time.
  private static func update(_ database: Database, at path: String) throws {
    try FileLock.hold(path) {
      try database.transaction(.writing) {
        let version = try Schema.version(of: database)
        if version < Schema.version { try Schema.migrate(database, from: version) }
      }
      // Data that the new version no longer keeps stays in old pages until then.
      try database.execute(emptyingLog)
    }.get()
  }

  /// Makes the file, or closes a history to others that is open to them: the file of another program, which was
  /// named by mistake, stays as it is. SQLite gives the files beside it the same mode.
  private static func createPrivately(_ path: String, _ wait: LockWait) throws(HistoryError) {
    do {
      try Directories.create(above: path, mode: 0o700)
      if !BoundedRead.isThere(path) {
        try FileLock.hold(path) {
          // Another process may have been faster.
          if !BoundedRead.isThere(path) { try create(path, wait) }
        }.get()
      }
      if Schema.isMarked(header: DatabaseFile.header(of: path)) {
        try PrivateFile(path: path).createIfMissing()
      }
    } catch {
      throw failure(error, path)
    }
  }

  /// Makes a database with empty tables under another name, so that a file of no bytes is never one that
  /// a process was about to fill.
  private static func create(_ path: String, _ wait: LockWait) throws {
    _ = try create(path, wait) { _ in }
  }

  /// - Parameter fill: Called with the path of the new database before it gets its name.
  private static func create<Value>(
    _ path: String, _ wait: LockWait, filledBy fill: (_ new: String) throws -> Value
  ) throws -> Value {
    let new = "\(path).new"
    let removeNew = {
      for suffix in ["", "-wal", "-shm", "-journal"] { Glibc.unlink(new + suffix) }
    }
    // A process may have been killed here.
    removeNew()
    let value: Value
    do {
      try PrivateFile(path: new).createIfMissing()
      try makeTables(in: new, wait)
      value = try fill(new)
    } catch {
      removeNew()
      throw error
    }
    // A log without its database belongs to nothing, and must not be taken for the new one's.
    for suffix in ["-wal", "-shm"] { Glibc.unlink(path + suffix) }
    guard Glibc.rename(new, path) == 0 else {
      throw HistoryError.failed(path: path, reason: "it could not be created")
    }
    return value
  }

  /// Closes the database when it returns.
  private static func makeTables(in path: String, _ wait: LockWait) throws {
    let database = try Database(at: path, wait: wait)
    // Without a journal each page is written once: until it is whole, the file is removed after any failure.
    try database.execute("PRAGMA page_size = \(pageSize); PRAGMA journal_mode = OFF")
    try database.transaction(.writing) { try Schema.migrate(database, from: 0) }
    try database.execute("PRAGMA journal_mode = WAL")
  }

  /// Replaces a database if it is damaged; returns what to say about it, or nil when another process was faster.
  private static func replaceIfDamaged(
    _ path: String, _ wait: LockWait
  ) throws(HistoryError) -> String? {
    do {
      return try FileLock.hold(path) { () -> String? in
        do {
          // Another process may have put it right meanwhile.
          _ = try connection(to: path, wait)
          return nil
        } catch {
          guard case .damaged = failure(error, path) else { throw error }
        }
        guard DatabaseFile.isEmpty(path) else { return try replace(path, wait) }
        // There is nothing to keep.
        for suffix in ["", "-wal", "-shm"] { Glibc.unlink(path + suffix) }
        return nil
      }.get()
    } catch {
      throw failure(error, path)
    }
  }

  /// Moves a damaged database aside, and makes a new one with what can be read of it; returns what to say about it.
  private static func replace(_ path: String, _ wait: LockWait) throws -> String {
    let (kept, isSaved) = try create(path, wait) { new in
      let isSaved = try salvage(path, into: new, wait)
      return (try rename(path), isSaved)
    }
    return "\(HistoryError.damaged(path: path, kept: kept, isSaved: isSaved))"
  }

  /// Returns whether anything could be read of a damaged database.
  private static func salvage(_ path: String, into new: String, _ wait: LockWait) throws -> Bool {
    do { return try Salvage.copy(from: path, into: new, wait) } catch {
      // The tables are made again, empty: the damaged file is kept, and its owner is told so.
      for suffix in ["", "-wal", "-shm"] { Glibc.unlink(new + suffix) }
      try PrivateFile(path: new).createIfMissing()
      try makeTables(in: new, wait)
      return false
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

  /// Replaces a database that has turned out to be damaged by one with what can be read of it.
  ///
  /// - Parameter damaged: The number of its file. Another thread may have replaced it meanwhile.
  private func repair(_ damaged: UInt64) throws(HistoryError) {
    guard open.fileNumber == damaged else { return }
    let path = path
    let notice: String?
    do {
      notice = try FileLock.hold(path) {
        // Another process may have done it.
        Self.inode(of: path) == damaged ? try Self.replace(path, wait) : nil
      }.get()
    } catch {
      throw Self.failure(error, path)
    }
    open.replace(by: try Self.database(at: path, wait), inode: Self.inode(of: path))
    if let notice { tell(notice) }
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
      // SQLite then names the file beside it that it could not make.
      case .other where access(path, W_OK) != 0:
        return .failed(path: path, reason: "cannot be read without write permission")
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

  /// Runs `body`, and again with a new database if the present one turns out to be damaged.
  private func repairing<Value>(
    _ kind: Database.TransactionKind, _ body: (Database) throws -> Value
  ) throws(HistoryError) -> Value {
    var number: UInt64 = 0
    do {
      return try open.use(noting: &number) { try Self.run(kind, body, $0) }
    } catch {
      guard case .damaged = Self.failure(error, path) else { throw Self.failure(error, path) }
    }
    try repair(number)
    do { return try open.use { try Self.run(kind, body, $0) } } catch {
      throw Self.failure(error, path)
    }
  }

  /// Moves what the log holds into the database, and the log's bytes out of the file.
  ///
  /// As long as another process reads an older state the log stays as it is, for the next time.
  func emptyLog() throws(HistoryError) {
    do {
      try open.use { try $0.execute(Self.emptyingLog) }
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Runs `body` with memory for more pages.
  func withCache(
    megabytes: Int, _ body: () throws(HistoryError) -> Void
  ) throws(HistoryError) {
    try setCache(megabytes)
    defer { try? setCache(Self.usualCache) }
    try body()
  }

  private func setCache(_ megabytes: Int) throws(HistoryError) {
    do {
      try open.use { try $0.setCache(megabytes: megabytes) }
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// True if commits leave everything in the log.
  func keepLog(_ isKept: Bool) throws(HistoryError) {
    do {
      try open.use { try $0.setLogKept(isKept) }
    } catch {
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
  private var isAnother = false

  init(_ database: Database, inode: UInt64) {
    self.database = database
    self.inode = inode
  }

  /// Runs `body` when no other thread uses the database.
  func use<Value>(_ body: (Database) throws -> Value) rethrows -> Value {
    try queue.sync { try body(database) }
  }

  /// The same, and notes the number of the file that `body` has used.
  func use<Value>(
    noting number: inout UInt64, _ body: (Database) throws -> Value
  ) rethrows -> Value {
    try queue.sync {
      number = inode
      return try body(database)
    }
  }

  /// The number of the file in its file system.
  var fileNumber: UInt64 { queue.sync { inode } }

  /// True once another database was taken.
  var wasReplaced: Bool { queue.sync { isAnother } }

  /// Takes another database from now on.
  func replace(by database: Database, inode: UInt64) {
    queue.sync { (self.database, self.inode, isAnother) = (database, inode, true) }
  }
}
