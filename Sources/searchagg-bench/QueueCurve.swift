import QueuedHTTP

/// The cost of one operation of the client's queue, by the number of waiting requests.
struct QueueCurve {
  /// The cost of one operation in nanoseconds.
  struct Costs {
    var add: Double
    var start: Double
    var cancel: Double
  }

  private static let lanes = (0..<50).map { Lane(rawValue: "lane \($0)") }
  private static let running = 64
  /// The number of operations timed together.
  private static let batch = 500

  private var queue: RequestQueue
  private var moment: Int64 = 0
  private var added: UInt64 = 0
  /// Those that run, in the order of their starts.
  private var started: [RequestID] = []

  private init() {
    queue = RequestQueue(RequestQueue.Rules(limit: Self.running, laneLimit: Self.running))
  }

  /// Returns the median costs with a number of waiting requests.
  static func costs(waiting: Int) -> Costs {
    var rounds: [Costs] = []
    for _ in 0..<21 {
      var curve = QueueCurve()
      for _ in 0..<(running + waiting) { curve.add() }
      rounds.append(curve.costs())
    }
    func median(_ cost: (Costs) -> Double) -> Double { rounds.map(cost).sorted()[10] }
    return Costs(add: median(\.add), start: median(\.start), cancel: median(\.cancel))
  }

  private mutating func costs() -> Costs {
    let first = added + 1
    let adding = cost { $0.add() }
    // Requests that were just added wait after all others, so none of them has started.
    var cancelled = first
    let canceling = cost { curve in
      _ = curve.queue.cancel(RequestID(rawValue: cancelled), now: curve.now())
      cancelled += 1
    }
    var ended = 0
    let starting = cost { curve in
      curve.take(curve.queue.finish(curve.started[ended], now: curve.now()))
      ended += 1
    }
    precondition(started.count == Self.running + Self.batch, "each end starts the next one")
    return Costs(add: adding, start: starting, cancel: canceling)
  }

  private mutating func cost(_ operation: (inout QueueCurve) -> Void) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<Self.batch { operation(&self) }
    return (clock.now - start) / .nanoseconds(1) / Double(Self.batch)
  }

  private mutating func add() {
    added += 1
    // Four classes and fifty lanes, as a client with much to do has them.
    let priority = RequestPriority.allCases[Int(added % 4)]
    let lane = Self.lanes[Int(added &* 0x9E37_79B9 % UInt64(Self.lanes.count))]
    let id = RequestID(rawValue: added)
    take(
      queue.add(
        id, lane: lane, priority: priority, queueTimeout: nil, budget: .seconds(60), now: now()))
  }

  private mutating func now() -> Moment {
    moment += 1000
    return Moment(nanoseconds: moment)
  }

  private mutating func take(_ actions: [RequestQueue.Action]) {
    for case .start(let id) in actions { started.append(id) }
  }
}
