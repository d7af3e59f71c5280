internal import FoundationEssentials
internal import SearchModel
internal import SearchSources

/// How far one search is: a pure value that takes pages and says whether another one is wanted.
struct SearchRecord: Sendable {
  /// What comes after a page.
  enum Step: Hashable, Sendable {
    case ask(Cursor)
    case end
  }

  /// Pages without a post that counts, one after the other, until the search gives up: servers that
  /// filter after paging send some of these, but none sends them without an end.
  private static let longestBarrenRun = 10

  private(set) var posts: [Post] = []
  private(set) var ending: Ending?
  /// Whether a page has come.
  private(set) var isAnswered = false
  private var brokenItems = 0
  private var notes: [String] = []
  private var pages = 0
  private var barrenRun = 0
  private var cursors: Set<Cursor> = []
  /// The identities of the posts so far, once there is more than one page: pages may overlap.
  private var identities: Set<String> = []

  /// How many posts are still wanted; nil for no cap.
  func wanted(of cap: Int?) -> Int? { cap.map { max($0 - posts.count, 0) } }

  /// Takes a page, and ends the search when no further one is wanted.
  mutating func take(_ page: Page, of search: Search, within limits: RunLimits) -> Step {
    isAnswered = true
    pages += 1
    brokenItems += page.brokenItems
    notes += page.notes.filter { !notes.contains($0) }
    let before = posts.count
    add(page.posts, within: limits)
    barrenRun = posts.count == before ? barrenRun + 1 : 0
    if let cap = search.cap, posts.count >= cap {
      posts.removeLast(posts.count - cap)
      return finish()
    }
    if reaches(page, before: limits.since, of: search) { return finish() }
    guard let next = page.next else { return finish(missing: page.missing) }
    guard cursors.insert(next).inserted else {
      return finish(missing: "the same page was offered twice")
    }
    guard pages < limits.pages else { return finish(missing: "more than \(limits.pages) pages") }
    guard barrenRun < Self.longestBarrenRun else {
      return finish(missing: "\(barrenRun) pages without a post, one after the other")
    }
    return .ask(next)
  }

  /// Adds the posts that lie within the run's dates and have not come before.
  private mutating func add(_ page: [Post], within limits: RunLimits) {
    if pages == 1, limits.since == nil, limits.until == nil {
      posts = page
      return
    }
    if pages == 2 { identities = Set(posts.map(\.uri)) }
    for post in page where Self.isWithin(limits, post) {
      guard pages == 1 || identities.insert(post.uri).inserted else { continue }
      posts.append(post)
    }
  }

  /// Ends the search by a failure; what had come stays and makes it a part.
  mutating func fail(_ ending: Ending) {
    guard self.ending == nil else { return }
    guard isAnswered else {
      self.ending = ending
      return
    }
    switch ending {
    case .rateLimited(_, let failure), .failed(let failure):
      self.ending = .partial(
        brokenItems: brokenItems, reason: "the pages after the first \(pages) are missing",
        failure: failure)
    case .cancelled, .completed, .skipped, .partial:
      self.ending = ending
    }
  }

  private mutating func finish(missing reason: String? = nil) -> Step {
    if reason != nil || brokenItems > 0 {
      ending = .partial(brokenItems: brokenItems, reason: reason)
    } else {
      ending = .completed(notes: notes)
    }
    return .end
  }

  /// Whether a page goes back beyond the beginning, allowing for how far its order may be off.
  private func reaches(_ page: Page, before since: Date?, of search: Search) -> Bool {
    guard let since else { return false }
    let dates = page.posts.compactMap(\.createdAt)
    guard let newest = dates.max(), let oldest = dates.min() else { return false }
    let slack = search.source.traits.orderSlack
    // With an exact order one older post proves it; otherwise the whole page must lie before.
    return slack == 0 ? oldest < since : newest.addingTimeInterval(slack) < since
  }

  private static func isWithin(_ limits: RunLimits, _ post: Post) -> Bool {
    guard let date = post.createdAt else { return true }
    return limits.since.map { date >= $0 } ?? true && limits.until.map { date < $0 } ?? true
  }
}
