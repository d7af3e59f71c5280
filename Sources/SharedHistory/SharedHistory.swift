package import PostHistory
internal import Synchronization

/// The history in a PostgreSQL database that any number of machines share.
///
/// Commits of different posts and searches go on side by side; what two of them have in common is locked
/// in one order by all. The tables are made by `searchagg state init` (`SharedState`).
package final class SharedHistory: HistoryStore {
  private let connection: SharedConnection
  /// The receivers that this process delivers to: the server lets one connection have a lock twice.
  private let delivered = Mutex<Set<Int64>>([])
  /// The key of the database's hashes.
  let key: FingerprintKey

  /// Connects to a state that has its tables.
  ///
  /// - Parameter wait: The wait for what other processes have locked, and for a server that was lost.
  package init(
    at address: SharedAddress, wait: LockWait = LockWait(longest: .seconds(30))
  ) throws(HistoryError) {
    connection = try SharedConnection(to: address, wait: wait)
    let fact = try connection.transaction(.reading) { connection in
      try connection.first("SELECT version, key FROM fact") { row in
        (version: Int(try row.integer("version")), key: try row.bytes("key"))
      }
    }
    guard let fact else { throw .failed(path: address.name, reason: "its tables are damaged") }
    guard fact.version <= SharedSchema.version else {
      throw .newer(path: address.name, version: fact.version)
    }
    guard fact.version == SharedSchema.version else {
      throw .failed(
        path: address.name,
        reason: "its tables are those of an earlier searchagg; run: searchagg state init")
    }
    key = FingerprintKey(fact.key)
  }

  /// Takes the right to deliver to a receiver; returns false while somebody else has it.
  func holdDelivery(_ receiver: Int64) throws(HistoryError) -> Bool {
    guard delivered.withLock({ $0.insert(receiver).inserted }) else { return false }
    do throws(HistoryError) {
      let isFree = try write { connection in
        try connection.first("SELECT pg_try_advisory_lock($1) AS free", .integer(receiver)) {
          try $0.bool("free")
        }
      }
      if isFree == true { return true }
    } catch {
      _ = delivered.withLock { $0.remove(receiver) }
      throw error
    }
    _ = delivered.withLock { $0.remove(receiver) }
    return false
  }

  func releaseDelivery(_ receiver: Int64) {
    // Where this fails the connection is gone, and the lock with it.
    try? write { try $0.run("SELECT pg_advisory_unlock($1)", .integer(receiver)) }
    _ = delivered.withLock { $0.remove(receiver) }
  }

  /// Runs `body` on one state of the database, whatever others write meanwhile.
  func read<Value>(_ body: (PostgresConnection) throws -> Value) throws(HistoryError) -> Value {
    try connection.transaction(.reading, body)
  }

  /// Runs `body` in a transaction, again where others stood in its way.
  func write<Value>(_ body: (PostgresConnection) throws -> Value) throws(HistoryError) -> Value {
    try connection.transaction(.writing, body)
  }
}
