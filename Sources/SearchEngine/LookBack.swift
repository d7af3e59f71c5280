internal import FoundationEssentials

/// The reading of earlier pages for posts that arrived late, or, on a first run, to know which are there.
struct LookBack: Sendable {
  /// The most pages that are read for nothing else.
  private static let mostPages = 10

  /// True if the next page is read only to look back.
  private(set) var isUnderWay = false
  private(set) var isOfFirstRun = false
  private var end: Date?
  private var pages = 0

  /// Takes what a search wants, before the decision on its next page.
  mutating func begin(_ search: Search) {
    (end, isOfFirstRun, isUnderWay) = (search.lookBackTo, search.isFirstRun, false)
  }

  /// True if a search is to look back, and does so in this run.
  var isWanted: Bool { end != nil }

  /// True if it has looked back as far as it is to.
  private(set) var isOver = false

  /// Leaves it to the next run.
  mutating func giveUp() { end = nil }

  /// Returns whether one more page is read, and counts it.
  mutating func readsOn(from frontier: ReadingFrontier) -> Bool {
    guard let end, pages < Self.mostPages, !frontier.hasPassed(end) else {
      isOver = end != nil
      return false
    }
    pages += 1
    isUnderWay = true
    return true
  }
}
