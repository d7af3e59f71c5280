internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import SearchSources

/// What a run knows: how far each search is, and which pages may be asked for now. Pure; the engine
/// keeps it behind a lock.
struct RunState: Sendable {
  private let plan: [PlannedSearch]
  private let limits: RunLimits
  /// The run's now; what lies too far ahead of it is none of the newest.
  private let now: Date
  private var records: [SearchRecord]
  private var board: LaneBoard
  private var ledger: CostLedger
  /// The searches that share their requests; nil until they are looked for.
  private var groups: SearchGroups?
  /// Decides on further pages, where only the newest posts are wanted.
  private var rule: PagingRule?
  private(set) var isOver = false
  /// Whether the first page of each search has been answered, or was given up.
  private var hasBegun: [Bool]
  /// How many searches are asked for a first page that has not been answered.
  private var unanswered: Int
  /// How many posts a page is asked for at least where some will be left out: pages of the one post that
  /// is missing would bring none, one after the other.
  private static let fewestSifted = 20

  init(plan: [PlannedSearch], limits: RunLimits, now: Date) {
    self.plan = plan
    self.limits = limits
    self.now = now
    records = Array(repeating: SearchRecord(), count: plan.count)
    board = LaneBoard(plan, width: limits.perLane * 2)
    ledger = CostLedger(limits.costs, for: plan)
    hasBegun = plan.map { if case .ask = $0 { false } else { true } }
    unanswered = hasBegun.count { !$0 }
    rule = PagingRule(plan, limits: limits, now: now)
  }

  /// Finds the searches whose first requests are equal, before the first page is handed out.
  mutating func groupEqualRequests() {
    groups = SearchGroups(count: plan.count) { index in
      guard case .ask(let search) = plan[index] else { return nil }
      return (search, firstPage(index, of: search))
    }
  }

  /// What a search is asked for first.
  func firstPage(_ index: Int, of search: Search) -> PageRequest {
    page(PageJob.Reader(index: index, search: search, wanted: wanted(index, of: search)), at: nil)
  }

  /// The page that a search reads.
  func page(_ reader: PageJob.Reader, at cursor: Cursor?) -> PageRequest {
    limits.page(reader, at: cursor, now: now)
  }

  /// Whether no page is under way, so that none will come.
  var isIdle: Bool { isOver || board.underWay == 0 }

  /// Hands out all pages that may be asked for now, which are under way from then on.
  mutating func start() -> [PageJob] {
    guard !isOver else { return [] }
    board.recall()
    let jobs = handOut(mayWait: true)
    guard jobs.isEmpty, board.underWay == 0 else { return jobs }
    // Nothing is left that could make a page cheaper.
    board.recall()
    return handOut(mayWait: false)
  }

  private mutating func handOut(mayWait: Bool) -> [PageJob] {
    var jobs: [PageJob] = []
    while let index = board.next() {
      if let ending = board.closing(of: index) {
        board.finish(index)
        skipCosts(of: index)
        records[index].fail(ending)
        advance(index)
        continue
      }
      guard case .ask(let search) = plan[index], case .page(let cursor) = records[index].rest else {
        board.finish(index)
        continue
      }
      let wanted = wanted(index, of: search)
      let answer = ledger.reserve(
        index, for: search.source, wanted: wanted, isFirst: cursor == nil, mayWait: mayWait)
      switch answer {
      case .granted(let granted):
        let asker = PageJob.Reader(index: index, search: search, wanted: granted)
        let sharers = claimSharers(
          of: PageJob.Reader(index: index, search: search, wanted: wanted), at: cursor)
        jobs.append(PageJob(asker: asker, sharers: sharers, cursor: cursor))
      case .later:
        board.postpone(index)
      case .refused(let reason, let isUsual):
        board.finish(index)
        if isUsual { records[index].stop(note: reason) } else { records[index].stop(reason) }
        advance(index)
      }
    }
    return jobs
  }

  /// Takes the searches out of the board that would make the same request as one that makes it now.
  private mutating func claimSharers(
    of asker: PageJob.Reader, at cursor: Cursor?
  ) -> [PageJob.Reader] {
    guard let members = groups?.members(with: asker.index), !members.isEmpty else { return [] }
    // First requests are known to be equal.
    let request = cursor == nil ? nil : SharedRequest(page(asker, at: cursor), of: asker.search)
    return members.compactMap { index in
      guard index != asker.index, case .ask(let search) = plan[index],
        records[index].ending == nil, records[index].rest == .page(cursor)
      else { return nil }
      let reader = PageJob.Reader(
        index: index, search: search, wanted: wanted(index, of: search))
      if cursor != nil {
        guard request != nil, SharedRequest(page(reader, at: cursor), of: search) == request
        else { return nil }
      }
      guard board.claim(index) else { return nil }
      skipCosts(of: index)
      return reader
    }
  }

  /// Lets the others have what was kept for a search that does not ask for its first page itself.
  private mutating func skipCosts(of index: Int) {
    guard case .ask(let search) = plan[index], records[index].rest == .page(nil) else { return }
    ledger.skip(search.source)
  }

