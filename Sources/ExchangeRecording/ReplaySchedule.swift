/// Decides which of the recorded exchanges may be delivered next: the first one first, and each only
/// after the run has used the responses of earlier steps.
struct ReplaySchedule {
  /// The next action.
  enum Action: Hashable {
    case deliver(Int)
    /// Show the response that asked for a pause to the judge of this request, then call `judged`.
    case judge(Int)
    /// Let this happen; the run takes note of it.
    case happen(RunEvent)
  }

  private enum Stage { case unclaimed, claimed, waiting, passed }

  private var stages: [Stage]
  private let steps: [Int?]
  private let searches: [Int?]
  private let requests: [RecordedExchange.Request]
  /// False for those that nothing delivers, and that hold nothing back.
  private let hasTurn: [Bool]
  /// True for those that are delivered at once, and that hold nothing back.
  private let isUnordered: [Bool]
  /// Those of them that wait.
  private var unorderedWaiting: [Int] = []
  private var indices: [RecordedExchange.Request: [Int]] = [:]
  /// The searches that have claimed exchanges.
  private var claimants: [Int: Int] = [:]
  /// The first exchange that has not been delivered or skipped.
  private var next = 0
  /// Exchanges up to here no longer wait for earlier ones.
  private var unordered = 0
  /// The step whose responses are being delivered, and the searches that have not used theirs yet.
  private var step: Int?
  private var using: Set<Int> = []
  /// The events before each exchange, and after the last one.
  private var events: [Int: ArraySlice<RunEvent>] = [:]
  /// The event that is about to happen.
  private var awaited: RunEvent?
  /// The exchanges that asked for a pause, in the order of the pauses, each with the last step before it.
  private var pauses: ArraySlice<(index: Int, after: Int)>
  private var isJudging = false
  /// The number of requests, responses and notes so far.
  private(set) var movements = 0

  init(_ exchanges: [RecordedExchange], lastEvents: [RunEvent] = []) {
    steps = exchanges.map(\.step)
    searches = exchanges.map(\.search)
    requests = exchanges.map(\.request)
    hasTurn = exchanges.map(\.hasTurn)
    isUnordered = exchanges.map(\.isUnordered)
    stages = Array(repeating: .unclaimed, count: exchanges.count)
    let pauses = exchanges.enumerated().compactMap { index, exchange in
      exchange.pause.flatMap { pause in
        pause.number.map { (number: $0, index: index, after: pause.after) }
      }
    }
    self.pauses = pauses.sorted { $0.number < $1.number }.map { ($0.index, $0.after) }[...]
    for (index, exchange) in exchanges.enumerated() {
      indices[exchange.request, default: []].append(index)
      if !exchange.events.isEmpty { events[index] = exchange.events[...] }
    }
    if !lastEvents.isEmpty { events[exchanges.count] = lastEvents[...] }
  }

  /// True if the run has responses that it has not used yet, so that more will follow by itself.
  var isBusy: Bool { !using.isEmpty || isJudging }

  /// The earliest exchange with this request that nobody has claimed, one of the same search if possible;
  /// else that of the search whose request an earlier version has written.
  mutating func claim(_ request: RecordedExchange.Request, for search: Int? = nil) -> Int? {
    let all = indices[request] ?? []
    let same = all.first { searches[$0] == search } ?? all.first
    guard let index = same ?? earlierVersion(of: request, for: search) else { return nil }
    indices[requests[index]]?.removeAll { $0 == index }
    stages[index] = .claimed
    claimants[index] = search
    movements += 1
    return index
  }

  private func earlierVersion(of request: RecordedExchange.Request, for search: Int?) -> Int? {
    guard let search else { return nil }
    let alike = stages.indices.filter { index in
      stages[index] == .unclaimed && (searches[index] ?? search) == search
        && requests[index].isEarlierVersion(of: request)
    }
    // The request of a further page has all that the first one has, and its cursor.
    return alike.max { one, other in
      let sizes = (requests[one].url.utf8.count, requests[other].url.utf8.count)
      return sizes.0 == sizes.1 ? one > other : sizes.0 < sizes.1
    }
  }

  mutating func wait(_ index: Int) {
    stages[index] = .waiting
    if isUnordered[index], hasTurn[index] { unorderedWaiting.append(index) }
  }

  /// Lets later exchanges pass one that was canceled.
  mutating func skip(_ index: Int) { stages[index] = .passed }

  /// Lets an exchange that waits pass all earlier ones.
  mutating func giveUpOrder(for index: Int) { unordered = max(unordered, index + 1) }

  /// Takes note of searches that have used their responses.
  mutating func use(by searches: [Int]) {
    using.subtract(searches)
    movements += 1
  }

  mutating func happened(_ event: RunEvent) {
    if awaited == event { awaited = nil }
    movements += 1
  }

  mutating func judged() {
    isJudging = false
    movements += 1
  }

  /// The actions to perform now, in this order; deliveries count as done.
  mutating func due() -> [Action] {
    var due: [Action] = []
    while let action = nextAction() { due.append(action) }
    return due
  }

  private mutating func nextAction() -> Action? {
    if let index = unorderedWaiting.popLast() { return deliver(index) }
    while next < unordered {
      guard isPassed(next) else {
        return (next..<unordered).first { stages[$0] == .waiting && hasTurn[$0] }.map {
          deliver($0)
        }
      }
      next += 1
    }
    while true {
      guard awaited == nil, !isJudging else { return nil }
      if beginsStep {
        guard using.isEmpty else { return nil }
        if let pause = pauses.first, pause.after < stepToCome {
          guard stages[pause.index] != .unclaimed else { return nil }
          pauses.removeFirst()
          isJudging = true
          return .judge(pause.index)
        }
      }
      if events[next]?.isEmpty == false {
        guard using.isEmpty, let event = events[next]?.popFirst() else { return nil }
        awaited = event
        return .happen(event)
      }
      guard next < stages.count else { return nil }
      defer { if isPassed(next) { next += 1 } }
      if isPassed(next) { continue }
      return stages[next] == .waiting ? deliver(next) : nil
    }
  }

  private func isPassed(_ index: Int) -> Bool {
    !hasTurn[index] || isUnordered[index] || stages[index] == .passed
  }

  /// True if the next exchange is the first of its step, or if there is none.
  private var beginsStep: Bool {
    guard next < stages.count else { return true }
    return hasTurn[next] && steps[next] != nil && steps[next] != step
  }

  private var stepToCome: Int { next < stages.count ? steps[next] ?? 0 : Int.max }

  private mutating func deliver(_ index: Int) -> Action {
    stages[index] = .passed
    movements += 1
    if let step = steps[index], let search = claimants[index] {
      self.step = step
      using.insert(search)
    }
    return .deliver(index)
  }
}
