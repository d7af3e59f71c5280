/// How many posts the filters of a run have left out, for each reason that could apply.
///
/// A post counts each time that it came: once for every search that found it.
package struct FilterTally: Hashable, Sendable {
  private var counts: [FilterReason: Int]

  /// A tally of nothing; a run without filters has no reasons.
  package init(_ reasons: [FilterReason] = []) {
    counts = reasons.isEmpty ? [:] : Dictionary(uniqueKeysWithValues: reasons.map { ($0, 0) })
  }

  /// The reasons with their counts, in their fixed order.
  package var all: [(reason: FilterReason, count: Int)] {
    FilterReason.allCases.compactMap { reason in counts[reason].map { (reason, $0) } }
  }

  /// Whether no filter was given.
  package var isEmpty: Bool { counts.isEmpty }

  package mutating func count(_ reason: FilterReason, times: Int = 1) {
    counts[reason, default: 0] += times
  }

  package mutating func add(_ other: FilterTally) {
    // To merge nothing would make room for something, in thousands of searches.
    guard !other.isEmpty else { return }
    counts.merge(other.counts, uniquingKeysWith: +)
  }
}
