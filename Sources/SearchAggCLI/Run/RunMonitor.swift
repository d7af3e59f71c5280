internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchEngine
internal import SearchModel
internal import Synchronization
internal import TextFormats

/// Watches the requests of a run: their numbers for `--stats`, and what they wait for right now.
final class RunMonitor: RequestObserver {
  /// The numbers of one network on one server.
  struct Figures: Hashable, Sendable {
    var requests = 0
    var attempts = 0
    var fromCache = 0
    var failed = 0
    var bytesOnWire = 0
    var bytesDecoded = 0
    /// The time spent waiting before retries, and because a server asked for it.
    var waited = Duration.zero
    var retries = 0
    /// The time of all requests, and of the longest.
    var time = Duration.zero
    var longest = Duration.zero
    /// The time until the first byte, of all requests.
    var firstByte = Duration.zero
  }

  private struct State: Sendable {
    var figures: [Lane: Figures] = [:]
    /// Requests without a connection yet, since when.
    var connecting: [UInt64: (lane: Lane, since: ContinuousClock.Instant)] = [:]
    /// Requests that wait for another attempt, until when.
    var retrying: [UInt64: (lane: Lane, until: ContinuousClock.Instant)] = [:]
  }

  /// A connection that takes longer is worth a word.
  private static let usualConnect = Duration.seconds(1)

  private let state = Mutex(State())

  func started(_ request: ObservedRequest, attempt: Int) {
    state.withLock { state in
      state.retrying[request.id] = nil
      state.connecting[request.id] = (request.lane, .now)
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
      state.retrying[request.id] = (request.lane, .now + wait)
      state.figures[request.lane, default: Figures()].retries += 1
      state.figures[request.lane, default: Figures()].waited += wait
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
      state.retrying[request.id] = nil
      var figures = state.figures[request.lane, default: Figures()]
      figures.requests += 1
      if isFailed { figures.failed += 1 }
      if let timings {
        figures.attempts += timings.attempts
        figures.fromCache += timings.fromCache ? 1 : 0
        figures.bytesOnWire += timings.bytesOnWire
        figures.bytesDecoded += timings.bytesDecoded
        figures.time += timings.total
        figures.firstByte += timings.firstByte
        figures.longest = max(figures.longest, timings.total)
      }
      state.figures[request.lane] = figures
    }
  }

  /// What requests wait for at this moment: `reddit retries in 2 s`, `x.example: connecting`.
  var waits: [String] {
    let (connecting, retrying) = state.withLock { ($0.connecting, $0.retrying) }
    let now = ContinuousClock.now
    var lines: [String] = []
    for (_, wait) in retrying.sorted(by: { $0.value.until < $1.value.until })
    where wait.until > now {
      let seconds = ((wait.until - now) / .seconds(1)).rounded(.up)
      lines.append("\(Self.source(of: wait.lane)) retries in \(Int(seconds)) s")
    }
    for (_, attempt) in connecting.sorted(by: { $0.value.since < $1.value.since })
    where now - attempt.since > Self.usualConnect {
      lines.append("\(Self.source(of: attempt.lane)) is connecting")
    }
    var seen: Set<String> = []
    return lines.filter { seen.insert($0).inserted }
  }

  private static func source(of lane: Lane) -> String {
    String(lane.rawValue.prefix { $0 != " " })
  }

  /// The figures of each network and server, in order of their names.
  private var all: [(source: String, server: String, figures: Figures)] {
    state.withLock { $0.figures }
      .map { lane, figures in
        let source = Self.source(of: lane)
        return (source, String(lane.rawValue.dropFirst(source.count + 1)), figures)
      }
      .sorted { ($0.source, $0.server) < ($1.source, $1.server) }
  }

  /// The lines of `--stats`: a table of networks and one of searches.
  func table(_ outcomes: [SearchOutcome]) -> String {
    let all = all
    let networks = TextTable(columns: [
      ["NETWORK"] + all.map(\.source),
      ["REQUESTS"] + all.map { String($0.figures.requests) },
      ["RETRIES"] + all.map { String($0.figures.retries) },
      ["FAILED"] + all.map { String($0.figures.failed) },
      ["CACHED"] + all.map { String($0.figures.fromCache) },
      ["KB"] + all.map { String(($0.figures.bytesOnWire + 999) / 1000) },
      ["WAITED"] + all.map { $0.figures.waited.inWords },
      ["MEAN"] + all.map { ($0.figures.time / max($0.figures.requests, 1)).inWords },
      ["LONGEST"] + all.map { $0.figures.longest.inWords },
      ["SERVER"] + all.map(\.server),
    ])
    let searches = TextTable(columns: [
      ["NETWORK"] + outcomes.map(\.source.rawValue),
      ["PAGES"] + outcomes.map { $0.pages.map(String.init) ?? "" },
      ["POSTS"] + outcomes.map { $0.posts.map(String.init) ?? "" },
      ["TAG"] + outcomes.map { ControlCodes.strippedToLine($0.tag) },
    ])
    return networks.text + "\n" + searches.text
  }

  /// The file of `--stats-file`; times are in milliseconds.
  func json(_ outcomes: [SearchOutcome], took: Duration) -> JSONValue {
    func milliseconds(_ duration: Duration) -> JSONValue {
      .integer(Int((duration / .milliseconds(1)).rounded()))
    }
    return .members([
      "took_ms": milliseconds(took),
      "networks": .array(
        all.map { source, server, figures in
          .members([
            "source": .string(source), "server": .string(server),
            "requests": .integer(figures.requests), "attempts": .integer(figures.attempts),
            "retries": .integer(figures.retries), "failed": .integer(figures.failed),
            "from_cache": .integer(figures.fromCache),
            "bytes_on_wire": .integer(figures.bytesOnWire),
            "bytes_decoded": .integer(figures.bytesDecoded),
            "waited_ms": milliseconds(figures.waited), "time_ms": milliseconds(figures.time),
            "first_byte_ms": milliseconds(figures.firstByte),
            "longest_ms": milliseconds(figures.longest),
          ])
        }),
      "searches": .array(
        outcomes.map { outcome in
          .members([
            "tag": .string(outcome.tag), "source": .string(outcome.source.rawValue),
            "server": (outcome.server?.text).map(JSONValue.string),
            "pages": outcome.pages.map { .integer($0) },
            "posts": outcome.posts.map { .integer($0) },
          ])
        }),
    ])
  }
}
