/// How current the date of a post's last fetch is, by which posts are pruned.
package enum FetchDate {
  private static let day: Int64 = 86_400_000

  /// Returns whether a fetch renews the date of an earlier one: on another day of UTC. So a post that every run reads
  /// again is written once a day, although it is as it was, and is not pruned.
  package static func isRenewed(_ earlier: Milliseconds, at now: Milliseconds) -> Bool {
    now.count / day > earlier.count / day
  }
}
