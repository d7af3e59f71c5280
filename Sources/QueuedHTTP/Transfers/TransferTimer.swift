/// The times of a transfer, from which its timeouts follow.
struct TransferTimer {
  /// What libcurl has counted in the current hop.
  struct Reading {
    /// The bytes sent and received, those included that reach no callback or that a decoder still holds.
    var bytes: Int
    /// The microseconds until there was a connection; 0 if there is none yet.
    var connected: Int
    /// True if the request was sent, or a part of it.
    var isSending: Bool
  }

  /// The longest time between two checks of a transfer that is still connecting.
  private static let longestConnectCheck = Duration.milliseconds(100)

  private var attemptBegan = Moment.zero
  private var hopBegan = Moment.zero
  private var lastActivity = Moment.zero
  private var bytesAtLastCheck = 0

  /// - Parameter elapsed: The time that the attempt has already spent, in other lanes.
  mutating func beginAttempt(at now: Moment, elapsed: Duration) {
    attemptBegan = now + (.zero - elapsed)
  }

  mutating func beginHop(at now: Moment) {
    (hopBegan, lastActivity, bytesAtLastCheck) = (now, now, 0)
  }

  /// Notes that something was sent or received.
  mutating func noteActivity(at now: Moment) { lastActivity = now }

  /// The time since the attempt began, not counting the time in other lanes' queues.
  func elapsed(at now: Moment) -> Duration { now - attemptBegan }

  /// The time that the attempt spent before the current hop.
  var earlierHops: Duration { hopBegan - attemptBegan }

  /// The moment at which the attempt has lasted for a time.
  func end(of total: Duration) -> Moment { attemptBegan + total }

  /// The moment of the first check of a hop.
  func firstCheck(_ idle: Duration?) -> Moment {
    hopBegan + min(idle ?? .seconds(1), Self.longestConnectCheck)
  }

  /// The moment of the next check; nil if nothing was sent or received for the time given.
  mutating func nextCheck(_ idle: Duration, _ reading: Reading, at now: Moment) -> Moment? {
    if reading.bytes != bytesAtLastCheck {
      bytesAtLastCheck = reading.bytes
      lastActivity = now
    }
    guard reading.connected > 0 || reading.isSending else {
      // Still connecting, which has its own timeout.
      return now + min(idle, Self.longestConnectCheck)
    }
    let end = max(lastActivity, hopBegan + .microseconds(reading.connected)) + idle
    return end > now ? end : nil
  }
}
