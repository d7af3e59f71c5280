internal import QueuedHTTP
internal import SearchModel

/// What a run knows: which searches wait, and how far each is. Pure; the engine keeps it behind a
/// lock.
struct RunState: Sendable {
  private let plan: [PlannedSearch]
  private var records: [SearchRecord]
  /// Indices into the plan of the searches that have not begun, by lane; the next one stands last.
  private var waiting: [Lane: [Int]] = [:]
  private(set) var isOver = false

  init(plan: [PlannedSearch]) {
    self.plan = plan
    records = Array(repeating: SearchRecord(), count: plan.count)
    var waiting: [Lane: [(index: Int, priority: RequestPriority)]] = [:]
    for (index, planned) in plan.enumerated() {
      guard case .ask(let search) = planned else { continue }
      waiting[search.lane, default: []].append((index, search.priority))
    }
    self.waiting = waiting.mapValues { searches in
      searches.sorted { one, other in
        one.priority == other.priority ? one.index > other.index : one.priority < other.priority
      }.map(\.index)
    }
  }

  /// The lanes with the number of searches that wait in each, in a fixed order.
  var lanes: [(lane: Lane, searches: Int)] {
    waiting.map { ($0.key, $0.value.count) }.sorted { $0.0.rawValue < $1.0.rawValue }
  }

  /// Hands out the next search of a lane; nil when none waits or the run is over.
  mutating func begin(in lane: Lane) -> (index: Int, search: Search)? {
    guard !isOver, let index = waiting[lane]?.popLast(), case .ask(let search) = plan[index] else {
      return nil
    }
    return (index, search)
  }

  /// How many posts a search still wants; nil for no cap.
  func wanted(_ index: Int, of cap: Int?) -> Int? { records[index].wanted(of: cap) }

  /// Takes a page; after the end of the run nothing is taken any more.
  mutating func take(
    _ page: Page, of search: Search, at index: Int, within limits: RunLimits
  ) -> SearchRecord.Step {
    guard !isOver else { return .end }
    return records[index].take(page, of: search, within: limits)
  }

  mutating func fail(_ index: Int, with ending: Ending) {
    guard !isOver else { return }
    records[index].fail(ending)
  }

  /// Ends the run: what has no outcome yet gets this one, and nothing is taken any more.
  mutating func end(unfinished ending: Ending) {
    guard !isOver else { return }
    isOver = true
    for index in records.indices { records[index].fail(ending) }
  }

  var progress: RunProgress {
    var progress = RunProgress(searches: 0, ended: 0, posts: 0)
    for (planned, record) in zip(plan, records) {
      guard case .ask = planned else { continue }
      progress.searches += 1
      progress.ended += record.ending == nil ? 0 : 1
      progress.posts += record.posts.count
    }
    return progress
  }

  /// All that was found, in plan order; a search without an end counts as cancelled.
  var findings: Findings {
    var findings = Findings()
    findings.outcomes.reserveCapacity(plan.count)
    for (planned, record) in zip(plan, records) {
      switch planned {
      case .skip(let outcome): findings.outcomes.append(outcome)
      case .ask(let search):
        findings.outcomes.append(search.outcome(record.ending ?? .cancelled))
        if !record.posts.isEmpty {
          findings.found.append(FoundPosts(tag: search.query.text, posts: record.posts))
        }
      }
    }
    return findings
  }
}
