package import FoundationEssentials
package import QueuedHTTP

/// The meaning of a response, as far as its status, its network's errors and its pauses tell.
package enum Judgement: Sendable {
  /// A status of 200, and the moment when the next request is allowed; nil for at once.
  case answer(pauseEnd: Date?)
  /// Any other status, or an error that passes.
  case refusal(Refusal)

  /// The verdict for the client.
  package var verdict: Verdict {
    switch self {
    case .answer(let pauseEnd): pauseEnd.map { .doneThenCoolDown(until: $0) } ?? .done
    case .refusal(let refusal): refusal.verdict
    }
  }

  package var isExpiredSession: Bool {
    if case .refusal(let refusal) = self { refusal.isExpiredSession } else { false }
  }
}
