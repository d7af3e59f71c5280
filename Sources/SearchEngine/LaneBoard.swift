internal import QueuedHTTP

/// The searches that may be asked for a page now, lane by lane, and how many pages of each lane are
/// under way.
struct LaneBoard: Sendable {
  private struct Board: Sendable {
    /// Indices into the plan; the next one stands last.
    var ready: [Int] = []
    /// Those that were looked at and must wait, the latest first.
    var postponed: [Int] = []
    var underWay = 0
  }

  /// How many pages of a lane may be under way at once.
  private let width: Int
  private var boards: [Board] = []
  /// The board of each search; nil for one that is not asked.
  private let places: [Int?]

  /// - Parameter plan: The whole plan; what is skipped has no place here.
  init(_ plan: [PlannedSearch], width: Int) {
    self.width = width
    var known: [Lane: Int] = [:]
    var priorities: [RequestPriority] = []
    places = plan.map { planned in
      guard case .ask(let search) = planned else {
        priorities.append(.normal)
        return nil
      }
      priorities.append(search.priority)
      let place = known[search.lane] ?? known.count
      known[search.lane] = place
      return place
    }
    boards = Array(repeating: Board(), count: known.count)
    for (index, place) in places.enumerated() {
      if let place { boards[place].ready.append(index) }
    }
    // The highest priority first, and the order of the plan among equals.
    for place in boards.indices {
      boards[place].ready.sort { one, other in
        priorities[one] == priorities[other]
          ? one > other : priorities[one] < priorities[other]
      }
    }
  }

  /// How many pages are under way.
  var underWay: Int { boards.reduce(0) { $0 + $1.underWay } }

  /// Lets a search that has begun ask again: before all that have not begun.
  mutating func putBack(_ index: Int) {
    if let place = places[index] { boards[place].ready.append(index) }
  }

  /// The page of a search is no longer under way.
  mutating func finish(_ index: Int) {
    if let place = places[index] { boards[place].underWay -= 1 }
  }

  /// Lets the postponed be looked at again, where they stood.
  mutating func recall() {
    for place in boards.indices where !boards[place].postponed.isEmpty {
      boards[place].ready += boards[place].postponed.reversed()
      boards[place].postponed = []
    }
  }

  /// Hands out the next search that may be asked for a page, which is under way from now on.
  mutating func next() -> Int? {
    for place in boards.indices where boards[place].underWay < width {
      guard let index = boards[place].ready.popLast() else { continue }
      boards[place].underWay += 1
      return index
    }
    return nil
  }

  /// Takes back one that was handed out and must wait, until the next `recall`.
  mutating func postpone(_ index: Int) {
    guard let place = places[index] else { return }
    boards[place].underWay -= 1
    boards[place].postponed.append(index)
  }
}
