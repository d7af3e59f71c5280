internal import Digests
package import Printing
internal import QueuedHTTP
package import SearchEngine
package import SearchModel

/// A plan divided among the parts of a run.
package struct DividedPlan: Sendable {
  private let plan: [PlannedSearch]
  private let shard: Shard
  /// The part of each search.
  private let parts: [Int]

  package init(_ plan: [PlannedSearch], by shard: Shard) {
    self.plan = plan
    self.shard = shard
    var known: [String: Int] = [:]
    func part(of lane: String) -> Int {
      if let part = known[lane] { return part }
      let part = Shard.part(ofLane: lane, of: shard.count)
      known[lane] = part
      return part
    }
    // A skipped search belongs to the part with the first search of its tag that is sent. Otherwise a
    // part could report that no source was asked for a tag that another part searches for.
    var asked: [String: Int] = [:]
    for case .ask(let search) in plan where asked[search.query.text] == nil {
      asked[search.query.text] = part(of: search.lane.rawValue)
    }
    parts = plan.map { planned in
      switch planned {
      case .ask(let search): part(of: search.lane.rawValue)
      case .stored(let stored): part(of: stored.search.lane.rawValue)
      case .skip(let outcome):
        asked[outcome.tag] ?? part(of: Lane(of: outcome.source, on: outcome.server).rawValue)
      }
    }
  }

  /// The searches of the part.
  package var searches: [PlannedSearch] {
    zip(plan, parts).filter { $0.1 == shard.number }.map(\.0)
  }

  /// The part as its output names it.
  ///
  /// - Parameter filter: The other settings that decide which posts are printed, as they were written.
  package func part(limit: Int?, contents: RecordContents, filter: String) -> PlanPart {
    PlanPart(
      number: shard.number, count: shard.count, plan: digest(limit: limit, filter: filter),
      places: parts.indices.filter { parts[$0] == shard.number }, newest: limit,
      fields: contents.fields == .all ? nil : contents.fields.paths)
  }

  private func digest(limit: Int?, filter: String) -> String {
    var bytes = Array("\(limit ?? -1)\n\(filter)\n".utf8)
    for planned in plan {
      let outcome =
        switch planned {
        case .ask(let search): search.outcome(.cancelled)
        case .stored(let stored): stored.search.outcome(.cancelled)
        case .skip(let outcome): outcome
        }
      bytes += "\(Lane(of: outcome.source, on: outcome.server).rawValue) \(outcome.tag)\n".utf8
    }
    return SecureHash.sha256(bytes).prefix(8).hexadecimal
  }

  /// A line about the size of each part that has searches, and about this one if it has none.
  package var weights: [String] {
    var searches: [Int: Int] = [:]
    var lanes: [Int: Set<String>] = [:]
    for (planned, part) in zip(plan, parts) {
      guard case .ask(let search) = planned else { continue }
      searches[part, default: 0] += 1
      lanes[part, default: []].insert(search.lane.rawValue)
    }
    var lines = searches.keys.sorted().map { part in
      let mark = part == shard.number ? " (this one)" : ""
      return "part \(part) of \(shard.count)\(mark): "
        + Plural.count(searches[part] ?? 0, "search", "searches")
        + " on \(Plural.count(lanes[part]?.count ?? 0, "server"))"
    }
    if let note = emptyNote { lines.append(note) }
    return lines
  }

  /// A line for a part without searches; nil for any other.
  package var emptyNote: String? {
    parts.contains(shard.number)
      ? nil
      : "part \(shard.number) of \(shard.count) is empty: no server of this plan belongs to it"
  }
}
