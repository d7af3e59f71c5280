import FoundationEssentials
import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import TestSupport
import Testing

/// The N newest of everything, for the fewest pages that prove them.
@Suite struct PagingTests {
  private let now = Date(timeIntervalSince1970: 100_000)

  @Test(arguments: 0..<400)
  func `The answer is that of fetching everything, and no page is fetched in vain`(
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
        page.contains { identities.contains("counting:\($0)") }
      }
      // The first page, and one ahead of the last of use. More only where the order is inexact, and
      // while a page ends in the very second of the last post: the next may hold its equals.
      let allowed = max(lastOfUse.map { $0 + 2 } ?? 1, 1)
      guard count > allowed else { continue }
      for page in allowed..<count {
        let oldest = pages[..<page].joined().compactMap(Double.init).min() ?? .infinity
        let bound = (oldest + network.slack[search]).rounded(.down)
        let isNeeded = network.slack[search] > 0 ? bound >= last ?? 0 : bound == last
        #expect(isNeeded && isFull, "search \(search) has asked for \(count) pages")
      }
    }
  }

  private func posts(
    of plan: [PlannedSearch], on network: PagedNetwork, newest: Int?
  ) async throws -> (posts: [Post], outcomes: [SearchOutcome], pages: [Int]) {
    let transport = network.transport()
    let now = now
    let engine = SearchEngine(
      plan: plan, transport: transport, limits: RunLimits(newest: newest), now: now,
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
