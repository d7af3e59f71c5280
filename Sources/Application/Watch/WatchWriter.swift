internal import FoundationEssentials
internal import PostHistory
internal import Printing
internal import QueuedHTTP
internal import SearchEngine
internal import SearchModel
internal import Synchronization

/// The one place where a watch judges, prints and remembers what its rounds have brought, one round after
/// the other: a post that two lanes found is shown once.
final class WatchWriter: Sendable {
  /// The most searches whose intervals `-v` reports after a round.
  private static let namedSearches = 20

  private let surroundings: Surroundings
  private let output: WatchOutput
  private let totals: Mutex<WatchTotals>

  init(_ preparation: PreparedRun, in surroundings: Surroundings) throws {
    self.surroundings = surroundings
    output = try WatchOutput(preparation.settings, in: surroundings)
    totals = Mutex(WatchTotals(preparation.plan))
  }

  /// True if the reader has gone, so that nothing more can be written.
  var isClosed: Bool { output.isClosed }
  /// The number of posts printed.
  var posts: Int { totals.withLock { $0.posts } }
  var outcomes: [SearchOutcome] { totals.withLock { $0.outcomes } }

  /// The costs that count at a moment, by source.
  func spent(at now: Duration) -> [SourceName: Int] { totals.withLock { $0.costs.spent(at: now) } }

  /// Continues with another plan.
  ///
  /// - Parameter origins: For each search of the plan, its place in the earlier plan.
  func move(to plan: [PlannedSearch], from origins: [Int?]) {
    totals.withLock { $0 = WatchTotals(plan, after: $0, from: origins) }
  }

  /// Prints what a round has found that no other one has printed meanwhile, and remembers it together
  /// with the batches for receivers.
  ///
  /// - Parameters:
  ///   - now: The time since the watch began.
  ///   - hide: Takes the progress line away before something is reported.
  /// - Returns: False where the searches of the round are asked again, by this worker or by another one.
  func write(
    _ round: WatchRound, at now: Duration, for delivery: Delivery?,
    isHurried: Bool = false, hide: () -> Void
  ) throws -> Bool {
    let findings = round.engine.findings
    let readings = round.engine.readings
    let found = round.settings.merge(at: round.now).posts(of: findings.found)
    var held = 0
    let batch = { (posts: [Post]) in
      let handOver = round.history.handOver(posts, from: readings, to: delivery, at: round.now)
      held = handOver.held
      return round.history.batch(
        of: readings, printed: posts, outbox: handOver.outbox, isHurried: isHurried)
    }
    // First, as they count even if nothing can be printed.
    keepCosts(of: round, at: now)
    let printed =
      if let lease = round.lease {
        try writeUnprinted(
          found, of: round, under: lease, isHurried: isHurried, batch: batch, hide: hide)
      } else {
        try writeUnprinted(found, of: round, readings, isHurried: isHurried, batch: batch)
      }
    guard let posts = printed else { return false }
    let news = totals.withLock {
      $0.note(findings.outcomes, of: round.places, posts: posts.count, excluded: findings.excluded)
    }
    hide()
    if !round.settings.reports.isQuiet,
      let note = round.history.firstRunNote(after: readings, held: held)
    {
      surroundings.report(note)
    }
    report(news, posts, round.settings)
    guard !round.history.hasFailed else {
      throw CommandFailure(
        .cannotWrite, "stopping the watch, because it would print the same posts again")
    }
    return true
  }

  /// Remembers what a round has spent. Where machines share the searches, the state has it from their lanes.
  func keepCosts(of round: WatchRound, at now: Duration) {
    let costs = round.costs
    guard !costs.isEmpty else { return }
    totals.withLock { $0.costs.note(costs, at: now) }
    guard round.lease == nil else { return }
    var batch = RunBatch(now: round.now, findings: [], keepsPosts: false)
    batch.costs = costs
    round.history.commit(batch)
  }

  /// Prints and remembers what no other round or run has printed meanwhile; returns those posts.
  ///
  /// - Parameter batch: The batch that is stored of printed posts.
  private func writeUnprinted(
    _ found: [Post], of round: WatchRound, _ readings: Readings, isHurried: Bool,
    batch: ([Post]) -> RunBatch
  ) throws -> [Post] {
    // A watch goes on beside a run whose pager stays open.
    let turn = try round.history.turn(isNeeded: false)
    return try withExtendedLifetime(turn) {
      let posts = try round.history.unprinted(found, from: readings)
      try output.write(posts.oldestFirst, isHurried: isHurried)
      // Only what was written is remembered.
      round.history.commit(batch(posts))
      return posts
    }
  }

  /// Prints the posts of a round and commits them together with its lease; returns those that no other
  /// worker has printed, or nil where the searches are asked again.
  private func writeUnprinted(
    _ found: [Post], of round: WatchRound, under lease: WatchLease, isHurried: Bool,
    batch: ([Post]) -> RunBatch, hide: () -> Void
  ) throws -> [Post]? {
    let commit = try lease.committer.commit(
      round, under: lease, posts: found,
      write: { try self.output.write($0.oldestFirst, isHurried: isHurried) },
      batch: batch)
    switch commit {
    case .printed(let posts): return posts
    case .takenOver:
      hide()
      surroundings.report(
        "\(lease.name.rawValue): another worker has taken over; "
          + "the results are dropped and searched for again")
      return nil
    // The worker has said so, once for all lanes.
    case .lost: return nil
    }
  }

  /// Writes the end of the output, such as the outcomes.
  func end(isHurried: Bool) throws {
    let totals = totals.withLock { $0 }
    try output.end(totals.outcomes, excluded: totals.excluded, isHurried: isHurried)
  }

  /// The status that the watch ends with.
  func status(_ settings: RunSettings) -> CommandStatus {
    let totals = totals.withLock { $0 }
    return RunVerdict(
      outcomes: totals.outcomes, postCount: totals.posts, failOn: settings.verdict.failOn,
      failsOnEmpty: settings.verdict.failsOnEmpty
    ).status
  }

  /// Names the searches whose outcome has changed.
  private func report(_ news: WatchTotals.News, _ posts: [Post], _ settings: RunSettings) {
    let isVerbose = settings.reports.isVerbose
    let told =
      settings.reports.isQuiet
      ? news.changed.filter(\.ending.isFailure)
      : isVerbose
        ? news.changed
        : SummaryLines.worthNaming(
          news.changed, named: settings.search.namedSources, among: outcomes)
    let lines = SummaryLines.lines(
      for: told, isVerbose: isVerbose, clock: surroundings.reportClock)
    for line in lines { surroundings.report(line) }
    guard !settings.reports.isQuiet else { return }
    if news.recovered > 0 {
      surroundings.report(
        Plural.count(
          news.recovered, "search works again", "searches work again"))
    }
    if isVerbose { surroundings.report(SummaryLines.closing(posts, outcomes: news.all)) }
  }

  /// Reports how often each search of a round is asked.
  func reportIntervals(of round: WatchRound, _ interval: (Int) -> Duration) {
    guard round.settings.reports.isVerbose else { return }
    for (outcome, place) in zip(round.engine.findings.outcomes, round.places)
      .prefix(Self.namedSearches)
    {
      guard let place else { continue }
      surroundings.report("\(outcome.source) '\(outcome.tag)': every \(interval(place).inWords)")
    }
    if round.places.count > Self.namedSearches {
      surroundings.report("and \(round.places.count - Self.namedSearches) more searches")
    }
  }
}
