package import FoundationEssentials
package import PostHistory

extension SharedHistory: Outbox {
  package func oldestBatch(for receiver: String) throws(HistoryError) -> OutboxBatch? {
    try deliver(to: receiver) { try $0.oldest(for: receiver) }
  }

  package func batches(
    before date: Date, except receivers: [String]
  ) throws(HistoryError) -> [OutboxBatch] {
    try read { try OutboxTable(connection: $0).all(before: date) }
      .filter { !receivers.contains($0.receiver) }
  }

  package func update(_ batch: OutboxBatch) throws(HistoryError) {
    try deliver(to: batch.receiver) { try $0.update(batch) }
  }

  package func remove(_ batch: OutboxBatch) throws(HistoryError) {
    try deliver(to: batch.receiver) { try $0.remove(batch) }
  }
}
