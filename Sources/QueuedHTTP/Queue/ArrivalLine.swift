internal import DequeModule

/// Requests in order of arrival.
///
/// Nobody leaves the line but at its head: whoever reads it says which requests still count. The others
/// stay until they reach the head or outnumber those that count, as in an `AlarmClock`.
struct ArrivalLine: Sendable {
  private var line: Deque<RequestID> = []

  /// The number of requests, stale ones included.
  var count: Int { line.count }

  mutating func append(_ id: RequestID) { line.append(id) }

  /// Returns the first request that still counts, and drops those before it.
  mutating func first(where isCurrent: (RequestID) -> Bool) -> RequestID? {
    while let first = line.first {
      if isCurrent(first) { return first }
      line.removeFirst()
    }
    return nil
  }

  /// Removes the request that `first(where:)` has returned.
  mutating func removeFirst() { line.removeFirst() }

  /// The requests that still count.
  func requests(where isCurrent: (RequestID) -> Bool) -> [RequestID] { line.filter(isCurrent) }

  /// Drops the stale requests if there are more of them than current ones.
  mutating func compact(current: Int, where isCurrent: (RequestID) -> Bool) {
    guard line.count > 2 * current + 64 else { return }
    line = Deque(line.filter(isCurrent))
  }

  mutating func removeAll() { line = [] }
}
