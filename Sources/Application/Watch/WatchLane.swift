/// A watch's memory of one lane: how much it may ask there, and from when on.
struct WatchLane: Hashable, Sendable {
  var buckets: [WatchAllowance.Bucket]
  /// The end of the pause that the server asked for.
  var closedUntil = Duration.zero
  /// Refusals for too many requests, in a row.
  var rateLimits = 0
  /// True if nothing came from its server the last time.
  var isSilent = false
  /// True if its round was answered, at least in part.
  var hasAnswered = false

  init(_ allowances: [WatchAllowance]) {
    buckets = allowances.map { WatchAllowance.Bucket($0) }
  }

  /// The moment from which it may be asked.
  var opens: Duration { buckets.reduce(closedUntil) { max($0, $1.opens) } }

  /// The moment from which its pace allows another request: bounds on what a day may cost do not count.
  var paced: Duration {
    buckets.filter { $0.allowance.span < .seconds(86_400) }.reduce(.zero) { max($0, $1.opens) }
  }

  /// True if another request is allowed at the moment to which the buckets are filled.
  var hasRoom: Bool { buckets.allSatisfy(\.hasRoom) }

  mutating func refill(until now: Duration) {
    for place in buckets.indices { buckets[place].refill(until: now) }
  }

  mutating func take(_ requests: Int) {
    for place in buckets.indices { buckets[place].take(requests) }
  }

  /// Takes over what another watch knows about the lane.
  mutating func takeOver(_ other: WatchLane) {
    hasAnswered = other.hasAnswered
    isSilent = other.isSilent
    closedUntil = max(closedUntil, other.closedUntil)
    rateLimits = max(rateLimits, other.rateLimits)
    for place in buckets.indices {
      let same = other.buckets.first { $0.allowance == buckets[place].allowance }
      if let same { buckets[place] = same }
    }
  }
}
