/// The part of an attempt that is sent in one lane.
struct Leg: Sendable {
  // An object, because few legs have a hop, and every request is kept and passed on with a leg.
  private final class FirstHop: Sendable {
    let hop: Hop

    init(_ hop: Hop) { self.hop = hop }
  }

  private let firstHop: FirstHop?
  /// The number of the attempt, from 1.
  var attempt: Int
  /// The number of retries before it.
  var retries: Int
  /// The time that the attempt has spent in other lanes.
  let elapsed: Duration

  /// Its first hop; nil means that of the request, with which most attempts begin.
  var hop: Hop? { firstHop?.hop }

  init(hop: Hop? = nil, attempt: Int = 1, retries: Int = 0, elapsed: Duration = .zero) {
    firstHop = hop.map { FirstHop($0) }
    (self.attempt, self.retries) = (attempt, retries)
    self.elapsed = elapsed
  }
}
