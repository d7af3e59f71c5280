/// The turns in which transfers decode their bodies, so that no answer keeps the others waiting,
/// whatever it unpacks to.
final class DecodingTurns {
  /// The work of all transfers in one round of the loop.
  private static let round = 8 * ContentDecoder.slice

  private var left = DecodingTurns.round
  private var waiting: [RequestID] = []

  /// The work that a transfer may do now.
  var share: Int { min(ContentDecoder.slice, left) }

  /// True if a transfer could go on without the network.
  var isAnyWaiting: Bool { !waiting.isEmpty }

  func use(_ work: Int) { left -= work }

  /// Notes a transfer that has more to decode.
  func wait(_ id: RequestID) { waiting.append(id) }

  /// Begins a round; returns the transfers that waited for it, the longest waiting first.
  func beginRound() -> [RequestID] {
    left = Self.round
    guard !waiting.isEmpty else { return [] }
    defer { waiting = [] }
    return waiting
  }
}
