internal import FoundationEssentials
internal import QueuedHTTP
package import SearchModel
internal import SearchSources

/// The state of a run: the progress of each search, and the pages that may be requested now.
///
/// Pure; the engine protects it with a lock.
struct RunState: Sendable {
  private let plan: [PlannedSearch]
  private let limits: RunLimits
  /// The run's current date; posts too far in the future do not count as newest.
  private let now: Date
  private var states: [SearchState]
  private var board: LaneBoard
  private var ledger: CostLedger
  /// The searches that share their requests; nil until they are grouped.
  private var groups: SearchGroups?
  /// The decision on further pages if only the newest posts are wanted.
  private var rule: PagingRule?
  private(set) var isOver = false
  /// The number of steps so far.
  private var steps = 0
  /// True if the first page of each search has been answered or given up.
  private var hasBegun: [Bool]
  /// The number of searches whose first page has not been answered.
  private var unanswered: Int
  /// The minimum page size if some posts will be filtered out: a page just large enough for the one
  /// missing post would often bring none.
  private static let smallestFilteredPage = 20

  /// The costs so far, by source.
  var spent: [SourceName: Int] { ledger.spent }
  var mostSpent: [SourceName: Int] { ledger.mostSpent }

  init(plan: [PlannedSearch], limits: RunLimits, now: Date) {
    self.plan = plan
    self.limits = limits
    self.now = now
    states = Array(repeating: SearchState(), count: plan.count)
    board = LaneBoard(plan, perLane: limits.perLane)
    ledger = CostLedger(limits.costs, for: plan)
    hasBegun = plan.map { if case .ask = $0 { false } else { true } }
    unanswered = hasBegun.count { !$0 }
    rule = PagingRule(plan, limits: limits, now: now)
  }

  /// Groups the searches whose first requests are equal, before the first page is requested.
  mutating func groupEqualRequests() {
    let state = self
    groups = SearchGroups(count: plan.count) { index in
      guard case .ask(let search) = state.plan[index], !search.readsWindows else { return nil }
      return (search, state.firstPage(index, of: search))
    }
  }

  /// The first page of a search.
  func firstPage(_ index: Int, of search: Search) -> PageRequest {
    page(reader(index, of: search, wanted: wanted(index, of: search)), at: nil)
  }

  /// A search that reads its next page.
  private func reader(_ index: Int, of search: Search, wanted: Int?) -> PageJob.Reader {
    PageJob.Reader(
      index: index, search: search, wanted: wanted, pagesBefore: states[index].pages,
      itemsBefore: states[index].read, largestBefore: states[index].largestPage)
  }

  /// A page of a search.
  func page(_ reader: PageJob.Reader, at cursor: Cursor?) -> PageRequest {
    limits.page(reader, at: cursor, now: now)
  }

  /// True if no page is in progress, so that none will arrive.
  var isIdle: Bool { isOver || board.underWay == 0 }

  /// Returns all pages that may be requested now; they are in progress from then on.
  mutating func start() -> [PageJob] {
    guard !isOver else { return [] }
    board.recall()
    let jobs = handOut(mayWait: true)
    guard jobs.isEmpty, board.underWay == 0 else { return jobs }
    // Nothing in progress can free any of the cost bound.
    board.recall()
    return handOut(mayWait: false)
  }

