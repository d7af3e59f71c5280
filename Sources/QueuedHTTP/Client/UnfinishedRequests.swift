/// The requests of a client that have not ended, with their groups and deadlines.
struct UnfinishedRequests: Sendable {
  private(set) var table = RequestTable<UnfinishedRequest>()
  /// Requests that the cache is asked for, and that are not in the queue yet.
  private var lookups: Set<RequestID> = []
  private var groups: [RequestGroup: Set<RequestID>] = [:]
  private var deadlines = AlarmClock<RequestID>()

  subscript(id: RequestID) -> UnfinishedRequest? { table[id] }

  /// The number of requests that the cache is asked for.
  var lookupCount: Int { lookups.count }

  mutating func insert(_ request: UnfinishedRequest) {
    let id = request.ticket.id
    // Before its alarm is set, as those of unknown requests may be dropped then.
    table.insert(request, for: id)
    if request.deadline < .distantFuture {
      deadlines.set(id, at: request.deadline)
      deadlines.compact(current: table.count) { [table] in table[$0.subject] != nil }
    }
    if let group = request.ticket.request.group { groups[group, default: []].insert(id) }
  }

  /// Changes a request; returns what `change` returns, or nil if the request has ended.
  @discardableResult
  mutating func update<Result>(
    _ id: RequestID, _ change: (inout UnfinishedRequest) -> Result
  ) -> Result? {
    table.update(id, change)
  }

  /// Removes and returns a request; nil if it has already ended.
  mutating func remove(_ id: RequestID) -> UnfinishedRequest? {
    guard let request = table.remove(id) else { return nil }
    if !lookups.isEmpty { lookups.remove(id) }
    if let group = request.ticket.request.group {
      groups[group]?.remove(id)
      if groups[group]?.isEmpty == true { groups[group] = nil }
    }
    return request
  }

  /// Removes and returns all requests but those whose end is decided.
  mutating func removeAll() -> [UnfinishedRequest] {
    var removed: [UnfinishedRequest] = []
    removed.reserveCapacity(table.count)
    var ending = RequestTable<UnfinishedRequest>()
    table.forEach { request in
      if request.isEnding {
        ending.insert(request, for: request.ticket.id)
      } else {
        removed.append(request)
      }
    }
    (table, lookups, groups) = (ending, [], [:])
    return removed
  }

  // MARK: - Lookups

  /// Notes that the cache is asked for a request.
  mutating func beginLookup(of id: RequestID) { lookups.insert(id) }

  func isLookedUp(_ id: RequestID) -> Bool { lookups.contains(id) }

  /// Notes that the cache could not answer a request; false if it has ended in the meantime.
  mutating func endLookup(of id: RequestID) -> Bool { lookups.remove(id) != nil }

  // MARK: - Groups

  /// The requests of a group.
  func tickets(of group: RequestGroup) -> [Ticket] {
    (groups[group] ?? []).compactMap { table[$0]?.ticket }
  }

  // MARK: - Deadlines

  /// Returns a request whose deadline has passed, once.
  mutating func popOverdue(at now: Moment) -> UnfinishedRequest? {
    while let due = deadlines.popDue(at: now) {
      if let request = table[due.subject], !request.isEnding { return request }
    }
    return nil
  }

  /// The first deadline of all requests.
  mutating func nextDeadline() -> Moment? {
    guard !deadlines.isEmpty else { return nil }
    return deadlines.next { [table] in table[$0.subject] != nil }
  }
}
