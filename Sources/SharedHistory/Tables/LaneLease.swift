/// A worker's right to ask a lane for some searches, until another worker takes over.
package struct LaneLease: Hashable, Sendable {
  /// The number of the lane.
  let id: Int64
  /// The number of the lease: each later one of the lane has a greater one.
  let number: Int64
  package var lane: SharedLane
  /// The searches to ask, the longest overdue first.
  package var turns: [SharedTurn]
  /// The moment at which it began, in milliseconds on the database's clock.
  package let begun: Int64
}
