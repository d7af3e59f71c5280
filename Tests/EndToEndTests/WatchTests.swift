import Foundation
import NetworkSimulator
import Synchronization
import TestSupport
import Testing

/// `searchagg watch`, with whole processes over networks that keep posting.
@Suite(.serialized) struct WatchTests {
  private static let arguments = [
    "watch", "#swift", "libcurl", "--every", "100ms", "--format", "ndjson", "--max-cost", "1000000",
  ]

  /// Watches while the networks keep posting, in four steps; returns what a run finds afterwards.
  private func watch(
    _ running: RunningProgram, _ pace: Pace, _ networks: Networks
  ) async throws {
    try await waitUntil("the first posts are there") { try running.output.printedPosts.count > 50 }
    for hours in [30.0, 20, 10, 0] {
      let before = try running.output.printedPosts.count
      pace.advance(to: hours)
      try await waitUntil("new posts are printed") {
        try running.output.printedPosts.count > before
      }
    }
    // Each search is asked once more.
    let requests = networks.simulator.counters.requests.count
    try await waitUntil("all are asked again") {
      networks.simulator.counters.requests.count > requests + 40
    }
  }

  /// Locks the history of a folder for writing, as another process would: byte 120 of the file beside it
  /// (https://sqlite.org/walformat.html#locks).
  private func lock(_ history: FileHandle) -> Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 120
    lock.l_len = 1
    return fcntl(history.fileDescriptor, F_SETLK, &lock) == 0
  }

  @Test func `A signal ends a watch that waits for another process`() async throws {
    let pace = Pace(hoursAgo: 40)
    try await Networks.with(written: { pace.written }) { networks in
      let folder = try Folder()
      let running = try Program.searchagg.start(
        Self.arguments, environment: networks.environment, in: folder)
      defer { if running.isRunning { running.send(SIGKILL) } }
      try await waitUntil("the first posts are there") {
        try running.output.printedPosts.count > 50
      }
      let history = URL(filePath: folder["state/searchagg/history.db-shm"])
      let file = try FileHandle(forUpdating: history)
      try await waitUntil("the history is locked") { lock(file) }
      let before = try running.output.printedPosts.count
      pace.advance(to: 0)
      // What was printed is remembered next, for which it has to wait. It prints nothing new where it waits
      // to remember the first posts already. The wait ends by itself after 30 s, so the signal is not held
      // back for more than a few of them.
      let deadline = ContinuousClock.now + .seconds(3)
      while ContinuousClock.now < deadline, try running.output.printedPosts.count == before {
        try await Task.sleep(for: .milliseconds(10))
      }
      let begin = ContinuousClock.now
      running.send(SIGTERM)
      let ended = try await running.ended()
      #expect(ended.signal == SIGTERM, "\(ended.errors)")
      #expect(ContinuousClock.now - begin < .seconds(25))
      try file.close()
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `Each post is printed once, and a signal ends the watch with the outcomes`(
    signal: Int32
  ) async throws {
    let pace = Pace(hoursAgo: 40)
    try await Networks.with(written: { pace.written }) { networks in
      let folder = try Folder()
      let running = try Program.searchagg.start(
        Self.arguments, environment: networks.environment, in: folder)
      // A test that fails leaves no watch behind.
      defer { if running.isRunning { running.send(SIGKILL) } }
      try await watch(running, pace, networks)
      running.send(signal)
      let ended = try await running.ended()
      #expect(ended.signal == signal)
      #expect(ended.errors.hasPrefix("searchagg: interrupted; the watch ends\n"))
      let printed = try ended.output.printedPosts
      #expect(Set(printed).count == printed.count)
      let outcomes = try #require(try ended.objects.last?["outcomes"] as? [[String: Any]])
      #expect(outcomes.count == 10)
      #expect(try ended.objects.count { $0["outcomes"] != nil } == 1)

      // A run afterwards finds the few that were written at the last moment, and none again.
      let later = try await Program.searchagg.run(
        ["run", "#swift", "libcurl", "--new", "--format", "ndjson"],
        environment: networks.environment, in: folder)
      #expect(later.status == 0, "\(later.errors)")
      let rest = try later.output.printedPosts
      #expect(Set(rest).isDisjoint(with: printed))
      #expect(rest.isEmpty, "\(rest)")
    }
  }

  @Test func `Posts follow one another from the oldest to the newest`() async throws {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["watch", "#swift", "--for", "100ms", "--format", "ndjson"],
        environment: networks.environment, in: Folder())
      #expect(ended.status == 0, "\(ended.errors)")
      // Each network is a round of its own.
      let posts = try ended.objects.filter { $0["created_at"] is String }
      #expect(posts.count > 50)
      for (source, posts) in Dictionary(grouping: posts, by: { $0["source"] as? String }) {
        let dates = posts.compactMap { $0["created_at"] as? String }
        #expect(dates == dates.sorted(), "\(source ?? "")")
      }
    }
  }

  @Test func `A server that never answers delays no other one, nor does a slow command`()
    async throws
  {
    let pace = Pace(hoursAgo: 40)
    try await Networks.with(written: { pace.written }) { networks in
      let folder = try Folder()
      // A request would wait for ten minutes, and each command does.
      let running = try Program.searchagg.start(
        Self.arguments + ["--notify-first", "--exec", "cat >> got; sleep 600"],
        environment: networks.environment(faults: ["mastodon": "~stall"]), in: folder)
      defer { if running.isRunning { running.send(SIGKILL) } }
      try await waitUntil("the first posts are there") {
        try running.output.printedPosts.count > 50
      }
      try await waitUntil("the command has them") {
        (try? folder.text(of: "got"))?.isEmpty == false
      }
      let before = try running.output.printedPosts.count
      pace.advance(to: 0)
      try await waitUntil("new posts are printed") {
        try running.output.printedPosts.count > before
      }
      running.send(SIGTERM)
      let ended = try await running.ended()
      #expect(ended.signal == SIGTERM)
      let printed = try ended.output.printedPosts
      #expect(Set(printed).count == printed.count)
      let outcomes = try #require(try ended.objects.last?["outcomes"] as? [[String: Any]])
      let stalled = outcomes.filter { $0["source"] as? String == "mastodon" }
      #expect(stalled.count == 2)
      #expect(stalled.allSatisfy { $0["outcome"] as? String == "cancelled" }, "\(stalled)")
    }
  }

  @Test func `A reader who leaves ends the watch quietly`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      // Nothing is new after the first round, so nothing is written to the closed pipe.
      let ended = try await Program(path: "/bin/sh").run(
        [
          "-c",
          "{ \(Program.searchagg.path) watch '#swift' --every 1h --format plain; echo $? >&2; }"
            + " | head -n 1",
        ], environment: networks.environment, in: folder)
      #expect(ended.lines.count == 1)
      #expect(ended.errors == "0\n")
    }
  }

  @Test func `An output that cannot be written ends the watch, and stays new`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let full = try await Program(path: "/bin/sh").run(
        ["-c", "exec \(Program.searchagg.path) watch '#swift' --format plain > /dev/full"],
        environment: networks.environment, in: folder)
      #expect(full.status == 74)
      #expect(full.errors.contains("No space left"))
      let later = try await Program.searchagg.run(
        ["run", "#swift", "--new", "--format", "plain"], environment: networks.environment,
        in: folder)
      #expect(later.lines.count > 50)
    }
  }

  @Test func `A hangup reloads tags, and a bad file keeps the old ones`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      try folder.write(#"{"tags": ["swift"]}"#, to: "tags.json")
      let running = try Program.searchagg.start(
        ["watch", "--every", "100ms", "--format", "ndjson", "--source", "hackernews"],
        environment: networks.environment, in: folder)
      defer { if running.isRunning { running.send(SIGKILL) } }
      try await waitUntil("the first tag is there") { try running.output.contains("[\"swift\"]") }
      try folder.write("{", to: "tags.json")
      running.send(SIGHUP)
      try await waitUntil("the bad file is told") { try running.errors.contains("tags.json") }
      try folder.write(#"{"tags": ["swift", "rust"]}"#, to: "tags.json")
      running.send(SIGHUP)
      try await waitUntil("the second tag is there") { try running.output.contains("[\"rust\"]") }
      running.send(SIGTERM)
      let ended = try await running.ended()
      let lines = ended.errors.split(separator: "\n").filter { $0.contains("reloaded") }
      try #require(lines.count == 2, "\(ended.errors)")
      #expect(lines[0].hasPrefix("searchagg: not reloaded; keeping the old settings: ./tags.json"))
      #expect(lines[1] == "searchagg: reloaded: 2 tags")
      let outcomes = try #require(try ended.objects.last?["outcomes"] as? [[String: Any]])
      #expect(outcomes.compactMap { $0["tag"] as? String } == ["swift", "rust"])
    }
  }

  @Test func `A hangup before the tags are read ends no watch`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      #expect(mkfifo(folder["queries"], 0o600) == 0)
      let running = try Program(path: "/bin/sh").start(
        ["-c", "exec \(Program.searchagg.path) watch - --source hackernews < queries"],
        environment: networks.environment, in: folder)
      defer { if running.isRunning { running.send(SIGKILL) } }
      let queries = try FileHandle(forWritingTo: URL(filePath: folder["queries"]))
      let status = "/proc/\(running.identifier)/status"
      try await waitUntil("the signal is caught") {
        let caught = try String(contentsOfFile: status, encoding: .utf8)
          .firstMatch(of: /SigCgt:\s*([0-9a-f]+)/)
        return caught.flatMap { UInt64($0.1, radix: 16) }.map { $0 & 1 == 1 } ?? false
      }
      running.send(SIGHUP)
      try queries.write(contentsOf: Data("swift\n".utf8))
      try queries.close()
      try await waitUntil("posts are there") { try running.output.contains("hackernews") }
      running.send(SIGTERM)
      #expect(try await running.ended().signal == SIGTERM)
    }
  }

  @Test(arguments: ["/dev/stdout", "/dev/full"])
  func `A bound on costs holds for a watch that is started again`(output: String) async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let arguments = [
        "watch", "plenty", "--source", "x", "--every", "100ms", "--for", "500ms", "--max-cost",
        "x=100", "--format", "ndjson",
      ]
      let command = "exec \(Program.searchagg.path) \(arguments.joined(separator: " ")) > \(output)"
      let first = try await Program(path: "/bin/sh").run(
        ["-c", command], environment: networks.environment, in: folder)
      // What was paid for counts, even if it could not be printed.
      #expect((first.status == 74) == (output == "/dev/full"), "\(first.errors)")
      let asked = networks.simulator.counters.requests.count
      #expect(asked > 0)
      let second = try await Program.searchagg.run(
        arguments, environment: networks.environment, in: folder)
      #expect(second.errors.contains("(see: --max-cost)"), "\(second.errors)")
      #expect(networks.simulator.counters.requests.count == asked)
    }
  }

  @Test func `A command that has failed is not run again once the watch is over`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let ended = try await Program.searchagg.run(
        [
          "watch", "#swift", "--source", "hackernews,lobsters", "--every", "100ms", "--for",
          "500ms", "--notify-first", "--exec", "echo >> starts; sleep 2; exit 3",
        ], environment: networks.environment, in: folder)
      #expect(ended.status == 2, "\(ended.errors)")
      #expect(try folder.text(of: "starts") == "\n")
    }
  }

  @Test func `A network that comes back is told, and nothing is lost meanwhile`() async throws {
    let pace = Pace(hoursAgo: 40)
    try await Networks.with(written: { pace.written }) { networks in
      let folder = try Folder()
      var environment = networks.environment
      environment["SEARCHAGG_SOURCE"] = "hackernews"
      environment["SEARCHAGG_HACKERNEWS_URL"] = networks.simulator.address(
        of: "hackernews", fault: "~sometimes=reset:60")
      let running = try Program.searchagg.start(
        ["watch", "#swift", "--every", "100ms", "--format", "ndjson", "--retries", "0"],
        environment: environment, in: folder)
      defer { if running.isRunning { running.send(SIGKILL) } }
      try await waitUntil("a failure is told") { try running.errors.contains("hackernews") }
      try await waitUntil("its end is told") {
        try running.errors.contains("1 search works again")
      }
      pace.advance(to: 0)
      let before = try running.output.count
      try await waitUntil("new posts arrive") { try running.output.count > before }
      running.send(SIGTERM)
      let printed = try await running.ended().output.printedPosts
      #expect(Set(printed).count == printed.count)
    }
  }

  @Test func `A watch appends to its file, and ends with the status of its searches`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      try folder.write("before\n", to: "out")
      let ended = try await Program.searchagg.run(
        [
          "watch", "#swift", "--for", "100ms", "--format", "plain", "-o", "out", "--source",
          "hackernews,x", "--retries", "0",
        ], environment: networks.environment(faults: ["x": "~status=404"]), in: folder)
      #expect(ended.status == 2, "\(ended.errors)")
      #expect(ended.output == "")
      let lines = try folder.text(of: "out").split(separator: "\n")
      #expect(lines.first == "before")
      #expect(lines.count > 10)
    }
  }

  @Test func `A watch without a state is refused`() async throws {
    let folder = try Folder()
    let ended = try await Program.searchagg.run(
      ["watch", "a"], environment: ["SEARCHAGG_NO_STATE": "true"], in: folder)
    #expect(ended.status == 64)
    try FileManager.default.createDirectory(
      atPath: folder["state.db"], withIntermediateDirectories: true)
    let broken = try await Program.searchagg.run(
      ["watch", "a", "--state", "state.db", "--source", "hackernews"], in: folder)
    #expect(broken.status == 74)
    #expect(broken.errors.contains("state.db"))
  }
}

/// How far networks have come, in hours before the moment that the tests call now.
final class Pace: Sendable {
  private let hours: Mutex<Double>

  init(hoursAgo: Double) { hours = Mutex(hoursAgo) }

  func advance(to hoursAgo: Double) { hours.withLock { $0 = hoursAgo } }

  var written: Date? {
    let hours = hours.withLock { $0 }
    return (try? Date(Networks.now, strategy: .iso8601))?.addingTimeInterval(hours * -3600)
  }
}