  private mutating func handOut(mayWait: Bool) -> [PageJob] {
    var jobs: [PageJob] = []
    while let index = board.next() {
      if let ending = board.closing(of: index) {
        board.finish(index)
        skipCosts(of: index)
        states[index].fail(ending)
        advance(index)
        continue
      }
      guard case .ask(let search) = plan[index], case .page(let cursor) = states[index].rest else {
        board.finish(index)
        continue
      }
      let wanted = wanted(index, of: search)
      let answer = ledger.reserve(
        index, for: search.source, wanted: wanted, isFirst: cursor == nil, mayWait: mayWait)
      switch answer {
      case .granted(let granted):
        let asker = reader(index, of: search, wanted: granted)
        let sharers = claimSharers(of: reader(index, of: search, wanted: wanted), at: cursor)
        jobs.append(PageJob(asker: asker, sharers: sharers, cursor: cursor))
      case .later:
        board.postpone(index)
      case .refused(let reason, let isDefault):
        board.finish(index)
        if isDefault {
          states[index].stop(atDefault: reason, of: search)
        } else {
          states[index].stop(reason)
        }
        advance(index)
      }
    }
    return jobs
  }

  /// Removes from the board the searches that would make the same request as one that makes it now.
  private mutating func claimSharers(
    of asker: PageJob.Reader, at cursor: Cursor?
  ) -> [PageJob.Reader] {
    guard let members = groups?.members(with: asker.index), !members.isEmpty else { return [] }
    // First requests are known to be equal.
    let request = cursor == nil ? nil : SharedRequest(page(asker, at: cursor), of: asker.search)
    return members.compactMap { index in
      guard index != asker.index, case .ask(let search) = plan[index],
        states[index].ending == nil, states[index].rest == .page(cursor)
      else { return nil }
      let reader = reader(index, of: search, wanted: wanted(index, of: search))
      if cursor != nil {
        guard request != nil, SharedRequest(page(reader, at: cursor), of: search) == request
        else { return nil }
      }
      guard board.claim(index) else { return nil }
      skipCosts(of: index)
      return reader
    }
  }

  /// Releases the cost share of a search that does not request its own first page.
  private mutating func skipCosts(of index: Int) {
    guard case .ask(let search) = plan[index], states[index].rest == .page(nil) else { return }
    ledger.skip(search.source)
  }

  /// The number of posts wanted from a search's next page; nil for a full page.
  func wanted(_ index: Int, of search: Search) -> Int? {
    Self.wanted(
      of: search, after: states[index], within: limits, isRuled: rule != nil,
      useful: rule?.useful(of: states[index]) ?? 0)
  }

  /// - Parameters:
  ///   - isRuled: Whether a rule decides which pages are useful.
  ///   - useful: The number of useful posts according to the rule.
  private static func wanted(
    of search: Search, after state: SearchState, within limits: RunLimits, isRuled: Bool,
    useful: @autoclosure () -> Int
  ) -> Int? {
    // What follows is read to know it, however much there is; without an exact order the first page is, too.
    if search.lookBackTo != nil, state.hasEnough || state.order(of: search) == .approximate {
      return nil
    }
    if let until = limits.until, !search.endpoint.traits.filtersByDate, !state.hasPassed(until) {
      // Posts newer than the run's end are filtered out here, and must not make pages small.
      return nil
    }
    var wanted = state.wanted(of: search.cap)
    if isRuled {
      switch state.order(of: search) {
      case .exact:
        let useful = useful()
        wanted = min(wanted ?? useful, useful)
      case .approximate:
        // Large enough to prove something. With a cap, pages must not depend on other searches.
        wanted = wanted ?? max(useful(), ReadingFrontier.shortestProof)
      case .unordered: break
      }
    }
    // Allow for posts that are filtered out here.
    let isFiltered = search.isFiltered(by: limits.filter)
    guard let needed = wanted, isFiltered || state.holdsFuture else { return wanted }
    let isFree = search.endpoint.traits.cost == nil
    return max(
      isFree ? state.items(holding: needed) : needed, isFiltered ? smallestFilteredPage : needed)
  }

  /// The number of posts wanted from the first page of a search; nil for a full page.
  ///
  /// It is the same in every run with these limits, whatever else is in its plan: a limit that the caps of
  /// all searches cannot exceed is no smaller than any of them.
  static func wantedAtFirst(of search: Search, within limits: RunLimits) -> Int? {
    wanted(
      of: search, after: SearchState(), within: limits, isRuled: limits.newest != nil,
      useful: PagingRule.useful(ofNewest: limits.newest ?? 0))
  }

