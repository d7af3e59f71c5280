internal import Synchronization

/// Which requests share a transfer; the transfer is a request of its own that nobody waits for.
struct SharedTransfers: Sendable {
  private var transfers: [JoinKey: RequestID] = [:]
  private var keys: [RequestID: JoinKey] = [:]
  private var members: [RequestID: Set<RequestID>] = [:]
  private var transferOf: [RequestID: RequestID] = [:]

  var isEmpty: Bool { transfers.isEmpty }
  /// How many transfers there are.
  var count: Int { transfers.count }
  /// How many requests there are beyond one for each transfer.
  var surplus: Int { transferOf.count - transfers.count }

  func isTransfer(_ id: RequestID) -> Bool { keys[id] != nil }

  /// The transfer that a request shares.
  func transfer(of member: RequestID) -> RequestID? { transferOf[member] }

  /// Has a request share the transfer that is under way; false where there is none.
  mutating func join(_ member: RequestID, by key: JoinKey) -> Bool {
    guard let transfer = transfers[key] else { return false }
    members[transfer]?.insert(member)
    transferOf[member] = transfer
    return true
  }

  /// Begins a transfer for a first request.
  mutating func begin(_ transfer: RequestID, by key: JoinKey, for member: RequestID) {
    transfers[key] = transfer
    keys[transfer] = key
    members[transfer] = [member]
    transferOf[member] = transfer
  }

  /// Forgets a transfer; returns those who shared it in the order of their coming, nil where it is
  /// none.
  mutating func end(_ transfer: RequestID) -> [RequestID]? {
    guard let key = keys.removeValue(forKey: transfer) else { return nil }
    transfers[key] = nil
    let sharing = (members.removeValue(forKey: transfer) ?? []).sorted { $0.rawValue < $1.rawValue }
    for member in sharing { transferOf[member] = nil }
    return sharing
  }

  /// Forgets a request; returns its transfer where it was the last that shared it.
  mutating func leave(_ member: RequestID) -> RequestID? {
    guard let transfer = transferOf.removeValue(forKey: member) else { return nil }
    members[transfer]?.remove(member)
    return members[transfer]?.isEmpty == true ? transfer : nil
  }
}

extension ClientState {
  /// Takes a request in that shares a transfer: the one under way, or else a new one, which is looked
  /// up or put into the queue.
  mutating func join(
    _ ticket: Ticket, by key: JoinKey, or transfer: Ticket, priority: RequestPriority, now: Instant
  ) -> (effects: Effects, isNew: Bool) {
    var isNew = false
    let effects = decide(now) { state, effects in
      guard state.admit(ticket, priority, now, &effects) else { return [] }
      guard !state.shared.join(ticket.id, by: key) else { return [] }
      isNew = true
      state.shared.begin(transfer.id, by: key, for: ticket.id)
      state.records[transfer.id] = Record(
        ticket: transfer, arrival: now.moment, priority: priority)
      guard !transfer.isLookedUp else {
        state.lookups.insert(transfer.id)
        return []
      }
      return state.enqueue(transfer, priority, now)
    }
    return (effects, isNew)
  }

  /// Ends all who share a transfer as it ended; says whether it was one. Where a request was the last
  /// to share one, that is to be dropped.
  mutating func share(
    _ result: Result<HTTPResponse, HTTPError>, of record: Record, _ effects: inout Effects
  ) -> Bool {
    let id = record.ticket.id
    if let orphan = shared.leave(id) { effects.orphans.append(orphan) }
    guard let members = shared.end(id) else { return false }
    for member in members {
      records[member]?.attempts = record.attempts
      if let start = record.firstStart, let arrival = records[member]?.arrival {
        records[member]?.firstStart = max(start, arrival)
      }
      settle(member, result, &effects)
    }
    effects.settlements.append(Settlement(ticket: record.ticket, result: result))
    return true
  }

  /// Ends a transfer that nobody shares any more.
  mutating func drop(
    _ transfer: RequestID, _ now: Instant, _ effects: inout Effects
  ) -> [RequestQueue.Action] {
    guard let record = records.removeValue(forKey: transfer) else { return [] }
    _ = shared.end(transfer)
    lookups.remove(transfer)
    if queue.entries[transfer]?.stage == .running { commands.append(.remove(transfer)) }
    let error = HTTPError(.cancelled, reason: "cancelled")
    effects.settlements.append(Settlement(ticket: record.ticket, result: .failure(error)))
    return queue.cancel(transfer, now: now.moment)
  }
}

extension ClientCore {
  /// Takes a request in that may share a transfer.
  func join(_ ticket: Ticket, by key: JoinKey, priority: RequestPriority) throws(HTTPError) {
    var request = ticket.request
    // These are each caller's own.
    request.group = nil
    request.deadline = nil
    let transfer = try Ticket(
      id: makeID(), request: request, delivery: .members, hasCache: shelf != nil)
    let now = now
    let (effects, isNew) = state.withLock {
      $0.join(ticket, by: key, or: transfer, priority: priority, now: now)
    }
    if isNew { configuration.observer?.queued(ObservedRequest(transfer)) }
    carryOut(effects)
    if isNew, transfer.isLookedUp { lookUp(transfer) }
  }
}
