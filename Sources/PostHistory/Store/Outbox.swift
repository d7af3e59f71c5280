package import FoundationEssentials

/// The new posts that runs have printed and not yet passed on to commands and channels.
///
/// A batch is stored in the transaction that marks its posts as printed, and removed after its
/// receiver has taken it: a process that is killed in between leaves it for the next one.
package protocol Outbox {
  /// Returns the oldest batch for a receiver.
  func oldestBatch(for receiver: String) throws(HistoryError) -> OutboxBatch?

  /// Returns the batches from before a date for receivers other than these.
  func batches(before date: Date, except receivers: [String]) throws(HistoryError) -> [OutboxBatch]

  /// Notes how much of a batch was taken, and when to try the rest.
  func update(_ batch: OutboxBatch) throws(HistoryError)

  /// Removes a batch that needs nothing more.
  func remove(_ batch: OutboxBatch) throws(HistoryError)

  /// Takes the right to deliver to a receiver; nil while somebody else has it.
  func deliveryLock(for receiver: String) throws(HistoryError) -> (any DeliveryLock)?

  /// Takes the right to print new posts; nil while somebody else has it.
  func printingLock() throws(HistoryError) -> (any DeliveryLock)?

  /// Returns the posts that were given up, the oldest first.
  func undelivered() throws(HistoryError) -> [UndeliveredPosts]

  /// Keeps posts that were given up, in place of those of the same name; those without lines are removed.
  ///
  /// - Returns: Where they are, for people.
  @discardableResult
  func keep(_ posts: UndeliveredPosts) throws(HistoryError) -> String
}

/// New posts for one receiver.
package struct OutboxBatch: Hashable, Sendable {
  /// Greater than those of all earlier batches; 0 before it is stored.
  package var id: Int64
  /// The command or the channel.
  package var receiver: String
  /// A line of ndjson for each post, the oldest first.
  package var lines: String
  /// The run's now.
  package var created: Date
  /// The number of lines that the receiver has taken.
  package var taken = 0
  /// The number of attempts that failed.
  package var failures = 0
  /// A random text that no other batch has, on any machine; empty before it is stored.
  package var token = ""
  /// The earliest time of the next attempt; nil for at once.
  package var retry: Date?

  package init(id: Int64 = 0, receiver: String, lines: String, created: Date) {
    self.id = id
    self.receiver = receiver
    self.lines = lines
    self.created = created
  }

  /// The lines that the receiver has not taken.
  package var waiting: ArraySlice<Substring> { lines.split(separator: "\n").dropFirst(taken) }
}
