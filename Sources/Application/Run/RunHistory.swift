internal import FoundationEssentials
internal import PostHistory
internal import Printing
internal import SafeFiles
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import Synchronization

/// The memory of earlier runs, which a run uses and adds to.
///
/// A failure is reported in one line and loses no post: posts that cannot be judged are left for the next run.
final class RunHistory: PostMemory {
  let mode: HistoryMode
  /// The name under which `--retry-failed` finds the run; nil for one that it cannot repeat.
  private let runName: String?
  private let surroundings: Surroundings
  private let settings: RunSettings
  private let now: Date
  private let lease: RunLease
  private let news: NewsRule
  private let filter: String
  /// The open history; nil where it is only written, or could not be opened.
  let store: (any HistoryStore)?
  /// The history of a run that reads nothing from it.
  private let written: WriteOnlyHistory?
  private let rules: AlertRules
  /// The windows of a run with `--backfill`.
  let backfill: Backfill?
  /// The first error because of which posts could not be judged.
  private let unjudged = Mutex<HistoryError?>(nil)
  /// Reports the first thing that went wrong.
  private let problem: HistoryProblem
  /// The wait for other processes.
  private let wait: LockWait
  /// The right of a run that streams to print, from its beginning until it has printed everything.
  private let streamingTurn: Mutex<(any DeliveryLock)?>

  /// Returns nil for a run that uses no history.
  ///
  /// - Parameters:
  ///   - now: The moment of a round; nil for the run's now.
  ///   - name: The name of the run, for `--retry-failed`; nil for a round of a watch.
  ///   - filter: The filters of the run, for `--new` and `--backfill`.
  ///   - alerts: The alerts of the run, which compare it with earlier ones.
  ///   - store: The history, if it is open already.
  ///   - wait: The wait for other processes; nil for one as long as the run allows.
  init?(
    for settings: RunSettings, at now: Date? = nil, named name: String? = nil, filter: String,
    alerts: AlertRules = AlertRules(), plan: [PlannedSearch], in surroundings: Surroundings,
    store known: (any HistoryStore)? = nil, wait shared: LockWait? = nil
  ) throws {
    let history = settings.history
    let isBackfill = settings.mode.work == .windows
    self.now = now ?? settings.now
    // Alerts need to know the tags, even if no posts are kept.
    let isWatched = !alerts.isEmpty && !history.isOff
    guard let mode = history.mode ?? (isWatched ? .keep : nil) else { return nil }
    rules = alerts
    self.mode = mode
    news = NewsRule(mode: mode, now: self.now, settings)
    self.filter = filter
    // A run with --new needs no retry: whatever it missed is still new to the next run.
    runName = mode == .keep && history.keepsPosts && !isBackfill ? name : nil
    let isSharedRound =
      known != nil && history.path(in: surroundings).map { HistorySettings.isShared($0) } == true
    // A worker says once for all of its rounds that its state was lost.
    let problem = HistoryProblem(surroundings, isQuiet: isSharedRound)
    self.problem = problem
    // A plain run loses nothing that it has printed, and should not hang when all is done.
    wait =
      shared
      ?? LockWait(
        longest: mode == .keep && !isBackfill ? .seconds(1) : .seconds(30),
        until: settings.limits.longest.map { ContinuousClock.now + $0 })
    self.settings = settings
    self.surroundings = surroundings
    guard let path = try Self.path(for: settings, in: surroundings) else { return nil }
    guard mode != .keep || isBackfill || isWatched else {
      written = WriteOnlyHistory(at: path, wait: wait, in: surroundings)
      (store, lease, backfill) = (nil, RunLease(), nil)
      streamingTurn = Mutex(nil)
      return
    }
    written = nil
    var turn: (any DeliveryLock)?
    do {
      let opened = try known ?? HistorySettings.open(path, wait: wait, in: surroundings)
      // A shared state that can only be read would let every run print the same posts again.
      if mode != .keep, !isSharedRound, HistorySettings.isShared(path) {
        _ = try opened.printingLock()
      }
      // Nobody else may print what this run is about to find new.
      if mode != .keep, settings.output.streams {
        turn = try Self.turn(to: opened, wait, isNeeded: true)
      }
      (store, lease) = (opened, try opened.lease(plan.compactMap(\.key), filter: filter))
    } catch let error as HistoryError {
      if isSharedRound { throw error }
      try Self.checkLoss(of: path, mode, isBackfill: isBackfill, because: error)
      (store, lease, turn) = (nil, RunLease(), nil)
      problem.report(error, Self.consequence(mode, isBackfill: isBackfill))
    }
    streamingTurn = Mutex(turn)
    backfill =
      isBackfill
      ? Backfill(settings, filter: filter, store: store) { problem.report($0) } : nil
  }

