import Foundation
import PostHistory
import SearchModel
import Synchronization
import TestSupport
import Testing

@testable import SharedHistory

/// Workers that share the searches of one state, under a clock that the tests turn.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct SharedWorkTests {
  /// A clock that stands still until it is set.
  private final class Clock: Sendable {
    private let seconds = Mutex(0.0)
    var shared: SharedClock {
      .given { noon.addingTimeInterval(self.seconds.withLock { $0 }) }
    }
    func advance(by more: Double) { seconds.withLock { $0 += more } }
  }

  private let clock = Clock()
  private let address: SharedAddress

  init() throws { address = try Store.preparedAddress() }

  private func worker(_ name: String) throws -> SharedWork {
    try SharedWork(
      in: SharedHistory(at: address, lease: .seconds(60), clock: clock.shared), named: name,
      filter: "{}")
  }

  private func member(_ tag: String, lane: String = "a") -> SharedWork.Member {
    SharedWork.Member(key: key(tag), lane: lane, soon: 300_000, late: 3_600_000)
  }

  /// Takes everything that is due.
  private func take(_ work: SharedWork, atMost count: Int = 100) throws -> [LaneLease] {
    try work.take(atMost: count, isKnown: { _ in true }) { lane, due, _ in
      .init(lane: lane, turns: due, opening: 0)
    }.leases
  }

  /// Commits posts under a lease, asks again in five minutes; returns those that were printed, nil where
  /// another worker has taken over.
  private func commit(
    _ lease: LaneLease, _ posts: [Post] = [], by work: SharedWork, tag: String = "swift",
    isBeside: Bool = false
  ) throws -> [Post]? {
    var written: [Post] = []
    let isOurs = try work.commit(
      lease, of: [key(tag)], posts: posts, isBeside: isBeside
    ) { printed, now in
      written = posts.filter { !printed.contains(PostIdentity($0)) }
      var turns = lease.turns
      for place in turns.indices { turns[place].due = now + 300_000 }
      var batch = RunBatch(
        now: noon, findings: [.init(search: key(tag), posts: posts, memory: MemoryChange())],
        printed: Set(written.map { PostIdentity($0) }))
      batch.outbox = [
        OutboxBatch(receiver: "r", lines: written.map(\.id).joined(), created: noon)
      ]
      return (.init(lane: lease.lane, turns: turns, opening: 0), batch)
    }
    return isOurs ? written : nil
  }

  private func lines() throws -> [String] {
    try SharedHistory(at: address).batches(before: .distantFuture, except: []).map(\.lines)
  }

  @Test func `Each search that is due is taken by one worker, with its lane`() throws {
    let (one, other) = (try worker("one"), try worker("other"))
    let members = (0..<30).map { member("tag\($0)", lane: "lane\($0 / 3)") }
    let numbers = try one.join(members, isExact: false)
    #expect(numbers.count == 30)
    #expect(try other.join(members, isExact: false) == numbers)
    let first = try take(one, atMost: 4)
    let second = try take(other, atMost: 100)
    #expect(first.count == 4 && second.count == 6)
    let taken = (first + second).flatMap { $0.turns.map(\.search) }
    #expect(taken.count == 30 && Set(taken) == Set(numbers.values))
    #expect(try take(one).isEmpty)
    for lease in first { #expect(try commit(lease, by: one) == []) }
    clock.advance(by: 299)
    // What the other one has left behind is taken over, what was asked is not due yet.
    #expect(try Set(take(one).map(\.id)) == Set(second.map(\.id)))
    clock.advance(by: 1)
    #expect(try Set(take(other).map(\.id)) == Set(first.map(\.id)))
  }

  @Test func `Nothing of a round is kept when another worker has taken over`() throws {
    let (one, other) = (try worker("one"), try worker("other"))
    for work in [one, other] { _ = try work.join([member("swift")], isExact: false) }
    let old = try #require(try take(one).first)
    clock.advance(by: 60)
    let new = try #require(try take(other).first)
    #expect(try one.renew([old]) == [])
    #expect(try one.charge({ [] }, to: old) == false)
    #expect(try commit(old, [post("1")], by: one) == nil)
    #expect(try lines() == [])
    let history = try SharedHistory(at: address)
    #expect(try history.ids() == [])
    #expect(try commit(new, [post("1")], by: other)?.map(\.id) == ["1"])
    #expect(try commit(old, [post("1")], by: one) == nil)
    #expect(try lines() == ["1"])
    #expect(try history.ids() == ["1"])
  }

  @Test func `Nothing of a round is kept when its worker has begun another one`() throws {
    let work = try worker("one")
    _ = try work.join([member("swift")], isExact: false)
    let old = try #require(try take(work).first)
    clock.advance(by: 60)
    let new = try #require(try take(work).first)
    #expect(try commit(old, [post("1")], by: work) == nil)
    #expect(try lines() == [])
    #expect(try commit(new, [post("1")], by: work)?.map(\.id) == ["1"])
    #expect(try lines() == ["1"])
  }

  @Test func `A lease that is renewed goes on, and a worker that leaves gives up its lanes`() throws
  {
    let (one, other) = (try worker("one"), try worker("other"))
    for work in [one, other] { _ = try work.join([member("swift")], isExact: false) }
    let lease = try #require(try take(one).first)
    for _ in 0..<5 {
      clock.advance(by: 59)
      #expect(try one.renew([lease]) == [lease])
      #expect(try take(other).isEmpty)
    }
    try one.leave()
    #expect(try take(other).count == 1)
    #expect(try commit(lease, [post("1")], by: one) == nil)
  }

  @Test func `A post that two workers find at once is printed by one of them`() async throws {
    let (one, other) = (try worker("one"), try worker("other"))
    for (work, tag) in [(one, "a"), (other, "b")] {
      _ = try work.join([member(tag, lane: tag)], isExact: false)
    }
    let posts = (0..<40).map { post("\($0)") }
    let leases = try (take(one, atMost: 1), take(other, atMost: 1))
    let (left, right) = (try #require(leases.0.first), try #require(leases.1.first))
    async let first = commit(left, posts, by: one, tag: "a")
    async let second = commit(right, posts.reversed(), by: other, tag: "b")
    let printed = try await (first ?? []) + (second ?? [])
    #expect(printed.count == 40)
    #expect(Set(printed.map(\.id)).count == 40)
  }

  @Test func `No worker prints beside a run, and no run what a worker has printed`() throws {
    let one = try worker("one")
    _ = try one.join([member("swift")], isExact: false)
    let lease = try #require(try take(one).first)
    let run = try SharedHistory(at: address, lease: .seconds(60), clock: clock.shared)
    let right = try #require(try run.printingLock())
    let posts = [post("1"), post("2")]
    #expect(throws: SharedWork.RunIsPrinting.self) { _ = try commit(lease, posts, by: one) }
    #expect(try run.unprinted(posts) == posts)
    // It waits for no reader that stands still.
    #expect(try commit(lease, [post("1")], by: one, isBeside: true)?.count == 1)
    #expect(try run.unprinted(posts).map(\.id) == ["2"])
    extendLifetime(right)
  }

  @Test func `What was asked of a lane is known to whoever has it next`() throws {
    let (one, other) = (try worker("one"), try worker("other"))
    for work in [one, other] { _ = try work.join([member("swift")], isExact: false) }
    let lease = try #require(try take(one).first)
    let bucket = SharedLane.Bucket(requests: 10, span: 60_000, full: 77)
    #expect(try one.charge({ [bucket] }, to: lease))
    clock.advance(by: 60)
    let next = try #require(try take(other).first)
    #expect(next.lane.buckets == [bucket])
    var lane = next.lane
    (lane.closedUntil, lane.rateLimits, lane.isSilent) = (5, 2, true)
    lane.costs = [.init(hour: 3, amount: 40), .init(hour: 4, amount: 50)]
    var turn = try #require(next.turns.first)
    (turn.newest, turn.rejections, turn.failure) = (9, 3, "no")
    let opening = Int64(noon.timeIntervalSince1970 * 1000) + 90_000
    #expect(
      try other.commit(next, of: [], posts: []) { _, _ in
        (.init(lane: lane, turns: [turn], opening: opening), RunBatch(now: noon, findings: []))
      })
    clock.advance(by: 29)
    // The server wants to be left alone, though the search is due.
    #expect(try take(one).isEmpty)
    clock.advance(by: 1)
    let last = try #require(try take(one).first)
    #expect(last.lane == lane)
    turn.failure = nil
    #expect(last.turns == [turn])
  }

  @Test func `A search that one worker does not have is left to the others`() throws {
    let (one, other) = (try worker("one"), try worker("other"))
    let many = (0..<450).map { member("tag\($0)") }
    _ = try one.join(many, isExact: false)
    let own = try other.join([member("own")], isExact: false)
    func due(_ work: SharedWork) throws -> [Int64] {
      try work.take(atMost: 1, isKnown: { own.values.contains($0) }) { lane, due, _ in
        .init(lane: lane, turns: due, opening: 0)
      }.leases.flatMap { $0.turns.map(\.search) }
    }
    #expect(try due(other) == Array(own.values))
    clock.advance(by: 2 * 86_400)
    _ = try other.join([member("own")], isExact: false)
    try other.tidy()
    #expect(
      try PostgresServer.shared().query("SELECT count(*) FROM searchagg.turn", in: address.text)
        == "1\n")
  }

  @Test func `A receiver has one worker at a time, and another one after the lease`() throws {
    let histories = try (0..<2).map { _ in
      try SharedHistory(at: address, lease: .seconds(60), clock: clock.shared)
    }
    var batch = RunBatch(now: noon, findings: [])
    batch.outbox = ["1", "2"].map { OutboxBatch(receiver: "r", lines: $0, created: noon) }
    try histories[0].commit(batch)
    let lock = try #require(try histories[0].deliveryLock(for: "r"))
    #expect(try histories[1].deliveryLock(for: "r") == nil)
    let first = try #require(try histories[0].oldestBatch(for: "r"))
    clock.advance(by: 59)
    // Each step lets the lease go on.
    try histories[0].update(first)
    clock.advance(by: 59)
    #expect(try histories[1].deliveryLock(for: "r") == nil)
    clock.advance(by: 1)
    let other = try #require(try histories[1].deliveryLock(for: "r"))
    for change in [histories[0].remove, histories[0].update] {
      #expect {
        try change(first)
      } throws: { "\($0)".contains("another worker now delivers") }
    }
    #expect(throws: HistoryError.self) { try histories[0].oldestBatch(for: "r") }
    #expect(try histories[1].oldestBatch(for: "r")?.lines == "1")
    try histories[1].remove(first)
    #expect(try histories[1].oldestBatch(for: "r")?.lines == "2")
    extendLifetime(lock)
    extendLifetime(other)
  }

  @Test func `What is due is found by indexes, without a sort`() throws {
    let server = try PostgresServer.shared()
    _ = try server.query(
      """
      INSERT INTO searchagg.lane (digest, name, due)
        SELECT uuid_send(gen_random_uuid()), n::text, n FROM generate_series(1, 2000) n;
      INSERT INTO searchagg.turn (search, filter, lane, added, due, wanted)
        SELECT n, '{}', n % 2000 + 1, 0, n, 0 FROM generate_series(1, 20000) n;
      ANALYZE searchagg.lane; ANALYZE searchagg.turn;
      """, in: address.text)
    func plan(_ query: String, _ values: String) throws -> String {
      // The tables are those of the schema.
      try server.query(
        "SET search_path = searchagg; SET plan_cache_mode = force_generic_plan; PREPARE q AS \(query); "
          + "EXPLAIN EXECUTE q(\(values))", in: address.text)
    }
    let lanes = try plan(LaneTable.dueQuery, "1000, 10, 5, 8")
    #expect(lanes.contains("Index Scan using lane_due") && !lanes.contains("Sort"), "\(lanes)")
    let turns = try plan(
      TurnTable.dueQuery, "'{1,2,3}', 30000, '{}', 200, '-9223372036854775808', 0")
    #expect(
      turns.contains("Index Scan using turn_due") && !turns.contains("Sort"), "\(turns)")
  }
}
