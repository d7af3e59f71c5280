/// The rules for the date of a post's last fetch, by which posts are pruned.
///
/// Dates count by days of UTC: a post that every run reads again is written once a day, although it is as it was, and
/// a run prunes what was fetched on no later day than the one before its bound.
package enum FetchDate {
  private static let day: Int64 = 86_400_000
  /// A date so far ahead, in milliseconds, comes from a clock that was wrong.
  private static let farAhead = 7 * day

  /// Returns whether a fetch renews the date of an earlier one.
  package static func isRenewed(_ earlier: Milliseconds, at now: Milliseconds) -> Bool {
    start(of: now).count > start(of: earlier).count || earlier.count - now.count > farAhead
  }

  /// The beginning of a day.
  package static func start(of moment: Milliseconds) -> Milliseconds {
    let day = (moment.count - (moment.count < 0 ? Self.day - 1 : 0)) / Self.day
    return Milliseconds(count: day * Self.day)
  }
}