  /// The path of the history; nil for a run that can do without one.
  private static func path(
    for settings: RunSettings, in surroundings: Surroundings
  ) throws(CommandFailure) -> String? {
    if let path = settings.history.path(in: surroundings) { return path }
    guard let option = settings.dependence else { return nil }
    throw CommandFailure(
      .badConfiguration, "\(option) needs a file for its state: set HOME, or name one with --state")
  }

  /// Ends a run that needs a shared state and cannot reach it: it can be repeated once the state says what
  /// others have printed or read.
  private static func checkLoss(
    of path: String, _ mode: HistoryMode, isBackfill: Bool, because error: HistoryError
  ) throws(CommandFailure) {
    guard mode != .keep || isBackfill, HistorySettings.isShared(path) else { return }
    let status: CommandStatus =
      switch error {
      case .unavailable, .rejected, .unsupported: error.exitStatus
      case .damaged, .foreign, .newer, .failed: .badConfiguration
      }
    throw CommandFailure(
      status, "no network was asked\(isBackfill ? "" : " for new posts"): \(error)")
  }

  /// The consequence for a run that cannot read what earlier ones kept.
  private static func consequence(_ mode: HistoryMode, isBackfill: Bool) -> String {
    if mode != .keep { return "every post counts as new in this run" }
    return isBackfill ? "nothing is resumed in this run" : "no alerts in this run"
  }

  /// Returns whether an earlier run that printed only new posts has asked a search.
  func knows(_ outcome: SearchOutcome) -> Bool {
    guard mode != .keep, let server = outcome.server else { return false }
    return [false, true].contains { isRaw in
      lease.memories[
        SearchKey(tag: outcome.tag, isRaw: isRaw, source: outcome.source, server: server)] != nil
    }
  }

  /// True if the run prints only what no earlier run has printed.
  var hasOnlyNews: Bool { mode != .keep }

  /// Ends every wait for other processes, as the process is about to die.
  func endWaits() { wait.end() }

  /// True if posts may be printed again by the next run, since this one could not be remembered.
  var hasFailed: Bool { failure != nil }
  /// The error because of which they may be.
  var failure: HistoryError? { mode == .keep ? nil : problem.error }

  /// The plan for new posts. With `--backfill` it is the plan for what is left.
  func adapted(_ plan: [PlannedSearch]) -> [PlannedSearch] {
    if let backfill { return backfill.adapted(plan) }
    guard mode != .keep else { return plan }
    return plan.map { planned in
      guard case .ask(let search) = planned else { return planned }
      return .ask(news.adapted(search, after: lease.memories[SearchKey(search)]))
    }
  }

  func judge(_ posts: [Post], of search: Search) -> [PostVerdict] {
    let key = SearchKey(search)
    let memory = lease.memories[key]
    // Each further question would wait as long, and nothing is printed any more.
    guard !cannotJudge else { return posts.map { _ in PostVerdict(.new, isCovered: false) } }
    do throws(HistoryError) {
      guard let status = try store?.status(of: posts, in: key) else {
        return posts.map { _ in PostVerdict(.new, isCovered: false) }
      }
      return zip(posts, status).map { news.verdict(on: $0, $1, after: memory) }
    } catch {
      unjudged.withLock { $0 = $0 ?? error }
      return posts.map { _ in PostVerdict(.new, isCovered: false) }
    }
  }

  /// Takes the right to print and remember posts, which processes that print only new ones have one after the other,
  /// so that no two of them print the same post.
  ///
  /// Waits for one whose reader is slow as long as for any lock. A run that streams has had it from its beginning.
  ///
  /// - Parameter isNeeded: True to throw when the wait is over, instead of printing beside the other.
  /// - Returns: The right, which ends with the value; nil for a run that needs none, or whose state fails.
  func turn(isNeeded: Bool) throws(CommandFailure) -> (any DeliveryLock)? {
    if settings.output.streams {
      return streamingTurn.withLock { turn in
        defer { turn = nil }
        return turn
      }
    }
    guard mode != .keep, !cannotJudge, let store else { return nil }
    return try Self.turn(to: store, wait, isNeeded: isNeeded)
  }

