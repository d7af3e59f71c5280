internal import SearchModel
internal import SearchSources

/// The posts of a page that match the query and pass the run's filter.
struct KeptPosts: Sendable {
  var posts: [Post]
  var notes: [String]
  var excluded: FilterTally
  /// True if the page held non-public posts, matching or not.
  var holdsPrivate: Bool
  /// All posts of the page, each with the verdict of earlier runs; empty without a memory.
  var judged: [JudgedPost] = []

  /// Filters a page by the local terms of its search, then by the run's filter, and then by what earlier
  /// runs printed.
  init(
    of page: Page, found search: Search, filter: PostFilter, memory: (any PostMemory)? = nil
  ) {
    let matching = search.source.filtered(page, by: search.split)
    var tally = FilterTally(filter.reasons)
    posts = filter.apply(to: matching.posts, counting: &tally)
    if page.hiddenFromStrangers > 0 { tally.count(.signedOut, times: page.hiddenFromStrangers) }
    notes = matching.notes
    excluded = tally
    // By their indices, as a copy of a post is two retains.
    holdsPrivate = !page.posts.indices.allSatisfy { page.posts[$0].isOpen }
    guard let memory else { return }
    let verdicts = memory.judge(page.posts, of: search)
    var passing = posts[...]
    judged = zip(page.posts, verdicts).map { post, verdict in
      let passes = passing.first.map { $0.uri == post.uri && $0.id == post.id } ?? false
      if passes { passing.removeFirst() }
      return JudgedPost(post: post, verdict: verdict, passes: passes)
    }
    posts = judged.filter { $0.passes && $0.verdict.novelty == .new }.map(\.post)
  }
}
