import TestSupport
import Testing

@testable import QueuedHTTP

@Suite struct RequestQueueModelTests {
  @Test(
    arguments: [
      (1 as UInt64, QueueCapacity.unbounded), (2, .refuse(above: 12)), (3, .dropOldest(above: 9)),
      (4, .wait(above: 7)),
    ] as [(UInt64, QueueCapacity)])
  func `Random operations start the same requests in the same order as a naive model`(
    seed: UInt64, capacity: QueueCapacity
  ) {
    var random = SeededRandom(seed: seed)
    let rules = RequestQueue.Rules(
      limit: 5, laneLimit: 2, capacity: capacity, ageing: .milliseconds(40))
    var queue = RequestQueue(rules)
    var model = NaiveQueue(rules)
    var now = Moment(nanoseconds: 1_000_000_000)
    var identities: UInt64 = 0
    let lanes = (0..<6).map { Lane(rawValue: "lane \($0)") }
    for step in 0..<25_000 {
      let lane = lanes[Int.random(in: 0..<6, using: &random)]
      let some = model.items.randomElement(using: &random)?.id ?? RequestID(rawValue: 0)
      let running =
        model.items.filter { $0.stage == .running }.randomElement(using: &random)?.id
        ?? RequestID(rawValue: 0)
      let span = Duration.milliseconds(Int.random(in: 0...60, using: &random))
      var got: [RequestQueue.Action] = []
      var wanted: [RequestQueue.Action] = []
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<35:
        identities += 1
        let id = RequestID(rawValue: identities)
        let priority = RequestPriority.allCases.randomElement(using: &random) ?? .normal
        let timeout = Bool.random(using: &random) ? span * 2 : nil
        let budget = Duration.milliseconds(Int.random(in: 20...400, using: &random))
        got = queue.add(
          id, lane: lane, priority: priority, queueTimeout: timeout, budget: budget, now: now)
        wanted = model.add(
          id, lane: lane, priority: priority, queueTimeout: timeout, budget: budget, now: now)
      case 35..<55:
        got = queue.finish(running, now: now)
        wanted = model.cancel(running, now: now)
      case 55..<61:
        got = queue.cancel(some, now: now)
        wanted = model.cancel(some, now: now)
      case 61:
        let several = model.items.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
        got = queue.cancel(several.map(\.id), now: now)
        wanted = model.cancel(several.map(\.id), now: now)
      case 62..<70:
        let one = queue.retry(running, at: now + span, now: now)
        let other = model.retry(running, at: now + span, now: now)
        #expect(one.waits == other.waits)
        (got, wanted) = (one.actions, other.actions)
      case 70..<73:
        got = queue.coolDown(lane, until: now + span, now: now)
        wanted = model.coolDown(lane, until: now + span, now: now)
      case 73..<75:
        let limit = Int.random(in: 0...8, using: &random)
        model.rules.limit = limit
        got = queue.setLimit(limit, now: now)
        wanted = model.start(now)
      case 75..<77:
        let limit = Bool.random(using: &random) ? Int.random(in: 0...4, using: &random) : nil
        model.limits[lane] = limit
        got = queue.setLimit(limit, for: lane, now: now)
        wanted = model.start(now)
      case 77:
        let limit = Int.random(in: 1...3, using: &random)
        model.rules.laneLimit = limit
        got = queue.setDefaultLaneLimit(limit, now: now)
        wanted = model.start(now)
      case 78:
        let pace =
          Bool.random(using: &random) ? Pace(requests: 3, per: .milliseconds(30)) : nil
        got = queue.setPace(pace, for: lane, now: now)
        wanted = model.setPace(pace, for: lane, now: now)
      case 79..<82:
        let priority = RequestPriority.allCases.randomElement(using: &random) ?? .normal
        queue.setPriority(priority, of: some, now: now)
        if let index = model.items.firstIndex(where: { $0.id == some }) {
          model.items[index].priority = priority
        }
      case 82 where step % 50 == 0:
        queue.removeAll(now: now)
        model.items = []
        model.probation = [:]
      default:
        // To the very next deadline half of the time, so that none is missed by a step beyond it.
        if Bool.random(using: &random), let next = queue.nextDeadline() {
          now = max(now, next)
        } else {
          now = now + .milliseconds(Int.random(in: 0...15, using: &random))
        }
        got = queue.advance(now: now)
        wanted = model.advance(now: now)
      }
      #expect(starts(got) == starts(wanted), "step \(step)")
      #expect(ends(got) == ends(wanted), "step \(step)")
      #expect(queue.running == model.items.filter { $0.stage == .running }.count)
      #expect(queue.waiting == model.items.filter { $0.stage == .waiting }.count)
      #expect(queue.overflow == model.items.filter { $0.stage == .overflow }.count)
      #expect(queue.entries.count == model.items.count)
      #expect(queue.cooling(at: now) == model.itemsThatCool(at: now))
      guard starts(got) == starts(wanted), ends(got) == ends(wanted) else { return }
    }
    // Nothing is lost: with limits raised and time passing, all that is left is started.
    for lane in lanes {
      _ = queue.setPace(nil, for: lane, now: now)
      _ = queue.setLimit(nil, for: lane, now: now)
    }
    _ = queue.setDefaultLaneLimit(1_000, now: now)
    _ = queue.setLimit(100_000, now: now)
    now = now + .seconds(3600)
    _ = queue.advance(now: now)
    // A lane that has cooled down starts one, and the rest when that has ended.
    for id in queue.entries.filter({ $0.value.stage == .running }).keys {
      _ = queue.finish(id, now: now)
    }
    #expect(queue.waiting == 0)
    #expect(queue.backingOff == 0)
    #expect(queue.overflow == 0)
    for id in Array(queue.entries.keys) { _ = queue.finish(id, now: now) }
    #expect(queue.running == 0)
    #expect(queue.laneCount == 0)
  }

  private func starts(_ actions: [RequestQueue.Action]) -> [RequestID] {
    actions.compactMap { action in
      guard case .start(let id) = action else { return nil }
      return id
    }
  }

  private func ends(_ actions: [RequestQueue.Action]) -> Set<RequestQueue.Action> {
    Set(actions).subtracting(starts(actions).map { .start($0) })
  }
}
