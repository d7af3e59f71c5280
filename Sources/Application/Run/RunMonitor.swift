internal import FoundationEssentials
internal import QueuedHTTP
internal import SafeFiles
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import Synchronization
internal import TextFormats

/// Watches the requests of a run: the numbers of each network and search for `--stats`, and what they wait
/// for right now.
final class RunMonitor: RequestObserver {
  /// The numbers of one network on one server, or of one search.
  struct Figures: Hashable, Sendable {
    var requests = 0
    var attempts = 0
    var fromCache = 0
    var failed = 0
    var bytesOnWire = 0
    var bytesDecoded = 0
    /// The time spent waiting before retries, and because a server asked for it; for a search also the
    /// time until its requests could start.
    var waited = Duration.zero
    var retries = 0
    /// The time of all requests, and of the longest.
    var time = Duration.zero
    var longest = Duration.zero
    /// The time until the first byte, of all requests.
    var firstByte = Duration.zero

    /// Counts a request that has ended.
    mutating func count(_ timings: Timings?, isFailed: Bool) {
      requests += 1
      if isFailed { failed += 1 }
      guard let timings else { return }
      attempts += timings.attempts
      fromCache += timings.fromCache ? 1 : 0
      bytesOnWire += timings.bytesOnWire
      bytesDecoded += timings.bytesDecoded
      time += timings.total
      firstByte += timings.firstByte
      longest = max(longest, timings.total)
    }

    mutating func count(retryAfter wait: Duration) {
      retries += 1
      waited += wait
    }
  }

  /// Identifies a search across plans: each round of a watch has its own plan.
  private struct SearchName: Hashable, Sendable {
    let tag: String
    let isRaw: Bool
    let source: SourceName
    let server: ServerAddress?

    init(_ search: Search) {
      (tag, isRaw) = (search.query.text, search.query.isRaw)
      (source, server) = (search.source.name, search.server)
    }

    init(_ outcome: SearchOutcome) {
      (tag, isRaw, source, server) = (outcome.tag, outcome.isRaw, outcome.source, outcome.server)
    }
  }

  private struct State: Sendable {
    var figures: [Lane: Figures] = [:]
    /// The numbers of each search.
    var searches: [SearchName: Figures] = [:]
    /// The searches that wait for a request.
    var asking: [UInt64: [SearchName]] = [:]
    /// Requests without a connection, and since when.
    var connecting: [UInt64: (lane: Lane, since: ContinuousClock.Instant)] = [:]
    /// Requests whose latest attempt has no response, and since when.
    var running: [UInt64: (lane: Lane, since: ContinuousClock.Instant)] = [:]
    /// Requests that wait for another attempt, and until when.
    var retrying: [UInt64: (lane: Lane, until: ContinuousClock.Instant)] = [:]
  }

  /// A connection that takes longer is reported.
  private static let usualConnect = Duration.seconds(1)
  /// A server that takes longer to answer is named.
  private static let usualAnswer = Duration.seconds(2)

  private let state = Mutex(State())

  func queued(_ request: ObservedRequest) {
    let asking = SearchEngine.asking.map(SearchName.init)
    guard !asking.isEmpty else { return }
    state.withLock { $0.asking[request.id] = asking }
  }

  func started(_ request: ObservedRequest, attempt: Int) {
    state.withLock { state in
      state.retrying[request.id] = nil
      state.connecting[request.id] = (request.lane, .now)
      state.running[request.id] = (request.lane, .now)
    }
  }

  func connected(_ request: ObservedRequest, to remoteAddress: String, isReused: Bool) {
    state.withLock { $0.connecting[request.id] = nil }
  }

  func retried(
    _ request: ObservedRequest, after wait: Duration,
    because result: Result<HTTPResponse, HTTPError>
  ) {
    state.withLock { state in
      state.connecting[request.id] = nil
      state.running[request.id] = nil
      state.retrying[request.id] = (request.lane, .now + wait)
      state.figures[request.lane, default: Figures()].count(retryAfter: wait)
      for search in state.asking[request.id] ?? [] {
        state.searches[search, default: Figures()].count(retryAfter: wait)
      }
    }
  }

