/// The filters of a run: `--exclude`, `--no-reposts`, `--no-replies`, `--lang`, `--min-likes`, and posts
/// that are not for everyone, unless `--include-private` lets them pass.
package struct PostFilter: Hashable, Sendable {
  package var exclusions: ExclusionList
  package var leavesOutReposts: Bool
  package var leavesOutReplies: Bool
  /// The primary subtags of the wanted languages, each once, in their order; empty for all.
  ///
  /// A post with an unknown language is left out, too, and counted separately.
  package var languages: [String]
  /// The minimum number of likes; an unknown number is 0.
  package var fewestLikes: Int?
  /// True if posts pass that were not written for everyone.
  package var includesPrivate: Bool

  package init(
    exclusions: ExclusionList = ExclusionList(), leavesOutReposts: Bool = false,
    leavesOutReplies: Bool = false, languages: [String] = [], fewestLikes: Int? = nil,
    includesPrivate: Bool = false
  ) {
    self.exclusions = exclusions
    self.leavesOutReposts = leavesOutReposts
    self.leavesOutReplies = leavesOutReplies
    self.languages = languages
    self.fewestLikes = fewestLikes
    self.includesPrivate = includesPrivate
  }

  /// True without a filter.
  package var isEmpty: Bool {
    exclusions.words.isEmpty && exclusions.authors.isEmpty && !leavesOutReposts
      && !leavesOutReplies && languages.isEmpty && fewestLikes == nil
  }

  /// The reasons of the filters that were asked for, for a tally; none without a filter.
  package var reasons: [FilterReason] {
    if isEmpty { return [] }
    let given: [(Bool, [FilterReason])] = [
      (!exclusions.words.isEmpty, [.words]), (!exclusions.authors.isEmpty, [.authors]),
      (leavesOutReposts, [.reposts]), (leavesOutReplies, [.replies]),
      (!languages.isEmpty, [.languages, .languageUnknown]), (fewestLikes != nil, [.likes]),
    ]
    return given.flatMap { $0.0 ? $0.1 : [] }
  }

  /// Returns the posts that pass, and counts the others, each under the first reason that applies.
  package func apply(to posts: [Post], counting tally: inout FilterTally) -> [Post] {
    let isOpen = { posts[$0].isOpen }
    guard !isEmpty || !(includesPrivate || posts.indices.allSatisfy(isOpen)) else { return posts }
    var kept: [Post] = []
    for post in posts {
      if let reason = reason(against: post) { tally.count(reason) } else { kept.append(post) }
    }
    return kept
  }

  private func reason(against post: Post) -> FilterReason? {
    if !includesPrivate, !post.isOpen { return .private }
    if leavesOutReposts, post.repostOf != nil { return .reposts }
    if leavesOutReplies, post.isReply { return .replies }
    if let fewestLikes, (post.counts.likes ?? 0) < fewestLikes { return .likes }
    if !languages.isEmpty {
      let known = LanguageTag.all(of: post)
      guard !known.isEmpty else { return .languageUnknown }
      if !languages.contains(where: { LanguageTag.isAny(known, of: $0) }) { return .languages }
    }
    if exclusions.authors.hold(anAuthorOf: post) { return .authors }
    if !exclusions.words.isEmpty {
      let text = SearchedText(of: post)
      if exclusions.words.contains(where: text.holds) { return .words }
    }
    return nil
  }
}

/// The reason a run's filter leaves a post out; the raw value is its key in machine formats.
package enum FilterReason: String, CaseIterable, Hashable, Sendable {
  /// A word of `--exclude`.
  case words
  /// An author of `--exclude`.
  case authors
  case reposts
  case replies
  /// A language that is not in `--lang`.
  case languages
  /// An unknown language, with `--lang`.
  case languageUnknown = "language_unknown"
  /// Fewer likes than `--min-likes`, or an unknown number.
  case likes
  /// Not written for everyone, without `--include-private`.
  case `private`
  /// The author asks to be hidden from people who are not signed in.
  case signedOut = "signed_out"
  /// No date, with `--since` or `--until`.
  case undated
}

/// The numbers of posts that the filters of a run have left out, by reason.
///
/// A post counts once for every search that found it.
package struct FilterTally: Hashable, Sendable {
  private var counts: [FilterReason: Int]

  /// Creates a tally of zeros; a run without filters has no reasons.
  package init(_ reasons: [FilterReason] = []) {
    counts = reasons.isEmpty ? [:] : Dictionary(uniqueKeysWithValues: reasons.map { ($0, 0) })
  }

  /// The reasons with their counts, in a fixed order.
  package var all: [(reason: FilterReason, count: Int)] {
    FilterReason.allCases.compactMap { reason in counts[reason].map { (reason, $0) } }
  }

  /// True if the run has no filters.
  package var isEmpty: Bool { counts.isEmpty }

  /// True if posts were left out because of what is unknown of them.
  package var hasUnknown: Bool { has([.undated, .languageUnknown]) }

  /// True if posts were left out because they are not for everyone.
  package var hasPrivate: Bool { has([.private]) }

  private func has(_ reasons: Set<FilterReason>) -> Bool {
    all.contains { $0.count > 0 && reasons.contains($0.reason) }
  }

  package mutating func count(_ reason: FilterReason, times: Int = 1) {
    counts[reason, default: 0] += times
  }

  package mutating func add(_ other: FilterTally) {
    // Merging an empty tally would still allocate memory, in thousands of searches.
    guard !other.isEmpty else { return }
    counts.merge(other.counts, uniquingKeysWith: +)
  }
}
