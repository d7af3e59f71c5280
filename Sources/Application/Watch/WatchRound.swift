internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchEngine
internal import SearchModel
internal import SearchSources

/// One round: the searches of a lane that are due, asked together. Rounds of different lanes run side by
/// side, so that a server that does not answer holds up no other one.
struct WatchRound: Sendable {
  let engine: SearchEngine
  let settings: RunSettings
  /// The round's now.
  let now: Date
  let history: RunHistory
  /// The costs that counted when it began.
  let spentBefore: [SourceName: Int]
  /// The right to ask its searches, where machines share them.
  var lease: WatchLease?
  /// The places of its searches in the plan; nil for those that a reload has removed.
  var places: [Int?]

  /// Its costs, in the units of its networks, at most.
  var costs: [SourceName: Int] {
    var costs: [SourceName: Int] = [:]
    for (source, spent) in engine.mostSpent where spent > spentBefore[source] ?? 0 {
      costs[source] = spent - (spentBefore[source] ?? 0)
    }
    return costs
  }

  /// Finds its searches in a new plan.
  ///
  /// - Parameter origins: For each search of the new plan, its place in the old one.
  mutating func move(to origins: [Int?]) {
    var moved: [Int: Int] = [:]
    for (place, origin) in origins.enumerated() { if let origin { moved[origin] = place } }
    places = places.map { place in place.flatMap { moved[$0] } }
  }
}

extension WatchSchedule.Answer {
  /// The result of a search as the schedule needs it.
  init(_ reading: Reading, pages: Int) {
    switch reading.ending {
    case .rateLimited(let until, _): self = .rateLimited(until: until)
    case .failed(let failure) where failure.kind != .temporary: self = .rejected
    case .failed(let failure) where failure.until != nil:
      self = .rateLimited(until: failure.until)
    case .failed(let failure): self = failure.isUnanswered ? .unanswered : .failed
    case .cancelled: self = .failed
    case .completed, .partial, .skipped: self = .answered(newest: reading.newest, pages: pages)
    }
  }
}
