internal import SearchEngine
package import SearchModel

/// The settings of the searches: their sources, and the number of posts of each.
package struct SearchSettings: Sendable {
  /// The sources that a setting names; nil for those asked by default.
  package let sources: [SourceName]?
  /// True if they take precedence over a tag's own sources, as an option does.
  package let areSourcesByOption: Bool
  /// The sources that a setting or a tag of the run names.
  package let namedSources: Set<SourceName>
  /// True if queries use each network's own syntax.
  package let isRaw: Bool
  /// The part of the plan to run; nil for all of it.
  package let shard: Shard?
  /// The most posts of one search; nil where nothing says so.
  package let perSearch: Int?
  /// The same if it is an option, which a tag's own limit cannot change.
  package let optionCap: Int?
  /// The cap of one search where neither option nor tag sets one: 20, unless the limit or the beginning
  /// of the run bounds it already.
  package let defaultCap: Int?
  /// The authors whose posts are left out.
  package let muted: [AuthorName]

  init(_ written: WrittenSettings, for use: SettingsUse, naming named: [SourceName]) {
    sources = written.sources
    areSourcesByOption = written.isOption("source")
    namedSources = Set((written.sources ?? []) + named)
    isRaw = written.isRaw
    shard = written.shard
    perSearch = written.perSearch
    optionCap = written.isOption("per-search") ? written.perSearch : nil
    let isBounded = written.limit != nil || written.limits.since != nil && use != .ask
    defaultCap = written.perSearch ?? (isBounded ? nil : Self.sampleSize)
    muted = written.includesMuted ? [] : written.muted
  }

  private static let sampleSize = 20
}
