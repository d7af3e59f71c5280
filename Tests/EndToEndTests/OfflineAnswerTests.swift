import Foundation
import NetworkSimulator
import Synchronization
import TestSupport
import Testing

/// `--offline` and `--refresh`, with whole processes.
@Suite(.serialized) struct OfflineAnswerTests {
  /// The notes of each search, by source, without the number of seconds.
  private func notes(_ ended: Program.Ended) throws -> [String: [String]] {
    let outcomes = try ended.objects.last?["outcomes"] as? [[String: Any]] ?? []
    return Dictionary(
      outcomes.map { ("\($0["source"] ?? "")", $0["notes"] as? [String] ?? []) }
    ) { $0 + $1 }.mapValues { $0.map { $0.replacing(/\d+ (s|min)/, with: "N s") } }
  }

  /// A library that ends a program which opens a socket.
  private func library(in folder: Folder) async throws -> String {
    try await folder.compile(
      """
      #include <sys/syscall.h>
      #include <unistd.h>
      // Not _exit: a sanitizer would look into a thread that is within it.
      static int end(void) { write(2, "socket\\n", 7); return syscall(SYS_exit_group, 99); }
      int socket(int a, int b, int c) { return end(); }
      int socketpair(int a, int b, int c, int *d) { return end(); }
      """, to: "sockets.so")
  }

  @Test func `Offline the cache answers, else the history, and no socket is opened`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let arguments = ["run", "#swift", "--format", "ndjson", "--cache", "cache"]
      let online = try await Program.searchagg.run(
        arguments, environment: networks.withHistory, in: folder)
      #expect(online.status == 0, "\(online.errors)")
      let asked = networks.simulator.counters.total
      var environment = networks.withHistory
      environment["LD_PRELOAD"] = try await library(in: folder)

      let offline = try await Program.searchagg.run(
        arguments + ["--offline"], environment: environment, in: folder)
      #expect(offline.status == 0, "\(offline.errors)")
      #expect(offline.lines.dropLast() == online.lines.dropLast())
      let notes = try notes(offline)
      #expect(notes["hackernews"] == ["from cache, N s old"], "\(notes)")
      #expect(Set(notes.keys) == Set(Networks.sources))

