import Testing

@testable import QueuedHTTP

@Suite struct RequestQueueTests {
  private let start = Moment(nanoseconds: 1_000_000_000)

  private func add(
    _ id: UInt64, to queue: inout RequestQueue, lane: String = "a",
    priority: RequestPriority = .normal, budget: Duration = .seconds(60), at now: Moment
  ) -> [RequestQueue.Action] {
    queue.add(
      RequestID(rawValue: id), lane: Lane(rawValue: lane), priority: priority, queueTimeout: nil,
      budget: budget, now: now)
  }

  private func id(_ value: UInt64) -> RequestID { RequestID(rawValue: value) }

  @Test func `Raising a limit starts waiting requests, lowering it ends none`() {
    var queue = RequestQueue(.init(limit: 1, laneLimit: 10))
    #expect(add(1, to: &queue, at: start) == [.start(id(1))])
    #expect(add(2, to: &queue, at: start) == [])
    #expect(add(3, to: &queue, at: start) == [])
    #expect(queue.setLimit(3, now: start) == [.start(id(2)), .start(id(3))])
    #expect(queue.setLimit(1, now: start) == [])
    #expect(queue.running == 3)
  }

  @Test func `An urgent request starts beyond all limits, and waits only for a cool-down`() {
    var queue = RequestQueue(.init(limit: 1, laneLimit: 1))
    func addUrgent(_ id: UInt64, to queue: inout RequestQueue, at now: Moment)
      -> [RequestQueue.Action]
    {
      queue.add(
        RequestID(rawValue: id), lane: Lane(rawValue: "a"), priority: .normal, queueTimeout: nil,
        budget: .seconds(60), isUrgent: true, now: now)
    }
    #expect(add(1, to: &queue, at: start) == [.start(id(1))])
    #expect(add(2, to: &queue, at: start) == [])
    #expect(addUrgent(3, to: &queue, at: start) == [.start(id(3))])
    #expect(queue.running == 2)
    // Its end frees no slot that it did not need.
    #expect(queue.finish(id(3), now: start) == [])
    let lane = Lane(rawValue: "a")
    #expect(queue.coolDown(lane, until: start + .seconds(10), now: start) == [])
    #expect(addUrgent(4, to: &queue, at: start) == [])
    #expect(queue.backingOff == 1)
    #expect(queue.nextDeadline() == start + .seconds(10))
    let later = start + .seconds(10)
    #expect(queue.advance(now: later) == [.start(id(4))])
    // Sent again, it waits for the moment, and again for no slot.
    let retry = queue.retry(id(4), at: later + .seconds(1), now: later)
    #expect(retry.waits && retry.actions == [])
    #expect(queue.advance(now: later + .seconds(1)) == [.start(id(4))])
    #expect(
      queue.move(id(4), to: Lane(rawValue: "b"), now: later + .seconds(1)) == [.start(id(4))])
    #expect(queue.finish(id(4), now: later + .seconds(2)) == [])
    #expect(queue.finish(id(1), now: later + .seconds(2)) == [.start(id(2))])
    #expect(queue.running == 1)
  }

  @Test func `A full lane does not hold up another`() {
    var queue = RequestQueue(.init(limit: 2, laneLimit: 1))
    #expect(add(1, to: &queue, lane: "a", at: start) == [.start(id(1))])
    #expect(add(2, to: &queue, lane: "a", at: start) == [])
    #expect(add(3, to: &queue, lane: "b", at: start) == [.start(id(3))])
  }

  @Test func `A request of the lowest class is passed only within the ageing window`() {
    var queue = RequestQueue(.init(limit: 0, laneLimit: 100, ageing: .seconds(15)))
    _ = add(1, to: &queue, priority: .veryLow, at: start)
    _ = add(2, to: &queue, priority: .veryHigh, at: start + .seconds(59))
    _ = add(3, to: &queue, priority: .veryHigh, at: start + .seconds(61))
    let actions = queue.setLimit(10, now: start + .seconds(62))
    #expect(actions == [.start(id(2)), .start(id(1)), .start(id(3))])
  }

  @Test func `A long cool-down ends waiting and new requests at once`() {
    var queue = RequestQueue(.init(limit: 1, laneLimit: 1))
    for value in 1...10_000 { _ = add(UInt64(value), to: &queue, at: start) }
    let until = start + .seconds(3600)
    let actions = queue.coolDown(Lane(rawValue: "a"), until: until, now: start)
    #expect(actions == (2...10_000).map { .end(id(UInt64($0)), .coolingDown(until: until)) })
    #expect(queue.waiting == 0)
    #expect(queue.running == 1)
    #expect(add(10_001, to: &queue, at: start) == [.end(id(10_001), .coolingDown(until: until))])
    // Another lane is not touched, but for the slot that is taken.
    #expect(add(10_002, to: &queue, lane: "b", at: start) == [])
    #expect(queue.finish(id(1), now: start) == [.start(id(10_002))])
  }

  @Test func `Time in the queue takes nothing from the budget of a request that never started`() {
    var queue = RequestQueue(.init(limit: 1, laneLimit: 1))
    for value in 1...3 { _ = add(UInt64(value), to: &queue, budget: .seconds(60), at: start) }
    let later = start + .seconds(3600)
    #expect(queue.retry(id(1), at: later, now: start).waits == false)
    let lane = Lane(rawValue: "a")
    #expect(queue.coolDown(lane, until: later + .seconds(60), now: later) == [])
    #expect(queue.finish(id(1), now: later) == [])
    let until = later + .seconds(61)
    #expect(
      queue.coolDown(lane, until: until, now: later)
        == [.end(id(2), .coolingDown(until: until)), .end(id(3), .coolingDown(until: until))])
  }

  @Test func `A request that was started has the rest of its budget when its lane cools down`() {
    var queue = RequestQueue(.init(limit: 1, laneLimit: 1))
    _ = add(1, to: &queue, budget: .seconds(60), at: start)
    #expect(queue.retry(id(1), at: start + .seconds(50), now: start).waits)
    let until = start + .seconds(61)
    let now = start + .seconds(40)
    #expect(
      queue.coolDown(Lane(rawValue: "a"), until: until, now: now)
        == [.end(id(1), .coolingDown(until: until))])
    #expect(queue.backingOff == 0)
  }

  @Test func `A lane continues when a short cool-down ends`() {
    var queue = RequestQueue(.init(limit: 4, laneLimit: 4))
    let until = start + .seconds(5)
    #expect(queue.coolDown(Lane(rawValue: "a"), until: until, now: start) == [])
    #expect(add(1, to: &queue, at: start) == [])
    #expect(queue.nextDeadline() == until)
    #expect(queue.advance(now: until) == [.start(id(1))])
  }

  @Test func `After a cool-down one request tries the lane out before the others`() {
    var queue = RequestQueue(.init(limit: 4, laneLimit: 4))
    for value in 1...2 { _ = add(UInt64(value), to: &queue, at: start) }
    let until = start + .seconds(5)
    let lane = Lane(rawValue: "a")
    #expect(queue.coolDown(lane, until: until, now: start) == [])
    #expect(queue.retry(id(1), at: until, now: start).waits)
    // One that was under way before says nothing about the lane as it is later.
    #expect(queue.finish(id(2), now: start) == [])
    for value in 3...4 { _ = add(UInt64(value), to: &queue, at: start) }
    #expect(queue.advance(now: until) == [.start(id(1))])
    #expect(queue.isProbe(id(1)))
    // It is told to wait again.
    let again = until + .seconds(5)
    #expect(queue.coolDown(lane, until: again, now: until) == [])
    #expect(queue.retry(id(1), at: again, now: until).waits)
    #expect(queue.advance(now: again) == [.start(id(1))])
    #expect(queue.finish(id(1), now: again) == [.start(id(3)), .start(id(4))])
    #expect(!queue.isProbe(id(3)))
  }

  @Test func `A request that is sent again is at the front of its priority`() {
    var queue = RequestQueue(.init(limit: 1, laneLimit: 1))
    for value in 1...3 { _ = add(UInt64(value), to: &queue, at: start) }
    let answer = queue.retry(id(1), at: start + .seconds(1), now: start)
    #expect(answer.waits)
    #expect(answer.actions == [.start(id(2))])
    #expect(queue.advance(now: start + .seconds(1)) == [])
    #expect(queue.finish(id(2), now: start + .seconds(2)) == [.start(id(1))])
  }

  @Test func `A refunded token starts the next request`() {
    var queue = RequestQueue(.init(limit: 100, laneLimit: 100))
    _ = queue.setPace(Pace(requests: 1, per: .seconds(60)), for: Lane(rawValue: "a"), now: start)
    #expect(add(1, to: &queue, at: start) == [.start(id(1))])
    #expect(add(2, to: &queue, at: start) == [])
    #expect(queue.refund(id(1), now: start) == [.start(id(2))])
    #expect(queue.finish(id(1), now: start) == [])
    #expect(add(3, to: &queue, at: start) == [])
    // One that waits has taken none.
    #expect(queue.refund(id(3), now: start) == [])
    #expect(queue.nextDeadline() == start + .seconds(60))
  }

  @Test func `A pace allows a full bucket, then one request for each step`() {
    var queue = RequestQueue(.init(limit: 100, laneLimit: 100))
    _ = queue.setPace(Pace(requests: 2, per: .seconds(10)), for: Lane(rawValue: "a"), now: start)
    for value in 1...4 { _ = add(UInt64(value), to: &queue, at: start) }
    #expect(queue.running == 2)
    #expect(queue.nextDeadline() == start + .seconds(5))
    #expect(queue.advance(now: start + .seconds(5)) == [.start(id(3))])
    #expect(queue.nextDeadline() == start + .seconds(10))
  }

  @Test func `Stale entries do not accumulate while nothing can start`() {
    var queue = RequestQueue(.init(limit: 0, laneLimit: 1))
    _ = add(1, to: &queue, at: start)
    for value in 2...20_000 {
      _ = add(UInt64(value), to: &queue, at: start)
      _ = queue.cancel(id(UInt64(value)), now: start)
      _ = add(UInt64(value) + 100_000, to: &queue, lane: "\(value)", at: start)
      _ = queue.cancel(id(UInt64(value) + 100_000), now: start)
    }
    #expect(queue.footprint < 500)
    #expect(queue.lanes.indexCount < 10)
  }

  // These end within a second or two; a search over all lanes for each start would take hours.

  @Test func `A hundred thousand lanes are served in the order of their coming`() {
    var queue = RequestQueue(.init(limit: 16, laneLimit: 4))
    var started: [RequestQueue.Action] = []
    for value in 1...100_000 {
      started += add(UInt64(value), to: &queue, lane: "lane \(value)", at: start)
    }
    for value in 1...100_000 { started += queue.finish(id(UInt64(value)), now: start) }
    #expect(started == (1...100_000).map { .start(id(UInt64($0))) })
    #expect(queue.laneCount == 0)
  }

  @Test func `A hundred thousand requests of one lane are served or canceled one by one`() {
    var queue = RequestQueue(.init(limit: 16, laneLimit: 4))
    var started: [RequestQueue.Action] = []
    for value in 1...100_000 { started += add(UInt64(value), to: &queue, at: start) }
    for value in stride(from: 100_000, to: 50_000, by: -1) {
      started += queue.cancel(id(UInt64(value)), now: start)
    }
    for value in 1...50_000 { started += queue.finish(id(UInt64(value)), now: start) }
    #expect(started == (1...50_000).map { .start(id(UInt64($0))) })
    #expect(queue.laneCount == 0)
  }
}
