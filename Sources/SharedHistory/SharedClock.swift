package import FoundationEssentials
internal import PostHistory

/// The clock of leases and turns, which is the same for all workers.
package enum SharedClock: Sendable {
  /// The clock of the database's server.
  case database
  /// The clock of a simulation.
  case given(@Sendable () -> Date)

  /// Milliseconds since 1970.
  func now(_ connection: PostgresConnection) throws -> Int64 {
    switch self {
    case .given(let now): Milliseconds(now()).count
    case .database:
      try connection.first(
        "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now"
      ) { try $0.integer("now") } ?? 0
    }
  }
}