      // Without the cache it is the history.
      environment["SEARCHAGG_NOW"] = "2026-11-20T15:30:00Z"
      let historic = try await Program.searchagg.run(
        ["run", "#swift", "--format", "ndjson", "--offline"], environment: environment,
        in: folder)
      #expect(historic.status == 0, "\(historic.errors)")
      #expect(historic.lines.dropLast() == online.lines.dropLast())
      #expect(
        try Set(self.notes(historic).values.joined()) == ["from history, 3 h old"])

      // A query that was never asked has no answer, and trying later may help.
      let unknown = try await Program.searchagg.run(
        ["run", "libcurl", "--offline", "--source", "hackernews"], environment: environment,
        in: folder)
      #expect(unknown.status == 75)
      #expect(unknown.errors.contains("neither the cache nor the history has an answer"))
      let both = try await Program.searchagg.run(
        ["run", "libcurl", "#swift", "--offline", "--source", "hackernews", "--format", "plain"]
          + ["--cache", "cache"], environment: environment, in: folder)
      #expect(both.status == 2)
      #expect(both.lines.count == 21)
      #expect(networks.simulator.counters.total == asked)

      // The library is there: a run that asks ends at once.
      let asking = try await Program.searchagg.run(
        ["run", "#swift"], environment: environment, in: folder)
      #expect(asking.status == 99)
    }
  }

  @Test func `The history answers within the bounds and filters of the run`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let whole = try await Program.searchagg.run(
        ["run", "#swift", "--since", "6d", "--source", "hackernews,lobsters"],
        environment: networks.withHistory, in: folder)
      #expect(whole.status == 0, "\(whole.errors)")
      for bounds in [
        ["--since", "1d"], ["-n", "7"], ["--per-search", "5", "--min-likes", "100"],
        ["--until", "2026-11-18", "--since", "2026-11-16"],
      ] {
        let arguments =
          ["run", "#swift", "--source", "hackernews,lobsters", "--format", "ndjson"] + bounds
        let online = try await Program.searchagg.run(
          arguments + ["--no-state"], environment: networks.withHistory, in: folder)
        let offline = try await Program.searchagg.run(
          arguments + ["--offline"], environment: networks.withHistory, in: folder)
        #expect(offline.status == 0, "\(offline.errors)")
        #expect(offline.lines.dropLast() == online.lines.dropLast(), "\(bounds)")
        #expect(offline.lines.count > 3)
      }
    }
  }

  @Test func `The history claims no more of an answer than its run did`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      func run(_ more: [String]) async throws -> (status: Int32?, outcome: String?, note: String?) {
        let ended = try await Program.searchagg.run(
          ["run", "swift", "--source", "mastodon", "--since", "2000-01-01", "--format", "ndjson"]
            + more, environment: networks.withHistory, in: folder)
        let outcomes = try ended.objects.last?["outcomes"] as? [[String: Any]]
        let notes = outcomes?.first?["notes"] as? [String]
        return (ended.status, outcomes?.first?["outcome"] as? String, notes?.first)
      }
      let online = try await run(["--max-pages", "1"])
      #expect(online.outcome == "partial")
      let offline = try await run(["--offline"])
      #expect(offline.status == 2)
      #expect(offline.outcome == "partial")
      let other = try await run(["--offline", "-n", "3"])
      #expect(other.status == 2)
      let narrower = try await run(["--until", "2026-11-19"])
      #expect(narrower.outcome == "completed")
      let wider = try await run(["--offline", "--until", "2026-11-20"])
      #expect(wider.outcome == "completed")
      #expect(
        wider.note?.hasSuffix(" old, from a run with other settings") == true, "\(wider)")
    }
  }

  @Test func `The history answers with undated posts where the run keeps them`() async throws {
    let server = try RecordingServer { _ in
      (
        200,
        "<rss><channel><item><guid>a</guid><title>swift one</title></item>"
          + "<item><guid>b</guid><title>swift two</title>"
          + "<pubDate>Fri, 20 Nov 2026 09:00:00 GMT</pubDate></item></channel></rss>"
      )
    }
    let folder = try Folder()
    let environment = [
      "SEARCHAGG_FEED_URL": "\(server.address)/feed", "SEARCHAGG_NOW": Networks.now,
      "SEARCHAGG_NO_HISTORY": "false",
    ]
    func run(_ more: String...) async throws -> (ids: Set<String>, excluded: [String: Int]) {
      let ended = try await Program.searchagg.run(
        ["run", "swift", "--source", "feed", "--since", "1d", "--format", "ndjson"] + more,
        environment: environment, in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      let objects = try ended.objects
      return (
        Set(objects.dropLast().compactMap { $0["id"] as? String }),
        objects.last?["excluded"] as? [String: Int] ?? [:]
      )
    }
    for more in [["--undated", "keep"], ["--undated", "drop"]] {
      let online = try await run(more[0], more[1])
      let offline = try await run(more[0], more[1], "--offline")
      #expect(online.ids == (more[1] == "keep" ? ["a", "b"] : ["b"]))
      #expect(offline == online)
    }
    #expect(server.requests.count == 2)
    // Nothing is said of undated posts where there are none.
    #expect(try await run("--exclude", "one", "--offline").excluded == ["words": 1])
  }

  @Test(arguments: [
    ["--offline", "--new"], ["--offline", "--retry-failed"], ["--offline", "--record", "r"],
    ["--offline", "--backfill", "--since", "2d"], ["--refresh"],
    ["--refresh", "--offline", "--cache", "on"], ["--refresh", "--cache", "on", "--new"],
  ])
  func `What needs a server, or a cache, is refused`(options: [String]) async throws {
    let ended = try await Program.searchagg.run(
      ["run", "a"] + options, environment: ["SEARCHAGG_NO_HISTORY": "false"], in: Folder())
    #expect(ended.status == 64, "\(ended.errors)")
    #expect(ended.errors.split(separator: "\n").count == 1)
  }

  @Test func `A refresh shows the cached posts at once, and marks the new ones`() async throws {
    let hours = Mutex(10.0)
    let now = try Date(Networks.now, strategy: .iso8601)
    try await Networks.with(
      written: { now.addingTimeInterval(hours.withLock { $0 } * -3600) }
    ) { networks in
      let folder = try Folder()
      var environment = networks.withHistory
      environment["NO_COLOR"] = "1"
      environment["SEARCHAGG_SOURCE"] = "lobsters,hackernews"
      let arguments = ["run", "#swift", "-n", "30", "--cache", "cache", "--progress", "never"]
      let terminal = PseudoTerminal(columns: 120)
      let first = try await terminal.run(
        .searchagg, arguments + ["--refresh", "--no-pager"], environment: environment, in: folder)
      #expect(!first.output.contains("from cache"))
      let count = first.output.matches(of: /https:\/\/\S+/).count

      let same = try await terminal.run(
        .searchagg, arguments + ["--refresh", "--no-pager"], environment: environment, in: folder)
      #expect(same.output.contains("from cache"))
      #expect(same.output.contains("no new posts"))
      #expect(same.output.matches(of: /https:\/\/\S+/).count == count)

      hours.withLock { $0 = 0 }
      let fresh = try await terminal.run(
        .searchagg, arguments + ["--refresh", "--no-pager"], environment: environment, in: folder)
      #expect(fresh.output.contains("from cache"))
      #expect(fresh.output.contains("  new  "))
      #expect(fresh.output.matches(of: /https:\/\/\S+/).count > count)

      // Elsewhere there is only one result.
      let plain = try await Program.searchagg.run(
        arguments + ["--refresh"], environment: environment, in: folder)
      let usual = try await Program.searchagg.run(arguments, environment: environment, in: folder)
      #expect(plain.output == usual.output)
    }
  }
}
