internal import Dispatch
package import PostHistory

/// The right to deliver, and the posts that were given up.
extension SharedHistory {
  /// The lock is a lease: it is renewed as long as the value lives, and ends some time after its process has
  /// stood still or died, so that no batch waits for a machine that is gone.
  package func deliveryLock(for receiver: String) throws(HistoryError) -> (any DeliveryLock)? {
    let number = key.hash(of: receiver)
    guard try holdDelivery(number, of: receiver) else { return nil }
    return SharedDeliveryLock(of: number, in: self, renewedEvery: lease / 3)
  }

  // No channel and no command has this name.
  private static let printing = "printing"

  package func printingLock() throws(HistoryError) -> (any DeliveryLock)? {
    try deliveryLock(for: Self.printing)
  }

  /// True while a run has the right to print new posts.
  func isPrinting(at now: Int64, in connection: PostgresConnection) throws -> Bool {
    try ReceiverTable(connection: connection).isHeld(key.hash(of: Self.printing), at: now)
  }

  package func undelivered() throws(HistoryError) -> [UndeliveredPosts] {
    try read { connection in
      try connection.all("SELECT name, lines FROM undelivered ORDER BY name COLLATE \"C\"") { row in
        UndeliveredPosts(name: try row.text("name"), lines: try row.text("lines"))
      }
    }
  }

  @discardableResult
  package func keep(_ posts: UndeliveredPosts) throws(HistoryError) -> String {
    try write { connection in
      guard !posts.lines.isEmpty else {
        return try connection.run("DELETE FROM undelivered WHERE name = $1", .text(posts.name))
      }
      try connection.run(
        """
        INSERT INTO undelivered (name, lines) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET lines = excluded.lines
        """, .text(posts.name), .text(posts.lines))
    }
    return "the state as \(posts.name) (see: searchagg undelivered list)"
  }
}

/// The lock of whoever delivers.
private final class SharedDeliveryLock: DeliveryLock {
  private let number: Int64
  private let history: SharedHistory
  private let timer: any DispatchSourceTimer

  init(of number: Int64, in history: SharedHistory, renewedEvery interval: Duration) {
    self.number = number
    self.history = history
    timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(
      deadline: .now() + interval / .seconds(1), repeating: max(interval / .seconds(1), 0.01))
    timer.setEventHandler { history.renewDelivery(number) }
    timer.activate()
  }

  deinit {
    timer.cancel()
    history.releaseDelivery(number)
  }
}
