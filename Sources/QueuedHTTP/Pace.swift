/// How many requests a lane starts at most in an interval: a token bucket that refills evenly.
public struct Pace: Sendable, Hashable {
  /// The size of the bucket, and the tokens that an interval brings.
  public var requests: Int
  public var interval: Duration

  public init(requests: Int, per interval: Duration) {
    self.requests = requests
    self.interval = interval
  }
}
