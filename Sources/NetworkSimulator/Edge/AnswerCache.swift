internal import Synchronization

/// The answers made lately, up to a bound of bytes: writing JSON is most of a request's cost.
final class AnswerCache: Sendable {
  private struct Contents {
    var answers: [String: SimulatedAnswer] = [:]
    var order: [String] = []
    var bytes = 0
  }

  private let contents = Mutex(Contents())
  private let bound: Int

  init(bound: Int = 32 << 20) { self.bound = bound }

  /// Returns the answer kept under `key`, or makes and keeps it.
  func answer(_ key: String, make: () -> SimulatedAnswer) -> SimulatedAnswer {
    if let kept = contents.withLock({ $0.answers[key] }) { return kept }
    let made = make()
    contents.withLock { contents in
      guard contents.answers[key] == nil else { return }
      contents.bytes += made.body.count
      contents.order.append(key)
      contents.answers[key] = made
      guard contents.bytes > bound else { return }
      // Half at once, so that the order is not shifted for each.
      let dropped = contents.order.prefix(contents.order.count / 2)
      for key in dropped {
        contents.bytes -= contents.answers.removeValue(forKey: key)?.body.count ?? 0
      }
      contents.order.removeFirst(dropped.count)
    }
    return made
  }
}
