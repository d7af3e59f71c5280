/// The ends of requests that came about in one round of the worker, which tells them when it is over.
///
/// Told one by one, each would wake a thread that has gone to sleep since the one before.
final class Outbox {
  private var settlements: [ClientState.Settlement] = []

  func add(_ settlements: [ClientState.Settlement]) { self.settlements += settlements }

  /// Hands out what was added, in its order.
  func empty(_ tell: (ClientState.Settlement) -> Void) {
    for settlement in settlements { tell(settlement) }
    settlements.removeAll(keepingCapacity: true)
  }
}
