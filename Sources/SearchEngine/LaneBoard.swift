internal import QueuedHTTP
internal import SearchModel
internal import SearchSources

/// The searches that may request a page now, by lane, and the number of pages in progress.
struct LaneBoard: Sendable {
  private struct Board: Sendable {
    let lane: Lane
    /// The number of requests that its server allows at the same time, if it has a limit.
    let connections: Int?
    /// Indices into the plan; the next one is the last.
    var ready: [UInt32] = []
    /// Searches that must wait, the latest first.
    var postponed: [UInt32] = []
    var underWay = 0
    /// True if its requests have a credential.
    let hasCredentials: Bool
    /// True if its server has answered at all.
    var hasAnswered = false
    /// The ending of all its remaining searches; nil while the lane is open.
    var closing: Ending?
    /// True if it is one of `candidates`.
    var isCandidate = false
  }

  /// The maximum number of concurrent transfers of a lane.
  private let perLane: Int
  private var boards: [Board] = []
  /// For each search, whether it waits here; a claimed one stays in its list until its turn.
  private var isWaiting: [Bool]
  /// The board of each search; `noBoard` for one that is skipped.
  private let places: [UInt32]
  private static let noBoard = UInt32.max
  /// The boards that may have a search ready; the next one is the last.
  private var candidates: [Int] = []
  /// The boards with postponed searches.
  private var postponing: [Int] = []
  /// The number of pages in progress.
  private(set) var underWay = 0

  /// - Parameters:
  ///   - plan: The whole plan; skipped searches are ignored.
  ///   - perLane: The maximum number of concurrent transfers of a lane.
  init(_ plan: [PlannedSearch], perLane: Int) {
    self.perLane = perLane
    var known: [Lane: Int] = [:]
    var endpoints: [ObjectIdentifier: Int] = [:]
    var boards: [Board] = []
    places = plan.map { planned in
      guard case .ask(let search) = planned else { return Self.noBoard }
      // There are few endpoints, which are told apart faster than the names of their lanes.
      let endpoint = ObjectIdentifier(search.endpoint)
      if let place = endpoints[endpoint] { return UInt32(place) }
      let place = known[search.lane] ?? boards.count
      (known[search.lane], endpoints[endpoint]) = (place, place)
      if place == boards.count {
        boards.append(
          Board(
            lane: search.lane, connections: search.endpoint.traits.connections,
            hasCredentials: search.endpoint.credentials != nil))
      }
      return UInt32(place)
    }
    self.boards = boards
    isWaiting = places.map { $0 != Self.noBoard }
    for index in plan.indices.reversed() where isWaiting[index] {
      self.boards[Int(places[index])].ready.append(UInt32(index))
    }
    for place in boards.indices.reversed() {
      sort(&self.boards[place].ready, by: plan)
      nominate(place)
    }
  }

  /// Sorts indices: the highest priority last, and the reversed order of the plan among equals.
  private func sort(_ ready: inout [UInt32], by plan: [PlannedSearch]) {
    func priority(_ index: UInt32) -> RequestPriority {
      if case .ask(let search) = plan[Int(index)] { search.priority } else { .normal }
    }
    // In most plans all searches have the same one.
    guard let first = ready.first.map(priority), ready.contains(where: { priority($0) != first })
    else { return }
    ready.sort { one, other in
      let priorities = (priority(one), priority(other))
      return priorities.0 == priorities.1 ? one > other : priorities.0 < priorities.1
    }
  }

  /// The board of a search; nil for one that is skipped.
  private func place(of index: Int) -> Int? {
    places[index] == Self.noBoard ? nil : Int(places[index])
  }

  /// Returns a search that has begun, ahead of those that have not.
  mutating func putBack(_ index: Int) {
    guard let place = place(of: index) else { return }
    boards[place].ready.append(UInt32(index))
    isWaiting[index] = true
    nominate(place)
  }

  /// Removes a waiting search that will share another one's page.
  ///
  /// - Returns: Whether it was waiting.
  mutating func claim(_ index: Int) -> Bool {
    defer { isWaiting[index] = false }
    return isWaiting[index]
  }

  /// Notes that the page of a search is no longer in progress.
  mutating func finish(_ index: Int) {
    guard let place = place(of: index) else { return }
    boards[place].underWay -= 1
    underWay -= 1
    nominate(place)
  }

  /// Makes postponed searches ready again, at their old places.
  mutating func recall() {
    for place in postponing {
      boards[place].ready += boards[place].postponed.reversed()
      boards[place].postponed = []
      nominate(place)
    }
    postponing = []
  }

  /// Returns the next search that may request a page, which is in progress from then on; on a closed
  /// lane, every waiting search.
  mutating func next() -> Int? {
    while let place = candidates.last {
      if boards[place].underWay < width(of: boards[place]) || boards[place].closing != nil,
        let index = boards[place].ready.popLast().map(Int.init)
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

  /// The maximum number of pages of a lane in progress: some more than are transferred, so that the next
  /// one is at hand, but not before the first response, which may be a refusal: the searches that it
  /// finds under way are always the first ones of the plan.
  private func width(of board: Board) -> Int {
    board.connections ?? (board.hasAnswered ? perLane * 2 : perLane)
  }

  /// Takes back a search that must wait until the next `recall`.
  mutating func postpone(_ index: Int) {
    guard let place = place(of: index) else { return }
    boards[place].underWay -= 1
    underWay -= 1
    isWaiting[index] = true
    if boards[place].postponed.isEmpty { postponing.append(place) }
    boards[place].postponed.append(UInt32(index))
  }

  /// Notes that the server of a search has answered.
  mutating func noteAnswer(to index: Int) {
    if let place = place(of: index) { boards[place].hasAnswered = true }
  }

  /// Closes the lane of a search whose ending means that no other request on it will succeed: its
  /// server has never answered, has rejected the credential, or refuses further requests.
  ///
  /// - Returns: The lane if it was open.
  mutating func close(after ending: Ending, of index: Int) -> ClosedLane? {
    guard let place = place(of: index), boards[place].closing == nil else { return nil }
    let isReached: Bool
    switch ending {
    case .rateLimited: isReached = true
    case .failed(let failure) where failure.until != nil && failure.kind == .temporary:
      isReached = true
    case .failed(let failure) where failure.isUnanswered && !boards[place].hasAnswered:
      isReached = false
    case .failed(let failure) where failure.status == 401 && boards[place].hasCredentials:
      isReached = true
    case .completed, .skipped, .partial, .failed, .cancelled: return nil
    }
    boards[place].closing = ending
    nominate(place)
    return ClosedLane(lane: boards[place].lane, isReached: isReached)
  }

  /// Returns whether a search's lane has others in progress or ready.
  func hasOthers(besides index: Int) -> Bool {
    guard let place = place(of: index) else { return false }
    return boards[place].underWay > 0 || boards[place].ready.contains { isWaiting[Int($0)] }
      || !boards[place].postponed.isEmpty
  }

  /// The ending of the searches on a search's lane; nil while it is open.
  func closing(of index: Int) -> Ending? { place(of: index).flatMap { boards[$0].closing } }

  private mutating func nominate(_ place: Int) {
    guard !boards[place].isCandidate, !boards[place].ready.isEmpty else { return }
    boards[place].isCandidate = true
    candidates.append(place)
  }
}

/// A lane on which no other request will succeed.
struct ClosedLane: Sendable {
  let lane: Lane
  /// True if its server refuses further requests: those under way may still be answered. False if it
  /// was never reached.
  let isReached: Bool
}
