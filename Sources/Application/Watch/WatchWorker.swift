internal import FoundationEssentials
internal import Glibc
internal import PostHistory
internal import QueuedHTTP
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import SharedHistory
internal import Synchronization

/// A watch's share of the work in a state that machines share: it leases lanes that are due, and commits what
/// it found there together with the end of the lease.
///
/// The rules are those of `WatchRhythm`, as in a watch of one machine. Where the state cannot be reached,
/// nobody is asked until it can.
final class WatchWorker: RoundPlanner, LeaseCommitter {
  /// The searches to watch.
  private struct Plan: Sendable {
    let filter: String
    let members: [(key: SearchKey, member: WatchSchedule.Member)?]
    let rhythm: WatchRhythm
    let isExact: Bool

    init(_ preparation: PreparedRun) {
      let pace = preparation.settings.pace
      filter = preparation.filter
      rhythm = WatchRhythm(every: pace.every, isExact: pace.isExact)
      isExact = pace.isExact
      members = preparation.plan.map { planned in
        guard case .ask(let search) = planned else { return nil }
        return (
          SearchKey(search),
          WatchSchedule.Member(search, limits: preparation.settings.limits)
        )
      }
    }
  }

  /// A plan that the state knows.
  private struct Joined: Sendable {
    let store: SharedHistory
    let work: SharedWork
    /// The places of searches in the plan, by their numbers in the state.
    let places: [Int64: Int]
    let moment: Duration
  }

  private struct State {
    var plan: Plan
    var joined: Joined?
    var store: SharedHistory?
    /// This process as the state knows it.
    var work: SharedWork?
    /// The intervals at which searches were last scheduled, by their places.
    var intervals: [Int: Duration] = [:]
    /// The next moment at which there may be something to take.
    var next = Duration.zero
    /// Attempts in a row that did not reach the state.
    var failures = 0
    /// True once it was reached.
    var hasWorked = false
    /// The moment until which no run is waited for that is printing, as one has printed for too long.
    var besideUntil = Duration.zero
  }

  /// The longest time between two looks at what is due.
  private static let pollInterval = Duration.seconds(1)
  private static let longestBackOff = Duration.seconds(60)
  /// The time after which a worker says again which searches it has.
  private static let rejoining = Duration.seconds(6 * 3600)
  private static let mostAttempts = 100
  /// The moments of a wait between two attempts to commit: half a second.
  private static let momentsAtOnce = 32
  /// The time for which a run that has printed for too long is not waited for again.
  private static let printingTimeout = Duration.seconds(60)

  private let requests: WatchPermits
  /// The length of its leases, of which the state keeps the one that it was opened with.
  private let lease: Duration
  private let address: SharedAddress
  private let surroundings: Surroundings
  private let wait = LockWait(longest: .seconds(10))
  private let state: Mutex<State>

  /// Returns nil for a state of one machine.
  init?(_ preparation: PreparedRun, in surroundings: Surroundings) {
    guard
      let address = preparation.settings.history.path(in: surroundings)
        .flatMap({ SharedAddress($0) })
    else { return nil }
    self.address = address
    self.surroundings = surroundings
    lease = preparation.settings.pace.lease
    requests = WatchPermits(clock: surroundings.steadyClock)
    state = Mutex(State(plan: Plan(preparation)))
    usePermits(preparation)
  }

  var permits: WatchPermits? { requests }

  func use(_ preparation: PreparedRun, from origins: [Int?]) {
    if preparation.settings.pace.lease != lease {
      surroundings.report("--lease takes effect only when the watch is restarted")
    }
    state.withLock { state in
      (state.plan, state.joined, state.next) = (Plan(preparation), nil, .zero)
      state.intervals = [:]
    }
    usePermits(preparation)
  }

  private func usePermits(_ preparation: PreparedRun) {
    var names: [Lane: Lane] = [:]
    for case .ask(let search) in preparation.plan {
      names[search.lane] =
        WatchSchedule.Member(search, limits: preparation.settings.limits).lane
    }
    requests.use(names)
  }

  private var now: Duration { surroundings.steadyClock.now() }

