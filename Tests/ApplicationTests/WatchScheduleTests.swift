import FoundationEssentials
import QueuedHTTP
import TestSupport
import Testing

@testable import Application

/// When a watch asks its searches, on a clock that the tests turn.
@Suite struct WatchScheduleTests {
  typealias Allowance = WatchAllowance

  private let date = Date(timeIntervalSince1970: 1_795_176_000)

  private func member(
    _ lane: String = "a", _ allowances: Allowance..., shortest: Duration = .zero
  ) -> WatchSchedule.Member {
    WatchSchedule.Member(lane: Lane(rawValue: lane), allowances: allowances, shortest: shortest)
  }

  /// Asks whatever may be asked until an end; returns the moments of each search.
  private func moments(
    of schedule: inout WatchSchedule, until end: Duration, random: Double = 0,
    _ round: (_ index: Int, _ now: Duration) -> WatchSchedule.Answer
  ) -> [Int: [Duration]] {
    var moments: [Int: [Duration]] = [:]
    while let next = schedule.next, next.moment < end {
      for index in schedule.take(at: next.moment).joined() {
        moments[index, default: []].append(next.moment)
        schedule.finish(
          index, round(index, next.moment), at: next.moment,
          date: date.addingTimeInterval(next.moment / .seconds(1)), random: random)
      }
    }
    return moments
  }

  @Test func `A search that finds something each time is asked at the shortest interval`() {
    var schedule = WatchSchedule([member()], every: .seconds(300))
    let moments = moments(of: &schedule, until: .seconds(3000)) { _, now in
      .answered(newest: date.addingTimeInterval(now / .seconds(1)), pages: 1)
    }
    #expect(moments[0] == (0..<10).map { .seconds($0 * 300) })
  }

  @Test func `A quiet search is asked less often after its first day, up to once an hour`() {
    var schedule = WatchSchedule([member(), member()], every: .seconds(300))
    let day = WatchRhythm.firstDay
    let moments = moments(of: &schedule, until: day * 2, random: 1) { index, _ in
      // The newest post of one is from the end of the first day; the other has none.
      .answered(newest: index == 0 ? date.addingTimeInterval(86_400) : nil, pages: 1)
    }
    let first = (moments[0] ?? []).filter { $0 < day }
    #expect(first == (0..<288).map { .seconds($0 * 300) })
    let gaps = zip(moments[0] ?? [], (moments[0] ?? []).dropFirst()).map { $1 - $0 }
    #expect(gaps.last.map { $0 >= .seconds(3600) } == true)
    #expect(zip(gaps, gaps.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(moments[1].map { (288 + 21...288 + 25).contains($0.count) } == true)
  }

  @Test func `A search is asked exactly at the interval for good where that is wanted`() {
    var schedule = WatchSchedule([member()], every: .seconds(300), isExact: true)
    let moments = moments(of: &schedule, until: .seconds(300 * 900), random: 1) { _, _ in
      .answered(newest: nil, pages: 1)
    }
    #expect(moments[0] == (0..<900).map { .seconds($0 * 300) })
  }

  @Test func `The first day of a search that a reload adds begins with it`() {
    let day = WatchRhythm.firstDay
    var old = WatchSchedule([member("a")], every: .seconds(300))
    _ = moments(of: &old, until: day * 3) { _, _ in .answered(newest: nil, pages: 1) }
    var new = WatchSchedule([member("a"), member("b")], every: .seconds(300))
    new.takeOver(old, from: [0, nil])
    let later = moments(of: &new, until: day * 3.5) { _, _ in .answered(newest: nil, pages: 1) }
    #expect(later[0].map { $0.count <= 13 } == true)
    #expect(later[1].map { $0.count >= 143 } == true)
  }

  @Test func `A reload keeps how often in a row a server was asked too much`() {
    var old = WatchSchedule([member("a")], every: .seconds(10))
    var now = Duration.zero
    for wait in [60, 120] {
      #expect(old.take(at: now) == [[0]])
      old.finish(0, .rateLimited(until: nil), at: now, date: date, random: 0)
      now += .seconds(wait)
      #expect(old.next?.moment == now)
    }
    var new = WatchSchedule([member("a")], every: .seconds(10))
    new.takeOver(old, from: [0])
    #expect(new.take(at: now) == [[0]])
    new.finish(0, .rateLimited(until: nil), at: now, date: date, random: 0)
    #expect(new.next?.moment == now + .seconds(240))
  }

  @Test func `A lane that is being asked waits for the end of its round, and no other lane does`() {
    var schedule = WatchSchedule(
      [member("a"), member("a"), member("b")], every: .seconds(300))
    #expect(schedule.take(at: .zero) == [[0, 1], [2]])
    schedule.finish(2, .answered(newest: nil, pages: 1), at: .seconds(1), date: date, random: 0)
    schedule.finish(0, .answered(newest: nil, pages: 1), at: .seconds(1), date: date, random: 0)
    #expect(schedule.next?.index == 2)
    #expect(schedule.take(at: .seconds(300)) == [[2]])
    schedule.finish(1, .answered(newest: nil, pages: 1), at: .seconds(310), date: date, random: 0)
    #expect(schedule.take(at: .seconds(310)) == [[0, 1]])
    #expect(schedule.next == nil)
  }

