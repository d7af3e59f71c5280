/// How many requests a lane starts at most in an interval: a token bucket that refills evenly.
public struct Pace: Sendable, Hashable {
  /// The size of the bucket, and the tokens that an interval brings.
  public var requests: Int
  /// How long the bucket takes to fill from empty.
  public var interval: Duration

  /// Describes a pace: so many requests in each interval.
  public init(requests: Int, per interval: Duration) {
    self.requests = requests
    self.interval = interval
  }
}
