internal import FoundationEssentials
internal import PostHistory
package import Printing
package import SearchEngine
internal import SearchModel

/// The earlier run that `run --retry-failed` completes: searches that it completed are taken from the
/// history, all others are asked again, and what these had found still counts.
package struct RetriedRun {
  private let run: PastRun

  /// Finds the last run with a name.
  ///
  /// - Parameter path: The file of the history that a setting names; nil for the default one.
  package init(
    named name: String, in path: String?, _ surroundings: Surroundings
  ) throws {
    guard let path = HistorySettings.path(path, in: surroundings) else {
      throw CommandFailure(
        .badConfiguration,
        "--retry-failed needs the history: set HOME, or name a file with --state")
    }
    var found: PastRun?
    if HistorySettings.isThere(path) {
      found = try HistorySettings.open(path, in: surroundings).run(named: name)
    }
    guard let found else {
      throw CommandFailure(
        .unreadableInput,
        "no run to retry: the history has none with these tags, sources, filters and dates")
    }
    run = found
  }

  /// Gives the run the bounds of the earlier one, as its posts were found within those.
  package func apply(to written: inout WrittenSettings) throws {
    written.limits.since = run.since
    written.limits.until = run.until
    written.perSearch = run.perSearch
    if let newest = run.newest {
      if let limit = written.limit, limit > newest {
        throw CommandFailure(
          .usage, "--limit: that run fetched only the newest \(newest) posts")
      }
      written.limit = written.limit ?? newest
    }
  }

  /// The plan without the searches that need not be asked again, and a line that says how many are.
  package func plan(
    _ plan: [PlannedSearch], reportedBy clock: ReportClock
  ) -> (plan: [PlannedSearch], line: String) {
    let parts = Dictionary(run.parts.map { ($0.search, $0) }) { first, _ in first }
    var searches = 0
    var retried = 0
    let retry = plan.flatMap { planned -> [PlannedSearch] in
      guard case .ask(let search) = planned else { return [planned] }
      searches += 1
      let part = parts[SearchKey(search)]
      if let part, let answer = part.answer {
        var outcome = search.outcome(.completed(notes: answer.notes))
        (outcome.posts, outcome.pages) = (answer.posts ?? part.posts.count, answer.pages)
        return [
          .stored(
            StoredSearch(
              search, posts: part.posts, outcome: outcome, excluded: FilterTally(answer.excluded)))
        ]
      }
      retried += 1
      guard let part, !part.posts.isEmpty else { return [planned] }
      return [planned, .stored(StoredSearch(search, posts: part.posts))]
    }
    let began = Date(timeIntervalSince1970: run.began.timeIntervalSince1970.rounded(.down))
    let name = "the run at \(clock.text(began) ?? "an unknown time")"
    let line =
      switch (retried, searches) {
      case (0, _): "nothing to retry: \(name) completed all its searches"
      case (_, 1): "retrying the only search of \(name)"
      default: "retrying \(retried) of \(searches) searches of \(name)"
      }
    return (retry, line)
  }
}

extension PastRun {
  /// A run as it is kept for `--retry-failed`.
  init(named name: String, _ settings: RunSettings, _ readings: Readings) {
    self.init(
      name: name, began: settings.now, since: settings.limits.since, until: settings.limits.until,
      newest: settings.output.limit, perSearch: settings.search.perSearch)
    let searches = readings.only { !$0.isFragment }
    parts = BatchList(count: searches.count) { Part(searches[$0]) }
  }
}

extension PastRun.Part {
  fileprivate init(_ reading: Reading) {
    var answer: StoredAnswer?
    if case .completed(let notes) = reading.ending {
      let counts = reading.excluded.all.map { ($0.reason.rawValue, $0.count) }
      answer = StoredAnswer(
        notes: notes, posts: reading.found, pages: reading.pages,
        excluded: Dictionary(uniqueKeysWithValues: counts))
    }
    self.init(search: SearchKey(reading.search), answer: answer)
  }
}

extension FilterTally {
  /// A tally from the numbers of posts by the names of reasons.
  fileprivate init(_ counts: [String: Int]) {
    self.init()
    for (name, count) in counts {
      if let reason = FilterReason(rawValue: name) { self.count(reason, times: count) }
    }
  }
}