  /// A page whose results were recorded.
  struct TakenPage: Sendable {
    let step: RunStep
    /// The lane that the response closes: a failure there means that no other request will succeed, or
    /// the server asks for a pause that is too long.
    var closed: ClosedLane?
  }

  /// Notes the results that a page has for its readers; ignored after the end of the run.
  mutating func take(_ answered: AnsweredPage, to job: PageJob) -> TakenPage {
    let asker = job.asker
    let indices = job.readers.map(\.index)
    board.finish(asker.index)
    if answered.hasAnswered { board.noteAnswer(to: asker.index) }
    var page: Page?
    if case .page(let first, _) = answered.answers.first { page = first }
    ledger.settle(asker.search.source, wanted: asker.wanted, page: page)
    guard !isOver else {
      return TakenPage(step: RunStep(nextStep(), .ignored(of: indices)), closed: nil)
    }
    var closed: ClosedLane?
    if let pause = answered.pause, !limits.allows(waitUntil: pause.end, from: pause.begin) {
      closed = board.close(
        after: .rateLimited(until: pause.end, failure: .tooLongWait), of: asker.index)
    }
    for (reader, answer) in zip(job.readers, answered.answers) {
      switch answer {
      case .page(let page, let kept):
        let new = states[reader.index].take(
          page, keeping: kept, of: reader.search, within: limits, now: now)
        rule?.count(new, in: &states, at: reader.index)
      case .failure(let ending):
        closed = board.close(after: ending, of: reader.index) ?? closed
        // The other searches of a closed lane are canceled, and end like the first one.
        let isCutOff = ending == .cancelled
        states[reader.index].fail(
          isCutOff ? board.closing(of: reader.index) ?? ending : ending)
      }
      advance(reader.index)
    }
    return TakenPage(step: RunStep(nextStep(), .pages(of: indices)), closed: closed)
  }

  /// The number of the next step.
  mutating func nextStep() -> Int {
    defer { steps += 1 }
    return steps
  }

  /// The next steps after a page.
  struct Move: Sendable {
    /// The pages to request now.
    let jobs: [PageJob]
    /// The time after which to call `stopWaiting`.
    let patience: Duration?
    let isIdle: Bool
    /// True if the server of the page asks for a pause, and anything more will be requested from it.
    let pauses: Bool
  }

  /// Decides what follows a page that was taken.
  mutating func move(after answered: AnsweredPage, to job: PageJob) -> Move {
    let jobs = start()
    return Move(
      jobs: jobs, patience: beginPatience(), isIdle: isIdle,
      pauses: answered.pause != nil && !isOver && board.hasOthers(besides: job.asker.index))
  }

  /// Decides on the next step of a search, and of others that waited for it.
  private mutating func advance(_ index: Int) {
    if !hasBegun[index] {
      hasBegun[index] = true
      unanswered -= 1
    }
    guard rule != nil else {
      if case .page = states[index].rest, states[index].ending == nil {
        board.putBack(index)
      } else {
        states[index].finish(isRestWanted: true)
      }
      return
    }
    for ready in rule?.advance(index, in: &states) ?? [] { board.putBack(ready) }
  }

  /// The time after which to call `stopWaiting`; returned only once.
  mutating func beginPatience() -> Duration? {
    rule?.beginsPatience() == true ? limits.patience : nil
  }

  /// Stops making searches wait for the first pages of others.
  mutating func stopWaiting() {
    guard !isOver else { return }
    for ready in rule?.stopWaiting(in: &states) ?? [] { board.putBack(ready) }
  }

  /// Ends the run: searches without an outcome get this one, and later results are ignored.
  mutating func end(unfinished ending: Ending) {
    guard !isOver else { return }
    isOver = true
    if ending.isFailure { rule?.end(in: &states) }
    for index in states.indices { states[index].fail(ending) }
  }

