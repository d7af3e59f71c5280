internal import QueuedHTTP
package import SearchModel
internal import SearchSources

/// The expected duration and cost of a run, according to its sources.
package struct RunEstimate: Hashable, Sendable {
  /// The expected cost on one network.
  package struct Cost: Hashable, Sendable {
    package var source: SourceName
    /// The minimum cost of the first pages, or the bound if that is less.
    package var amount: Int
    package var unit: String
    package var bound: Int
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
    var places: [SourceName: Int] = [:]
    for case .ask(let search) in plan {
      let endpoint = search.endpoint
      requests += 1
      if let pace = endpoint.statedPace, pace.requests > 0 {
        let count = lanes.count(endpoint)
        // A full bucket starts at once.
        let time = pace.interval / pace.requests * max(count - pace.requests, 0)
        if time > self.time { (self.time, slowest) = (time, search.source.name) }
      }
      guard let cost = endpoint.traits.cost else { continue }
      let wanted = min(search.cap ?? .max, limits.newest.map { $0 + 1 } ?? .max)
      let sizes = endpoint.traits.pageSize
      let size = min(max(wanted, sizes.lowerBound), sizes.upperBound)
      let name = search.source.name
      let bound = limits.costs.bound(for: name) ?? cost.defaultBound
      if places[name] == nil {
        places[name] = costs.count
        costs.append(Cost(source: name, amount: 0, unit: cost.unit, bound: bound))
      }
      if let place = places[name] {
        costs[place].amount = min(costs[place].amount + cost.of(posts: size), bound)
      }
    }
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

  /// One line for people, such as `expected: at least 12 min for 130 requests (github's pace); x: 500
  /// of at most 500 posts read`.
  package var line: String {
    var parts = ["expected: \(Plural.count(requests, "request"))"]
    if let slowest, time > .zero {
      let seconds = Duration.seconds((time / .seconds(1)).rounded(.up))
      parts[0] += ", at least \(seconds.inWords) at \(slowest)'s pace"
    }
    parts += costs.map { "\($0.source): \($0.amount) of at most \($0.bound) \($0.unit)" }
    return parts.joined(separator: "; ")
  }
}
