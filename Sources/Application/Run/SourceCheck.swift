internal import FoundationEssentials
internal import Printing
internal import QueuedHTTP
package import SearchEngine
package import SearchModel
internal import SearchSources
package import TextFormats

/// Fetches one page of every search of a plan, all at once.
package struct SourceCheck {
  private let settings: RunSettings
  private let surroundings: Surroundings
  private let session: SearchSession
  private let plan: [PlannedSearch]
  /// An engine for each search of the plan, so that each has a time of its own.
  private let engines: [SearchEngine]

  package init(_ plan: [PlannedSearch], settings: RunSettings, in surroundings: Surroundings) {
    self.plan = plan
    self.settings = settings
    self.surroundings = surroundings
    let session = SearchSession(settings, in: surroundings)
    self.session = session
    session.use(settings, for: plan)
    engines = plan.map { planned in
      var planned = planned
      if case .ask(var search) = planned {
        search.endpoint = search.endpoint.with(OnePage(source: search.source))
        planned = .ask(search)
      }
      return session.engine(for: [planned], limits: settings.limits, now: settings.now)
    }
  }

  /// The answers, in plan order.
  package func answers() async -> [SourceAnswer] {
    let progress = settings.reports.progressLine(in: surroundings)
    let engines = engines
    let ask = { @Sendable () async -> [Int: SourceAnswer] in
      await withTaskGroup { group in
        for (index, engine) in engines.enumerated() {
          group.addTask { (index, await Self.answer(of: engine)) }
        }
        return await group.reduce(into: [Int: SourceAnswer]()) { $0[$1.0] = $1.1 }
      }
    }
    let answers =
      if let progress {
        await progress.show(
          { RunProgress(sum: engines.map(\.progress)).parts }, on: surroundings.host, during: ask)
      } else {
        await ask()
      }
    await session.shutdown()
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
}

/// The result of checking a source.
package struct SourceAnswer: Sendable {
  package var outcome: SearchOutcome
  /// The number of posts received.
  package var posts = 0
  /// The time it took, including a login and retries; nil if it was not asked.
  package var took: Duration?

  package var json: JSONValue {
    let details = OutcomeDetails(outcome.ending)
    return .members([
      "source": .string(outcome.source.rawValue),
      "server": (outcome.server?.text).map(JSONValue.string),
      "outcome": .string(details.name.rawValue), "posts": .integer(posts),
      "took_ms": took.map { .integer(Int($0 / .milliseconds(1))) },
      "status": details.status.map { .integer($0) },
      "message": details.message.map(JSONValue.string),
      "advice": details.advice.map(JSONValue.string),
      "until": details.until.map { .string(RFC3339.format($0)) },
    ])
  }
}

/// A source that is asked for one small page only.
struct OnePage: SourceAdapter {
  private static let size = 10

  let source: any Source

  var traits: SourceTraits {
    var traits = source.traits
    // One page reaches neither.
    traits.ceiling = nil
    traits.horizon = nil
    return traits
  }

  func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    var page = page
    page.wanted = Self.size
    return try source.request(for: page)
  }

  func page(from response: HTTPResponse, to page: PageRequest) throws(SourceFault) -> Page {
    var answer = try source.page(from: response, to: page)
    // Later pages were not requested, so they are not missing.
    if !answer.isRedirect { answer.next = nil }
    answer.missing = nil
    answer.deadEnd = nil
    return answer
  }
}
