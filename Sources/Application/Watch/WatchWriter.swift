internal import FoundationEssentials
internal import PostHistory
internal import Printing
internal import SearchEngine
internal import SearchModel
internal import Synchronization

/// The one place where a watch judges, prints and remembers what its polls have brought, one poll after
/// the other: a post that two lanes found is shown once.
final class WatchWriter: Sendable {
  /// The most searches whose intervals `-v` reports after a poll.
  private static let namedSearches = 20

  private let surroundings: Surroundings
  private let output: WatchOutput
  private let record: Mutex<WatchRecord>
  /// The number of polls that were written.
  private let polls = Mutex(0)

  init(_ preparation: PreparedRun, in surroundings: Surroundings) throws {
    self.surroundings = surroundings
    output = try WatchOutput(preparation.settings, in: surroundings)
    record = Mutex(WatchRecord(preparation.plan))
  }

  /// True if the reader has gone, so that nothing more can be written.
  var isClosed: Bool { output.isClosed }
  /// The number of posts printed.
  var posts: Int { record.withLock { $0.posts } }
  var outcomes: [SearchOutcome] { record.withLock { $0.outcomes } }
  var written: Int { polls.withLock { $0 } }

  /// The costs that count at a moment, by source.
  func spent(at now: Duration) -> [SourceName: Int] { record.withLock { $0.costs.spent(at: now) } }

  /// Goes on with another plan.
  ///
  /// - Parameter origins: For each search of the plan, its place in the earlier plan.
  func move(to plan: [PlannedSearch], from origins: [Int?]) {
    record.withLock { $0 = WatchRecord(plan, after: $0, from: origins) }
  }

  /// Prints what a poll has found that no other one has printed meanwhile, and remembers it together
  /// with the batches for receivers.
  ///
  /// - Parameters:
  ///   - now: The time since the watch began.
  ///   - hide: Takes the progress line away before something is reported.
  func write(
    _ poll: WatchPoll, at now: Duration, for delivery: Delivery?, isHurried: Bool = false,
    hide: () -> Void
  ) throws {
    let findings = poll.engine.findings
    var posts = poll.settings.merge(at: poll.now).posts(of: findings.found)
    if poll.writtenBefore < written { posts = poll.history.unprinted(posts) }
    try output.write(posts.oldestFirst, isHurried: isHurried)
    // Only what was written is remembered.
    let readings = poll.engine.readings
    let passedOn = delivery == nil ? posts : poll.history.passedOn(posts, from: readings)
    poll.history.commit(
      readings, printed: posts,
      outbox: delivery?.batches(of: passedOn, now: poll.now) ?? [], isHurried: isHurried)
    polls.withLock { $0 += 1 }
    let news = record.withLock { record in
      record.costs.note(poll.engine.spent, since: poll.spentBefore, at: now)
      return record.note(
        findings.outcomes, of: poll.places, posts: posts.count, excluded: findings.excluded)
    }
    hide()
    let held = posts.count - passedOn.count
    if !poll.settings.reports.isQuiet,
      let note = poll.history.firstRunNote(after: readings, held: held)
    {
      surroundings.report(note)
    }
    report(news, posts, poll.settings)
    guard !poll.history.hasFailed else {
      throw CommandFailure(
        .cannotWrite, "the watch ends, as it would print the same posts again")
    }
  }

  /// Writes what ends the output, such as the outcomes.
  func end(isHurried: Bool) throws {
    let record = record.withLock { $0 }
    try output.end(record.outcomes, excluded: record.excluded, isHurried: isHurried)
  }

  /// The status that the watch ends with.
  func status(_ settings: RunSettings) -> CommandStatus {
    let record = record.withLock { $0 }
    return RunVerdict(
      outcomes: record.outcomes, postCount: record.posts, failOn: settings.verdict.failOn,
      failsOnEmpty: settings.verdict.failsOnEmpty
    ).status
  }

  /// Names the searches whose outcome has changed.
  private func report(_ news: WatchRecord.News, _ posts: [Post], _ settings: RunSettings) {
    let isVerbose = settings.reports.isVerbose && !settings.reports.isQuiet
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
          news.recovered, "search is answered again", "searches are answered again"))
    }
    if isVerbose { surroundings.report(SummaryLines.closing(posts, outcomes: news.all)) }
  }

  /// Reports how often each search of a poll is asked.
  func reportIntervals(of poll: WatchPoll, _ interval: (Int) -> Duration) {
    guard poll.settings.reports.isVerbose, !poll.settings.reports.isQuiet else { return }
    for (outcome, place) in zip(poll.engine.findings.outcomes, poll.places)
      .prefix(Self.namedSearches)
    {
      guard let place else { continue }
      surroundings.report("\(outcome.source) '\(outcome.tag)': every \(interval(place).inWords)")
    }
    if poll.places.count > Self.namedSearches {
      surroundings.report("and \(poll.places.count - Self.namedSearches) more searches")
    }
  }
}
