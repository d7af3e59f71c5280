/// A server as all workers of a state see it: how much they have asked it, and from when on they may ask again.
/// Moments are milliseconds on the database's clock.
package struct SharedLane: Hashable, Sendable {
  /// An allowance of requests in a span, by the moment at which it is all there again.
  package struct Bucket: Hashable, Sendable {
    package var requests: Int64
    /// Milliseconds.
    package var span: Int64
    /// Microseconds.
    package var full: Int64

    package init(requests: Int64, span: Int64, full: Int64) {
      (self.requests, self.span, self.full) = (requests, span, full)
    }
  }

  /// The cost that was spent there in an hour, on a network that charges.
  package struct Cost: Hashable, Sendable {
    /// Since 1970.
    package var hour: Int64
    package var amount: Int64

    package init(hour: Int64, amount: Int64) { (self.hour, self.amount) = (hour, amount) }
  }

  package var buckets: [Bucket] = []
  package var costs: [Cost] = []
  /// The end of the pause that the server asked for.
  package var closedUntil: Int64 = 0
  /// Refusals for too many requests, in a row.
  package var rateLimits: Int64 = 0
  /// True if nothing came from it the last time.
  package var isSilent = false

  package init() {}
}

/// A search as all workers of a state see it. Moments and lengths of time are milliseconds.
package struct SharedTurn: Hashable, Sendable {
  /// The number of the search in the state.
  package let search: Int64
  /// The moment at which it became part of the watch.
  package var added: Int64
  package var due: Int64
  /// The moment at which it was last asked.
  package var begun: Int64
  package var interval: Int64
  /// The date of its newest post.
  package var newest: Int64?
  /// Rejections in a row.
  package var rejections: Int64
  /// The reason it failed the last time; nil if it did not.
  package var failure: String?

  package init(
    search: Int64, added: Int64, due: Int64, begun: Int64 = 0, interval: Int64 = 0,
    newest: Int64? = nil, rejections: Int64 = 0, failure: String? = nil
  ) {
    self.search = search
    (self.added, self.due, self.begun, self.interval) = (added, due, begun, interval)
    (self.newest, self.rejections, self.failure) = (newest, rejections, failure)
  }
}
