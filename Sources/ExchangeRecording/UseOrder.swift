internal import SearchEngine

/// Puts the exchanges of a run into the order in which the run used their responses, which is not that
/// of their arrival: two that arrive in one moment are read side by side.
struct UseOrder {
  struct Entry: Sendable {
    var exchange: RecordedExchange
    /// The names of header fields whose values are hidden.
    var secretHeaders: Set<String> = []
  }

  /// The exchanges of a step, delivered once those of earlier steps have been.
  private enum Arrival {
    case entries([Entry])
    case event(RunEvent)
  }

  /// The latest exchange of each search, which the run has not used.
  private var pending: [Int: Entry] = [:]
  /// The steps that wait for earlier ones.
  private var arrivals: [Int: Arrival] = [:]
  private var next = 0
  /// The number of exchanges so far.
  private var count = 0
  /// The events since the last exchange.
  private(set) var events: [RunEvent] = []

  /// Adds an exchange; returns those that can be written now.
  ///
  /// One that no single search waits for, or that the search follows by another request, has no turn: no
  /// decision depends on its place.
  mutating func add(_ entry: Entry) -> [Entry] {
    var entry = entry
    entry.exchange.number = count
    count += 1
    guard let search = entry.exchange.search else { return [withEvents(entry)] }
    let earlier = pending.updateValue(entry, forKey: search)
    return earlier.map { [withEvents($0)] } ?? []
  }

  /// Takes note of a step; returns the exchanges that can be written now.
  mutating func note(_ step: RunStep) -> [Entry] {
    switch step.kind {
    case .pages(let searches):
      arrivals[step.number] = .entries(take(searches) { $0.step = step.number })
    case .ignored(let searches):
      arrivals[step.number] = .entries(take(searches) { $0.isIgnored = true })
    case .patienceLost: arrivals[step.number] = .event(.patienceLost)
    case .timeUp: arrivals[step.number] = .event(.timeUp)
    }
    var ready: [Entry] = []
    while let arrival = arrivals.removeValue(forKey: next) {
      next += 1
      switch arrival {
      case .entries(let entries):
        ready += entries.map { withEvents($0) }
      case .event(let event): events.append(event)
      }
    }
    return ready
  }

  /// The exchanges that no step has used.
  mutating func rest() -> [Entry] {
    let left = pending.keys.sorted()
    return take(left) { $0.isIgnored = true }.map { withEvents($0) }
  }

  private mutating func take(
    _ searches: [Int], _ mark: (inout RecordedExchange) -> Void
  ) -> [Entry] {
    searches.compactMap { search in
      guard var entry = pending.removeValue(forKey: search) else { return nil }
      mark(&entry.exchange)
      return entry
    }
  }

  private mutating func withEvents(_ entry: Entry) -> Entry {
    var entry = entry
    entry.exchange.events = events
    events = []
    return entry
  }
}