  @Test func `As many searches are under way as there is room for, and each lane gets its turn`() {
    let members = (0..<36).map { member("lane \($0 / 3)") }
    var schedule = WatchSchedule(members, every: .seconds(300), mostUnderWay: 20)
    var rounds = schedule.take(at: .zero)
    // Two of the three of each of ten lanes; the other two lanes wait.
    #expect(rounds == (0..<10).map { [$0 * 3, $0 * 3 + 1] })
    #expect(schedule.next == nil && schedule.take(at: .zero).isEmpty)
    var asked = Array(rounds.joined())
    let firstOfNext = [[30, 31], [33, 34]]
    for expected in [firstOfNext, []] {
      for index in rounds.joined() {
        schedule.finish(index, .failed, at: .zero, date: date, random: 0)
      }
      rounds = schedule.take(at: .zero)
      #expect(rounds.joined().count <= 20)
      #expect(rounds.starts(with: expected))
      asked += rounds.joined()
    }
    #expect(asked.sorted() == Array(0..<36))
  }

  @Test func `A server that does not answer is asked for one search until it does`() {
    var schedule = WatchSchedule([member(), member(), member()], every: .seconds(300))
    #expect(schedule.take(at: .zero) == [[0, 1, 2]])
    for index in 0...2 {
      schedule.finish(index, .unanswered, at: .seconds(60), date: date, random: 0)
    }
    #expect(schedule.take(at: .seconds(300)) == [[0]])
    schedule.finish(0, .unanswered, at: .seconds(360), date: date, random: 0)
    #expect(schedule.take(at: .seconds(599)) == [])
    #expect(schedule.take(at: .seconds(600)) == [[1]])
    schedule.finish(1, .answered(newest: nil, pages: 1), at: .seconds(601), date: date, random: 0)
    #expect(schedule.take(at: .seconds(601)) == [[0, 2]])
  }

  @Test func `An interval is lengthened at random, and never shortened`() {
    for random in [0, 0.3, 1] {
      // What makes an interval longer than the given one is the distance to another machine.
      var schedule = WatchSchedule([member(shortest: .seconds(600))], every: .seconds(300))
      let moments = moments(of: &schedule, until: .seconds(700), random: random) { _, _ in
        .answered(newest: date, pages: 1)
      }
      let gap = (moments[0]?.last ?? .zero) - .zero
      let longest = Duration.seconds(600 + 60 * random + 15)
      #expect((.seconds(600 + 60 * random)...longest).contains(gap), "\(gap)")
    }
  }

