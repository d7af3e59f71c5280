internal import DequeModule

/// The tasks that wait for room in a bounded queue, in order of arrival.
struct CapacityWaiters: Sendable {
  private var line: Deque<CapacityWaiter> = []

  var isEmpty: Bool { line.isEmpty }

  mutating func append(_ waiter: CapacityWaiter) { line.append(waiter) }

  /// Removes a waiter that does not wait any longer; nil if it is not here.
  mutating func remove(_ id: RequestID) -> CapacityWaiter? {
    guard let index = line.firstIndex(where: { $0.id == id }) else { return nil }
    return line.remove(at: index)
  }

  /// Removes the first waiters, one for each free place.
  mutating func admit(_ places: Int) -> [CapacityWaiter] {
    let admitted = Array(line.prefix(max(0, places)))
    line.removeFirst(admitted.count)
    return admitted
  }
}

/// A task that waits for room in a bounded queue.
struct CapacityWaiter: Sendable {
  let id: RequestID
  let continuation: CheckedContinuation<Void, Never>
}
