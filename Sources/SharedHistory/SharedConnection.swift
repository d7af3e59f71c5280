internal import Dispatch
internal import PostHistory

/// The connection of a process to its shared state, which threads use one after the other, and which is
/// opened again where it was lost.
///
/// `@unchecked Sendable`: all access to its variables is on its queue.
final class SharedConnection: @unchecked Sendable {
  /// A transaction that others stand in the way of is repeated this often.
  private static let attempts = 12
  /// The moments of a wait between two attempts to reach a server that was lost: a quarter of a second.
  private static let momentsAtOnce = 16
  /// The time after which a server is given up that lets nobody connect.
  private static let patience = Duration.seconds(10)
  /// The time that a statement has once nothing is to be waited for any more.
  private static let grace = Duration.seconds(1)

  let address: SharedAddress
  private let library: PostgresLibrary
  private let queue = DispatchQueue(label: "searchagg.shared-history")
  /// The wait for what other processes have locked, and for a server that is restarting.
  private let wait: LockWait
  /// The time after which the server ends a transaction that stalls.
  private let lease: Duration
  private var open: PostgresConnection?
  private var hasConnected = false

  init(
    to address: SharedAddress, wait: LockWait = LockWait(),
    lease: Duration = .seconds(60)
  ) throws(HistoryError) {
    self.address = address
    self.lease = lease
    self.wait = wait
    guard !address.isAmbiguous else {
      throw .rejected(
        path: address.name,
        reason: "write / @ ? and & of a user, a password or a database as %2F %40 %3F and %26",
        needsPassword: false)
    }
    do { library = try PostgresLibrary() } catch {
      throw .unsupported(path: address.name, reason: error.message)
    }
  }

  /// The kinds of transactions, as they begin.
  enum Kind: String {
    /// Sees one state of the database.
    case reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    case writing = "BEGIN ISOLATION LEVEL READ COMMITTED"
    /// One statement that reads is a transaction by itself, and goes to the server and back once.
    case statement = ""
  }

  /// Runs `body` in a transaction, again where another transaction was in its way or the connection was
  /// lost. What a lost one has committed without our knowing is committed twice, which `body` must bear.
  ///
  /// A server that has answered before may be restarting: it is waited for as long as for a lock.
  func transaction<Value>(
    _ kind: Kind, _ body: (PostgresConnection) throws -> Value
  ) throws(HistoryError) -> Value {
    do {
      return try queue.sync {
        var attempt = 0
        var isLost = false
        var moments: Int32 = 0
        while true {
          do {
            let connection = try connected()
            guard kind != .statement else { return try body(connection) }
            return try connection.transaction(kind.rawValue) { try body(connection) }
          } catch let error as PostgresError {
            attempt += 1
            if error.isUnavailable, hasConnected {
              open = nil
              // One that is restarting says so.
              if error.kind == .silent { throw error }
              // The first attempt follows at once: the way to the server may just have been cut.
              if isLost, !wait.pause(moments: Self.momentsAtOnce, after: &moments) { throw error }
              isLost = true
            } else if !error.isConflict || attempt >= Self.attempts {
              throw error
            }
          }
        }
      }
    } catch {
      throw meaning(of: error)
    }
  }

  private var settings: [(name: String, value: String)] {
    [
      ("connect_timeout", "\(Int(Self.patience / .seconds(1)))"), ("keepalives_idle", "30"),
      ("tcp_user_timeout", "60000"), ("fallback_application_name", "searchagg"),
      ("client_encoding", "UTF8"),
    ]
  }

  private func connected() throws(PostgresError) -> PostgresConnection {
    if let open { return open }
    if hasConnected, wait.isOver {
      throw PostgresError(kind: .unavailable, message: "the connection was lost")
    }
    let connection = try PostgresConnection(to: address.text, settings, with: library)
    let watch = ServerWatch(every: Self.patience, grace: Self.grace, wait: wait) {
      [address, settings, library] in
      PostgresConnection.isThere(address.text, settings, with: library)
    }
    connection.awaits = { watch.goesOn(since: $0) }
    guard connection.serverVersion >= 130_000 else {
      throw PostgresError(
        kind: .refused(code: "0A000"), message: "the server is older than PostgreSQL 13")
    }
    guard connection.announced("server_encoding") == "UTF8" else {
      throw PostgresError(
        kind: .refused(code: "0A000"),
        message: "the database is not in UTF-8; make one with: createdb --encoding UTF8")
    }
    func milliseconds(_ duration: Duration) -> Int { max(Int(duration / .milliseconds(1)), 1) }
    // A process that was stopped within a transaction must not keep what it has locked from the others.
    try connection.execute(
      """
      SET search_path = searchagg; SET lock_timeout = \(milliseconds(wait.longest));
      SET idle_in_transaction_session_timeout = \(milliseconds(lease))
      """)
    open = connection
    hasConnected = true
    return connection
  }

  /// The meaning of an error for the user.
  private func meaning(of error: any Error) -> HistoryError {
    switch error {
    case let error as HistoryError: return error
    case let error as PostgresError where error.isAboutPassword || error.isAboutAddress:
      return .rejected(
        path: address.name, reason: address.masked(error.message),
        needsPassword: error.isAboutPassword)
    case let error as PostgresError where error.isUnavailable:
      return .unavailable(path: address.name, reason: address.masked(error.message))
    case let error as PostgresError where error.isMissingTable:
      return .failed(
        path: address.name,
        reason:
          "no state is in this database yet; run: searchagg state init --state '\(address.name)'")
    case let error as PostgresError where error.kind == .refused(code: "55P03"):
      return .unavailable(path: address.name, reason: "another process is using it")
    case let error as PostgresError where error.isTimeout || error.isConflict:
      return .unavailable(path: address.name, reason: address.masked(error.message))
    case let error as PostgresError:
      return .failed(path: address.name, reason: address.masked(error.message))
    case let error: return .failed(path: address.name, reason: "\(error)")
    }
  }
}
