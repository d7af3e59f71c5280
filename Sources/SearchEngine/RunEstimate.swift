internal import QueuedHTTP
package import SearchModel
internal import SearchSources

/// The expected duration and cost of a run, according to its sources.
package struct RunEstimate: Hashable, Sendable {
  /// The expected cost on one network.
  package struct Cost: Hashable, Sendable {
    package var source: SourceName
    /// The minimum cost of the first pages that the bound allows.
    package var amount: Int
    package var unit: String
    package var bound: Int
    /// The number of searches.
    package var searches = 0
    /// The number of those whose first page the bound allows.
    package var asked = 0

    fileprivate var words: String {
      let words = "\(source): \(amount) of at most \(bound) \(unit)"
      return asked == searches
        ? words : "\(words), for \(asked) of \(Plural.count(searches, "search", "searches"))"
    }
  }

  /// The number of requests for the first pages.
  package private(set) var requests = 0
  /// The time that they take at the stated paces.
  package private(set) var time = Duration.zero
  /// The source whose pace takes the longest.
  package private(set) var slowest: SourceName?
  package private(set) var costs: [Cost] = []

  package init(of plan: [PlannedSearch], limits: RunLimits) {
    var lanes = LaneCounts()
    var ledger = CostLedger(limits.costs, for: plan)
    for (index, planned) in plan.enumerated() {
      guard case .ask(let search) = planned else { continue }
      let endpoint = search.endpoint
      guard note(search, at: index, in: &ledger, limits) else { continue }
      requests += 1
      if let pace = endpoint.statedPace, pace.requests > 0 {
        let count = lanes.count(endpoint)
        // A full bucket starts at once.
        let time = pace.interval / pace.requests * max(count - pace.requests, 0)
        if time > self.time { (self.time, slowest) = (time, search.source.name) }
      }
    }
  }

  /// Notes the cost of the first page of a search; returns false if the bound of its source does not allow it.
  private mutating func note(
    _ search: Search, at index: Int, in ledger: inout CostLedger, _ limits: RunLimits
  ) -> Bool {
    let traits = search.endpoint.traits
    guard let cost = traits.cost else { return true }
    let name = search.source.name
    let place = costs.firstIndex { $0.source == name } ?? costs.count
    if place == costs.count {
      let bound = limits.costs.bound(for: name) ?? cost.defaultBound
      costs.append(Cost(source: name, amount: 0, unit: cost.unit, bound: bound))
    }
    costs[place].searches += 1
    let wanted = min(search.cap ?? .max, limits.newest.map { $0 + 1 } ?? .max)
    let answer = ledger.reserve(
      index, for: search.source, wanted: wanted, isFirst: true, mayWait: false)
    guard case .granted(let granted) = answer else { return false }
    let size = PageRequest.size(granted, within: traits.pageSize)
    ledger.settle(search.source, wanted: granted, items: size, charged: nil)
    costs[place].amount += cost.of(posts: size)
    costs[place].asked += 1
    return true
  }

  /// The number of searches on each lane so far.
  private struct LaneCounts {
    private var counts: [Int] = []
    private var lanes: [Lane: Int] = [:]
    /// The lane of each endpoint: endpoints are told apart faster than the names of lanes.
    private var endpoints: [ObjectIdentifier: Int] = [:]

    /// Counts a search, and returns the number on its lane.
    mutating func count(_ endpoint: Endpoint) -> Int {
      let lane = endpoints[ObjectIdentifier(endpoint)] ?? lanes[endpoint.lane] ?? counts.count
      if lane == counts.count { counts.append(0) }
      counts[lane] += 1
      if counts[lane] == 1 { lanes[endpoint.lane] = lane }
      endpoints[ObjectIdentifier(endpoint)] = lane
      return counts[lane]
    }
  }

  /// One line for people, such as `expected: 130 requests, at least 12 min at github's pace; x: 500 of at
  /// most 500 posts read`.
  package var line: String {
    var parts = ["expected: \(Plural.count(requests, "request"))"]
    if let slowest, time > .zero {
      parts[0] += ", at least \(time.roundedUpToSeconds.inWords) at \(slowest)'s pace"
    }
    parts += costs.map(\.words)
    return parts.joined(separator: "; ")
  }
}
