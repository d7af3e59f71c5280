import FoundationEssentials
import PostHistory
import SearchModel
import SharedHistory

/// Times a worker on a state that machines share: what it does for each round besides asking a network.
struct WorkerBenchmark {
  private static let lanes = 200
  private static let lanesAtOnce = 8
  private static let postsOfRound: Int64 = 20
  private static let leases = 500

  private let work: SharedWork
  private let history: SharedHistory
  private let server: ServerAddress
  private var keys: [Int64: SearchKey] = [:]

  private init(at address: String) throws {
    guard let address = SharedAddress(address), let server = ServerAddress("https://a.example")
    else { preconditionFailure("name a database: postgresql://…") }
    self.server = server
    history = try SharedHistory(at: address)
    work = try SharedWork(in: history, named: "benchmark", filter: "{}")
  }

  /// Takes searches, reads 20 posts of each of which one is new, and commits, for some seconds; prints the
  /// number of rounds. Several of these may run on one state.
  static func run(at address: String, for seconds: Int) throws {
    var benchmark = try WorkerBenchmark(at: address)
    try benchmark.join()
    let end = ContinuousClock.now + .seconds(seconds)
    var rounds = 0
    while ContinuousClock.now < end {
      let leases = try benchmark.take(atMost: lanesAtOnce)
      for lease in leases { rounds += try benchmark.round(lease) ? 1 : 0 }
    }
    try benchmark.work.leave()
    print(rounds / max(seconds, 1))
  }

  /// Prints the median time of taking a lane, in microseconds, on a state that has some.
  static func lease(at address: String) throws {
    let benchmark = try WorkerBenchmark(at: address)
    var times: [Duration] = []
    for _ in 0..<leases {
      let begin = ContinuousClock.now
      let taken = try benchmark.take(atMost: 1)
      times.append(ContinuousClock.now - begin)
      for lease in taken { try benchmark.work.release(lease) }
    }
    print(Int(times.sorted()[times.count / 2] / .microseconds(1)))
  }

  private mutating func join() throws {
    let members = (0..<Self.lanes).map { number in
      SharedWork.Member(
        key: SearchKey(tag: "tag\(number)", source: "mastodon", server: server),
        lane: "lane \(number)", soon: 0, late: 0)
    }
    for (key, number) in try work.join(members, isExact: true) { keys[number] = key }
  }

  private func take(atMost count: Int) throws -> [LaneLease] {
    try work.take(atMost: count, isKnown: { _ in true }) { lane, due, _ in
      .init(lane: lane, turns: Array(due.prefix(1)), opening: 0)
    }.leases
  }

  private func round(_ lease: LaneLease) throws -> Bool {
    guard var turn = lease.turns.first, let key = keys[turn.search] else { return false }
    let first = turn.newest ?? 0
    let now = Date(timeIntervalSince1970: Double(lease.begun) / 1000)
    var page = PageDraft(source: key.source, server: server, expecting: Int(Self.postsOfRound))
    for number in first..<first + Self.postsOfRound {
      let address = "https://a.example/\(turn.search)/\(number)"
      page.add(
        PackedPost(
          id: "\(turn.search)-\(number)", url: address, uri: address,
          author: Author(handle: "amy"),
          text: "post \(number) of many about a tag, with some words more", createdAt: now,
          in: &page))
    }
    let posts = page.posts()
    _ = try history.memories(of: [key], filter: "{}")
    let known = try history.status(of: posts, in: key)
    let new = zip(posts, known).filter { !$0.1.isRead }.map(\.0)
    turn.newest = first + 1
    return try work.commit(lease, of: [key], posts: new) { printed, now in
      turn.due = now
      return (
        .init(lane: lease.lane, turns: [turn], opening: 0),
        RunBatch(
          now: Date(timeIntervalSince1970: Double(now) / 1000),
          findings: [.init(search: key, posts: new, memory: MemoryChange(), isAnswered: true)],
          printed: Set(new.map { PostIdentity($0) }))
      )
    }
  }
}
