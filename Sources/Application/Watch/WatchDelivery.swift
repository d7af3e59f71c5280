internal import PostHistory
internal import Synchronization

/// Passes new posts on during the rounds, to each receiver independently.
final class WatchDelivery: Sendable {
  private let delivery: Delivery
  /// The receivers that did not take everything the last time, by their keys, and whether `finish` was called.
  private let state = Mutex((failing: Set<String>(), isEnding: false))
  /// Tells each receiver that the outbox has changed.
  private let news: [AsyncStream<any HistoryStore>.Continuation]
  private let streams: [AsyncStream<any HistoryStore>]

  init(_ delivery: Delivery) {
    self.delivery = delivery
    // Notifications that were not read yet are merged with the next: a receiver takes everything there is.
    let pairs = delivery.receivers.map { _ in
      AsyncStream<any HistoryStore>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }
    (streams, news) = (pairs.map(\.stream), pairs.map(\.continuation))
  }

  /// True if a receiver did not take everything the last time.
  var hasFailed: Bool { state.withLock { !$0.failing.isEmpty } }

  /// Delivers what is in the outbox, as soon as the receivers have taken what came before.
  func wake(for outbox: any HistoryStore) {
    delivery.tidyDaily(outbox)
    for receiver in news { receiver.yield(outbox) }
  }

  /// Lets `run` return once the receivers have taken everything. One that has failed is not asked again: what it
  /// has not taken stays in the outbox.
  func finish() {
    state.withLock { $0.isEnding = true }
    delivery.stopWaiting()
    for receiver in news { receiver.finish() }
  }

  /// Stops the receivers, as the process is about to die.
  func stop() { delivery.stop() }

  /// Delivers until `finish` is called.
  func run() async {
    await withTaskGroup { group in
      for (receiver, stream) in zip(delivery.receivers, streams) {
        group.addTask {
          for await outbox in stream {
            if self.state.withLock({ $0.isEnding && $0.failing.contains(receiver.key) }) {
              continue
            }
            let isComplete = await self.delivery.deliver(to: receiver, from: outbox)
            self.state.withLock { state in
              if isComplete {
                state.failing.remove(receiver.key)
              } else {
                state.failing.insert(receiver.key)
              }
            }
          }
        }
      }
    }
  }
}
