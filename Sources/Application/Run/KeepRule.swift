internal import FoundationEssentials
internal import PostHistory
internal import SearchEngine
internal import SearchModel

/// Decides what a run leaves in the history for later ones, and what of it is passed on.
struct KeepRule: Sendable {
  let mode: HistoryMode
  let settings: RunSettings
  /// The run's now, or the moment of a round.
  let now: Date
  /// The name under which `--retry-failed` finds the run; nil for one that it cannot repeat.
  let runName: String?
  /// The filters of the run, for `--new` and `--backfill`.
  let filter: String
  let news: NewsRule
  /// The searches that earlier runs have asked, and how far they read.
  let memories: [SearchKey: SearchMemory]
  /// The windows of a run with `--backfill`.
  let backfill: Backfill?

  /// The batch that is stored of a run.
  ///
  /// - Parameters:
  ///   - printed: The merged posts.
  ///   - outbox: Those of them that are to be passed on.
  ///   - isHurried: Whether a signal ends the process. Marks, the outbox and what a retry needs are then
  ///     written, and the posts themselves are not: they would take longer than everything else.
  func batch(
    of readings: Readings, printed: [Post], outbox: [OutboxBatch], isHurried: Bool
  ) -> RunBatch {
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

  private func finding(of reading: Reading, printed: Set<PostIdentity>) -> RunBatch.Finding {
    let key = SearchKey(reading.search)
    var finding = RunBatch.Finding(
      search: key,
      posts: backfill?.pending(of: reading) ?? reading.allPosts,
      isAnswered: reading.ending.isAnswered && !reading.isStored)
    guard mode != .keep else { return finding }
    let memory = memories[key]
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
    let known = readings.filter { memories[SearchKey($0.search)] != nil }
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
        && memories[SearchKey(reading.search)] == nil
    }
    guard begun > 0 else { return nil }
    let searches = Plural.count(begun, "search", "searches")
    if news.isFromNow { return "\(searches) watched from now on: earlier posts are not printed" }
    guard held > 0 else { return nil }
    let posts = Plural.count(held, "post was", "posts were")
    return "first run of \(searches): \(posts) not passed on (use --notify-first to pass them on)"
  }
}
