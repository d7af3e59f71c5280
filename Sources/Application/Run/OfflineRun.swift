internal import FoundationEssentials
internal import PostHistory
internal import Printing
internal import QueuedHTTP
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import Synchronization

/// A run that asks no server: each search is answered by the cache, or else by the history.
struct OfflineRun {
  private let settings: RunSettings
  /// The name of the run in the history; nil if it has none.
  private let name: String?
  private let surroundings: Surroundings

  init(_ run: PreparedRun, surroundings: Surroundings) {
    settings = run.settings
    name = run.name
    self.surroundings = surroundings
  }

  /// The plan with an answer for each search.
  func plan(_ plan: [PlannedSearch]) async throws -> [PlannedSearch] {
    let cached = await cached(plan)
    var rest: [SearchKey] = []
    for case .ask(let search) in plan where cached[SearchKey(search)] == nil {
      rest.append(SearchKey(search))
    }
    let stored = rest.isEmpty ? HistoryAnswers() : stored(rest)
    return plan.map { planned in
      guard case .ask(let search) = planned else { return planned }
      if let found = cached[SearchKey(search)] { return .stored(found) }
      if let answer = stored.answers[SearchKey(search)] {
        return .stored(self.answer(answer, to: search, from: stored))
      }
      let failure = Failure(
        .temporary, message: "neither the cache nor the history has an answer",
        advice: "run it without --offline")
      return .stored(StoredSearch(search, posts: [], outcome: search.outcome(.failed(failure))))
    }
  }

  /// The line that says how old the answers of a plan are; nil without any.
  static func ages(of plan: [PlannedSearch]) -> String? {
    var ages: [String] = []
    for case .stored(let stored) in plan {
      guard case .completed? = stored.outcome?.ending, let age = stored.age?.note,
        !ages.contains(age)
      else { continue }
      ages.append(age)
    }
    guard let first = ages.first else { return nil }
    return ages.count == 1 ? "answers \(first)" : "answers \(first), others differ in age (-v)"
  }

  // MARK: The cache

  /// The searches of which the cache has at least the first page.
  func cached(_ plan: [PlannedSearch]) async -> [SearchKey: StoredSearch] {
    guard settings.client.cacheFolder != nil else { return [:] }
    var searches: [PlannedSearch] = []
    let ages = CacheAges()
    for case .ask(var search) in plan {
      search.endpoint = search.endpoint.with(CachedSource(source: search.source, ages: ages))
      searches.append(.ask(search))
    }
    let reader = CacheReader(settings.clientConfiguration(in: surroundings))
    let session = SearchSession(
      over: CacheTransport(reader: reader),
      sessions: SessionFile.own(in: surroundings).map { LastSessions(file: $0) },
      software: SoftwareFile.own(in: surroundings), in: surroundings)
    let engine = session.engine(for: searches, limits: settings.limits, now: settings.now)
    await engine.run()
    var found: [SearchKey: StoredSearch] = [:]
    for (planned, reading) in zip(searches, engine.readings) where reading.pages > 0 {
      guard case .ask(let search) = planned else { continue }
      var ending = reading.ending
      if case .partial(let brokenItems, _, .some, let notes) = ending {
        let pages = reading.pages == 1 ? "the first page" : "the first \(reading.pages) pages"
        ending = .partial(
          brokenItems: brokenItems, reason: "the cache has only \(pages)", notes: notes)
      }
      var outcome = search.outcome(ending)
      (outcome.posts, outcome.pages) = (reading.found, reading.pages)
      found[SearchKey(search)] = StoredSearch(
        search, posts: reading.posts, outcome: outcome, excluded: reading.excluded,
        age: StoredAge(in: .cache, ages.oldest(of: search)))
    }
    return found
  }

  /// Prints what the cache has, and returns the posts, by `Post.identityHash`; nil if it has nothing.
  func showCached(_ plan: [PlannedSearch]) async throws -> Set<Int>? {
    let cached = await cached(plan)
    guard !cached.isEmpty else { return nil }
    let found = plan.compactMap { planned -> FoundPosts? in
      guard case .ask(let search) = planned, let stored = cached[SearchKey(search)] else {
        return nil
      }
      return FoundPosts(tag: search.query.text, posts: stored.posts)
    }
    let posts = settings.merge().posts(of: found)
    let isShortened = settings.output.isShortened(in: surroundings)
    let shown = isShortened ? Array(ScreenSelection(posts).posts) : posts
    // A pager would hold up the requests.
    try RunPrinter(settings: settings, surroundings: surroundings, usesPager: false)
      .write(stored: shown)
    if let oldest = cached.values.compactMap(\.age).max(by: { $0.age < $1.age }) {
      surroundings.report("\(oldest.note); asking the networks")
    }
    return Set(posts.map(\.identityHash))
  }

  // MARK: The history