  func next(at begun: Duration, room: Int) -> (moment: Duration, place: Int?)? {
    // If there is no room for another round, the watch continues when one ends.
    guard room > 0 else { return nil }
    let (hasSearches, next) = state.withLock { state in
      (state.plan.members.contains { $0 != nil }, state.next)
    }
    return hasSearches ? (begun + max(next - now, .zero), nil) : nil
  }

  func interval(of place: Int) -> Duration { state.withLock { $0.intervals[place] ?? .zero } }

  // MARK: Taking

  /// Takes lanes that are due; none while the state cannot be reached.
  func take(at _: Duration, room count: Int) throws -> [RoundTake] {
    guard count > 0, state.withLock({ $0.next }) <= now else { return [] }
    let plan = state.withLock { $0.plan }
    do throws(HistoryError) {
      let joined = try joined(plan)
      let begun = now
      let (leases, next, date) = try joined.work.take(
        atMost: count, isKnown: { joined.places[$0] != nil },
        choose: { Self.choice($0, $1, $2, joined, plan) })
      let pause = next.map { min(.milliseconds($0 - date), Self.pollInterval) } ?? Self.pollInterval
      state.withLock { state in
        // There may be more than there is room for.
        state.next = leases.count == count ? begun : now + max(pause, .milliseconds(1))
      }
      reportReached()
      return leases.compactMap { hold($0, joined, plan, begun: begun) }
    } catch {
      try postpone(because: error)
      return []
    }
  }

  /// Connects, and lets the state know which searches there are.
  private func joined(_ plan: Plan) throws(HistoryError) -> Joined {
    if let joined = state.withLock({ $0.joined }), now - joined.moment < Self.rejoining {
      return joined
    }
    let store: SharedHistory
    if let known = state.withLock({ $0.store }) {
      store = known
    } else {
      // What sends no real requests has a clock of its own.
      let clock: SharedClock = surroundings.transport == nil ? .database : .given(surroundings.now)
      store = try SharedHistory(at: address, wait: wait, lease: lease, clock: clock)
      state.withLock { $0.store = store }
    }
    let work: SharedWork
    if let known = state.withLock({ $0.work }) {
      work = known.watching(filter: plan.filter)
    } else {
      work = try SharedWork(in: store, named: Self.name, filter: plan.filter)
    }
    state.withLock { ($0.work, $0.hasWorked) = (work, true) }
    let longest = plan.rhythm.longest
    let members = plan.members.compactMap(\.self).map { key, member in
      SharedWork.Member(
        key: key, lane: member.lane.rawValue,
        soon: max(plan.rhythm.every, member.shortest).roundedMilliseconds,
        late: max(longest, member.shortest).roundedMilliseconds)
    }
    let numbers = try work.join(members, isExact: plan.isExact)
    try work.tidy()
    var places: [Int64: Int] = [:]
    for (place, member) in plan.members.enumerated() {
      if let number = member.flatMap({ numbers[$0.key] }) { places[number] = place }
    }
    let joined = Joined(store: store, work: work, places: places, moment: now)
    state.withLock { $0.joined = joined }
    return joined
  }

  /// The name of this process for the other workers.
  private static var name: String {
    var bytes = [CChar](repeating: 0, count: 256)
    let host = gethostname(&bytes, bytes.count - 1) == 0 ? bytes.prefix { $0 != 0 } : []
    return String(decoding: host.map { UInt8(bitPattern: $0) }, as: UTF8.self) + ":\(getpid())"
  }

  /// Decides which of the searches that are due are asked now.
  private static func choice(
    _ lane: SharedLane, _ due: [SharedTurn], _ now: Int64, _ joined: Joined, _ plan: Plan
  ) -> SharedWork.Choice {
    guard let first = due.first, let member = member(first, joined, plan) else {
      return .init(lane: lane, turns: [], opening: lane.closedUntil)
    }
    let moment = Duration.milliseconds(now)
    var own = WatchLane(lane, member.allowances, at: moment)
    var taken: [SharedTurn] = []
    if own.closedUntil <= moment {
      let most = own.isSilent ? 1 : Int.max
      for turn in due.prefix(most) where own.hasRoom {
        own.take(1)
        taken.append(turn)
      }
    }
    return .init(
      lane: own.shared(lane), turns: taken,
      opening: plan.rhythm.opening(of: own).roundedMilliseconds)
  }

