package import FoundationEssentials
internal import PostHistory

/// The clock of leases and turns, which is the same for all workers.
package enum SharedClock: Sendable {
  /// The clock of the database's server.
  case database
  /// The clock of a simulation.
  case given(@Sendable () -> Date)

  /// The moment of the database's clock in SQL.
  static let moment = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

  /// Milliseconds since 1970 on the clock of a simulation; nil for the database's.
  var given: Int64? {
    switch self {
    case .given(let now): Milliseconds(now()).count
    case .database: nil
    }
  }

  /// Milliseconds since 1970.
  func now(_ connection: PostgresConnection) throws -> Int64 {
    try given ?? connection.first("SELECT \(Self.moment) AS now") { try $0.integer("now") } ?? 0
  }
}
