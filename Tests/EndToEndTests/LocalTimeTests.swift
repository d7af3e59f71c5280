import Foundation
import NetworkSimulator
import TestSupport
import Testing

@Suite(.serialized) struct LocalTimeTests {
  @Test(arguments: [
    ("America/New_York", "2026-11-20T05:00:00"), ("Asia/Kolkata", "2026-11-19T18:30:00"),
    ("UTC", "2026-11-20T00:00:00"),
  ])
  func `A day begins at local midnight`(zone: String, midnight: String) async throws {
    try await Networks.with { networks in
      var environment = networks.environment
      environment["TZ"] = zone
      let moment = try Date("\(midnight)Z", strategy: .iso8601)
      let ended = try await Program.searchagg.run(
        ["run", "a", "--source", "hackernews", "--since", "2026-11-20", "--format", "ndjson"],
        environment: environment, in: Folder())
      #expect(ended.status == 0, "\(ended.errors)")
      let queries = networks.simulator.counters.requests.map(\.query)
      let seconds = Int(moment.timeIntervalSince1970)
      #expect(queries.allSatisfy { $0.contains("created_at_i%3E%3D\(seconds)") }, "\(queries)")
      #expect(!queries.isEmpty)
      for post in try ended.objects.dropLast() {
        let date = try #require(post["created_at"] as? String)
        #expect(date >= midnight)
      }
    }
  }

  // MARK: Reports

  /// What a command shows on a terminal in Kolkata, five and a half hours east of UTC, as one line.
  private func shown(
    _ arguments: [String], _ environment: [String: String], in folder: Folder
  ) async throws -> String {
    let environment = environment.merging(["TZ": "Asia/Kolkata"]) { $1 }
    let session = try TerminalSession(
      .searchagg, arguments, environment: environment, in: folder)
    try await session.ended()
    return session.shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func `A retry names the earlier run by local time on a terminal, and by UTC in a file`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      var environment = networks.environment(faults: ["hackernews": "status=500"])
      environment["SEARCHAGG_NO_HISTORY"] = "false"
      environment["SEARCHAGG_STATE"] = folder["state.db"]
      let run = ["run", "swift", "--source", "hackernews,lobsters", "--retries", "0"]
      let file = folder["posts.txt"]
      _ = try await Program.searchagg.run(run, environment: environment, in: folder)
      let retry = run + ["--retry-failed", "--output", file]
      let ended = try await Program.searchagg.run(retry, environment: environment, in: folder)
      #expect(ended.errors.contains("searches of the run at 2026-11-20T12:00:00Z"))
      let words = try await shown(retry, environment, in: folder)
      #expect(words.contains("searches of the run at 2026-11-20 17:30:00"), "\(words)")
    }
  }

  @Test func `A check names the end of a wait by local time on a terminal, and by UTC in a file`()
    async throws
  {
    try await Networks.with { networks in
      let environment = networks.environment(faults: ["hackernews": "retry-after=7200"])
      let check = ["sources", "check", "hackernews"]
      let ended = try await Program.searchagg.run(
        check, environment: environment, in: Folder())
      #expect(ended.output.contains(/until \d{4}-\d\d-\d\dT[\d:]{8}Z/), "\(ended.output)")
      let words = try await shown(check, environment, in: Folder())
      #expect(words.contains(/until (\d{4}-\d\d-\d\d )?[\d:]{8}: too many/), "\(words)")
    }
  }

  @Test func `A login names the end of its session by local time on a terminal, by UTC in a file`()
    async throws
  {
    try await Networks.with { networks in
      let login = ["sources", "login", "bluesky"]
      let ended = try await Program.searchagg.run(
        login, environment: networks.environment, in: Folder())
      #expect(ended.errors.contains(/the session is valid until \d{4}-\d\d-\d\dT[\d:]{8}Z/))
      let words = try await shown(login, networks.environment, in: Folder())
      #expect(words.contains(/the session is valid until (\d{4}-\d\d-\d\d )?[\d:]{8}$/), "\(words)")
    }
  }
}
