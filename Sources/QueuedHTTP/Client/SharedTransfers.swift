/// The transfers that several requests share; each is a request of its own that nobody waits for.
struct SharedTransfers: Sendable {
  private var transfers: [JoinKey: RequestID] = [:]
  private var keys: [RequestID: JoinKey] = [:]
  private var members: [RequestID: Set<RequestID>] = [:]
  private var transferOf: [RequestID: RequestID] = [:]
  /// Transfers that have lost their last member, and have not been ended yet.
  private var orphans: [RequestID] = []

  var isEmpty: Bool { transfers.isEmpty }
  /// The number of transfers.
  var count: Int { transfers.count }
  /// The number of requests beyond one for each transfer.
  var surplus: Int { transferOf.count - transfers.count }

  func isTransfer(_ id: RequestID) -> Bool { keys[id] != nil }

  /// The transfer that a request shares.
  func transfer(of member: RequestID) -> RequestID? { transferOf[member] }

  /// The requests that share a transfer; none if it is not shared.
  func members(of transfer: RequestID) -> Set<RequestID> { members[transfer] ?? [] }

  /// Adds a request to a running transfer; false if there is none.
  mutating func join(_ member: RequestID, by key: JoinKey) -> Bool {
    guard let transfer = transfers[key] else { return false }
    members[transfer]?.insert(member)
    transferOf[member] = transfer
    return true
  }

  /// Begins a transfer for its first member.
  mutating func begin(_ transfer: RequestID, by key: JoinKey, for member: RequestID) {
    transfers[key] = transfer
    keys[transfer] = key
    members[transfer] = [member]
    transferOf[member] = transfer
  }

  /// Removes a transfer; returns its members in order of arrival, or nil if this is no transfer.
  mutating func end(_ transfer: RequestID) -> [RequestID]? {
    guard let key = keys.removeValue(forKey: transfer) else { return nil }
    transfers[key] = nil
    let sharing = (members.removeValue(forKey: transfer) ?? []).sorted { $0.rawValue < $1.rawValue }
    for member in sharing { transferOf[member] = nil }
    return sharing
  }

  /// Removes a member; a transfer that has no other becomes an orphan.
  mutating func leave(_ member: RequestID) {
    guard let transfer = transferOf.removeValue(forKey: member) else { return }
    members[transfer]?.remove(member)
    if members[transfer]?.isEmpty == true { orphans.append(transfer) }
  }

  /// Returns a transfer that nobody waits for any more, and that is to be ended.
  mutating func popOrphan() -> RequestID? { orphans.popLast() }
}
