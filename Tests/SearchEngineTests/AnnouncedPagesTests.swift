import Foundation
import NetworkSimulator
import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import TestSupport
import Testing

/// The real sources and engine over loopback, on networks whose pages follow one another badly: empty,
/// short and repeated ones, cursors that lead nowhere or to themselves, more posts in one moment than on
/// a page, and errors beside empty lists.
///
/// `NOTHING_LOST_SEEDS` sets the number of corpora and of drawn limits for each network.
@Suite(.serialized) struct AnnouncedPagesTests {
  private static let seeds =
    ProcessInfo.processInfo.environment["NOTHING_LOST_SEEDS"].flatMap { UInt64($0) } ?? 1

  /// A network, searched with its credentials or without.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var isAnonymous = false

    var testDescription: String { isAnonymous ? "\(name), signed out" : name }
  }

  private static let cases =
    Sources.all.map { Case(name: $0.name.rawValue) } + [
      Case(name: "lemmy1"), Case(name: "bluesky", isAnonymous: true),
    ]
    + Catalog.entries.filter { !undated.contains($0.name.rawValue) }
    .map { Case(name: $0.name.rawValue) }

  /// Networks that know no date, or the year only.
  private static let undated: Set = ["wikipedia", "mediawiki", "dblp"]

  @Test(arguments: cases)
  func `A search is complete only if it has found all that the network has`(
    of: Case
  ) async throws {
    for seed in 0..<Self.seeds {
      try await Self.withNetwork(of, seed: seed) { network in
        let bounded = try await network.search(fault: nil, limits: network.wholeLimits)
        #expect(bounded.isComplete && bounded.posts.count > 100)
        var all: Found?
        for fault in Simulator.pagingFaults where network.knows(fault) {
          let limits = network.limits(drawing: fault, seed: seed)
          let found = try await network.search(fault: fault, limits: limits)
          var truth = bounded
          if limits.since == nil {
            // Backdated posts are older than the bound.
            truth = if let all { all } else { try await network.search(fault: nil, limits: limits) }
            all = truth
          }
          try network.check(found, of: truth, fault: fault, limits: limits)
        }
      }
    }
  }

  private static func withNetwork(
    _ of: Case, seed: UInt64, _ body: (Network) async throws -> Void
  ) async throws {
    let simulator = try await Simulator.start(seed: 7 &+ seed) { Simulator.fixedNow }
    var configuration = HTTPClient.Configuration()
    configuration.now = { Simulator.fixedNow }
    let client = HTTPClient(configuration: configuration)
    let result: Result<Void, any Error>
    do {
      result = .success(
        try await body(Network(of: of, simulator: simulator, client: client)))
    } catch {
      result = .failure(error)
    }
    await client.shutdown()
    await simulator.stop()
    try result.get()
  }

  /// What a search has found.
  private struct Found {
    /// Each post by its words.
    let posts: [String]
    let ending: Ending

    var isComplete: Bool { if case .completed = ending { true } else { false } }
  }

  private struct Network {
    let of: Case
    let simulator: Simulator
    let client: HTTPClient

    /// More posts than fit in a page of any network but three, and fewer than the ceiling of any.
    private static let query = "#plenty180"
    private static let cap = 500

    /// Networks whose simulator can ask for a pause in each answer.
    private static let pausing: Set = ["stackexchange", "tumblr"]

    /// Networks that find nothing with an error status, so that none can be beside it.
    private static let refusing: Set = ["lore", "public-inbox"]

    func knows(_ fault: String) -> Bool {
      switch fault {
      case "pauses": Self.pausing.contains(of.name)
      case "error-beside-empty": !Self.refusing.contains(of.name)
      default: true
      }
    }

    /// Limits beyond everything that there is.
    var wholeLimits: RunLimits {
      RunLimits(
        since: Simulator.fixedNow.addingTimeInterval(-6.5 * 86_400), timeout: .seconds(300),
        patience: .seconds(3600))
    }

    /// The same for the first seed; others have a limit on the number of posts of the run, too.
    func limits(drawing fault: String, seed: UInt64) -> RunLimits {
      var limits = wholeLimits
      guard seed > 0 else { return limits }
      var random = SeededRandom(seed: seed &+ UInt64(fault.utf8.count))
      limits.newest = Int.random(in: 200...400, using: &random)
      if Bool.random(using: &random) { limits.since = nil }
      return limits
    }

    func search(fault: String?, limits: RunLimits) async throws -> Found {
      let sourceName = of.name == "lemmy1" ? "lemmy" : of.name
      let source =
        try Sources.named(sourceName) ?? #require(Catalog.entry(named: sourceName)).network()
      let values = source.traits.credentialNames.compactMap { simulator.environment[$0] }
      let credentials = values.isEmpty || of.isAnonymous ? nil : Credentials(values)
      let address = simulator.address(of: of.name, fault: fault)
      let server = source.traits.takesWholeAddress ? ServerAddress.whole(address) : .init(address)
      let search = Search(
        try #require(Query(Self.query)),
        at: Endpoint(Unpaced(source: source), at: try #require(server), credentials: credentials),
        cap: Self.cap)
      let engine = SearchEngine(
        plan: [.ask(search)], transport: client, limits: limits, now: Simulator.fixedNow,
        clock: { Simulator.fixedNow })
      await engine.run()
      let findings = engine.findings
      let merge = Merge(now: Simulator.fixedNow, since: limits.since, limit: limits.newest)
      return Found(
        posts: merge.posts(of: findings.found).map(Self.key).sorted(),
        ending: try #require(findings.outcomes.first?.ending))
    }

    /// True if nothing is out of reach.
    private func isReachable(under fault: String, _ limits: RunLimits) -> Bool {
      // It is asked for more than seven days.
      if of.name == "x", limits.since == nil { return false }
      // Without an order there is a limit on pages.
      let isOrdered = !["searxng", "zenodo"].contains(of.name)
      return switch fault {
      // Only a cursor leads on from an empty page. Algolia counts the posts of all pages, so that one without any
      // is known to be missing.
      case "empty-pages": !of.isAnonymous && isOrdered && of.name != "hackernews"
      case "short-pages": isOrdered
      default: false
      }
    }

    /// The words of a post. Its addresses may follow from its date, which a fault changes, and the name of
    /// its author may depend on the other posts of its page.
    private static func key(_ post: Post) -> String {
      let words = "\(post.title ?? "") \(post.text)".split(whereSeparator: \.isWhitespace)
      return words.filter { !$0.contains("://") }.joined(separator: " ")
    }

    func check(_ found: Found, of truth: Found, fault: String, limits: RunLimits) throws {
      let what = "\(of.testDescription), \(fault): \(found.posts.count) of \(truth.posts.count)"
      let extra = found.posts.difference(from: truth.posts).insertions.count
      #expect(extra == 0, "\(what)")
      if found.isComplete {
        #expect(found.posts.count == truth.posts.count, "\(what), completed")
        return
      }
      switch found.ending {
      case .partial(_, let reason, let failure, _):
        #expect(reason?.isEmpty == false || failure != nil, "\(what)")
      case .failed: #expect(fault == "error-beside-empty", "\(what): \(found.ending)")
      case .completed, .skipped, .rateLimited, .cancelled:
        Issue.record("\(what): \(found.ending)")
      }
      #expect(!isReachable(under: fault, limits), "\(what): \(found.ending)")
    }
  }

  /// A source that asks for no pace and charges nothing.
  private struct Unpaced: SourceAdapter {
    let source: any Source

    var traits: SourceTraits {
      var traits = source.traits
      traits.pace = nil
      traits.paceWithCredentials = nil
      // Its default bound would end a search early, as complete.
      traits.cost = nil
      return traits
    }
  }
}
