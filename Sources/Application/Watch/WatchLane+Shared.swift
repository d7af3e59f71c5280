internal import FoundationEssentials
internal import SharedHistory

/// Lanes and turns as a shared state keeps them: moments are milliseconds since 1970.
extension WatchLane {
  /// - Parameter now: The moment to which its buckets are filled.
  init(_ shared: SharedLane, _ allowances: [WatchAllowance], at now: Duration) {
    self.init(allowances)
    closedUntil = .milliseconds(shared.closedUntil)
    rateLimits = Int(shared.rateLimits)
    isSilent = shared.isSilent
    for place in buckets.indices {
      let allowance = buckets[place].allowance
      let known = shared.buckets.first {
        $0.requests == allowance.requests && .milliseconds($0.span) == allowance.span
      }
      // A limit that nobody has counted for yet allows a quarter at once.
      if let known {
        buckets[place] = .init(allowance, full: .microseconds(known.full), at: now)
      }
    }
  }

  /// - Parameter before: The lane when it was taken.
  func shared(_ before: SharedLane) -> SharedLane {
    var lane = before
    lane.closedUntil = closedUntil.roundedMilliseconds
    lane.rateLimits = Int64(rateLimits)
    lane.isSilent = isSilent
    let own = sharedBuckets
    // Workers with other limits have buckets of their own.
    let others = before.buckets.filter { known in
      !own.contains { $0.requests == known.requests && $0.span == known.span }
    }
    lane.buckets = own + others
    return lane
  }

  var sharedBuckets: [SharedLane.Bucket] {
    buckets.map { bucket in
      SharedLane.Bucket(
        requests: Int64(bucket.allowance.requests),
        span: bucket.allowance.span.roundedMilliseconds,
        full: Int64((bucket.full / .microseconds(1)).rounded(.up)))
    }
  }
}

extension WatchTurn {
  init(_ shared: SharedTurn) {
    added = .milliseconds(shared.added)
    due = .milliseconds(shared.due)
    begun = .milliseconds(shared.begun)
    interval = .milliseconds(shared.interval)
    newest = shared.newest.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    rejections = Int(shared.rejections)
  }

  func shared(as search: Int64, failure: String?) -> SharedTurn {
    SharedTurn(
      search: search, added: added.roundedMilliseconds, due: due.roundedMilliseconds,
      begun: begun.roundedMilliseconds, interval: interval.roundedMilliseconds,
      newest: newest.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) },
      rejections: Int64(rejections), failure: failure)
  }
}

extension Duration {
  /// The duration in milliseconds, rounded up.
  var roundedMilliseconds: Int64 { Int64((self / .milliseconds(1)).rounded(.up)) }
}
