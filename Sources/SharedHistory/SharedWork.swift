package import PostHistory
package import SearchModel

/// The searches of a state as one worker of several takes and asks them: the watches with one filter.
///
/// A lane, which is a source on a server, is leased to one worker at a time, together with those of its
/// searches that are due. All moments are on one clock, the database's.
package struct SharedWork: Sendable {
  /// The most searches of a lane that a worker takes at once.
  package static let mostTurns = 200
  private static let searchesAtOnce = 2000
  private static let day: Int64 = 86_400_000

  /// Nothing was committed, as a run on the same state is printing new posts.
  package struct RunIsPrinting: Error {}

  /// A search to be asked again and again.
  package struct Member: Sendable {
    package var key: SearchKey
    package var lane: String
    /// The longest times until it is asked again in milliseconds: at first, and after its first day.
    package var soon: Int64
    package var late: Int64

    package init(key: SearchKey, lane: String, soon: Int64, late: Int64) {
      (self.key, self.lane, self.soon, self.late) = (key, lane, soon, late)
    }
  }

  /// A worker's choice among the searches of a lane that are due.
  package struct Choice: Sendable {
    /// The lane after it.
    package var lane: SharedLane
    /// Those that are asked now; none where the lane has to wait.
    package var turns: [SharedTurn]
    /// The moment from which the lane may be asked again.
    package var opening: Int64

    package init(lane: SharedLane, turns: [SharedTurn], opening: Int64) {
      (self.lane, self.turns, self.opening) = (lane, turns, opening)
    }
  }

  let history: SharedHistory
  private let worker: Int64
  private let name: String
  private var filter: [UInt8]
  /// Makes a worker known to the others.
  package init(
    in history: SharedHistory, named name: String, filter: String
  ) throws(HistoryError) {
    self.history = history
    self.name = name
    self.filter = history.key.digest(of: filter)
    worker = try history.write { connection in
      try WorkerTable(connection: connection)
        .add(name, patience: history.patience, now: history.clock.now(connection))
    }
  }

  /// The same worker in the watches with another filter.
  package func watching(filter: String) -> SharedWork {
    var work = self
    work.filter = history.key.digest(of: filter)
    return work
  }

  /// The milliseconds since 1970 on the clock of all workers.
  package func now() throws(HistoryError) -> Int64 {
    try history.readOnce { try history.clock.now($0) }
  }

  /// Adds searches to the watches, those at once that none had; returns their numbers.
  ///
  /// - Parameter isExact: Whether quiet searches are never asked less often.
  package func join(
    _ members: [Member], isExact: Bool
  ) throws(HistoryError) -> [SearchKey: Int64] {
    var numbers: [SearchKey: Int64] = [:]
    var rest = members[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.searchesAtOnce)
      rest = rest.dropFirst(part.count)
      let known = try history.write { connection in
        let now = try history.clock.now(connection)
        // Lanes are locked before searches, as by commits.
        let lanes = try LaneTable(connection: connection, key: history.key)
          .hold(Set(part.map(\.lane)), now: now)
        let known = try SearchTable(connection: connection, key: history.key)
          .hold(Set(part.map(\.key)))
        let entries = part.compactMap { member -> TurnTable.Entry? in
          guard let search = known[member.key], let lane = lanes[member.lane] else { return nil }
          return TurnTable.Entry(
            search: search, lane: lane, soon: member.soon, late: member.late)
        }
        try TurnTable(connection: connection)
          .add(entries, filter: filter, isExact: isExact, firstDay: Self.day, now: now)
        try LaneTable(connection: connection, key: history.key)
          .put(lanes.values.sorted().map { (id: $0, moment: 0) }, freeAt: now)
        return known
      }
      numbers.merge(known) { $1 }
    }
    return numbers
  }

  /// Takes lanes that are due, and some of their searches.
  ///
  /// - Parameters:
  ///   - count: The most lanes to take.
  ///   - isKnown: Returns whether the worker can ask a search; others are left to other workers.
  ///   - choose: Returns what to ask now, out of the searches that are due, the longest overdue first.
  /// - Returns: The leases, and the moment at which the next lane is due; nil where there is none.
  package func take(
    atMost count: Int, isKnown: (Int64) -> Bool,
    choose: (_ lane: SharedLane, _ due: [SharedTurn], _ now: Int64) -> Choice
  ) throws(HistoryError) -> (leases: [LaneLease], next: Int64?, now: Int64) {
    try history.write { connection in
      let now = try history.clock.now(connection)
      let lanes = LaneTable(connection: connection, key: history.key)
      var leases: [LaneLease] = []
      var openings: [(id: Int64, moment: Int64)] = []
      var last = (due: Int64.min, id: Int64.min)
      while leases.count < count {
        let rows = try lanes.due(at: now, after: last, atMost: count - leases.count)
        guard let end = rows.last else { break }
        last = (end.due, end.id)
        let turns = try dueTurns(of: rows.map(\.id), at: now, isKnown, in: connection)
        for row in rows {
          let choice = choose(row.lane, turns[row.id] ?? [], now)
          guard !choice.turns.isEmpty else {
            openings.append((row.id, choice.opening))
            continue
          }
          leases.append(
            LaneLease(
              id: row.id, number: row.lease + 1, lane: choice.lane, turns: choice.turns, begun: now)
          )
        }
      }
      try lanes.lease(leases, to: worker, until: now + history.patience)
      try lanes.put(openings, freeAt: now)
      return (leases, try lanes.next(after: now), now)
    }
  }

  private func dueTurns(
    of lanes: [Int64], at now: Int64, _ isKnown: (Int64) -> Bool, in connection: PostgresConnection
  ) throws -> [Int64: [SharedTurn]] {
    let table = TurnTable(connection: connection)
    var known: [Int64: [SharedTurn]] = [:]
    let found = try table.due(
      of: lanes, filter: filter, at: now, after: (.min, .min), atMost: Self.mostTurns)
    for (lane, turns) in found {
      var part = turns
      // Searches that this worker does not have must not hide the others.
      while true {
        known[lane, default: []] += part.filter { isKnown($0.search) }
        guard known[lane]?.isEmpty != false, part.count == Self.mostTurns, let last = part.last
        else { break }
        part =
          try table.due(
            of: [lane], filter: filter, at: now, after: (last.due, last.search),
            atMost: Self.mostTurns)[lane] ?? []
      }
    }
    return known
  }

  /// Extends leases; returns those that another worker has not taken over, or nil where the state does not know
  /// this worker any more, as after the database was restored.
  package func renew(_ leases: [LaneLease]) throws(HistoryError) -> [LaneLease]? {
    try history.write { connection in
      let now = try history.clock.now(connection)
      guard try WorkerTable(connection: connection).note(worker, named: name, seen: now) else {
        return nil
      }
      let held = try LaneTable(connection: connection, key: history.key)
        .renew(leases.sorted { $0.id < $1.id }, until: now + history.patience)
      return leases.filter { held.contains($0.id) }
    }
  }

  /// Notes what was asked of a lane so far; returns false when another worker has taken over.
  ///
  /// - Parameter buckets: Returns the buckets of the lane. It is called when no other writer uses the connection.
  package func charge(
    _ buckets: () -> [SharedLane.Bucket], to lease: LaneLease
  ) throws(HistoryError) -> Bool {
    try history.write { connection in
      try LaneTable(connection: connection, key: history.key).charge(buckets(), to: lease)
    }
  }

  /// Commits what a round has brought, schedules its searches, and ends its lease, all in one transaction;
  /// nothing of it happens when another worker has taken over.
  ///
  /// - Parameters:
  ///   - posts: The posts that may be printed.
  ///   - isBeside: Whether to print while a run is printing new posts; otherwise it throws `RunIsPrinting` then.
  ///   - finish: Prints, and returns what to store. Its argument says which posts others have printed
  ///     meanwhile; none of the rest is printed by anybody else until the transaction ends. It is called
  ///     again where the transaction has to be repeated.
  /// - Returns: False when another worker has taken over.
  package func commit(
    _ lease: LaneLease, of searches: Set<SearchKey>, posts: [Post], isBeside: Bool = false,
    finish: (_ printed: Set<PostIdentity>, _ now: Int64) throws -> (Choice, RunBatch)
  ) throws -> Bool {
    var hasWritten = false
    var failure: (any Error)?
    do throws(HistoryError) {
      return try history.write { connection in
        let lanes = LaneTable(connection: connection, key: history.key)
        guard let (row, holder, now) = try lanes.find(lease, on: history.clock) else {
          return false
        }
        // Only we end our lease without another one: the answer to our commit was lost.
        guard holder == worker else { return hasWritten && holder == nil }
        func checkTurn() throws {
          guard !isBeside, !posts.isEmpty, try history.isPrinting(at: now, in: connection) else {
            return
          }
          failure = RunIsPrinting()
          throw RunIsPrinting()
        }
        try checkTurn()
        let (printed, held) = try history.hold(posts, of: searches, in: connection)
        // And once the posts are locked: a run that begins to print now waits for them.
        try checkTurn()
        let (choice, batch): (Choice, RunBatch)
        do { (choice, batch) = try finish(printed, now) } catch {
          failure = error
          throw error
        }
        hasWritten = true
        try BatchWriter(connection, key: history.key, batch.withTokens).write(after: held)
        try TurnTable(connection: connection).update(choice.turns, filter: filter)
        try lanes.end(row.id, choice.lane, opening: choice.opening)
        return true
      }
    } catch {
      throw failure ?? error
    }
  }

  /// Ends a lease whose searches are to be asked again soon, as at the end of a watch.
  package func release(_ lease: LaneLease) throws(HistoryError) {
    try history.write { connection in
      let lanes = LaneTable(connection: connection, key: history.key)
      guard let (row, holder, _) = try lanes.find(lease, on: history.clock), holder == worker
      else { return }
      try lanes.end(row.id, row.lane, opening: 0)
    }
  }

  /// Forgets searches that no worker wants any more.
  package func tidy() throws(HistoryError) {
    try history.write { connection in
      try TurnTable(connection: connection)
        .forgetUnwanted(at: history.clock.now(connection), day: Self.day)
    }
  }

  /// Takes the worker out of the list, and lets others have its lanes at once.
  package func leave() throws(HistoryError) {
    try history.write { connection in
      try WorkerTable(connection: connection).remove(worker, now: history.clock.now(connection))
    }
  }
}