  private static func member(
    _ turn: SharedTurn, _ joined: Joined, _ plan: Plan
  ) -> WatchSchedule.Member? {
    joined.places[turn.search].flatMap { plan.members[$0]?.member }
  }

  /// Permits the requests of a lane that was taken.
  private func hold(
    _ lease: LaneLease, _ joined: Joined, _ plan: Plan, begun: Duration
  ) -> RoundTake? {
    let searches = lease.turns.compactMap { turn in
      joined.places[turn.search].flatMap { place in
        plan.members[place].map { (place: place, turn: turn, member: $0.member) }
      }
    }.sorted { $0.place < $1.place }
    guard let first = searches.first else { return nil }
    let moment = Duration.milliseconds(lease.begun)
    let held = WatchPermits.Held(
      lease: lease,
      count: { lane in try joined.work.charge({ lane().sharedBuckets }, to: lease) },
      lane: WatchLane(lease.lane, first.member.allowances, at: moment), reserved: searches.count,
      // The lease began after this moment.
      deadline: begun + self.lease, ahead: moment - begun)
    requests.hold(first.member.lane, held)
    let own = WatchLease(
      committer: self, name: first.member.lane, lease: lease, work: joined.work,
      rhythm: plan.rhythm, searches: searches.map { ($0.turn, $0.member) })
    return RoundTake(places: searches.map(\.place), shared: (joined.store, own))
  }

  // MARK: Losing and reaching the state

  /// Sends nothing for a time that doubles with each attempt, and says so once; throws where waiting would
  /// not help.
  func postpone(because error: HistoryError) throws {
    let (isFirst, hasWorked, pause) = state.withLock { state in
      // The rounds that are under way when the state is lost fail one after the other.
      guard state.failures == 0 || state.next <= now else { return (false, true, Duration.zero) }
      state.failures += 1
      let pause = min(.seconds(1 << min(state.failures - 1, 6)), Self.longestBackOff)
      state.next = now + pause
      return (state.failures == 1, state.hasWorked, pause)
    }
    switch error {
    case .unavailable: break
    case _ where hasWorked: break
    case .rejected: throw CommandFailure(error.exitStatus, "\(error)")
    default: throw CommandFailure(.badConfiguration, "\(error)")
    }
    guard isFirst else { return }
    surroundings.report(
      "the shared state is unreachable; searches are paused, next attempt in "
        + "\(pause.inWords): \(error)")
  }

  private func reportReached() {
    let hadFailed = state.withLock { state in
      defer { state.failures = 0 }
      return state.failures > 0
    }
    if hadFailed { surroundings.report("the shared state is reachable again") }
  }

  /// A commit has scheduled them.
  func finish(_ round: WatchRound, at now: Duration) {}

  func keepLeases() async {
    while !Task.isCancelled {
      await surroundings.steadyClock.sleep(lease / 3)
      guard !Task.isCancelled, let work = state.withLock({ $0.work }) else { continue }
      let leases = requests.leases
      let begun = now
      // If this fails, no further request is sent once the leases have ended.
      let known: [LaneLease]?
      do throws(HistoryError) { known = try work.renew(leases) } catch { continue }
      guard let kept = known else {
        // The database was restored or recreated: connect as at the beginning.
        state.withLock { ($0.store, $0.work, $0.joined, $0.next) = (nil, nil, nil, .zero) }
        continue
      }
      requests.renew(Set(kept), among: leases, until: begun + lease)
    }
  }

  func endWaits() { wait.end() }

  /// Releases the searches that this worker has not asked.
  func leave() {
    // If this fails, others take over when the leases end.
    try? state.withLock { $0.work }?.leave()
  }

  // MARK: Committing

