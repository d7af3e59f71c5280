package import PostHistory

/// The tables of a shared state as `searchagg state init` makes and migrates them.
package struct SharedState {
  private let connection: SharedConnection
  private let address: SharedAddress

  package init(at address: SharedAddress) throws(HistoryError) {
    self.address = address
    connection = try SharedConnection(to: address)
  }

  /// The change of the tables by `prepare`.
  package enum Change: Hashable, Sendable {
    case none, made
    case migrated(from: Int)
  }

  /// Makes the tables, or brings them up to date; one process at a time.
  package func prepare() throws(HistoryError) -> Change {
    try prepare(upTo: SharedSchema.version)
  }

  /// - Parameter last: The version to make.
  func prepare(upTo last: Int) throws(HistoryError) -> Change {
    try connection.transaction(.writing) { connection in
      // The lock of everybody who does the same in this database: "searchagg" in its bytes.
      try connection.execute("SELECT pg_advisory_xact_lock(7310575218659814759)")
      let isThere = try connection.first(
        "SELECT to_regclass('searchagg.fact') IS NOT NULL AS there"
      ) { try $0.bool("there") }
      let version =
        isThere == true
        ? try connection.first("SELECT version FROM searchagg.fact") {
          Int(try $0.integer("version"))
        } ?? 0 : 0
      if version > SharedSchema.version {
        throw HistoryError.newer(path: address.name, version: version)
      }
      guard version < last else { return .none }
      try connection.execute(SharedSchema.script(after: version, upTo: last))
      return version == 0 ? .made : .migrated(from: version)
    }
  }
}
