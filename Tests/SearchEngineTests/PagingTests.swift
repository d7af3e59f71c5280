import FoundationEssentials
import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import TestSupport
import Testing

/// The N newest posts of all, from the fewest pages that prove them.
@Suite struct PagingTests {
  private let now = Date(timeIntervalSince1970: 100_000)

  @Test(arguments: 0..<400)
  func `The result equals that of fetching everything, without a wasted page`(
    seed: UInt64
  ) async throws {
    var random = SeededRandom(seed: seed)
    let network = PagedNetwork(seed: seed, drawing: &random)
    let limit = Int.random(in: 1...60, using: &random)
    let plan = try network.plan()
    let fetched = try await posts(of: plan, on: network, newest: limit)
    let everything = try await posts(of: plan, on: network, newest: nil)
    #expect(fetched.posts == Array(everything.posts.prefix(limit)))
    #expect(fetched.outcomes.allSatisfy { $0.ending == .completed() })

    let identities = Set(fetched.posts.map(\.uri))
    let isFull = fetched.posts.count == limit
    let last = fetched.posts.last?.createdAt?.timeIntervalSince1970.rounded(.down)
    for (search, pages) in network.pages.enumerated() {
      let count = fetched.pages[search]
      let lastOfUse = pages.lastIndex { page in
        page.contains { identities.contains("counting:\($0.trimmingPrefix("^"))") }
      }
      // The first page, and one ahead of the last of use. More only while what was read proves nothing
      // about what follows: it ends in the very second of the last post, or its order is not exact.
      let allowed = max(lastOfUse.map { $0 + 2 } ?? 1, 1)
      guard count > allowed else { continue }
      for page in allowed..<count {
        let moments = pages[..<page].map { $0.compactMap(Double.init) }
        let proof =
          network.orders[search] == .exact ? 1 : max(20, moments.map(\.count).max() ?? 0)
        let read = moments.joined()
        let bound =
          read.count < proof ? .infinity : read.suffix(proof).max().map { $0.rounded(.down) }
        #expect(
          isFull && bound ?? .infinity >= last ?? 0, "search \(search) has asked for \(count) pages"
        )
      }
    }
  }

  @Test(arguments: 0..<100)
  func `With a cap on each search, too, the newest equal those of fetching everything`(
    seed: UInt64
  ) async throws {
    var random = SeededRandom(seed: seed)
    var network = PagedNetwork(seed: seed, drawing: &random)
    let limit = Int.random(in: 1...60, using: &random)
    let plan = try network.plan(cap: Int.random(in: 1...40, using: &random))
    let everything = try await posts(of: plan, on: network, newest: nil)
    for arrival in 0..<3 {
      network.arrival = UInt64(arrival)
      let fetched = try await posts(of: plan, on: network, newest: limit)
      #expect(fetched.posts == Array(everything.posts.prefix(limit)))
      #expect(fetched.outcomes.allSatisfy { $0.ending == .completed() })
    }
  }

  @Test(arguments: 0..<60)
  func `Posts joined by their link do not depend on the order of arrival`(
    seed: UInt64
  ) async throws {
    var random = SeededRandom(seed: seed)
    var network = PagedNetwork(seed: seed, drawing: &random)
    network.sharesLinks = true
    let limit = Int.random(in: 1...12, using: &random)
    let now = now
    let merge = Merge(now: now, limit: limit, joinsByLink: true)
    var results: Set<[Post]> = []
    for arrival in 0..<11 {
      network.arrival = UInt64(arrival)
      let engine = SearchEngine(
        plan: try network.plan(), transport: network.transport(),
        limits: RunLimits(newest: limit, patience: .seconds(3600), joinsByLink: true), now: now,
        clock: { now })
      await engine.run()
      results.insert(merge.posts(of: engine.findings.found))
    }
    #expect(results.count == 1)
    // The pages that were not requested would have changed nothing.
    let everything = SearchEngine(
      plan: try network.plan(), transport: network.transport(), limits: RunLimits(), now: now,
      clock: { now })
    await everything.run()
    let all = merge.posts(of: everything.findings.found)
    #expect(results.first?.map(\.uri) == all.map(\.uri))
  }

  private func posts(
    of plan: [PlannedSearch], on network: PagedNetwork, newest: Int?
  ) async throws -> (posts: [Post], outcomes: [SearchOutcome], pages: [Int]) {
    let transport = network.transport()
    let now = now
    let engine = SearchEngine(
      plan: plan, transport: transport, limits: RunLimits(newest: newest, patience: .seconds(3600)),
      now: now,
      clock: { now })
    await engine.run()
    let findings = engine.findings
    let posts = Merge(now: now, limit: newest).posts(of: findings.found)
    let pages = network.pages.indices.map { search in
      transport.requests.count { $0.url.contains("q=s\(search)x") }
    }
    return (posts, findings.outcomes, pages)
  }
}
