internal import FoundationEssentials
internal import PostHistory
internal import SafeFiles
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import Synchronization

/// The memory of earlier runs that a run uses and adds to.
///
/// Without `--new` nothing is opened before the posts are written. What goes wrong costs one line and
/// no post.
final class RunHistory: PostMemory {
  let mode: HistoryMode
  /// The name under which `--retry-failed` finds the run; nil for one that it cannot repeat.
  private let runName: String?
  private let context: Context
  private let settings: RunSettings
  private let path: String
  private let lease: RunLease
  /// The open history; nil where it is opened only to keep posts, or could not be opened.
  let store: (any HistoryStore)?
  private let rules: AlertRules
  /// The windows of a run with `--backfill`.
  let backfill: Backfill?
  /// Reports the first thing that went wrong.
  private let problem: HistoryProblem
  /// The wait for other processes.
  private let wait: LockWait

  /// Returns nil for a run that uses no history.
  ///
  /// - Parameters:
  ///   - name: The name of the run, for `--retry-failed`; nil for a poll of a watch.
  ///   - filter: The filters of the run, for `--backfill`.
  ///   - alerts: The alerts of the run, which compare it with earlier ones.
  ///   - store: The history, if it is open already.
  init?(
    for settings: RunSettings, named name: String? = nil, filter: String = "",
    alerts: AlertRules = AlertRules(), plan: [PlannedSearch], in context: Context,
    store known: (any HistoryStore)? = nil
  ) throws(CommandFailure) {
    let history = settings.history
    // Alerts need to know the tags, even if no posts are kept.
    let isWatched = !alerts.isEmpty && !history.isOff
    guard let mode = history.mode ?? (isWatched ? .keep : nil) else { return nil }
    rules = alerts
    self.mode = mode
    // What a run with --new missed is new to the next one.
    runName = mode == .keep && history.keepsPosts && !history.isBackfill ? name : nil
    let problem = HistoryProblem(context)
    self.problem = problem
    // A plain run loses nothing that it has printed, and should not hang when all is done.
    wait = LockWait(
      longest: mode == .keep && !history.isBackfill ? .seconds(1) : .seconds(30),
      until: settings.limits.longest.map { ContinuousClock.now + $0 })
    self.settings = settings
    self.context = context
    guard let path = history.path(in: context) else {
      if let option = history.dependence {
        throw CommandFailure(
          .badConfiguration,
          "\(option) needs a file for its state: set HOME, or name one with --state")
      }
      return nil
    }
    self.path = path
    guard mode != .keep || history.isBackfill || isWatched else {
      (store, lease, backfill) = (nil, RunLease(), nil)
      return
    }
    do throws(HistoryError) {
      let opened: any HistoryStore
      if let known {
        opened = known
      } else {
        opened = try HistorySettings.open(path, wait: wait, in: context)
      }
      let searches = plan.compactMap { planned in
        if case .ask(let search) = planned { SearchKey(search) } else { nil }
      }
      (store, lease) = (opened, try opened.lease(searches))
    } catch {
      (store, lease) = (nil, RunLease())
      problem.report(
        error,
        mode != .keep
          ? "every post counts as new in this run"
          : history.isBackfill ? "nothing is resumed in this run" : "no alerts in this run")
    }
    backfill =
      history.isBackfill
      ? Backfill(settings, filter: filter, store: store) { problem.report($0) } : nil
  }

  /// Ends every wait for other processes, as the process is about to die.
  func endWaits() { wait.end() }

  /// True if posts may be printed again by the next run, since this one could not be remembered.
  var hasFailed: Bool { mode != .keep && problem.isReported }

  /// The plan for new posts: after its first run a search reads up to the posts that it knows, however
  /// many are new. With `--backfill` it is the plan for what is left.
  func adapted(_ plan: [PlannedSearch]) -> [PlannedSearch] {
    if let backfill { return backfill.adapted(plan) }
    guard mode != .keep else { return plan }
    return plan.map { planned in
      guard case .ask(var search) = planned else { return planned }
      let memory = lease.memories[SearchKey(search)]
      search.readUpTo = memory?.readUpTo
      if search.isCapDefault {
        if memory != nil || mode == .newAll { search.cap = nil }
        // A first run is a sample.
        if memory != nil { search.isCapDefault = false }
      }
      return .ask(search)
    }
  }

  func judge(_ posts: [Post], of search: Search) -> [PostVerdict] {
    let key = SearchKey(search)
    let memory = lease.memories[key]
    do throws(HistoryError) {
      guard let status = try store?.status(of: posts, in: key) else {
        return posts.map { _ in PostVerdict(.new, isCovered: false) }
      }
      return zip(posts, status).map { post, status in
        verdict(on: post, status, memory)
      }
    } catch {
      problem.report(error)
      return posts.map { _ in PostVerdict(.new, isCovered: false) }
    }
  }

  private func verdict(
    on post: Post, _ status: PostStatus, _ memory: SearchMemory?
  ) -> PostVerdict {
    let isOld =
      memory?.oldest.map { oldest in post.createdAt.map { $0 < oldest } ?? false } ?? false
    let isBeforeGap = memory?.readUpTo.map { end in
      post.createdAt.map { $0 <= end } ?? true
    }
    let isCovered = isOld && mode != .newAll || status.isRead && isBeforeGap ?? false
    if status.isPrinted { return PostVerdict(.printed, isCovered: isCovered) }
    return PostVerdict(isOld && mode != .newAll ? .old : .new, isCovered: isCovered)
  }