  @Test func `A thousand tags on all networks keep every limit for hours`() {
    let end = Duration.seconds(28_800)
    // The paces of Hacker News, Mastodon, GitHub and Lobsters, and a network that charges.
    let limits: [(lane: String, allowance: Allowance)] = [
      ("hackernews", Allowance(requests: 10_000, span: .seconds(3600))),
      ("mastodon", Allowance(requests: 300, span: .seconds(300))),
      ("github", Allowance(requests: 10, span: .seconds(60))),
      ("lobsters", Allowance(requests: 4, span: .seconds(24))),
      ("x", Allowance(requests: 50, span: .seconds(86_400))),
    ]
    let members = limits.flatMap { limit in
      (0..<1000).map { _ in member(limit.lane, limit.allowance, shortest: .seconds(60)) }
    }
    var schedule = WatchSchedule(members, every: .seconds(300))
    var random = SeededRandom(seed: 3)
    var requests: [[Duration]] = limits.map { _ in [] }
    var latest: [Duration?] = members.map { _ in nil }
    while let next = schedule.next, next.moment < end {
      for index in schedule.take(at: next.moment).joined() {
        let pages = Int.random(in: 1...20, using: &random) == 1 ? 2 : 1
        requests[index / 1000] += Array(repeating: next.moment, count: pages)
        if let before = latest[index] { #expect(next.moment - before >= .seconds(300)) }
        latest[index] = next.moment
        let now = date.addingTimeInterval(next.moment / .seconds(1))
        let quiet = Double(index % 1000) * 60
        schedule.finish(
          index, .answered(newest: now.addingTimeInterval(-quiet), pages: pages), at: next.moment,
          date: now, random: Double.random(in: 0...1, using: &random))
      }
    }
    for (limit, moments) in zip(limits, requests) {
      var first = 0
      var most = 0
      for (index, moment) in moments.enumerated() {
        while moments[first] <= moment - limit.allowance.span { first += 1 }
        most = max(most, index - first + 1)
      }
      // One request of a search may have to be followed by another one.
      #expect(most <= limit.allowance.requests + 2, "\(limit.lane): \(most)")
    }
    // Where the limit allows it, each search has had its turns.
    #expect(latest[..<2000].allSatisfy { $0.map { $0 > end - .seconds(7200) } ?? false })
    // The longest overdue comes first: a network that allows few requests leaves nobody out.
    #expect(Set(requests[3]).count > 1600)
    #expect(latest[3000..<4000].allSatisfy { $0 != nil })
  }

  @Test func `A search on another machine is asked once a minute at most`() {
    var schedule = WatchSchedule([member(shortest: .seconds(60))], every: .seconds(1))
    let moments = moments(of: &schedule, until: .seconds(600)) { _, now in
      .answered(newest: date.addingTimeInterval(now / .seconds(1)), pages: 1)
    }
    #expect(moments[0]?.count == 10)
  }

  @Test func `After a long sleep each search is asked once`() {
    var schedule = WatchSchedule([member(), member()], every: .seconds(300))
    for index in schedule.take(at: .zero).joined() {
      schedule.finish(
        index, .answered(newest: date, pages: 1), at: .seconds(1), date: date, random: 0)
    }
    let morning = Duration.seconds(8 * 3600)
    #expect(schedule.take(at: morning) == [[0, 1]])
    for index in 0...1 {
      schedule.finish(
        index, .answered(newest: date.addingTimeInterval(28_800), pages: 1), at: morning,
        date: date.addingTimeInterval(28_800), random: 0)
    }
    #expect(schedule.take(at: morning) == [])
    #expect(schedule.next?.moment == morning + .seconds(300))
  }

  @Test(arguments: [-1e9, -86_400, 0, 86_400, 1e9])
  func `A wall clock that jumps changes no interval beyond the longest`(jump: Double) {
    var schedule = WatchSchedule([member()], every: .seconds(300))
    _ = schedule.take(at: .zero)
    schedule.finish(
      0, .answered(newest: date, pages: 1), at: .zero, date: date.addingTimeInterval(jump),
      random: 1)
    let next = schedule.next?.moment ?? .zero
    #expect((.seconds(300)...(.seconds(4000))).contains(next), "\(next)")
  }

  @Test func `A clock that runs backwards is not followed`() {
    var schedule = WatchSchedule([member()], every: .seconds(300))
    #expect(schedule.take(at: .seconds(1000)) == [[0]])
    schedule.finish(
      0, .answered(newest: date, pages: 1), at: .seconds(500), date: date, random: 0)
    #expect(schedule.next?.moment == .seconds(1305))
  }

  @Test func `A lane that is told to wait is left alone until then, and only that lane`() {
    var schedule = WatchSchedule(
      [member("a"), member("a"), member("b")], every: .seconds(300))
    #expect(schedule.take(at: .zero) == [[0, 1], [2]])
    schedule.finish(
      0, .rateLimited(until: date.addingTimeInterval(5000)), at: .zero, date: date, random: 0)
    schedule.finish(1, .answered(newest: date, pages: 1), at: .zero, date: date, random: 0)
    schedule.finish(2, .answered(newest: date, pages: 1), at: .zero, date: date, random: 0)
    #expect(schedule.take(at: .seconds(4000)) == [[2]])
    #expect(schedule.take(at: .seconds(5000)) == [[0, 1]])
  }

  @Test func `Waits that a server does not name grow to a quarter of an hour`() {
    var schedule = WatchSchedule([member()], every: .seconds(1))
    let moments = moments(of: &schedule, until: .seconds(6000)) { _, _ in
      .rateLimited(until: nil)
    }
    let gaps = zip(moments[0] ?? [], (moments[0] ?? []).dropFirst()).map { $1 - $0 }
    #expect(
      gaps.prefix(5) == [.seconds(60), .seconds(120), .seconds(240), .seconds(480), .seconds(960)])
    #expect(gaps.dropFirst(5).allSatisfy { $0 == .seconds(960) })
  }

  @Test func `A rejected search is asked less and less, and a failed one at the usual interval`() {
    var schedule = WatchSchedule([member(), member()], every: .seconds(300))
    let moments = moments(of: &schedule, until: .seconds(86_400)) { index, _ in
      index == 0 ? .rejected : .failed
    }
    #expect(moments[0].map { $0.count < 30 } == true)
    #expect(moments[1]?.count == 288)
  }

  @Test func `A changed schedule goes on where the old one was`() {
    let allowance = Allowance(requests: 4, span: .seconds(24))
    var old = WatchSchedule(
      [member("a", allowance), member("b")], every: .seconds(300))
    #expect(old.take(at: .zero) == [[0], [1]])
    for index in 0...1 {
      old.finish(
        index, .answered(newest: date, pages: 1), at: .zero, date: date, random: 0)
    }
    var new = WatchSchedule(
      [member("c"), member("a", allowance), member("b")], every: .seconds(300))
    new.takeOver(old, from: [nil, 0, 1])
    #expect(new.take(at: .seconds(10)) == [[0]])
    #expect(new.next?.moment == .seconds(300))
    // A shorter interval counts at once.
    var shorter = WatchSchedule([member("a", allowance)], every: .seconds(1))
    shorter.takeOver(old, from: [0])
    #expect(shorter.next?.moment == .seconds(8))
  }

  @Test func `A plan in which nothing can be asked has no next moment`() {
    var schedule = WatchSchedule([nil, nil], every: .seconds(1))
    #expect(schedule.next == nil)
    #expect(schedule.take(at: .seconds(1_000_000)) == [])
  }
}
