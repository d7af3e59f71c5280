internal import QueuedHTTP

/// A number of requests in any span of a length.
struct WatchAllowance: Hashable, Sendable {
  var requests: Int
  var span: Duration

  /// Counts requests so that no span of time holds more than allowed: a quarter at once, and the rest
  /// evenly.
  struct Bucket: Hashable, Sendable {
    let allowance: WatchAllowance
    private var tokens: TokenBucket
    private var filled = Duration.zero

    init(_ allowance: WatchAllowance) { self.init(allowance, full: .zero, at: .zero) }

    /// - Parameters:
    ///   - full: The moment at which it is full, which is all that has to be remembered of it.
    ///   - now: The moment to which it is filled.
    init(_ allowance: WatchAllowance, full: Duration, at now: Duration) {
      self.allowance = allowance
      let requests = max(allowance.requests, 1)
      let size = max(requests / 4, 1)
      tokens = TokenBucket(
        size: Int64(size), step: allowance.span / max(requests - size, 1), full: Moment.zero + full)
      filled = now
    }

    var hasRoom: Bool { tokens.opens <= Moment.zero + filled }

    /// The moment at which there is room.
    var opens: Duration { hasRoom ? .zero : tokens.opens - .zero }

    /// The moment at which it is full.
    var full: Duration { tokens.full - .zero }

    mutating func refill(until now: Duration) { filled = max(filled, now) }

    mutating func take(_ count: Int) { tokens.take(count, at: Moment.zero + filled) }
  }
}