  /// The alerts of the run's tags, which compare it with earlier runs.
  func alerts(after readings: [Reading]) -> [TagAlert] {
    guard !rules.isEmpty, let store else { return [] }
    do throws(HistoryError) {
      return try rules.alerts(after: readings, in: store, now: settings.now)
    } catch {
      problem.report(error)
      return []
    }
  }

  /// Remembers a run whose output has been written, in one transaction.
  ///
  /// - Parameters:
  ///   - printed: The merged posts.
  ///   - outbox: Those of them that are to be passed on.
  ///   - keepsBodies: False after a signal: what is printed stays known, and no post is kept.
  func commit(
    _ readings: [Reading], printed: [Post], outbox: [OutboxBatch] = [], keepsBodies: Bool = true
  ) {
    guard let store = store ?? openForKeeping() else { return }
    if keepsBodies { backfill?.keep(readings) }
    // With as many posts as the limit, some may be left for the next run.
    let isWhole = settings.limit.map { printed.count < $0 } ?? true
    let findings = readings.map { reading in
      RunBatch.Finding(
        search: SearchKey(reading.search),
        posts: backfill?.pending(of: reading) ?? (reading.posts + reading.printedByOthers),
        memory: mode == .keep ? nil : memory(after: reading, isWhole: isWhole),
        isAnswered: reading.ending.isAnswered && !reading.isStored)
    }
    var batch = RunBatch(
      now: settings.now,
      findings: mode != .keep || settings.history.keepsPosts ? findings : [],
      printed: mode == .keep ? [] : identities(of: printed, and: readings),
      keepsPosts: settings.history.keepsPosts,
      prunesBefore: settings.history.keep.map { settings.now.addingTimeInterval(-$0) },
      run: runName.map { RunRecord(named: $0, settings, readings) },
      sightings: TagSighting.all(in: readings))
    batch.outbox = outbox
    do throws(HistoryError) {
      try store.commit(keepsBodies ? batch : batch.withoutBodies)
    } catch {
      problem.report(error)
    }
  }

  private func openForKeeping() -> (any HistoryStore)? {
    guard mode == .keep, !problem.isReported else { return nil }
    do throws(HistoryError) {
      return try HistorySettings.open(path, wait: wait, in: context)
    } catch {
      problem.report(error)
      return nil
    }
  }

  /// The new memory of a search; nil where it has to be read again from where it was.
  private func memory(after reading: Reading, isWhole: Bool) -> SearchMemory? {
    guard reading.ending.isAnswered else { return nil }
    let dates = (reading.posts.isEmpty ? reading.printedByOthers : reading.posts)
      .compactMap(\.createdAt).filter { $0 <= reading.newest ?? .distantPast }
    guard lease.memories[SearchKey(reading.search)] != nil else {
      // Where the order is approximate, one post with a date of years ago is not how far a search went.
      let isApproximate = reading.search.source.traits.order == .approximate
      let oldest = dates.sorted().dropFirst(isApproximate ? dates.count / 10 : 0).first
      return SearchMemory(oldest: oldest, readUpTo: reading.newest)
    }
    // A failure leaves a gap that the next run can fill. What a network or a bound on pages hides was
    // said by the outcome, and would be hidden from the next run, too.
    let hasFailed = if case .partial(_, _, .some, _) = reading.ending { true } else { false }
    return SearchMemory(
      oldest: nil, readUpTo: isWhole && !hasFailed && !reading.isCapped ? reading.newest : nil)
  }

  /// The posts that count as printed: those that were, their copies, and the whole first run of a
  /// search.
  private func identities(of printed: [Post], and readings: [Reading]) -> Set<PostIdentity> {
    var identities = Set(printed.map { PostIdentity($0) })
    for reading in readings where lease.memories[SearchKey(reading.search)] == nil {
      if mode == .new { identities.formUnion(reading.posts.map { PostIdentity($0) }) }
    }
    guard settings.dedupe == .link else { return identities }
    let copies = Set(printed.flatMap(\.also))
    for post in readings.flatMap(\.posts) {
      let copy = PostCopy(source: post.source, address: post.url ?? post.uri)
      if copies.contains(copy) { identities.insert(PostIdentity(post)) }
    }
    return identities
  }
}

/// The first thing that went wrong with the history in a run, which one line reports.
final class HistoryProblem: Sendable {
  private let context: Context
  private let first = Mutex(true)

  init(_ context: Context) { self.context = context }

  var isReported: Bool { first.withLock { !$0 } }

  /// - Parameter consequence: What it means for the run, if that is not obvious.
  func report(_ error: HistoryError, _ consequence: String? = nil) {
    let isFirst = first.withLock { first in
      defer { first = false }
      return first
    }
    guard isFirst else { return }
    context.report(consequence.map { "\($0): \(error)" } ?? "\(error)")
  }
}

extension TagSighting {
  /// The results of the searches of each tag together, in their order.
  static func all(in readings: [Reading]) -> [TagSighting] {
    var sightings: [TagSighting] = []
    var indices: [TagKey: Int] = [:]
    for reading in readings {
      let query = reading.search.query
      let key = TagKey(tag: query.text, isRaw: query.isRaw)
      let index = indices[key] ?? sightings.endIndex
      if index == sightings.endIndex {
        indices[key] = index
        sightings.append(TagSighting(tag: key, posts: 0))
      }
      if !reading.isFragment { sightings[index].posts += reading.found }
      guard let newest = reading.newestFound else { continue }
      sightings[index].newest = max(sightings[index].newest ?? newest, newest)
    }
    return sightings
  }
}

extension SearchKey {
  init(_ search: Search) {
    self.init(
      tag: search.query.text, isRaw: search.query.isRaw, source: search.source.name,
      server: search.server)
  }
}
