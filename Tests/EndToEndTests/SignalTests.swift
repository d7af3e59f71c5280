import Foundation
import NetworkSimulator
import TestSupport
import Testing

@Suite(.serialized) struct SignalTests {
  /// Ten thousand tags on one source that answers and one that never does.
  private func startLongRun(
    _ networks: Networks, in folder: Folder, environment extra: [String: String] = [:]
  ) async throws -> RunningProgram {
    let tags = (0..<10_000).map { "\"#tag\($0)\"" }.joined(separator: ",")
    try folder.write(#"{"tags": [\#(tags)]}"#, to: "tags.json")
    let environment = networks.environment(faults: ["x": "~stall"]).merging(extra) { $1 }
    let running = try Program.searchagg.start(
      [
        "run", "--source", "hackernews,x", "--format", "ndjson", "--jobs", "512", "--per-host",
        "256", "--timeout", "10m", "--max-cost", "1000000000",
      ], environment: environment, in: folder)
    try await waitUntil("256 requests are stalled, and others are answered") {
      let requests = networks.simulator.counters.requests
      return requests.count { $0.source == "x" } >= 256
        && requests.count { $0.source != "x" } >= 300
    }
    return running
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `A signal prints what has arrived, and then ends the process`(signal: Int32) async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let running = try await startLongRun(networks, in: folder)
      running.send(signal)
      let ended = try await running.ended()
      #expect(ended.signal == signal)
      let objects = try ended.objects
      let last = try #require(objects.last)
      #expect(last["incomplete"] as? Bool == true)
      let outcomes = try #require(last["outcomes"] as? [[String: Any]])
      #expect(outcomes.count == 20_000)
      let kinds = Dictionary(grouping: outcomes) { $0["outcome"] as? String ?? "" }
        .mapValues(\.count)
      #expect(Set(kinds.keys) == ["completed", "cancelled"])
      #expect(kinds["completed", default: 0] > 0)
      #expect(
        outcomes.allSatisfy {
          $0["source"] as? String != "x" || $0["outcome"] as? String == "cancelled"
        })
      #expect(objects.count > 1)
      #expect(ended.errors.contains("interrupted"))
    }
  }

  // The second signal, which ends every process, is not sent.
  @Test(arguments: ["pipe without a reader", "full pipe"])
  func `A signal ends a run whose output nobody reads`(kind: String) async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      #expect(mkfifo(folder["out"], 0o600) == 0)
      let reader = kind == "full pipe" ? open(folder["out"], O_RDONLY | O_NONBLOCK) : -1
      defer { if reader >= 0 { close(reader) } }
      let running = try Program.searchagg.start(
        [
          "run", "plenty900", "--source", "hackernews", "--per-search", "900", "--format", "ndjson",
          "-o", "out",
        ], environment: networks.environment, in: folder)
      try await waitUntil("the network is asked") {
        !networks.simulator.counters.requests.isEmpty
      }
      // Until it writes.
      try await Task.sleep(for: .seconds(2))
      running.send(SIGTERM)
      let ended = try await running.ended()
      #expect(ended.signal == SIGTERM, "\(ended.errors)")
      #expect(ended.errors.contains("interrupted"))
    }
  }

  @Test func `After a signal a slow reader still gets everything`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      #expect(mkfifo(folder["out"], 0o600) == 0)
      let reader = open(folder["out"], O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      let running = try Program.searchagg.start(
        [
          "run", "plenty900", "--source", "hackernews", "--per-search", "900", "--format", "ndjson",
          "-o", "out",
        ], environment: networks.environment, in: folder)
      var output: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 1 << 16)
      func take(_ most: Int) -> Int {
        let count = read(reader, &part, most)
        if count > 0 { output += part[..<count] }
        return count
      }
      try await waitUntil("it writes") { take(1) == 1 }
      running.send(SIGTERM)
      // Longer than the patience for one that reads nothing.
      for _ in 0..<50 {
        _ = take(300)
        try await Task.sleep(for: .milliseconds(100))
      }
      try await waitUntil("it has written all") { take(part.count) == 0 }
      let ended = try await running.ended()
      #expect(ended.signal == SIGTERM, "\(ended.errors)")
      let last = String(decoding: output, as: UTF8.self).split(separator: "\n").last ?? ""
      #expect(last.hasPrefix(#"{"outcomes":"#), "\(last.prefix(100))")
    }
  }

  @Test func `A hangup ends a run as the other signals do`() async throws {
    try await Networks.with { networks in
      let running = try await startLongRun(networks, in: try Folder())
      running.send(SIGHUP)
      let ended = try await running.ended()
      #expect(ended.signal == SIGHUP && ended.errors.contains("interrupted"))
      #expect(try ended.objects.last?["incomplete"] as? Bool == true)
    }
  }

  @Test func `After a signal no post is kept, and a run that goes on to its end keeps all`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      var environment = networks.environment(faults: ["x": "~stall"])
      environment["SEARCHAGG_NO_HISTORY"] = "false"
      func kept() async throws -> Int {
        let list = try await Program.searchagg.run(
          ["history", "list", "--format", "ndjson", "--posts-only"], environment: environment,
          in: folder)
        return list.output.split(separator: "\n").count
      }
      let running = try Program.searchagg.start(
        ["run", "#swift", "--source", "hackernews,x", "--format", "ndjson"],
        environment: environment, in: folder)
      try await waitUntil("both are asked") {
        let asked = Set(networks.simulator.counters.requests.map(\.source))
        return asked.isSuperset(of: ["x", "hackernews"])
      }
      running.send(SIGINT)
      #expect(try await running.ended().signal == SIGINT)
      #expect(try await kept() == 0)
      let whole = try await Program.searchagg.run(
        ["run", "#swift", "--source", "hackernews", "--format", "ndjson", "--posts-only"],
        environment: environment, in: folder)
      let printed = whole.output.split(separator: "\n").count
      #expect(printed > 0)
      #expect(try await kept() == printed)
    }
  }

  @Test func `A name lookup that hangs does not delay a signal`() async throws {
    let folder = try Folder()
    let library = try await folder.compile(
      """
      #include <fcntl.h>
      #include <netdb.h>
      #include <stdlib.h>
      #include <unistd.h>
      int getaddrinfo(const char *n, const char *s, const struct addrinfo *h, struct addrinfo **r) {
        close(creat(getenv("HANGS"), 0600));
        sleep(600);
        return EAI_FAIL;
      }
      """, to: "hang.so")
    let running = try Program.searchagg.start(
      ["run", "a", "--source", "hackernews", "--format", "ndjson", "--timeout", "10m"],
      environment: [
        "SEARCHAGG_HACKERNEWS_URL": "http://name.that.hangs.invalid", "LD_PRELOAD": library,
        "HANGS": "\(folder.path)/hangs",
      ], in: folder)
    try await waitUntil("the lookup hangs") {
      FileManager.default.fileExists(atPath: "\(folder.path)/hangs")
    }
    running.send(SIGINT)
    let ended = try await running.ended()
    #expect(ended.signal == SIGINT)
    #expect(try ended.objects.last?["incomplete"] as? Bool == true)
  }

  @Test func `A later second signal ends the process at once`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      // A pipe that nobody reads: what the first signal prints is never taken.
      let pipe = "\(folder.path)/pipe"
      try #require(mkfifo(pipe, 0o600) == 0)
      let running = try Program.searchagg.start(
        ["run", "a", "--source", "x", "--timeout", "10m", "--output", pipe],
        environment: networks.environment(faults: ["x": "~stall"]), in: folder)
      try await waitUntil("a request is stalled") {
        !networks.simulator.counters.requests.isEmpty
      }
      running.send(SIGINT)
      try await waitUntil("the first signal is answered") {
        try running.errors.contains("interrupted")
      }
      #expect(running.isRunning)
      // A second one counts 300 ms after the first, and this loop sends until one does.
      while running.isRunning {
        running.send(SIGINT)
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(try await running.ended().signal == SIGINT)
    }
  }

  @Test func `Two signals at once, as timeout sends them, lose nothing in 20 runs`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      var environment = networks.environment(faults: ["x": "~stall"])
      environment["SEARCHAGG_SOURCE"] = "x,hackernews,mastodon"
      for round in 1...20 {
        let before = networks.simulator.counters.requests.count
        let running = try Program.searchagg.start(
          ["run", "#swift", "--format", "ndjson"], environment: environment, in: folder)
        try await waitUntil("all three are asked") {
          networks.simulator.counters.requests.count >= before + 3
        }
        running.send(SIGTERM)
        // The gap between the two of `timeout`; without one the kernel merges them.
        usleep(500)
        running.send(SIGTERM)
        let ended = try await running.ended()
        #expect(ended.signal == SIGTERM)
        #expect(
          try ended.objects.last?["incomplete"] as? Bool == true,
          "round \(round): \(ended.output) \(ended.errors)")
      }
    }
  }

  /// Returns the current contents of a pipe.
  private func received(from descriptor: Int32, atMost limit: Int = .max) -> Data {
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while data.count < limit, case let count = read(descriptor, &chunk, chunk.count), count > 0 {
      data += chunk[..<count]
    }
    return data
  }

  @Test func `A signal during output is reported at once and does not cut the output`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      let pipe = "\(folder.path)/pipe"
      try #require(mkfifo(pipe, 0o600) == 0)
      let running = try Program.searchagg.start(
        ["run", "--source", "hackernews", "--per-search", "1000", "--output", pipe]
          + ["--format", "ndjson"] + (0..<10).map { "#tag\($0)" },
        environment: networks.environment, in: folder)
      let reader = open(pipe, O_RDONLY | O_NONBLOCK)
      try #require(reader >= 0)
      defer { close(reader) }
      var text = Data()
      // With its first byte here the output is being written, and more of it than a pipe holds.
      try await waitUntil("the output begins") {
        text += received(from: reader, atMost: 1)
        return !text.isEmpty
      }
      running.send(SIGTERM)
      try await waitUntil("the signal is answered") { try running.errors.contains("interrupted") }
      try await waitUntil("the process has ended") {
        text += received(from: reader)
        return !running.isRunning
      }
      text += received(from: reader)
      #expect(text.count > 1 << 17)
      #expect(String(decoding: text, as: UTF8.self).hasSuffix("\"incomplete\":false}\n"))
      #expect(try await running.ended().signal == SIGTERM)
    }
  }

  @Test func `A signal inherited as ignored stays ignored`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      var environment = networks.environment(faults: ["hackernews": "~latency=1500"])
      environment["SEARCHAGG"] = Program.searchagg.path
      let script = "trap '' INT; exec \"$SEARCHAGG\" run '#a' --source hackernews"
      let running = try Program(path: "/bin/sh").start(
        ["-c", script], environment: environment, in: folder)
      try await waitUntil("the request is there") {
        !networks.simulator.counters.requests.isEmpty
      }
      running.send(SIGINT)
      let ended = try await running.ended()
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.output.contains("hackernews"))
    }
  }
}
