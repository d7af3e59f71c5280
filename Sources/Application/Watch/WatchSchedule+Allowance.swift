extension WatchSchedule {
  /// A number of requests in any span of a length.
  struct Allowance: Hashable, Sendable {
    var requests: Int
    var span: Duration
  }

  /// Counts requests so that no span of time holds more than allowed: a quarter at once, and the rest
  /// evenly.
  struct Bucket: Hashable, Sendable {
    let allowance: Allowance
    private let size: Double
    private let interval: Duration
    private var tokens: Double
    private var filled = Duration.zero

    init(_ allowance: Allowance) {
      self.allowance = allowance
      let requests = Double(max(allowance.requests, 1))
      size = max((requests / 4).rounded(.down), 1)
      interval = allowance.span / max(requests - size, 1)
      tokens = size
    }

    var hasRoom: Bool { tokens >= 1 }

    /// The moment at which there is room.
    var opens: Duration { hasRoom ? .zero : filled + interval * (1 - tokens) }

    mutating func refill(until now: Duration) {
      guard now > filled else { return }
      tokens = min(size, tokens + (now - filled) / interval)
      filled = now
    }

    mutating func take(_ count: Int) { tokens -= Double(count) }
  }
}
