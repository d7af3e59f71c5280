/// A number of requests in any span of a length.
struct WatchAllowance: Hashable, Sendable {
  var requests: Int
  var span: Duration

  /// Counts requests so that no span of time holds more than allowed: a quarter at once, and the rest
  /// evenly.
  struct Bucket: Hashable, Sendable {
    let allowance: WatchAllowance
    private let size: Double
    private let interval: Duration
    private var tokens: Double
    private var filled = Duration.zero

    init(_ allowance: WatchAllowance) {
      self.allowance = allowance
      let requests = Double(max(allowance.requests, 1))
      size = max((requests / 4).rounded(.down), 1)
      interval = allowance.span / max(requests - size, 1)
      tokens = size
    }

    /// - Parameters:
    ///   - full: The moment at which it is full, which is all that has to be remembered of it.
    ///   - now: The moment to which it is filled.
    init(_ allowance: WatchAllowance, full: Duration, at now: Duration) {
      self.init(allowance)
      filled = now
      if full > now { tokens = size - (full - now) / interval }
    }

    var hasRoom: Bool { tokens >= 1 }

    /// The moment at which there is room.
    var opens: Duration { hasRoom ? .zero : filled + interval * (1 - tokens) }

    /// The moment at which it is full.
    var full: Duration { filled + interval * (size - tokens) }

    mutating func refill(until now: Duration) {
      guard now > filled else { return }
      tokens = min(size, tokens + (now - filled) / interval)
      filled = now
    }

    mutating func take(_ count: Int) { tokens -= Double(count) }
  }
}
