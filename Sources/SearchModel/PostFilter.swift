/// What a run leaves out of all that its searches find: `--exclude`, `--no-reposts`, `--no-replies`,
/// `--lang` and `--min-likes`. Pure.
package struct PostFilter: Hashable, Sendable {
  package var exclusions: ExclusionList
  package var leavesOutReposts: Bool
  package var leavesOutReplies: Bool
  /// The languages that are wanted, by their primary subtag; empty for all.
  ///
  /// A post whose language is not known is left out, too, and counted apart.
  package var languages: Set<String>
  /// The fewest likes of a post; where a network does not say, it is none.
  package var fewestLikes: Int?

  package init(
    exclusions: ExclusionList = ExclusionList(), leavesOutReposts: Bool = false,
    leavesOutReplies: Bool = false, languages: Set<String> = [], fewestLikes: Int? = nil
  ) {
    self.exclusions = exclusions
    self.leavesOutReposts = leavesOutReposts
    self.leavesOutReplies = leavesOutReplies
    self.languages = languages
    self.fewestLikes = fewestLikes
  }

  /// The reasons that could apply, for a tally; none without a filter.
  package var reasons: [FilterReason] {
    let given: [(Bool, [FilterReason])] = [
      (!exclusions.words.isEmpty, [.words]), (!exclusions.authors.isEmpty, [.authors]),
      (leavesOutReposts, [.reposts]), (leavesOutReplies, [.replies]),
      (!languages.isEmpty, [.languages, .languageUnknown]), (fewestLikes != nil, [.likes]),
    ]
    return given.flatMap { $0.0 ? $0.1 : [] }
  }

  /// Returns the posts that stay, and counts the others, each for the first reason that applies.
  package func apply(to posts: [Post], counting tally: inout FilterTally) -> [Post] {
    guard !reasons.isEmpty else { return posts }
    var kept: [Post] = []
    for post in posts {
      if let reason = reason(against: post) { tally.count(reason) } else { kept.append(post) }
    }
    return kept
  }

  private func reason(against post: Post) -> FilterReason? {
    if leavesOutReposts, post.repostOf != nil { return .reposts }
    if leavesOutReplies, post.isReply { return .replies }
    if let fewestLikes, (post.counts.likes ?? 0) < fewestLikes { return .likes }
    if !languages.isEmpty {
      guard let language = LanguageTag.primary(post.language) else { return .languageUnknown }
      if !languages.contains(language) { return .languages }
    }
    let handles = [post.author.handle, post.repostedBy?.handle].compactMap(\.self)
    if exclusions.authors.contains(where: { handles.contains(where: $0.isHandle) }) {
      return .authors
    }
    if !exclusions.words.isEmpty {
      let text = SearchedText(of: post)
      if exclusions.words.contains(where: text.holds) { return .words }
    }
    return nil
  }
}
