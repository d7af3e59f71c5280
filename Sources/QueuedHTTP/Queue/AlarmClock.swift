internal import HeapModule

/// The moments at which something is due, earliest first.
///
/// Alarms cannot be taken back: whoever sets one says later which of them still count. Stale alarms
/// stay until they reach the top or outnumber the others, so all operations cost O(log n) or less.
struct AlarmClock<Subject: Sendable>: Sendable {
  struct Alarm: Comparable, Sendable {
    let moment: Moment
    let subject: Subject

    static func < (one: Self, other: Self) -> Bool { one.moment < other.moment }
    static func == (one: Self, other: Self) -> Bool { one.moment == other.moment }
  }

  private var alarms = Heap<Alarm>()

  var count: Int { alarms.count }
  var isEmpty: Bool { alarms.isEmpty }

  mutating func set(_ subject: Subject, at moment: Moment) {
    alarms.insert(Alarm(moment: moment, subject: subject))
  }

  /// Removes and returns the first alarm that is due.
  mutating func popDue(at now: Moment) -> Alarm? {
    guard let first = alarms.min, first.moment <= now else { return nil }
    return alarms.removeMin()
  }

  /// Returns the moment of the first alarm that still counts.
  mutating func next(where isCurrent: (Alarm) -> Bool) -> Moment? {
    while let first = alarms.min {
      if isCurrent(first) { return first.moment }
      alarms.removeMin()
    }
    return nil
  }

  /// Drops the stale alarms if there are more of them than current ones.
  mutating func compact(current: Int, where isCurrent: (Alarm) -> Bool) {
    guard alarms.count > 2 * current + 64 else { return }
    alarms = Heap(alarms.unordered.filter(isCurrent))
  }

  mutating func removeAll() { alarms = Heap() }
}
