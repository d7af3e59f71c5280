import Foundation
import Synchronization
import TestSupport
import Testing

/// Watches of several processes on one shared state, of which some are killed, stopped or cut off at random
/// moments, and whose server crashes now and then.
@Suite(.serialized, .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct SharedWatchFaultTests {
  /// The number of faults: few in each run of the tests, many where there is time.
  private static let faults =
    ProcessInfo.processInfo.environment["WORKER_FAULTS"].flatMap { Int($0) } ?? 10
  private static let workers = 4
  private static let tags = (0..<4).map { "tag\($0)" }

  /// A fault of those that machines and networks have.
  private enum Fault: CaseIterable {
    case kill, freeze, cut, crash
  }

  private let folder: Folder
  private let postgres: PostgresServer
  private let address: String

  init() async throws {
    (folder, postgres) = (try Folder(), try PostgresServer())
    address = try postgres.database()
    let made = try await Program.searchagg.run(["state", "init", "--state", address], in: folder)
    try #require(made.status == 0, "\(made.errors)")
  }

  private func start(_ networks: [TickingNetwork]) throws -> RunningProgram {
    try Program.searchagg.start(
      ["watch"] + Self.tags + [
        "--source", networks.indices.map { "net\($0)" }.joined(separator: ","), "--every", "300ms",
        "--format", "ndjson", "--lease", "2s", "--state", address, "--notify-first", "--exec",
        "cat >> \(folder["taken"])", "--quiet",
      ], environment: ["SEARCHAGG_NO_HISTORY": "false"], in: folder)
  }

  /// The posts that the receiver was given, in order; the first part of a line that was cut is none.
  private func taken() throws -> [(tag: String, number: Int)] {
    guard FileManager.default.fileExists(atPath: folder["taken"]) else { return [] }
    return try folder.text(of: "taken").matches(of: /"id":"([a-z0-9]+)-([0-9]+)"/).compactMap {
      match in Int(match.2).map { (String(match.1), $0) }
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `Nothing is lost, every post is marked once, and no network is asked too often`()
    async throws
  {
    let networks = try (0..<2).map { try TickingNetwork(number: $0) }
    defer { for network in networks { network.server.stop() } }
    let sources = networks.enumerated().map { "\"net\($0)\": \($1.declaration)" }
    try folder.write(
      "{\"sources\": {\(sources.joined(separator: ","))}}", to: "config/searchagg/config.json")
    var workers = try (0..<Self.workers).map { _ in try start(networks) }
    defer { for worker in workers where worker.isRunning { worker.send(SIGKILL) } }
    var random = SeededRandom(seed: 24)
    var allowed = 0
    var counts: [Fault: Int] = [:]
    for number in 0..<Self.faults {
      try await Task.sleep(for: .milliseconds(Int.random(in: 100...700, using: &random)))
      // Most of them are killed.
      let fault: Fault =
        number % 10 == 9 ? .crash : number % 5 == 4 ? .cut : number % 5 == 2 ? .freeze : .kill
      counts[fault, default: 0] += 1
      let place = Int.random(in: 0..<Self.workers, using: &random)
      switch fault {
      case .kill:
        workers[place].send(SIGKILL)
        _ = try await workers[place].ended()
        workers[place] = try start(networks)
      case .freeze:
        allowed += 1
        workers[place].send(SIGSTOP)
        // Past its lease.
        try await Task.sleep(for: .milliseconds(Int.random(in: 2100...2600, using: &random)))
        workers[place].send(SIGCONT)
      case .cut:
        allowed += 1
        _ = try? postgres.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """, in: address)
      case .crash: try postgres.restart()
      }
    }
    let last = networks.map { $0.stop() }
    let expected = Set(
      networks.indices.flatMap { net in
        Self.tags.flatMap { tag in (0...last[net]).map { "\(tag)n\(net)-\($0)" } }
      })
    func missing() throws -> Set<String> {
      expected.subtracting(try taken().map { "\($0.tag)-\($0.number)" })
    }
    let end = ContinuousClock.now + .seconds(90)
    while try !missing().isEmpty, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(try missing().sorted().prefix(5) == [])
    var errors = ""
    for worker in workers { worker.send(SIGTERM) }
    for worker in workers { errors += try await worker.ended().errors }

    // In order: whatever came before has come at least once.
    var newest: [String: Int] = [:]
    var repeats = 0
    for (tag, number) in try taken() {
      let before = newest[tag] ?? -1
      #expect(number <= before + 1, "\(tag): \(number) after \(before)")
      if number <= before { repeats += 1 }
      newest[tag] = max(before, number)
    }
    #expect(
      try postgres.query(
        """
        SELECT count(*), count(DISTINCT post), count(*) FILTER (WHERE printed) FROM searchagg.mark
        """, in: address) == "\(expected.count)|\(expected.count)|\(expected.count)\n")
    for network in networks {
      let (most, total) = network.busiest
      print("\(most) of \(TickingNetwork.requests) requests in a window, \(total) in all")
      #expect(most <= TickingNetwork.requests + allowed)
      #expect(total > 20, "\(errors)")
    }
    print("\(expected.count) posts, \(repeats) passed on again, faults: \(counts)")
    try postgres.stop()
  }
}

/// A network whose tags get a post now and then, and that remembers when it was asked.
private final class TickingNetwork: Sendable {
  static let requests = 20
  private static let span = Duration.seconds(4)
  /// Seconds between two posts of a tag.
  private static let pace = 0.7

  private final class State: Sendable {
    let begin = ContinuousClock.now
    let moments = Mutex<[ContinuousClock.Instant]>([])
    /// The number of the last post; nil while there are more to come.
    let end = Mutex<Int?>(nil)

    var last: Int {
      end.withLock { $0 } ?? Int((ContinuousClock.now - begin) / .seconds(1) / TickingNetwork.pace)
    }
  }

  private let state: State
  let server: RecordingServer

  init(number: Int) throws {
    let state = State()
    self.state = state
    let begin = Date.now
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    server = try RecordingServer { path in
      state.moments.withLock { $0.append(ContinuousClock.now) }
      let tag = path.split(separator: "=").last.map(String.init) ?? ""
      let posts = (0...state.last).reversed().map { post in
        #"{"id":"\#(tag)n\#(number)-\#(post)","link":"http://a\#(number).example/\#(tag)/\#(post)","#
          + #""title":"about \#(tag)","user":"amy","#
          + #""date":"\#(style.format(begin + Self.pace * Double(post)))"}"#
      }
      return (200, #"{"results":[\#(posts.joined(separator: ","))]}"#)
    }
  }

  /// Lets no post follow; returns the number of the last one.
  func stop() -> Int {
    let last = state.last
    state.end.withLock { $0 = last }
    return last
  }

  var declaration: String {
    """
    {"kind": "json", "url": "\(server.address)/search?q={words}", "items": "results",
     "fields": {"id": "id", "url": "link", "title": "title", "author": "user", "created_at": "date"},
     "newest_first": true, "pace": {"requests": \(Self.requests), "seconds": 4}}
    """
  }

  /// The most requests in a window, and those in all.
  var busiest: (most: Int, total: Int) {
    let moments = state.moments.withLock { $0 }
    let most = moments.map { first in
      moments.count { $0 >= first && $0 < first + Self.span }
    }.max()
    return (most ?? 0, moments.count)
  }
}
