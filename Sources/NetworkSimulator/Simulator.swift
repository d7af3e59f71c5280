internal import Dispatch
package import FoundationEssentials
internal import TextFormats

/// A server on loopback that speaks every network's search API.
///
///     let simulator = try await Simulator.start(seed: 7) { Date.now }
///     let address = simulator.address(of: "x", fault: "~stall")
///     await simulator.stop()
package final class Simulator: Sendable {
  /// The port that it serves.
  package let port: UInt16
  private let service: SimulatorService
  private let credentials: SimulatedCredentials
  private let serving: Task<Void, Never>

  /// The moment that corpora lie before when none is given: 2026-11-20T12:00:00Z.
  package static let fixedNow = Date(timeIntervalSince1970: 1_795_176_000)

  /// The names of the sources, in the order that they are printed in.
  package static let sources = [
    "twitter-classic", "x", "bluesky", "mastodon", "hackernews", "github", "lemmy", "stackexchange",
    "lobsters", "discourse", "reddit", "misskey", "youtube", "devto", "tumblr", "threads",
    "searxng", "feed",
  ]

  /// The names of the networks of the catalog, by subject.
  package static let catalog = CatalogNetwork.all.map(\.name)

  /// The faults that a path can contain, for the help text.
  package static let faults = Fault.grammar

  /// The faults of pages that follow one another badly.
  package static let pagingFaults = PagingFault.allCases.map(\.rawValue)

  /// Parses a date in RFC 3339 format.
  package static func date(_ text: String) -> Date? {
    DateReading.rfc3339(text).map { Date(timeIntervalSince1970: Double($0) / 1000) }
  }

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - seed: What the corpora and credentials are made from.
  ///   - now: The moment that the corpora lie before.
  ///   - port: 0 for any free one.
  ///   - enforcesQuotas: Whether a network refuses what its headers say is too much.
  ///   - clock: What quotas and sessions run by.
  ///   - written: The moment up to which posts have been written, so that a network can keep posting;
  ///     nil for all of them.
  ///   - hasLatecomers: Whether some posts reach the networks of several servers up to 20 hours late.
  /// - Throws: `SimulatorError` when the port cannot be had.
  package static func start(
    seed: UInt64 = 1, now: Date = fixedNow, port: UInt16 = 0, enforcesQuotas: Bool = false,
    clock: @escaping @Sendable () -> Date,
    written: @escaping @Sendable () -> Date? = { nil }, hasLatecomers: Bool = false
  ) async throws -> Simulator {
    try Simulator(
      seed: seed, now: now, port: port, enforcesQuotas: enforcesQuotas,
      clock: { Int(clock().timeIntervalSince1970 * 1000) },
      written: { written().map { Int($0.timeIntervalSince1970 * 1000) } },
      hasLatecomers: hasLatecomers)
  }

  private init(
    seed: UInt64, now: Date, port: UInt16, enforcesQuotas: Bool,
    clock: @escaping @Sendable () -> Int, written: @escaping @Sendable () -> Int?,
    hasLatecomers: Bool
  ) throws {
    let listener = try Listener(port: port)
    let service = SimulatorService(
      seed: seed, now: Int((now.timeIntervalSince1970 * 1000).rounded()),
      enforcesQuotas: enforcesQuotas, clock: clock, written: written,
      hasLatecomers: hasLatecomers)
    Descriptors.raiseLimit()
    self.port = listener.port
    self.service = service
    credentials = SimulatedCredentials(seed: seed)
    serving = Task(executorPreference: SimulatorExecutor()) {
      await listener.run(service, clock: clock)
    }
  }

  deinit { serving.cancel() }

  /// Ends every connection and frees the port.
  package func stop() async {
    serving.cancel()
    await serving.value
  }

  /// Returns the base address of a source (`mastodon2` is a second server of Mastodon's), and of
  /// `feed` the whole address of a search (`feed/all.rss` is another).
  ///
  /// - Parameter fault: What goes wrong there, such as `~stall` or `~latency=250/~status=500`.
  package func address(of source: String, fault: String? = nil) -> String {
    let faults = (fault ?? "").split(separator: "/").map {
      $0.hasPrefix("~") ? "/\($0)" : "/~\($0)"
    }
    let document = source == "feed" ? FeedNetwork.documents[0] : nil
    return "http://127.0.0.1:\(port)\(faults.joined())/\(source)"
      + (document.map { "/\($0)" } ?? "")
  }

  /// The addresses and credentials as `NAME=value`, in the order that they are printed in.
  package var environmentLines: [String] {
    variables.map { "\($0.name)=\($0.value)" }
  }

  /// The same as commands of a shell: `export NAME='value'`.
  package var shellLines: [String] {
    variables.map { name, value in
      "export \(name)='\(value.replacing("'", with: "'\\''"))'"
    }
  }

  /// The same, by name.
  package var environment: [String: String] {
    Dictionary(variables.map { ($0.name, $0.value) }) { first, _ in first }
  }

  private var variables: [(name: String, value: String)] {
    Self.sources.map { source in
      let name = source.uppercased().replacing("-", with: "_")
      return ("SEARCHAGG_\(name)_URL", addresses(of: source).joined(separator: ","))
    } + credentials.lines
  }

  /// A configuration file of searchagg with the addresses of all networks, those of the catalog too.
  ///
  /// A variable would switch a network of the catalog on for every run; a server in this file leaves it
  /// off until it is named.
  package var configuration: String {
    let sources = (Self.sources + Self.catalog).map { source in
      let servers = addresses(of: source).map { JSONValue.string($0) }
      return JSONMember(source, .object([JSONMember("servers", .array(servers))]))
    }
    let document = JSONValue.object([JSONMember("sources", .object(sources))])
    return String(decoding: document.bytes, as: UTF8.self)
  }

  private func addresses(of source: String) -> [String] {
    source == "feed"
      ? FeedNetwork.documents.map { address(of: "\(source)/\($0)") } : [address(of: source)]
  }

  /// The requests so far.
  package var counters: Counters { service.counters }
}

/// The simulator's own thread, so that tests which block shared threads do not stop it.
///
/// One, because FlyingSocks resumes a waiting task before it takes the descriptor off epoll: on
/// another thread the task could close it first, and the next connection of that number would hang.
final class SimulatorExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "searchagg-sim")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