  private static func turn(
    to store: any HistoryStore, _ wait: LockWait, isNeeded: Bool
  ) throws(CommandFailure) -> (any DeliveryLock)? {
    var attempts: Int32 = 0
    while true {
      do throws(HistoryError) {
        if let lock = try store.printingLock() { return lock }
      } catch {
        // The history can be neither read nor written, and that reports the reason.
        return nil
      }
      guard wait.pause(after: attempts) else {
        guard isNeeded else { return nil }
        throw CommandFailure(
          .tryLater,
          "nothing was printed: another run or watch is still printing new posts; try again later")
      }
      attempts += 1
    }
  }

  /// The posts that nobody has printed since they were judged.
  func unprinted(_ posts: [Post]) throws -> [Post] {
    guard mode != .keep, let store, !posts.isEmpty else { return posts }
    try checkJudgement()
    return try store.unprinted(posts)
  }

  /// True if the history could not say of some posts whether they are new.
  var cannotJudge: Bool { unjudged.withLock { $0 != nil } }

  /// Throws if the history could not say of some posts whether they are new: they would be printed again, and passed
  /// on again.
  ///
  /// - Parameter hasPrinted: Whether some were printed before.
  func checkJudgement(hasPrinted: Bool = false) throws {
    guard let error = unjudged.withLock({ $0 }) else { return }
    let what = hasPrinted ? "nothing more" : "nothing"
    throw CommandFailure(
      error.exitStatus,
      "\(what) was printed: cannot tell which posts are new: \(error)")
  }

  /// The alerts of the run's tags, which compare it with earlier runs.
  ///
  /// - Parameter readings: Asked for only where there are rules.
  func alerts(after readings: @autoclosure () -> Readings) -> [TagAlert] {
    guard !rules.isEmpty, let store else { return [] }
    do throws(HistoryError) {
      return try rules.alerts(after: readings(), in: store, now: now)
    } catch {
      problem.report(error)
      return []
    }
  }

  /// Begins to open what `commit` writes to, on another thread.
  func prepare() { written?.prepare() }

  /// Begins to write a plain run on another thread, where it was prepared: what such a run keeps does not depend
  /// on what is printed.
  func beginWriting(_ readings: Readings) {
    written?.beginWriting { self.batch(of: readings, printed: []) }
  }

  /// True while another thread writes the run.
  var isBeingWritten: Bool { written?.isBeingWritten ?? false }

  /// Remembers a run whose output has been written, in one transaction.
  ///
  /// - Parameters:
  ///   - printed: The merged posts.
  ///   - outbox: Those of them that are to be passed on.
  ///   - isHurried: Whether a signal ends the process. Marks, the outbox and what a retry needs are then
  ///     written, and the posts themselves are not: they would take longer than everything else.
  func commit(
    _ readings: Readings, printed: [Post], outbox: [OutboxBatch] = [], isHurried: Bool = false
  ) {
    keep { () throws(HistoryError) in
      if let written, try written.finishWriting() { return }
      try write(batch(of: readings, printed: printed, outbox: outbox, isHurried: isHurried))
    }
  }

  /// Remembers that posts were printed, and nothing else of a run that cannot go on.
  func mark(_ posts: some Sequence<Post>) {
    let printed = Set(posts.map { PostIdentity($0) })
    commit(RunBatch(now: now, findings: [], printed: printed, keepsPosts: false))
  }

  func commit(_ batch: RunBatch) { keep { () throws(HistoryError) in try write(batch) } }

  private func write(_ batch: RunBatch) throws(HistoryError) {
    try store?.commit(batch)
    try written?.commit(batch)
  }

  /// Writes something, and reports that it could not be written.
  private func keep(_ write: () throws(HistoryError) -> Void) {
    do throws(HistoryError) { try write() } catch {
      let isLost = mode == .keep && (written?.isShared ?? false)
      problem.report(error, isLost ? "nothing was kept" : nil)
    }
  }

  /// The batch that is stored of a run; see `commit`.
  func batch(
    of readings: Readings, printed: [Post], outbox: [OutboxBatch] = [], isHurried: Bool = false
  ) -> RunBatch {
    backfill?.keep(Array(readings))
    // A backfill is resumed by running it again, so it keeps what it has read.
    let keepsBodies = !isHurried || backfill != nil
    // A plain run marks nothing as printed.
    let identities = mode == .keep ? [] : self.identities(of: printed, and: readings)
    let arrived = readings.only(where: \.hasArrived)
    var batch = RunBatch(
      now: now, findings: [],
      printed: identities,
      keepsPosts: settings.history.keepsPosts,
      prunesBefore: settings.history.keep.map { now.addingTimeInterval(-$0) },
      run: pastRun(of: arrived, isBrief: !keepsBodies))
    // A tag whose searches a signal ended before any response was not checked.
    batch.sightings = TagSighting.all(in: keepsBodies ? readings : arrived)
    if mode != .keep || settings.history.keepsPosts {
      let make = { @Sendable in self.finding(of: arrived[$0], printed: identities) }
      // What a backfill has pending changes meanwhile.
      batch.findings =
        backfill == nil
        ? BatchList(count: arrived.count, make) : BatchList(arrived.indices.map(make))
    }
    batch.filter = filter
    batch.outbox = outbox
    return keepsBodies ? batch : batch.withoutBodies
  }

