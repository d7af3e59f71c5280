internal import SearchModel
internal import SearchSources

/// What of a page counts: the posts that are what the query asks for, and that no filter of the run
/// leaves out.
struct KeptPosts: Sendable {
  var posts: [Post]
  var notes: [String]
  var excluded: FilterTally

  /// Judges a page by what its network was not asked for, and then by the run's filter.
  init(of page: Page, found search: Search, filter: PostFilter) {
    let judged = search.source.judged(page, of: search.query, with: search.credentials)
    var tally = FilterTally(filter.reasons)
    posts = filter.apply(to: judged.posts, counting: &tally)
    if page.hiddenFromStrangers > 0 { tally.count(.signedOut, times: page.hiddenFromStrangers) }
    notes = judged.notes
    excluded = tally
  }
}

/// What a search has made of a page that was asked for it.
enum PageAnswer: Sendable {
  case page(Page, KeptPosts)
  case failure(Ending)
}