  /// How many posts a search's next page is wanted to bring; nil for as many as it can.
  func wanted(_ index: Int, of search: Search) -> Int? {
    let record = records[index]
    if let until = limits.until, !search.source.traits.filtersByDate, !record.hasPassed(until) {
      // What is newer than the run's end is left out here, and must not make pages small.
      return nil
    }
    let order = record.order(of: search.source)
    var wanted = record.wanted(of: search.cap)
    if let rule {
      switch order {
      case .exact:
        let useful = rule.useful(of: record)
        wanted = min(wanted ?? useful, useful)
      case .approximate:
        // A page that can prove something. With a cap, its pages must not hang on what others brought.
        wanted = wanted ?? max(rule.useful(of: record), ReadingFrontier.shortestProof)
      case .unordered: break
      }
    }
    // What the network does not leave out itself is left out here.
    return search.isFiltered(by: limits.filter) ? wanted.map { max($0, Self.fewestSifted) } : wanted
  }

  /// Takes what the readers of a page have made of it; after the end of the run nothing is taken any
  /// more.
  ///
  /// - Parameter hasConnected: Whether the server was reached.
  /// - Returns: The lane that is closed because of a failure: what is under way there is of no use.
  mutating func take(
    _ answers: [PageAnswer], to job: PageJob, hasConnected: Bool
  ) -> Lane? {
    let asker = job.asker
    board.finish(asker.index)
    if hasConnected { board.noteConnection(of: asker.index) }
    var page: Page?
    if case .page(let first, _) = answers.first { page = first }
    ledger.settle(asker.search.source, wanted: asker.wanted, page: page)
    guard !isOver else { return nil }
    var closed: Lane?
    for (reader, answer) in zip(job.readers, answers) {
      switch answer {
      case .page(let page, let kept):
        let new = records[reader.index].take(
          page, keeping: kept, of: reader.search, within: limits, now: now)
        rule?.count(new, in: &records, at: reader.index)
      case .failure(let ending):
        closed = board.close(after: ending, of: reader.index) ?? closed
        // Others of a closed lane are cancelled, and end as the first one did.
        let isCutOff = ending == .cancelled
        records[reader.index].fail(
          isCutOff ? board.closing(of: reader.index) ?? ending : ending)
      }
      advance(reader.index)
    }
    return closed
  }

  /// Decides how a search goes on, and with it the others that waited for it.
  private mutating func advance(_ index: Int) {
    if !hasBegun[index] {
      hasBegun[index] = true
      unanswered -= 1
    }
    guard rule != nil else {
      if case .page = records[index].rest, records[index].ending == nil {
        board.putBack(index)
      } else {
        records[index].finish(isRestWanted: true)
      }
      return
    }
    for ready in rule?.advance(index, in: &records) ?? [] { board.putBack(ready) }
  }

  /// The time after which `losePatience` is to be called, if it is; said only once.
  mutating func beginPatience() -> Duration? {
    rule?.beginsPatience() == true ? limits.patience : nil
  }

  /// Stops waiting for the first pages of some searches before others go on.
  mutating func losePatience() {
    guard !isOver else { return }
    for ready in rule?.losePatience(in: &records) ?? [] { board.putBack(ready) }
  }

  /// Ends the run: what has no outcome yet gets this one, and nothing is taken any more.
  mutating func end(unfinished ending: Ending) {
    guard !isOver else { return }
    isOver = true
    if ending.isFailure { rule?.end(in: &records) }
    for index in records.indices { records[index].fail(ending) }
  }

  var progress: RunProgress {
    var progress = RunProgress(searches: 0, ended: 0, posts: 0)
    for (planned, record) in zip(plan, records) {
      guard case .ask = planned else { continue }
      progress.searches += 1
      progress.ended += record.ending == nil ? 0 : 1
      progress.posts += record.posts.count
    }
    return progress
  }

  /// All that was found, in plan order; a search without an end counts as cancelled.
  var findings: Findings {
    var findings = Findings()
    let cut = rule?.cut
    findings.outcomes.reserveCapacity(plan.count)
    for (planned, record) in zip(plan, records) {
      switch planned {
      case .skip(var outcome):
        if limits.newest == nil { (outcome.posts, outcome.pages) = (0, 0) }
        findings.outcomes.append(outcome)
      case .ask(let search):
        var outcome = search.outcome(record.ending ?? .cancelled)
        // With a limit both hang on who answered first.
        if limits.newest == nil {
          outcome.posts = record.taken
          outcome.pages = record.pages
        }
        findings.outcomes.append(outcome)
        findings.excluded.add(record.excluded)
        let posts = cut.map(record.posts(from:)) ?? record.posts
        if !posts.isEmpty {
          findings.found.append(FoundPosts(tag: search.query.text, posts: posts))
        }
      }
    }
    return findings
  }

  /// The newest moment that a post which has not come may be of, in whole seconds since 1970.
  var frontier: Double {
    guard !isOver else { return -.infinity }
    guard unanswered == 0 else { return .infinity }
    var frontier = -Double.infinity
    for (planned, record) in zip(plan, records) where record.ending == nil {
      guard case .ask = planned, case .page = record.rest else { continue }
      frontier = max(frontier, record.bound)
    }
    return frontier
  }
}
