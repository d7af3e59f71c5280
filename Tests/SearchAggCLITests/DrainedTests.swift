import Application
import Foundation
import NetworkSimulator
import SearchAggCLI
import Synchronization
import TestSupport
import Testing
import TextFormats

/// Random arrivals, caps, limits and filters under `--new`: in the end everything was shown once.
///
/// `DRAINED_SEQUENCES` sets the number of sequences; `make soak` draws 500.
@Suite(.serialized) struct DrainedTests {
  private static let sequences =
    ProcessInfo.processInfo.environment["DRAINED_SEQUENCES"].flatMap { UInt64($0) } ?? 6

  /// The moment of the runs, up to which posts have been written.
  private final class Moment: Sendable {
    private let moment = Mutex(Simulator.fixedNow)

    var date: Date {
      get { moment.withLock { $0 } }
      set { moment.withLock { $0 = newValue } }
    }

    func advance(hours: Double) { date = date.addingTimeInterval(hours * 3600) }
  }

  /// One sequence of runs on one network.
  private struct Runs {
    private static let filters = [[], ["--no-replies"], ["--lang", "en"], ["--min-likes", "3"]]

    let network: String
    let simulator: Simulator
    let moment: Moment
    let folder: Folder
    var filter: [String]
    var shown: [String] = []

    /// Runs with more options; returns what was printed: addresses with dates.
    private func posts(_ options: [String]) async throws -> [(uri: String, date: Date?)] {
      let output = BufferStream()
      let errors = BufferStream()
      let now = moment.date
      var environment = simulator.environment
      environment["HOME"] = folder["home"]
      environment["SEARCHAGG_TIMEOUT"] = "10m"
      let context = Context(
        environment: environment, workingDirectory: folder.path, input: BufferStream(),
        output: output, errors: errors, now: { now })
      let arguments = ["run", "#swift", "--source", network, "--format", "ndjson"]
      let status = await CommandLineRunner(context: context).run(
        arguments + ["--max-cost", "1000000", "--quiet"] + options)
      // These have more pages than are read.
      let isWhole =
        status == .success || ["feed", "searxng"].contains(network) && status == .partial
      #expect(isWhole, "\(network) \(options): \(errors.text)")
      return try output.text.split(separator: "\n").dropLast().map { line in
        let post = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let date = (post?["created_at"] as? String).flatMap({ RFC3339.parse($0) })
        return (try #require(post?["uri"] as? String), date)
      }
    }

    mutating func run(_ options: [String]) async throws -> Int {
      let posts = try await posts(["--new"] + filter + options)
      shown += posts.map(\.uri)
      return posts.count
    }

    mutating func drain(_ options: [String]) async throws {
      for _ in 0..<300 where try await run(options) == 0 { return }
      Issue.record("\(network) \(options): new posts without end")
    }

    /// Everything that was written after a moment, read without a state.
    func truth(since begin: Date) async throws -> Set<String> {
      let since = begin.addingTimeInterval(-1).formatted(.iso8601)
      let posts = try await posts(["--no-state", "--since", since] + filter)
      return Set(posts.filter { $0.date.map { $0 > begin } ?? false }.map(\.uri))
    }

    static func options(drawing random: inout SeededRandom) -> [String] {
      var options: [String] = []
      if Bool.random(using: &random) {
        options += ["--per-search", String(Int.random(in: 3...15, using: &random))]
      }
      if Bool.random(using: &random) {
        options += ["-n", String(Int.random(in: 3...25, using: &random))]
      }
      return options
    }

    static func filter(drawing random: inout SeededRandom) -> [String] {
      filters.randomElement(using: &random) ?? []
    }
  }

  private func check(
    _ network: String, seed: UInt64, _ simulator: Simulator, _ moment: Moment
  ) async throws {
    var random = SeededRandom(seed: seed)
    moment.date = Simulator.fixedNow
    let hours = Double.random(in: 10...60, using: &random)
    moment.advance(hours: -hours)
    let begin = moment.date
    var runs = Runs(
      network: network, simulator: simulator, moment: moment, folder: try Folder(),
      filter: Runs.filter(drawing: &random))
    let isFromNow = Int.random(in: 0..<4, using: &random) == 0
    let first = Runs.options(drawing: &random) + (isFromNow ? ["--from-now"] : [])
    let count = try await runs.run(first)
    #expect(!isFromNow || count == 0)
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      moment.advance(hours: Double.random(in: 0...hours / 4, using: &random))
      _ = try await runs.run(Runs.options(drawing: &random))
    }
    moment.date = max(moment.date, Simulator.fixedNow)
    let last = Runs.options(drawing: &random)
    try await runs.drain(last)
    // A day later everything has arrived, and is looked for.
    moment.advance(hours: 25)
    if Int.random(in: 0..<3, using: &random) == 0 { runs.filter = [] }
    try await runs.drain(last)
    let shown = runs.shown
    let twice = Dictionary(grouping: shown) { $0 }.filter { $0.value.count > 1 }.keys
    #expect(twice.isEmpty, "\(network), seed \(seed): shown twice: \(twice.sorted())")
    let missing = try await runs.truth(since: begin).subtracting(shown)
    #expect(missing.isEmpty, "\(network), seed \(seed): never shown: \(missing.sorted())")
  }

  @Test func `Whatever arrives and whatever is cut, everything is shown once`() async throws {
    let moment = Moment()
    let simulator = try await Simulator.start(
      seed: 7, clock: { Simulator.fixedNow }, written: { moment.date }, hasLatecomers: true)
    let result: Result<Void, any Error>
    do {
      for seed in 0..<Self.sequences {
        // A few sequences are spread over the networks.
        let step = Self.sequences < Simulator.sources.count ? 5 : 1
        let network = Simulator.sources[Int(seed) * step % Simulator.sources.count]
        try await check(network, seed: seed, simulator, moment)
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    await simulator.stop()
    try result.get()
  }
}
