internal import QueuedHTTP
internal import SearchModel

/// The searches that may be asked for a page now, lane by lane, and how many pages of each lane are
/// under way.
struct LaneBoard: Sendable {
  private struct Board: Sendable {
    let lane: Lane
    /// Indices into the plan; the next one is the last.
    var ready: [Int] = []
    /// Those that were looked at and must wait, the latest first.
    var postponed: [Int] = []
    var underWay = 0
    /// Whether its server was reached at all.
    var hasConnected = false
    /// How all of its searches end that have not ended; nil while it is open.
    var closing: Ending?
    /// Whether it is one of `candidates`.
    var isCandidate = false
  }

  /// How many pages of a lane may be under way at once.
  private let width: Int
  private var boards: [Board] = []
  /// Whether each search waits here; one that was claimed is still in its list until it comes up.
  private var isWaiting: [Bool]
  /// The board of each search; nil for one that is not asked.
  private let places: [Int?]
  /// The boards that may have something to hand out; the next one is the last.
  private var candidates: [Int] = []
  /// The boards with postponed searches.
  private var postponing: [Int] = []
  /// How many pages are under way.
  private(set) var underWay = 0

  /// - Parameter plan: The whole plan; what is skipped has no place here.
  init(_ plan: [PlannedSearch], width: Int) {
    self.width = width
    var known: [Lane: Int] = [:]
    var priorities: [RequestPriority] = []
    var boards: [Board] = []
    places = plan.map { planned in
      guard case .ask(let search) = planned else {
        priorities.append(.normal)
        return nil
      }
      priorities.append(search.priority)
      let lane = search.lane
      if let place = known[lane] { return place }
      known[lane] = boards.count
      boards.append(Board(lane: lane))
      return boards.count - 1
    }
    self.boards = boards
    isWaiting = places.map { $0 != nil }
    for (index, place) in places.enumerated() {
      if let place { self.boards[place].ready.append(index) }
    }
    for place in boards.indices.reversed() {
      // The highest priority first, and the order of the plan among equals.
      self.boards[place].ready.sort { one, other in
        priorities[one] == priorities[other]
          ? one > other : priorities[one] < priorities[other]
      }
      nominate(place)
    }
  }

  /// Lets a search that has begun ask again: before all that have not begun.
  mutating func putBack(_ index: Int) {
    guard let place = places[index] else { return }
    boards[place].ready.append(index)
    isWaiting[index] = true
    nominate(place)
  }

  /// Takes a search that waits out, for a page that is asked for another one's sake.
  ///
  /// - Returns: Whether it was waiting.
  mutating func claim(_ index: Int) -> Bool {
    defer { isWaiting[index] = false }
    return isWaiting[index]
  }

  /// The page of a search is no longer under way.
  mutating func finish(_ index: Int) {
    guard let place = places[index] else { return }
    boards[place].underWay -= 1
    underWay -= 1
    nominate(place)
  }

  /// Lets the postponed be looked at again, where they were.
  mutating func recall() {
    for place in postponing {
      boards[place].ready += boards[place].postponed.reversed()
      boards[place].postponed = []
      nominate(place)
    }
    postponing = []
  }

  /// Hands out the next search that may be asked for a page, which is under way from now on; of a
  /// lane that is closed, every one that waits.
  mutating func next() -> Int? {
    while let place = candidates.last {
      if boards[place].underWay < width || boards[place].closing != nil,
        let index = boards[place].ready.popLast()
      {
        guard claim(index) else { continue }
        boards[place].underWay += 1
        underWay += 1
        return index
      }
      boards[place].isCandidate = false
      candidates.removeLast()
    }
    return nil
  }

  /// Takes back one that was handed out and must wait, until the next `recall`.
  mutating func postpone(_ index: Int) {
    guard let place = places[index] else { return }
    boards[place].underWay -= 1
    underWay -= 1
    isWaiting[index] = true
    if boards[place].postponed.isEmpty { postponing.append(place) }
    boards[place].postponed.append(index)
  }

  /// Notes that the server of a search was reached.
  mutating func noteConnection(of index: Int) {
    if let place = places[index] { boards[place].hasConnected = true }
  }

  /// Closes the lane of a search whose ending means that nothing else on it will be answered: nobody
  /// was ever reached there, or its server wants to be left alone.
  ///
  /// - Returns: The lane, if it was open until now.
  mutating func close(after ending: Ending, of index: Int) -> Lane? {
    guard let place = places[index], boards[place].closing == nil else { return nil }
    switch ending {
    case .rateLimited: break
    case .failed(let failure) where failure.until != nil && failure.kind == .temporary: break
    case .failed(let failure) where failure.isUnreachable && !boards[place].hasConnected: break
    case .completed, .skipped, .partial, .failed, .cancelled: return nil
    }
    boards[place].closing = ending
    nominate(place)
    return boards[place].lane
  }

  /// How the searches of a search's lane end; nil while it is open.
  func closing(of index: Int) -> Ending? { places[index].flatMap { boards[$0].closing } }

  private mutating func nominate(_ place: Int) {
    guard !boards[place].isCandidate, !boards[place].ready.isEmpty else { return }
    boards[place].isCandidate = true
    candidates.append(place)
  }
}
