package import PostHistory
internal import Synchronization

/// The history in a PostgreSQL database that any number of machines share.
///
/// Commits of different posts and searches go on side by side; what two of them have in common is locked
/// in one order by all. The tables are made by `searchagg state init` (`SharedState`).
package final class SharedHistory: HistoryStore {
  private let connection: SharedConnection
  /// The length of the leases of lanes and receivers.
  let lease: Duration
  /// The clock of the leases.
  let clock: SharedClock
  /// The receivers that this process delivers to, with the numbers of its leases.
  private let delivered = Mutex<[Int64: Int64]>([:])
  /// The key of the database's hashes.
  let key: FingerprintKey

  /// Connects to a state that has its tables.
  ///
  /// - Parameters:
  ///   - wait: The wait for what other processes have locked, and for a server that was lost.
  ///   - lease: The time after which others take over from a process that stalls.
  package init(
    at address: SharedAddress, wait: LockWait = LockWait(),
    lease: Duration = .seconds(60), clock: SharedClock = .database
  ) throws(HistoryError) {
    self.lease = lease
    self.clock = clock
    connection = try SharedConnection(to: address, wait: wait, lease: lease)
    key = FingerprintKey(try Self.key(of: connection, address))
  }

  /// The key of a state's hashes; throws unless its tables are those of this version.
  static func key(
    of connection: SharedConnection, _ address: SharedAddress
  ) throws(HistoryError) -> [UInt8] {
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
        reason: "its tables are those of an earlier searchagg; run: "
          + "searchagg state init --state '\(address.name)'")
    }
    return fact.key
  }

  /// The length of a lease in milliseconds.
  var patience: Int64 { max(Int64(lease / .milliseconds(1)), 1) }

  /// Takes the right to deliver to a receiver; returns false while somebody else has it.
  func holdDelivery(_ hash: Int64, of receiver: String) throws(HistoryError) -> Bool {
    let isOurs = delivered.withLock { $0[hash] != nil }
    guard !isOurs else { return false }
    let number = try write { connection in
      try ReceiverTable(connection: connection)
        .lease(hash, receiver, for: patience, now: clock.now(connection))
    }
    guard let number else { return false }
    delivered.withLock { $0[hash] = number }
    return true
  }

  func renewDelivery(_ hash: Int64) {
    // Where this fails, the next change of a batch does, too.
    try? write { _ = try keepsDelivery(hash, in: $0) }
  }

  func releaseDelivery(_ hash: Int64) {
    guard let number = delivered.withLock({ $0.removeValue(forKey: hash) }) else { return }
    // Where this fails the lease ends by itself.
    try? write {
      _ = try ReceiverTable(connection: $0).renew(hash, lease: number, until: 0)
    }
  }

  /// Lets our lease of a receiver go on, if we have one; returns false when somebody else has taken over.
  private func keepsDelivery(_ hash: Int64, in connection: PostgresConnection) throws -> Bool {
    guard let number = delivered.withLock({ $0[hash] }) else { return true }
    return try ReceiverTable(connection: connection)
      .renew(hash, lease: number, until: clock.now(connection) + patience)
  }

  /// Runs `body` in a transaction, unless somebody else has taken over the delivery to a receiver.
  func deliver<Value>(
    to receiver: String, _ body: (OutboxTable) throws -> Value
  ) throws(HistoryError) -> Value {
    try write { connection in
      guard try keepsDelivery(key.hash(of: receiver), in: connection) else {
        throw HistoryError.failed(
          path: name, reason: "another worker now delivers to this receiver")
      }
      return try body(OutboxTable(connection: connection))
    }
  }

  /// The address for people.
  package var name: String { connection.address.name }

  /// Runs `body` on one state of the database, whatever others write meanwhile.
  func read<Value>(_ body: (PostgresConnection) throws -> Value) throws(HistoryError) -> Value {
    try connection.transaction(.reading, body)
  }

  /// Runs `body`, which reads by one statement.
  func readOnce<Value>(
    _ body: (PostgresConnection) throws -> Value
  ) throws(HistoryError) -> Value {
    try connection.transaction(.statement, body)
  }

  /// Runs `body` in a transaction, again where others stood in its way.
  func write<Value>(_ body: (PostgresConnection) throws -> Value) throws(HistoryError) -> Value {
    try connection.transaction(.writing, body)
  }
}
