internal import FoundationEssentials

/// A feed, in the terms that all formats share.
struct FeedDocument: Hashable, Sendable {
  var title: String?
  /// The page for people.
  var link: String?
  var authors: [FeedPerson] = []
  var published: Date?
  var updated: Date?
  var language: String?
  var entries: [FeedEntry] = []
  /// Entries that say nothing.
  var brokenEntries = 0
  /// The address of the next page (RFC 5005, section 3; `next_url` of JSON Feed).
  var next: String?
  /// Whether it ends in the middle.
  var isCut = false
  /// Whether it holds more than is read.
  var isTooLong = false

  /// More entries than these are not read.
  static let entryLimit = 20_000

  mutating func add(_ entry: FeedEntry) {
    if entry.isEmpty { brokenEntries += 1 } else { entries.append(entry) }
  }
}
