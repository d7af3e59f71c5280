import Foundation
import NetworkSimulator
import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import TestSupport
import Testing

/// The real sources and engine over loopback, on networks less orderly than they should be: a search
/// that is complete has found everything.
///
/// `NOTHING_LOST_SEEDS` sets the number of runs for each network.
@Suite(.serialized) struct NothingLostTests {
  private static let seeds =
    ProcessInfo.processInfo.environment["NOTHING_LOST_SEEDS"].flatMap { UInt64($0) } ?? 4

  @Test(arguments: Sources.all.map(\.name.rawValue))
  func `A complete search has found everything`(name: String) async throws {
    let source = try #require(Sources.named(name))
    try await Self.withNetworks { networks in
      var proven = 0
      for seed in 0..<Self.seeds {
        proven += try await networks.check([source], seed: seed) ? 1 : 0
      }
      // Without a ceiling and broken items a network that has an order can be read to the bound.
      #expect(proven > 0 || source.traits.order == .unordered)
    }
  }

  @Test func `Complete searches together have found everything`() async throws {
    try await Self.withNetworks { networks in
      for seed in 0..<Self.seeds {
        _ = try await networks.check(Sources.all, seed: seed)
        _ = try await networks.check(
          Sources.all.filter { $0.traits.order != .unordered }, seed: seed &+ 1000)
      }
    }
  }

  private static func withNetworks(_ body: (Networks) async throws -> Void) async throws {
    let simulator = try await Simulator.start(seed: 7) { Simulator.fixedNow }
    var configuration = HTTPClient.Configuration()
    configuration.now = { Simulator.fixedNow }
    let client = HTTPClient(configuration: configuration)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(Networks(simulator: simulator, client: client)))
    } catch {
      result = .failure(error)
    }
    await client.shutdown()
    await simulator.stop()
    try result.get()
  }

  /// All simulated networks.
  private struct Networks {
    let simulator: Simulator
    let client: HTTPClient

    /// Searches some sources, as drawn from a seed; returns whether all searches were complete.
    func check(_ sources: [any Source], seed: UInt64) async throws -> Bool {
      var random = SeededRandom(seed: seed)
      let limits = limits(drawing: &random, isPlain: seed == 0)
      var plan: [PlannedSearch] = []
      var whole: [PlannedSearch] = []
      for source in sources {
        let isPlain = seed == 0 || sources.count > 1 && Int.random(in: 0..<3, using: &random) > 0
        let hasCeiling = !isPlain && Int.random(in: 0..<3, using: &random) == 0
        let isBroken = !isPlain && Int.random(in: 0..<4, using: &random) == 0
        var disorder = DisorderedSource.Disorder(drawing: &random, ceiling: hasCeiling)
        plan.append(
          try search(DisorderedSource(source: source, disorder: disorder), isBroken: isBroken))
        disorder.ceiling = nil
        whole.append(
          try search(DisorderedSource(source: source, disorder: disorder), isBroken: isBroken))
      }
      let everything = await run(whole, limits: RunLimits(timeout: .seconds(300), pages: 100_000))
      let result = await run(plan, limits: limits)
      let proven = result.outcomes.allSatisfy(isProven)
      for outcome in result.outcomes { checkReason(outcome) }
      guard proven else { return false }
      let merge = Merge(
        now: Simulator.fixedNow, since: limits.since, until: limits.until, limit: limits.newest)
      let isBounded = limits.since != nil || limits.until != nil
      let expected = merge.posts(
        of: everything.found.map { found in
          var found = found
          if isBounded { found.posts.removeAll { $0.createdAt == nil } }
          return found
        })
      let found = merge.posts(of: result.found)
      #expect(found.map(\.uri) == expected.map(\.uri), "seed \(seed), \(limits)")
      return true
    }

    private func limits(drawing random: inout SeededRandom, isPlain: Bool) -> RunLimits {
      var limits = RunLimits(timeout: .seconds(300), patience: .seconds(3600))
      let day = 86_400.0
      if isPlain || Bool.random(using: &random) {
        limits.since = Simulator.fixedNow.addingTimeInterval(
          -day * Double.random(in: 0...7, using: &random))
      }
      if !isPlain, limits.since == nil || Bool.random(using: &random) {
        limits.newest = Int.random(in: 1...120, using: &random)
      }
      if !isPlain, Int.random(in: 0..<3, using: &random) == 0 {
        let latest = limits.since ?? Simulator.fixedNow.addingTimeInterval(-6 * day)
        limits.until = latest.addingTimeInterval(day * Double.random(in: 0.1...2, using: &random))
      }
      return limits
    }

    private func search(_ source: DisorderedSource, isBroken: Bool) throws -> PlannedSearch {
      let values = source.traits.credentialNames.compactMap { simulator.environment[$0] }
      let credentials = values.isEmpty ? nil : Credentials(values)
      let query = try #require(Query("#swift"))
      let split = source.split(query, with: credentials)
      #expect(source.skipReason(for: split, with: credentials) == nil)
      let address = simulator.address(
        of: source.name.rawValue, fault: isBroken ? "~broken-item" : nil)
      let server = source.traits.takesWholeAddress ? ServerAddress.whole(address) : .init(address)
      return .ask(
        Search(
          query, at: Endpoint(source, at: try #require(server), credentials: credentials),
          split: SharedSplit(split)))
    }

    private func run(_ plan: [PlannedSearch], limits: RunLimits) async -> Findings {
      let engine = SearchEngine(
        plan: plan, transport: client, limits: limits, now: Simulator.fixedNow,
        clock: { Simulator.fixedNow })
      await engine.run()
      return engine.findings
    }

    private func isProven(_ outcome: SearchOutcome) -> Bool {
      guard case .completed(let notes) = outcome.ending else { return false }
      return !notes.contains { $0.hasSuffix("cannot sort by date") }
    }

    /// An incomplete search states a reason.
    private func checkReason(_ outcome: SearchOutcome) {
      switch outcome.ending {
      case .completed: break
      case .partial(let brokenItems, let reason, let failure, _):
        #expect(brokenItems > 0 || reason?.isEmpty == false || failure != nil)
      case .failed(let failure): Issue.record("\(outcome.source) failed: \(failure.message)")
      case .skipped, .rateLimited, .cancelled: Issue.record("\(outcome.source): \(outcome.ending)")
      }
    }
  }
}
