internal import QueuedHTTP
internal import SearchEngine
internal import SearchModel
internal import SearchSources

/// Asks every search of a plan for one page, all at once.
struct SourceCheck {
  private let settings: RunSettings
  private let context: Context
  private let client: HTTPClient
  private let plan: [PlannedSearch]
  /// An engine for each search of the plan, so that each has a time of its own.
  private let engines: [SearchEngine]

  init(_ plan: [PlannedSearch], settings: RunSettings, in context: Context) {
    self.plan = plan
    self.settings = settings
    self.context = context
    let client = HTTPClient(configuration: settings.clientConfiguration(in: context))
    self.client = client
    let sessions = SessionFile.own(in: context)
    let programs = SoftwareFile.own(in: context)
    engines = plan.map { planned in
      var planned = planned
      if case .ask(var search) = planned {
        if let pace = search.statedPace { client.setPace(pace, for: search.lane) }
        search.source = OnePage(source: search.source)
        planned = .ask(search)
      }
      return SearchEngine(
        plan: [planned], transport: client, limits: settings.limits, now: settings.now,
        clock: context.now, sessionStore: sessions, softwareStore: programs)
    }
  }

  /// What each answered, in plan order.
  func answers() async -> [SourceAnswer] {
    let progress = settings.progressLine(for: plan, in: context)
    let engines = engines
    let answers = await withTaskGroup(of: Void.self) { group in
      if let progress { group.addTask { await progress.show { Self.progress(of: engines) } } }
      let answers = await withTaskGroup { group in
        for (index, engine) in engines.enumerated() {
          group.addTask { (index, await Self.answer(of: engine)) }
        }
        return await group.reduce(into: [Int: SourceAnswer]()) { $0[$1.0] = $1.1 }
      }
      group.cancelAll()
      return answers
    }
    await client.shutdown()
    return answers.sorted { $0.key < $1.key }.compactMap(\.value)
  }

  private static func answer(of engine: SearchEngine) async -> SourceAnswer? {
    let begin = ContinuousClock.now
    await engine.run()
    let findings = engine.findings
    guard let outcome = findings.outcomes.first else { return nil }
    let isAsked = if case .skipped = outcome.ending { false } else { true }
    return SourceAnswer(
      outcome: outcome, posts: findings.found.map(\.posts.count).reduce(0, +),
      took: isAsked ? ContinuousClock.now - begin : nil)
  }

  private static func progress(of engines: [SearchEngine]) -> RunProgress {
    engines.map(\.progress).reduce(into: RunProgress(searches: 0, ended: 0, posts: 0)) {
      $0.searches += $1.searches
      $0.ended += $1.ended
      $0.posts += $1.posts
    }
  }
}
