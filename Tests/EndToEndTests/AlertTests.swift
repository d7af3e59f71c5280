import Foundation
import Synchronization
import TestSupport
import Testing

/// `--expect-within` and `--alert-over`, with whole processes.
@Suite(.serialized) struct AlertTests {
  private func environment(_ networks: Networks, now: String = Networks.now) -> [String: String] {
    networks.withHistory.merging(["SEARCHAGG_NOW": now]) { $1 }
  }

  private func alerts(_ ended: Program.Ended) throws -> [[String: String]]? {
    (try ended.objects.last?["alerts"] as? [[String: Any]])?.map { $0.mapValues { "\($0)" } }
  }

  @Test func `A tag without a post raises an alert, counted from its first run`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      func run(_ now: String, _ arguments: String...) async throws -> Program.Ended {
        try await Program.searchagg.run(
          ["run", "#swift", "nothing here", "--expect-within", "2d", "--format", "ndjson"]
            + arguments, environment: environment(networks, now: now), in: folder)
      }
      let first = try await run(Networks.now)
      #expect(first.status == 0, "\(first.errors)")
      #expect(!first.errors.contains("alert"), "\(first.errors)")
      #expect(try first.objects.last?["alerts"] == nil)

      // The newest post of #swift is from just before the first run.
      let early = try await run("2026-11-22T11:00:00Z")
      #expect(early.status == 0)
      #expect(try alerts(early) == nil)
      let late = try await run("2026-11-22T13:00:00Z")
      #expect(late.status == 2)
      #expect(
        try alerts(late) == [
          ["tag": "#swift", "kind": "silent", "since": "2026-11-20T12:00:00.000Z"],
          ["tag": "nothing here", "kind": "silent", "since": "2026-11-20T12:00:00.000Z"],
        ])
      #expect(
        late.errors.hasSuffix(
          """
          searchagg: alert: no post for #swift since 2026-11-20T12:00:00Z
          searchagg: alert: no post for nothing here since 2026-11-20T12:00:00Z

          """), "\(late.errors)")
      #expect(try late.objects.last?["incomplete"] as? Bool == false)
      // But for the alerts the output is the same.
      let others = late.output.replacing(/,"alerts":\[.*\]/, with: "")
      #expect(others == early.output)
      for rule in ["all", "none"] {
        #expect(try await run("2026-11-22T13:00:00Z", "--fail-on", rule).status == 0)
      }
      #expect(try await run("2026-11-22T13:00:00Z", "--no-history").status == 2)
    }
  }

  @Test func `Without posts in the history the tags are still known`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      func run(_ now: String) async throws -> Program.Ended {
        try await Program.searchagg.run(
          ["run", "#swift", "--expect-within", "2d", "--no-history"],
          environment: environment(networks, now: now), in: folder)
      }
      #expect(try await run(Networks.now).status == 0)
      #expect(try await run("2026-11-22T13:00:00Z").status == 2)
      let list = try await Program.searchagg.run(
        ["history", "list"], environment: environment(networks), in: folder)
      #expect(list.output == "")
    }
  }

  @Test func `A tag may expect posts of its own, and its posts end the alarm`() async throws {
    let hours = Mutex(80.0)
    let now = try Date(Networks.now, strategy: .iso8601)
    try await Networks.with(
      written: { now.addingTimeInterval(hours.withLock { $0 } * -3600) }
    ) { networks in
      let folder = try Folder()
      func searchagg(_ now: String, _ arguments: String...) async throws -> Program.Ended {
        try await Program.searchagg.run(
          arguments, environment: environment(networks, now: now), in: folder)
      }
      let added = try await searchagg(
        Networks.now, "tags", "add", "libcurl", "--expect-within", "36h")
      #expect(added.status == 0, "\(added.errors)")
      #expect(
        try await searchagg(Networks.now, "tags", "edit", "libcurl", "--expect-within", "1d")
          .status == 0)
      let file = try folder.text(of: "config/searchagg/tags.json")
      #expect(file.contains(#""expect_within": "1d""#))
      let never = try await searchagg(Networks.now, "tags", "list")
      #expect(!never.output.contains("FOUND"))

      #expect(try await searchagg("2026-11-17T04:00:00Z", "run").status == 0)
      let silent = try await searchagg("2026-11-19T04:00:00Z", "run", "-q", "--new")
      #expect(silent.status == 2)
      #expect(
        silent.errors == "searchagg: alert: no post for libcurl since 2026-11-17T04:00:00Z\n")
      hours.withLock { $0 = 30 }
      #expect(try await searchagg("2026-11-19T06:00:00Z", "run", "--new").status == 0)
      let list = try await searchagg(Networks.now, "tags", "list", "--format", "json")
      let tags = try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]]
      let found = try #require(tags?.first?["found"] as? [String: Any])
      #expect(found["at"] as? String == "2026-11-19T06:00:00Z")
      #expect((found["newest"] as? String ?? "").hasPrefix("2026-11-19T0"))
      #expect(found["since"] as? String == "2026-11-17T04:00:00Z")
      let table = try await searchagg(Networks.now, "tags", "list")
      #expect(table.output.contains("2026-11-19 06:00  \(found["posts"] ?? "")"), "\(table.output)")
      #expect(table.output.contains("EXPECTED"))
    }
  }

  @Test func `More posts than usual raise an alert after seven days`() async throws {
    let isWritten = Mutex(false)
    let now = try Date(Networks.now, strategy: .iso8601)
    try await Networks.with(
      written: { isWritten.withLock { $0 } ? now : now.addingTimeInterval(-700_000) }
    ) { networks in
      let folder = try Folder()
      func run(_ now: String, in folder: Folder) async throws -> Program.Ended {
        try await Program.searchagg.run(
          [
            "run", "plenty posts", "#swift", "--since", "6d", "--alert-over", "3", "--source",
            "lobsters,mastodon", "--format", "ndjson",
          ], environment: environment(networks, now: now), in: folder)
      }
      #expect(try await run("2026-11-12T12:00:00Z", in: folder).status == 0)
      isWritten.withLock { $0 = true }
      let ended = try await run(Networks.now, in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      let alert = try #require(try alerts(ended)?.first)
      #expect(alert["tag"] == "plenty posts")
      #expect(alert["kind"] == "spike")
      let rate = try #require(alert["rate"].flatMap { Int($0) })
      let usual = try #require(alert["usual"].flatMap { Double($0) })
      let recent = try ended.objects.filter { post in
        (post["created_at"] as? String ?? "") >= "2026-11-20T11:00:00"
          && (post["tags"] as? [String])?.contains("plenty posts") == true
      }
      #expect(rate == recent.count)
      #expect(Double(rate) > 3 * usual)
      #expect(
        ended.errors.contains(
          "alert: \(rate) posts for plenty posts in the last hour, usually \(alert["usual"] ?? "")")
      )

      // A shorter history says nothing about what is usual.
      let short = try Folder()
      isWritten.withLock { $0 = false }
      #expect(try await run("2026-11-14T12:00:00Z", in: short).status == 0)
      isWritten.withLock { $0 = true }
      #expect(try alerts(try await run(Networks.now, in: short)) == nil)
    }
  }

  @Test(arguments: [
    ["--expect-within", "2d", "--no-state"], ["--alert-over", "3", "--no-history"],
    ["--alert-over", "1"], ["--alert-over", "many"], ["--expect-within", "soon"],
    ["--expect-within", "0d"],
  ])
  func `What cannot be compared or read is refused`(options: [String]) async throws {
    let ended = try await Program.searchagg.run(["run", "a"] + options, in: Folder())
    #expect(ended.status == 64)
    #expect(ended.errors.contains(options[0]))
  }

  @Test func `A history that cannot be read costs one line, and no alert`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      try folder.write(##"{"tags": ["#swift"]}"##, to: "tags.json")
      try FileManager.default.createDirectory(
        atPath: folder["state.db"], withIntermediateDirectories: true)
      let ended = try await Program.searchagg.run(
        ["run", "--expect-within", "1d", "--state", "state.db"],
        environment: environment(networks), in: folder)
      #expect(ended.status == 74)
      #expect(ended.errors.contains("; no alerts in this run"))
      #expect(ended.errors.split(separator: "\n").count == 1)
      let list = try await Program.searchagg.run(
        ["tags", "list", "--state", "state.db"], environment: environment(networks), in: folder)
      #expect(list.status == 0)
      #expect(list.output.contains("#swift"))
      #expect(list.errors.split(separator: "\n").count == 2)
    }
  }
}