  func commit(
    _ round: WatchRound, under lease: WatchLease, posts: [Post],
    write: ([Post]) throws -> Void, batch: ([Post]) -> RunBatch
  ) throws -> LeaseCommit {
    defer { _ = requests.release(lease.name, of: lease.lease) }
    if let error = round.history.failure {
      try giveBack(lease, because: error)
      return .lost
    }
    var commit = RoundCommit(round, under: lease, posts: posts)
    var failure: HistoryError?
    var moments: Int32 = 0
    for _ in 0..<Self.mostAttempts {
      let isBeside = besideUntil > now
      guard let held = requests.held(lease.name, of: lease.lease) else { return .takenOver }
      do {
        guard try commit.attempt(on: held.lane, isBeside: isBeside, write: write, batch: batch)
        else { return .takenOver }
        note(commit.intervals, of: round.places)
        return .printed(commit.printed)
      } catch is SharedWork.RunIsPrinting {
        // One whose reader stands still must not hold the watch up for good.
        if !wait.pause(moments: Self.momentsAtOnce, after: &moments) {
          let end = now + Self.printingTimeout
          state.withLock { $0.besideUntil = end }
        }
      } catch let error as HistoryError {
        failure = error
        guard case .unavailable = error else {
          guard commit.printed.isEmpty else { throw Self.end(because: error) }
          break
        }
        guard now < held.deadline,
          wait.pause(moments: Self.momentsAtOnce, after: &moments)
        else { break }
      }
    }
    if let failure { try postpone(because: failure) }
    return .lost
  }

  /// The moment until which no run is waited for that is printing.
  private var besideUntil: Duration { state.withLock { $0.besideUntil } }

  /// Notes the intervals at which the searches of a round were scheduled.
  private func note(_ intervals: [Duration?], of places: [Int?]) {
    state.withLock { state in
      for (place, interval) in zip(places, intervals) {
        if let place, let interval { state.intervals[place] = interval }
      }
    }
  }

  /// The end of a watch whose state takes nothing any more.
  private static func end(because error: HistoryError) -> CommandFailure {
    CommandFailure(
      .cannotWrite, "stopping the watch, because it would print the same posts again: \(error)")
  }

  /// Lets others ask the searches of a round whose history has failed.
  private func giveBack(_ lease: WatchLease, because error: HistoryError) throws {
    do throws(HistoryError) {
      try lease.work.release(lease.lease)
      // The state may have been reached again since.
      if case .unavailable = error { return }
    } catch let failure {
      // The lease ends by itself.
      return try postpone(because: failure)
    }
    try postpone(because: error)
  }
}

/// Prints the new posts of a round and commits it, in as many attempts as that takes; each post is printed once.
private struct RoundCommit {
  private let round: WatchRound
  private let lease: WatchLease
  private let posts: [Post]
  private let searches: Set<SearchKey>
  private var written: Set<PostIdentity> = []
  /// The intervals of its searches; nil for one that was not reached.
  private(set) var intervals: [Duration?] = []

  init(_ round: WatchRound, under lease: WatchLease, posts: [Post]) {
    (self.round, self.lease, self.posts) = (round, lease, posts)
    searches = Set(round.engine.readings.filter(\.hasArrived).map { SearchKey($0.search) })
  }

  /// The posts that were printed.
  var printed: [Post] { posts.filter { written.contains(PostIdentity($0)) } }

  /// Returns false if the lease has ended.
  ///
  /// - Parameter isBeside: Whether not to wait for a run that is printing.
  mutating func attempt(
    on lane: WatchLane, isBeside: Bool, write: ([Post]) throws -> Void,
    batch: ([Post]) -> RunBatch
  ) throws -> Bool {
    try lease.work.commit(lease.lease, of: searches, posts: posts, isBeside: isBeside) {
      known, now in
      let new = posts.filter {
        let identity = PostIdentity($0)
        return !known.contains(identity) && !written.contains(identity)
      }
      try write(new)
      written.formUnion(new.map { PostIdentity($0) })
      let choice = lease.choice(
        after: round.engine.readings, on: lane, cost: round.costs.values.reduce(0, +), now: now,
        date: round.now)
      let own = Dictionary(choice.turns.map { ($0.search, Duration.milliseconds($0.interval)) }) {
        $1
      }
      intervals = lease.searches.map { own[$0.turn.search] }
      return (choice, batch(printed))
    }
  }
}