  func cooledDown(_ lane: Lane, for wait: Duration) {
    state.withLock { $0.figures[lane, default: Figures()].waited += wait }
  }

  func finished(_ request: ObservedRequest, with result: Result<HTTPResponse, HTTPError>) {
    let timings: Timings?
    let isFailed: Bool
    switch result {
    case .success(let response):
      timings = response.timings
      isFailed = response.status >= 400
    case .failure(let error):
      timings = error.timings
      isFailed = true
    }
    state.withLock { state in
      state.connecting[request.id] = nil
      state.running[request.id] = nil
      state.retrying[request.id] = nil
      state.figures[request.lane, default: Figures()].count(timings, isFailed: isFailed)
      for search in state.asking.removeValue(forKey: request.id) ?? [] {
        state.searches[search, default: Figures()].count(timings, isFailed: isFailed)
        state.searches[search]?.waited += timings?.queued ?? .zero
      }
    }
  }

  /// The reasons why requests wait: `reddit retries in 2 s`, `waiting for mastodon.social 4 s`,
  /// `lemmy is connecting`.
  func waits(at now: ContinuousClock.Instant = .now) -> [String] {
    let (connecting, running, retrying) = state.withLock {
      ($0.connecting, $0.running, $0.retrying)
    }
    var lines: [String] = []
    for (_, wait) in retrying.sorted(by: { $0.value.until < $1.value.until })
    where wait.until > now {
      let seconds = ((wait.until - now) / .seconds(1)).rounded(.up)
      lines.append("\(wait.lane.source) retries in \(Int(seconds)) s")
    }
    var named: Set<String> = []
    for (_, attempt) in running.sorted(by: { $0.value.since < $1.value.since })
    where now - attempt.since >= Self.usualAnswer {
      let host = Self.host(of: attempt.lane)
      guard named.insert(host).inserted else { continue }
      lines.append(
        "waiting for \(host) \(Duration.seconds((now - attempt.since).components.seconds).inWords)")
    }
    for (_, attempt) in connecting.sorted(by: { $0.value.since < $1.value.since })
    where now - attempt.since > Self.usualConnect && now - attempt.since < Self.usualAnswer {
      lines.append("\(attempt.lane.source) is connecting")
    }
    var seen: Set<String> = []
    return lines.filter { seen.insert($0).inserted }
  }

  /// The host of the server of a lane, or else its address.
  private static func host(of lane: Lane) -> String {
    let address = lane.server
    return ServerAddress(address)?.host ?? ServerAddress.whole(address)?.host ?? address
  }

  /// The figures of each network and server, in order of their names.
  private var all: [(source: String, server: String, figures: Figures)] {
    state.withLock { $0.figures }
      .map { lane, figures in (lane.source, lane.server, figures) }
      .sorted { ($0.source, $0.server) < ($1.source, $1.server) }
  }

  /// The figures of searches, in their order.
  private func figures(of outcomes: [SearchOutcome]) -> [(SearchOutcome, Figures)] {
    let searches = state.withLock { $0.searches }
    return outcomes.map { ($0, searches[SearchName($0)] ?? Figures()) }
  }

  /// The lines of `--stats`: a table of networks and one of searches.
  func table(_ outcomes: [SearchOutcome]) -> String {
    let networks = all
    let searches = figures(of: outcomes)
    let above = TextTable(
      columns: [["NETWORK"] + networks.map(\.source)] + Self.columns(networks.map(\.figures))
        + [["SERVER"] + networks.map(\.server)])
    let below = TextTable(
      columns: [["NETWORK"] + searches.map(\.0.source.rawValue)]
        + Self.columns(searches.map(\.1)) + [
          ["PAGES"] + searches.map { $0.0.pages.map(String.init) ?? "" },
          ["POSTS"] + searches.map { $0.0.posts.map(String.init) ?? "" },
          ["TAG"] + searches.map { ControlCodes.strippedToLine($0.0.tag) },
        ])
    return above.text + "\n" + below.text
  }

