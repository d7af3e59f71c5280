package import FoundationEssentials
package import QueuedHTTP

/// The meaning of a response, as far as its status, its network's errors and its pauses tell.
package enum Judgement: Sendable {
  /// A status of 200, the moment when the next request is allowed, nil for at once, and whether the body was cut off.
  case answer(pauseEnd: Date?, isCutOff: Bool)
  /// Any other status, or an error that passes.
  case refusal(Refusal)

  /// The verdict for the client.
  package var verdict: Verdict {
    switch self {
    case .answer(let pauseEnd, isCutOff: false):
      pauseEnd.map { .doneThenCoolDown(until: $0) } ?? .done
    case .answer(let pauseEnd, isCutOff: true): pauseEnd.map { .coolDown(until: $0) } ?? .retry
    case .refusal(let refusal): refusal.verdict
    }
  }

  /// True if the same request may be answered later.
  package var isTemporary: Bool {
    if case .refusal(let refusal) = self { refusal.isTemporary } else { false }
  }

  package var isExpiredSession: Bool {
    if case .refusal(let refusal) = self { refusal.isExpiredSession } else { false }
  }
}
