import PostHistory
import SharedHistory
import TestSupport
import Testing

/// The implementations of the history, for the tests that each of them has to pass.
enum Store: String, CaseIterable {
  case sqlite, postgres

  /// Those that can be tested here.
  static let all = PostgresServer.isInstalled ? allCases : [.sqlite]

  /// An empty history.
  ///
  /// - Parameter folder: The place of its file, if it is one.
  func open(in folder: Folder) throws -> any HistoryStore {
    switch self {
    case .sqlite: try SQLiteHistory(at: folder["history.db"])
    case .postgres: try Self.sharedHistory()
    }
  }

  /// An empty history in a database of its own.
  static func sharedHistory() throws -> SharedHistory {
    try SharedHistory(at: preparedAddress())
  }

  /// The address of a database of its own that has the tables.
  static func preparedAddress() throws -> SharedAddress {
    let address = try SharedAddress.sample()
    _ = try SharedState(at: address).prepare()
    return address
  }
}

extension SharedAddress {
  /// The address of an empty database.
  static func sample() throws -> SharedAddress {
    let text = try PostgresServer.shared().database()
    return try #require(SharedAddress(text))
  }
}
