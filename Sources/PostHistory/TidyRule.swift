internal import FoundationEssentials

/// Decides what a run does to keep the files small. Pure.
struct TidyRule {
  /// The most bytes that may wait in the spool.
  private static let mostBytes: Int64 = 64 << 20
  /// Where runs bring more than each of them can move in a moment, they take longer.
  private static let tooManyBytes: Int64 = 512 << 20
  private static let mostRuns: Int64 = 32
  /// In milliseconds.
  private static let longestWait: Int64 = 86_400_000
  /// The log is half as large as one run may make it.
  static let longestLog: Int64 = 64 << 20

  let spool: SpoolTable.Size
  let now: Milliseconds
  /// The bytes of all pages, wherever they are.
  let pages: Int64
  /// The bytes of the database without its log.
  let files: Int64
  let log: Int64

  /// True if the spool may be too large, so that its bytes are worth counting.
  ///
  /// - Parameter pages: The bytes of all pages.
  static func needsBytes(pages: Int64) -> Bool { pages > mostBytes }

  /// The time for moving posts from the spool into the tables; nil if there is no need.
  var foldingTime: Duration? {
    // A date in the future comes from a clock that was wrong.
    let isOld = spool.oldest.map { abs(now.count - $0.count) > Self.longestWait } ?? false
    let bytes = spool.bytes ?? 0
    guard isOld || bytes > Self.mostBytes || spool.runs > Self.mostRuns else { return nil }
    return bytes > Self.tooManyBytes ? .seconds(2) : .milliseconds(200)
  }

  /// True if the log is long, or holds more old versions of pages than it is worth.
  var emptiesLog: Bool { log > Self.longestLog || (files + log) * 20 > pages * 23 }
}