  var progress: RunProgress {
    var progress = RunProgress(searches: 0, ended: 0, posts: 0)
    for (planned, state) in zip(plan, states) {
      guard case .ask = planned else { continue }
      progress.searches += 1
      progress.ended += state.ending == nil ? 0 : 1
      progress.posts += state.posts.count
    }
    return progress
  }

  /// All results in plan order; a search that has not ended counts as canceled.
  var findings: Findings {
    var findings = Findings()
    let cut = rule?.cut
    findings.outcomes.reserveCapacity(plan.count)
    for (index, (planned, state)) in zip(plan, states).enumerated() {
      switch planned {
      case .skip(var outcome):
        if limits.newest == nil { (outcome.posts, outcome.pages) = (0, 0) }
        findings.outcomes.append(outcome)
      case .stored(let stored):
        if var outcome = stored.outcome {
          if limits.newest != nil { (outcome.posts, outcome.pages) = (nil, nil) }
          findings.outcomes.append(outcome)
        } else if let last = findings.outcomes.indices.last, limits.newest == nil {
          // It precedes this one in the plan.
          let known = Set(states[index - 1].posts.map(\.identityHash))
          let others = stored.posts.count { !known.contains($0.identityHash) }
          findings.outcomes[last].posts = (findings.outcomes[last].posts ?? 0) + others
        }
        findings.excluded.add(stored.excluded)
        if !stored.posts.isEmpty {
          findings.found.append(FoundPosts(tag: stored.search.query.text, posts: stored.posts))
        }
      case .ask(let search):
        var outcome = search.outcome(state.ending ?? .cancelled)
        outcome.isCutByDefault = state.isCutByDefault && limits.asksForMore(than: search)
        // With a limit both depend on who answered first.
        if limits.newest == nil {
          outcome.posts = state.taken
          outcome.pages = state.pages
        }
        findings.outcomes.append(outcome)
        findings.excluded.add(state.excluded)
        if state.holdsPrivate { findings.holdsPrivate = true }
        let posts = cut.map(state.posts(from:)) ?? state.posts
        if !posts.isEmpty {
          findings.found.append(FoundPosts(tag: search.query.text, posts: posts))
        }
      }
    }
    return findings
  }

  /// The posts that each search has read, in plan order.
  var readings: Readings { Readings(of: plan, states) { _ in true } }

  /// The same without the searches that nothing has arrived for.
  var arrivedReadings: Readings {
    Readings(of: plan, states) { index in
      let state = states[index]
      let isStored = if case .stored = plan[index] { true } else { false }
      guard isStored || state.pages > 0 || state.ending?.isAnswered == true else { return false }
      return Readings.reading(of: plan[index], state)?.hasArrived ?? false
    }
  }

  /// The posts that some searches have read.
  func readings(of indices: some Sequence<Int>) -> [Reading] {
    indices.compactMap { Readings.reading(of: plan[$0], states[$0]) }
  }

  /// The latest date that a post still to come can have, in whole seconds since 1970.
  var frontier: Double {
    guard !isOver else { return -.infinity }
    guard unanswered == 0 else { return .infinity }
    var frontier = -Double.infinity
    for (planned, state) in zip(plan, states) where state.ending == nil {
      guard case .ask = planned, case .page = state.rest else { continue }
      frontier = max(frontier, state.bound)
    }
    return frontier
  }
}

/// The results of a run, in plan order whatever the order of arrival.
package struct Findings: Sendable {
  package var found: [FoundPosts] = []
  package var outcomes: [SearchOutcome] = []
  /// The posts that the run's filter removed.
  package var excluded = FilterTally()
  /// True if responses held non-public posts, printed or not.
  package var holdsPrivate = false

  /// True if posts may be missing.
  package var isIncomplete: Bool { outcomes.isIncomplete }
}
