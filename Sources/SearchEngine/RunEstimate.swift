internal import QueuedHTTP
package import SearchModel
internal import SearchSources

/// What a run is expected to take and to cost, from what its sources state.
package struct RunEstimate: Hashable, Sendable {
  /// What the pages on one network may cost.
  package struct Cost: Hashable, Sendable {
    package var source: SourceName
    /// The least that the first pages cost, or the bound if that is less.
    package var amount: Int
    package var unit: String
    package var bound: Int
  }

  /// How many requests the first pages take.
  package private(set) var requests = 0
  /// How long the stated paces make them take.
  package private(set) var time = Duration.zero
  /// The source whose pace takes longest.
  package private(set) var slowest: SourceName?
  package private(set) var costs: [Cost] = []

  package init(of plan: [PlannedSearch], limits: RunLimits) {
    var lanes: [Lane: Int] = [:]
    var places: [SourceName: Int] = [:]
    for case .ask(let search) in plan {
      let traits = search.source.traits
      let wanted = min(search.cap ?? .max, limits.newest.map { $0 + 1 } ?? .max)
      let size = min(max(wanted, traits.pageSize.lowerBound), traits.pageSize.upperBound)
      requests += 1
      if let pace = search.endpoint.statedPace, pace.requests > 0 {
        let count = lanes[search.lane, default: 0] + 1
        lanes[search.lane] = count
        // A bucketful starts at once.
        let time = pace.interval / pace.requests * max(count - pace.requests, 0)
        if time > self.time { (self.time, slowest) = (time, search.source.name) }
      }
      guard let cost = traits.cost else { continue }
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

  /// One line for people, such as `expected: at least 12 min for 130 requests (github's pace); x: 500
  /// of at most 500 posts read`.
  package var line: String {
    var parts = ["expected: \(requests == 1 ? "1 request" : "\(requests) requests")"]
    if let slowest, time > .zero {
      parts[0] += ", at least \(Self.words(time)) at \(slowest)'s pace"
    }
    parts += costs.map { "\($0.source): \($0.amount) of at most \($0.bound) \($0.unit)" }
    return parts.joined(separator: "; ")
  }

  private static func words(_ time: Duration) -> String {
    let seconds = Int((time / .seconds(1)).rounded(.up))
    switch seconds {
    case ..<120: return "\(seconds) s"
    case ..<7200: return "\((seconds + 59) / 60) min"
    case _: return "\((seconds + 3599) / 3600) h"
    }
  }
}
