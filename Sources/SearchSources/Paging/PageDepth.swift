/// The date down to which a page reaches, on networks where the next page is found by its date.
///
/// They list posts by the moment at which they saw them, but show an earlier date of those that were imported or dated
/// back. Those at the end of a page must not take the next one to their date, past everything between.
enum PageDepth {
  /// The shortest step back in time, in seconds, that may be one to posts that were dated back: a day.
  private static let shortestStep = 86_400.0

  /// How many times the usual distance between posts such a step is at least.
  private static let shortestLeap = 10.0

  /// Returns the moment at which the next page begins; nil for none.
  ///
  /// The posts at the end are taken for dated back where they are further from those before than all of those are from
  /// one another. If they are not, the next page only repeats them.
  ///
  /// - Parameter moments: Those of a page's posts, in its order, in seconds since 1970.
  static func end(of moments: [Double]) -> Double? {
    // The newest of some posts, as each may be dated back; the last ones come first.
    let size = max(moments.count / 20, 1)
    let newest = stride(from: moments.count, to: 0, by: -size).map { end in
      moments[max(end - size, 0)..<end].reduce(-.infinity, max)
    }
    guard let last = newest.first, let top = newest.max() else { return nil }
    var newestBehind = last
    for (behind, end) in newest.enumerated().dropFirst().dropLast() {
      let before = Double(newest.count - 1 - behind)
      let leap = (top - end) * max(shortestLeap / before, 1)
      // Of posts of one moment it takes many to tell what is usual.
      if end < top || before * 2 >= Double(newest.count),
        end - newestBehind > max(shortestStep, leap)
      {
        return end
      }
      newestBehind = max(newestBehind, end)
    }
    return last
  }
}
