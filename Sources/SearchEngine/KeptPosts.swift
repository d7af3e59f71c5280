internal import SearchModel
internal import SearchSources

/// What of a page counts: the posts that are what the query asks for, and that no filter of the run
/// leaves out.
struct KeptPosts: Sendable {
  var posts: [Post]
  var notes: [String]
  var excluded: FilterTally

  /// Filters a page by the local terms of its search, and then by the run's filter.
  init(of page: Page, found search: Search, filter: PostFilter) {
    let matching = search.source.filtered(page, by: search.split)
    var tally = FilterTally(filter.reasons)
    posts = filter.apply(to: matching.posts, counting: &tally)
    if page.hiddenFromStrangers > 0 { tally.count(.signedOut, times: page.hiddenFromStrangers) }
    notes = matching.notes
    excluded = tally
  }
}

/// What a search has made of a page that was asked for it.
enum PageAnswer: Sendable {
  case page(Page, KeptPosts)
  case failure(Ending)
}