  /// The columns that both tables have.
  private static func columns(_ figures: [Figures]) -> [[String]] {
    // Columns of nothing but zeros are left out.
    func some(_ number: Int) -> String { number == 0 ? "" : String(number) }
    return [
      ["REQUESTS"] + figures.map { String($0.requests) },
      ["RETRIES"] + figures.map { some($0.retries) },
      ["FAILED"] + figures.map { some($0.failed) },
      ["CACHED"] + figures.map { some($0.fromCache) },
      ["KB"] + figures.map { String(($0.bytesOnWire + 999) / 1000) },
      ["WAITED"] + figures.map { $0.waited == .zero ? "" : $0.waited.inWords },
      ["MEAN"] + figures.map { ($0.time / max($0.requests, 1)).inWords },
      ["LONGEST"] + figures.map(\.longest.inWords),
    ]
  }

  /// The file of `--stats-file`; times are in milliseconds.
  ///
  /// A response that several searches read counts for each of them, and once for its network.
  func json(_ outcomes: [SearchOutcome], took: Duration) -> JSONValue {
    .members([
      "took_ms": Self.milliseconds(took),
      "networks": .array(
        all.map { source, server, figures in
          .object(
            [
              JSONMember("source", .string(source)), JSONMember("server", .string(server)),
            ] + Self.members(figures))
        }),
      "searches": .array(
        figures(of: outcomes).map { outcome, figures in
          var members = [
            JSONMember("tag", .string(outcome.tag)),
            JSONMember("source", .string(outcome.source.rawValue)),
          ]
          if let server = outcome.server {
            members.append(JSONMember("server", .string(server.text)))
          }
          if let pages = outcome.pages { members.append(JSONMember("pages", .integer(pages))) }
          if let posts = outcome.posts { members.append(JSONMember("posts", .integer(posts))) }
          return .object(members + Self.members(figures))
        }),
    ])
  }

  private static func members(_ figures: Figures) -> [JSONMember] {
    [
      JSONMember("requests", .integer(figures.requests)),
      JSONMember("attempts", .integer(figures.attempts)),
      JSONMember("retries", .integer(figures.retries)),
      JSONMember("failed", .integer(figures.failed)),
      JSONMember("from_cache", .integer(figures.fromCache)),
      JSONMember("bytes_on_wire", .integer(figures.bytesOnWire)),
      JSONMember("bytes_decoded", .integer(figures.bytesDecoded)),
      JSONMember("waited_ms", milliseconds(figures.waited)),
      JSONMember("time_ms", milliseconds(figures.time)),
      JSONMember("first_byte_ms", milliseconds(figures.firstByte)),
      JSONMember("longest_ms", milliseconds(figures.longest)),
    ]
  }

  private static func milliseconds(_ duration: Duration) -> JSONValue {
    .integer(Int((duration / .milliseconds(1)).rounded()))
  }

  /// Writes the numbers of requests, bytes, waits and times where they are wanted.
  func report(
    _ outcomes: [SearchOutcome], took: Duration, in settings: RunSettings,
    to surroundings: Surroundings
  ) throws {
    // If standard error cannot be written, there is nowhere else to report that.
    if settings.reports.showsStatistics {
      try? surroundings.errors.write(Array(table(outcomes).utf8))
    }
    guard let path = settings.reports.statisticsPath else { return }
    try naming(path) {
      var file = try FileReplacement(of: surroundings.absolutePath(path))
      try file.write(json(outcomes, took: took).visibleFileBytes)
      try file.commit(isSynced: false)
    }
  }
}