  /// The run for `--retry-failed`, which repeats its failed searches; nil to keep the stored one.
  ///
  /// - Parameter isBrief: Whether posts are not kept.
  private func pastRun(of readings: Readings, isBrief: Bool) -> PastRun? {
    // The run before still has the posts of the searches that were completed.
    if isBrief, settings.mode.work == .failed { return nil }
    return runName.map { PastRun(named: $0, settings, readings) }
  }

  /// Keeps the files small once everything else is done.
  func tidy() {
    guard mode == .keep, !problem.isReported, !cannotJudge else { return }
    do throws(HistoryError) {
      try (store ?? written?.opened)?.tidy(now: now)
    } catch {
      problem.report(error)
    }
  }

  private func finding(of reading: Reading, printed: Set<PostIdentity>) -> RunBatch.Finding {
    let key = SearchKey(reading.search)
    var finding = RunBatch.Finding(
      search: key,
      posts: backfill?.pending(of: reading) ?? reading.allPosts,
      isAnswered: reading.ending.isAnswered && !reading.isStored)
    guard mode != .keep else { return finding }
    let memory = lease.memories[key]
    finding.memory = news.change(after: reading, memory) { post in
      settings.output.limit == nil || printed.contains(PostIdentity(post))
    }
    guard finding.memory != nil else { return finding }
    if news.isSample(after: memory) {
      // Every post that it has read is known from now on, printed or not; those printed are marked as that.
      finding.known =
        reading.posts.filter { !printed.contains(PostIdentity($0)) }.map(\.uri)
        + reading.passed.filter { !$0.isFiltered }.map(\.uri)
    }
    finding.skimmed = reading.passed.filter(\.isFiltered).map(\.uri)
    return finding
  }

  /// The posts that count as printed: those that were, and their copies.
  private func identities(of printed: [Post], and readings: Readings) -> Set<PostIdentity> {
    var identities = Set(printed.map { PostIdentity($0) })
    guard settings.limits.joinsByLink else { return identities }
    let copies = Set(printed.flatMap(\.also))
    for post in readings.lazy.flatMap(\.posts) {
      let copy = PostCopy(source: post.source, address: post.url ?? post.uri)
      if copies.contains(copy) { identities.insert(PostIdentity(post)) }
    }
    return identities
  }

  // MARK: First runs

  /// The posts that are passed on: without those that only first runs of searches found, unless
  /// `--notify-first` asks for them.
  func passedOn(_ posts: [Post], from readings: Readings) -> [Post] {
    guard !settings.receivers.includesFirst else { return posts }
    let known = readings.filter { lease.memories[SearchKey($0.search)] != nil }
    guard known.count < readings.count else { return posts }
    let identities = identities(of: known.flatMap(\.posts), and: Readings())
    return posts.filter { identities.contains(PostIdentity($0)) }
  }

  /// The line about posts that a first run does not print or pass on; nil if there are none.
  ///
  /// - Parameter held: The number of posts that are not passed on.
  func firstRunNote(after readings: Readings, held: Int) -> String? {
    guard mode != .keep else { return nil }
    let begun = readings.count { reading in
      reading.ending.isAnswered && !reading.isStored
        && lease.memories[SearchKey(reading.search)] == nil
    }
    guard begun > 0 else { return nil }
    let searches = Plural.count(begun, "search", "searches")
    if news.isFromNow { return "\(searches) watched from now on: earlier posts are not printed" }
    guard held > 0 else { return nil }
    let posts = Plural.count(held, "post was", "posts were")
    return "first run of \(searches): \(posts) not passed on (--notify-first does)"
  }
}

extension SearchKey {
  init(_ search: Search) {
    self.init(
      tag: search.query.text, isRaw: search.query.isRaw, source: search.source.name,
      server: search.server)
  }
}

extension PlannedSearch {
  /// The key of a search that is asked; nil for any other.
  fileprivate var key: SearchKey? {
    if case .ask(let search) = self { SearchKey(search) } else { nil }
  }
}