  /// The posts that earlier runs found for searches.
  private struct HistoryAnswers {
    /// The posts by the searches that found them, in any run, and the moments of their last answers.
    var answers: [SearchKey: (answered: Date, posts: [Post])] = [:]
    /// The last run with the same settings.
    var run: PastRun?
    /// Its searches, and whether each was completed.
    var isCompleted: [SearchKey: Bool] = [:]
  }

  /// The completeness of the history's answer to a search.
  private enum Extent {
    case whole, part
    /// The last answer was to a run with other settings, which may have wanted less.
    case unknown
  }

  /// The answers of the history; a history that cannot be read costs one line.
  private func stored(_ searches: [SearchKey]) -> HistoryAnswers {
    guard !settings.history.isOff, settings.history.keepsPosts,
      let path = settings.history.path(in: surroundings), HistorySettings.isThere(path)
    else { return HistoryAnswers() }
    do throws(HistoryError) {
      let history = try HistorySettings.open(path, in: surroundings)
      let answers = try history.answers(
        to: searches, since: settings.limits.since, until: settings.limits.until)
      let run = if let name { try history.run(named: name) } else { nil as PastRun? }
      let parts = run?.parts.map { ($0.search, $0.answer != nil) } ?? []
      return HistoryAnswers(
        answers: answers, run: run, isCompleted: Dictionary(parts) { first, _ in first })
    } catch {
      surroundings.report("\(error)")
      return HistoryAnswers()
    }
  }

  private func extent(of search: SearchKey, answered: Date, in kept: HistoryAnswers) -> Extent {
    guard let run = kept.run, let isCompleted = kept.isCompleted[search],
      // No run has asked since; both are in whole milliseconds.
      answered.timeIntervalSince(run.began) < 0.002
    else { return .unknown }
    guard isCompleted else { return .part }
    let isSame =
      run.perSearch == settings.search.perSearch && run.newest == settings.output.limit
    return isSame ? .whole : .unknown
  }

  private func answer(
    _ answer: (answered: Date, posts: [Post]), to search: Search, from kept: HistoryAnswers
  ) -> StoredSearch {
    var tally = FilterTally(settings.limits.filter.reasons)
    var posts = settings.limits.filter.apply(to: answer.posts, counting: &tally)
    // All that have a date are within those of the run.
    let within = posts.filter(settings.limits.hold)
    if within.count < posts.count { tally.count(.undated, times: posts.count - within.count) }
    posts = within
    if let cap = search.cap { posts = Array(posts.prefix(cap)) }
    let extent = extent(of: SearchKey(search), answered: answer.answered, in: kept)
    let age = StoredAge(
      in: .history, .seconds(settings.now.timeIntervalSince(answer.answered)),
      isOfOtherSettings: extent == .unknown)
    var outcome = search.outcome(
      extent == .part
        ? .partial(
          brokenItems: 0, reason: "the history has only a part of the posts", notes: [age.note])
        : .completed(notes: [age.note]))
    (outcome.posts, outcome.pages) = (posts.count, 0)
    return StoredSearch(search, posts: posts, outcome: outcome, excluded: tally, age: age)
  }
}

/// Answers from the cache alone.
private struct CacheTransport: Transport {
  let reader: CacheReader

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try reader.response(to: request)
  }

  func cancel(group: RequestGroup) {}

  func cancelWaiting(group: RequestGroup) {}

  func beginCancelAll() {}
}

/// The last session of each network, even an expired one: the cache keeps responses under it.
private struct LastSessions: SessionStore {
  let file: SessionFile

  func session(at place: SessionPlace) async -> Session? {
    await file.session(at: place).map { Session(accessToken: $0.accessToken) }
  }

  func keep(_ session: Session, at place: SessionPlace) async {}
}

/// A network whose answers are from the cache, and say how old they are.
private struct CachedSource: SourceAdapter {
  let source: any Source
  let ages: CacheAges

  func page(from response: HTTPResponse, to page: PageRequest) throws(SourceFault) -> Page {
    var answer = try source.page(from: response, to: page)
    let age = Duration.seconds(min(response.headers["Age"].flatMap(Double.init) ?? 0, 1e12))
    ages.note(age, of: page, on: source.name)
    answer.notes.append(StoredAge(in: .cache, age).note)
    return answer
  }
}

/// The age of the oldest page of each search, which pages on any thread note.
private final class CacheAges: Sendable {
  /// Identifies a search by what each of its page requests carries, also where searches share a response.
  private struct Key: Hashable {
    let source: SourceName
    let server: ServerAddress
    let query: String
  }

  private let ages = Mutex<[Key: Duration]>([:])

  func note(_ age: Duration, of page: PageRequest, on source: SourceName) {
    let key = Key(source: source, server: page.server, query: page.query.text)
    ages.withLock { $0[key] = max($0[key] ?? .zero, age) }
  }

  func oldest(of search: Search) -> Duration {
    let key = Key(source: search.source.name, server: search.server, query: search.query.text)
    return ages.withLock { $0[key] ?? .zero }
  }
}
