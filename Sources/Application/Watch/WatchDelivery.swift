internal import PostHistory
internal import Synchronization

/// Passes new posts on during the rounds, to each receiver independently.
final class WatchDelivery: Sendable {
  private let delivery: Delivery
  /// The receivers that did not take everything the last time, by their keys.
  private let failing = Mutex<Set<String>>([])
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
  var hasFailed: Bool { failing.withLock { !$0.isEmpty } }

  /// Delivers what is in the outbox, as soon as the receivers have taken what came before.
  func wake(for outbox: any HistoryStore) {
    delivery.tidyDaily(outbox)
    for receiver in news { receiver.yield(outbox) }
  }

  /// Lets `run` return once the receivers have taken everything.
  func finish() {
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
            let isComplete = await self.delivery.deliver(to: receiver, from: outbox)
            self.failing.withLock { failing in
              if isComplete { failing.remove(receiver.key) } else { failing.insert(receiver.key) }
            }
          }
        }
      }
    }
  }
}
