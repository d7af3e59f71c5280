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
  private let rule: KeepRule
  /// The open history; nil where it is only written, or could not be opened.
  let store: (any HistoryStore)?
  /// The history of a run that reads nothing from it.
  private let written: WriteOnlyHistory?
  private let rules: AlertRules
  /// The first error because of which posts could not be judged.
  private let unjudged = Mutex<HistoryError?>(nil)
  /// Reports the first thing that went wrong.
  private let problem: HistoryProblem
  /// The wait for other processes.
  private let wait: LockWait
  /// The turn to print; nil for a run that needs none.
  private let printing: PrintingTurn?

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
    let now = now ?? settings.now
    // Alerts need to know the tags, even if no posts are kept.
    let isWatched = !alerts.isEmpty && !history.isOff
    guard let mode = history.mode ?? (isWatched ? .keep : nil) else { return nil }
    rules = alerts
    let isSharedRound =
      known != nil && history.path(in: surroundings).map { HistorySettings.isShared($0) } == true
    // A worker says once for all of its rounds that its state was lost.
    let problem = HistoryProblem(surroundings, isQuiet: isSharedRound)
    self.problem = problem
    // A plain run loses nothing that it has printed, and should not hang when all is done.
    wait =
      shared
      ?? LockWait(
        longest: mode == .keep && !isBackfill ? .seconds(1) : LockWait.usual,
        until: settings.limits.longest.map { ContinuousClock.now + $0 })
    guard let path = try Self.path(for: settings, in: surroundings) else { return nil }
    func rule(
      _ memories: [SearchKey: SearchMemory] = [:], backfill: Backfill? = nil
    ) -> KeepRule {
      KeepRule(
        mode: mode, settings: settings, now: now,
        // A run with --new needs no retry: whatever it missed is still new to the next run.
        runName: mode == .keep && history.keepsPosts && !isBackfill ? name : nil,
        filter: filter, news: NewsRule(mode: mode, now: now, settings), memories: memories,
        backfill: backfill)
    }
    guard mode != .keep || isBackfill || isWatched else {
      written = WriteOnlyHistory(at: path, wait: wait, in: surroundings)
      (store, printing, self.rule) = (nil, nil, rule())
      return
    }
    written = nil
    var (opened, turn): ((any HistoryStore)?, PrintingTurn?)
    var memories: [SearchKey: SearchMemory] = [:]
    do {
      let history = try known ?? HistorySettings.open(path, wait: wait, in: surroundings)
      // A shared state that can only be read would let every run print the same posts again.
      if mode != .keep, !isSharedRound, HistorySettings.isShared(path) {
        _ = try history.printingLock()
      }
      if mode != .keep {
        // While a run streams, nobody else may print what it is about to find new.
        turn = try PrintingTurn(in: history, wait, isEarly: settings.output.streams)
      }
      memories = try history.memories(of: plan.compactMap(\.key), filter: filter)
      opened = history
    } catch let error as HistoryError {
      if isSharedRound { throw error }
      try Self.checkLoss(of: path, mode, isBackfill: isBackfill, because: error)
      turn = nil
      problem.report(error, Self.consequence(mode, isBackfill: isBackfill, settings))
    }
    (store, printing) = (opened, turn)
    self.rule = rule(
      memories,
      backfill: isBackfill
        ? Backfill(settings, filter: filter, store: opened) { problem.report($0) } : nil)
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
  private static func consequence(
    _ mode: HistoryMode, isBackfill: Bool, _ settings: RunSettings
  ) -> String {
    if mode != .keep {
      let isPassedOn = settings.receivers.isEmpty ? "" : ", and none is passed on"
      return "every post counts as new in this run\(isPassedOn)"
    }
    return isBackfill ? "nothing is resumed in this run" : "no alerts in this run"
  }

  var mode: HistoryMode { rule.mode }
  /// The windows of a run with `--backfill`.
  var backfill: Backfill? { rule.backfill }

  /// Returns whether an earlier run that printed only new posts has asked a search.
  func knows(_ outcome: SearchOutcome) -> Bool {
    guard mode != .keep, let server = outcome.server else { return false }
    return [false, true].contains { isRaw in
      rule.memories[
        SearchKey(tag: outcome.tag, isRaw: isRaw, source: outcome.source, server: server)] != nil
    }
  }

  /// True if the run prints only what no earlier run has printed.
  var hasOnlyNews: Bool { mode != .keep }

  /// Ends every wait for other processes, as the process is about to die.
  func endWaits() { wait.end() }

  /// True if posts may be printed again by the next run, since this one could not be remembered, or if alerts were
  /// asked for in vain.
  var hasFailed: Bool { failure != nil }
  /// The error because of which they may be, or because of which nobody was alerted.
  var failure: HistoryError? { mode == .keep && rules.isEmpty ? nil : problem.error }

  /// The plan for new posts. With `--backfill` it is the plan for what is left.
  func adapted(_ plan: [PlannedSearch]) -> [PlannedSearch] {
    if let backfill { return backfill.adapted(plan) }
    guard mode != .keep else { return plan }
    return plan.map { planned in
      guard case .ask(let search) = planned else { return planned }
      return .ask(rule.news.adapted(search, after: rule.memories[SearchKey(search)]))
    }
  }

  func judge(_ posts: [Post], of search: Search) -> [PostVerdict] {
    let key = SearchKey(search)
    let memory = rule.memories[key]
    // Each further question would wait as long, and nothing is printed any more.
    guard !cannotJudge else { return posts.map { _ in PostVerdict(.new, isCovered: false) } }
    do throws(HistoryError) {
      guard let status = try store?.status(of: posts, in: key) else {
        return posts.map { _ in PostVerdict(.new, isCovered: false) }
      }
      return zip(posts, status).map { rule.news.verdict(on: $0, $1, after: memory) }
    } catch {
      unjudged.withLock { $0 = $0 ?? error }
      return posts.map { _ in PostVerdict(.new, isCovered: false) }
    }
  }

  /// Takes the turn to print and remember posts; it ends with the value that is returned.
  ///
  /// - Parameter isNeeded: True to throw when the wait is over, instead of printing beside the other.
  /// - Returns: Nil for a run that needs none, or whose state fails.
  func turn(isNeeded: Bool) throws(CommandFailure) -> (any DeliveryLock)? {
    guard let printing else { return nil }
    if let turn = printing.takenEarly() { return turn }
    return cannotJudge ? nil : try printing.take(isNeeded: isNeeded)
  }

  /// The posts that nobody has printed since they were judged.
  func unprinted(_ posts: [Post], from readings: Readings) throws -> [Post] {
    guard mode != .keep, let store, !posts.isEmpty else { return posts }
    try checkJudgement()
    let old = try overtaken(in: readings, by: store)
    return try store.unprinted(posts).filter { !old.contains(PostIdentity($0)) }
  }

  /// The posts of first runs that are not new any more, because another process has made the first run of their
  /// search meanwhile. Without this, the one that prints last would show an older sample beside that of the first.
  private func overtaken(
    in readings: Readings, by store: any HistoryStore
  ) throws(HistoryError) -> Set<PostIdentity> {
    let first = readings.filter { rule.news.isSample(after: rule.memories[SearchKey($0.search)]) }
    guard !first.isEmpty else { return [] }
    let memories = try store.memories(of: first.map { SearchKey($0.search) }, filter: rule.filter)
    guard !memories.isEmpty else { return [] }
    var (old, new): (Set<PostIdentity>, Set<PostIdentity>) = ([], [])
    for reading in readings {
      let key = SearchKey(reading.search)
      guard let memory = memories[key] else {
        new.formUnion(reading.posts.map { PostIdentity($0) })
        continue
      }
      for (post, status) in zip(reading.posts, try store.status(of: reading.posts, in: key)) {
        let isNew = rule.news.isStillNew(post, status, of: reading.search, after: memory)
        if isNew { new.insert(PostIdentity(post)) } else { old.insert(PostIdentity(post)) }
      }
    }
    return old.subtracting(new)
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
      return try rules.alerts(after: readings(), in: store, now: rule.now)
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

  /// Remembers a run whose output has been written, in one transaction; see `KeepRule.batch`.
  func commit(
    _ readings: Readings, printed: [Post], outbox: [OutboxBatch] = [], isHurried: Bool = false
  ) {
    keep { () throws(HistoryError) in
      if let written, try written.finishWriting() { return }
      try write(batch(of: readings, printed: printed, outbox: outbox, isHurried: isHurried))
    }
  }

  /// The batch that is stored of a run.
  func batch(
    of readings: Readings, printed: [Post], outbox: [OutboxBatch] = [], isHurried: Bool = false
  ) -> RunBatch {
    backfill?.keep(Array(readings))
    return rule.batch(of: readings, printed: printed, outbox: outbox, isHurried: isHurried)
  }

  /// Remembers that posts were printed, and nothing else of a run that cannot go on.
  func mark(_ posts: some Sequence<Post>) {
    let printed = Set(posts.map { PostIdentity($0) })
    commit(RunBatch(now: rule.now, findings: [], printed: printed, keepsPosts: false))
  }

  func commit(_ batch: RunBatch) { keep { () throws(HistoryError) in try write(batch) } }

  private func write(_ batch: RunBatch) throws(HistoryError) {
    try store?.commit(batch)
    try written?.commit(batch)
  }

  /// Writes something, and reports that it could not be written.
  private func keep(_ write: () throws(HistoryError) -> Void) {
    do throws(HistoryError) { try write() } catch { problem.report(error, consequence) }
  }

  /// The consequence of a run that could not be written as a whole.
  private var consequence: String {
    if mode != .keep { return "the next run may print the same posts again" }
    // A file takes a large run in parts, and keeps those that were written.
    return written?.isShared == true ? "nothing was kept" : "not all of this run was kept"
  }

  /// Keeps the files small once everything else is done.
  func tidy() {
    guard mode == .keep, !problem.isReported, !cannotJudge else { return }
    do throws(HistoryError) {
      try (store ?? written?.opened)?.tidy(now: rule.now)
    } catch {
      problem.report(error)
    }
  }

  /// The posts that are passed on, and how many are held back; see `KeepRule`.
  ///
  /// - Parameter delivery: Nil where nothing receives posts.
  func handOver(
    _ posts: [Post], from readings: Readings, to delivery: Delivery?, at now: Date
  ) -> (outbox: [OutboxBatch], held: Int) {
    guard let delivery else { return ([], 0) }
    let passedOn = rule.passedOn(posts, from: readings)
    return (delivery.batches(of: passedOn, now: now), posts.count - passedOn.count)
  }

  /// The line about posts that a first run does not print or pass on; see `KeepRule`.
  func firstRunNote(after readings: Readings, held: Int) -> String? {
    rule.firstRunNote(after: readings, held: held)
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
