import Foundation
import TestSupport
import Testing

/// `searchagg history`, with whole processes.
@Suite(.serialized) struct HistoryTests {
  @Test func `What a run fetched is searched, counted, exported and deleted offline`() async throws
  {
    let folder = try Folder()
    let environment = ["SEARCHAGG_NO_HISTORY": "false", "SEARCHAGG_NOW": Networks.now]
    func history(_ arguments: String...) async throws -> Program.Ended {
      try await Program.searchagg.run(
        ["history"] + arguments, environment: environment, in: folder)
    }
    let none = try await history("list", "--format", "ndjson")
    #expect(none.status == 0)
    #expect(none.errors.contains("nothing has been kept yet"))
    #expect(try !folder.names.contains("state"))

    let run = try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "libcurl", "--format", "ndjson"],
        environment: networks.environment.merging(environment) { $1 }, in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      return ended
    }
    let exported = try await history("export", "--format", "ndjson")
    #expect(exported.lines.dropLast() == run.lines.dropLast(), "\(exported.errors)")

    let found = try await history("search", "libcurl", "-n", "3", "--format", "ndjson")
    #expect(found.lines.count == 4)
    #expect(try found.objects.first?["tags"] as? [String] == ["libcurl"])
    #expect(try await history("search", "no such words").output == "")

    let id = try #require(try found.objects.first?["uri"] as? String)
    #expect(try await history("delete", id).status == 0)
    #expect(try await history("delete", id).status == 1)

    let statistics = try await history("stats", "--format", "json")
    let posts = try statistics.objects.first?["posts"] as? Int
    #expect(posts == exported.lines.count - 2)
    #expect(try await history("stats").output.contains("█"))

    #expect(try await history("prune", "--older", "3h").status == 0)
    #expect(try await history("prune", "--older", "soon").status == 64)
  }

  @Test(arguments: ["--no-history", "--no-state"])
  func `A run keeps no posts when it is told so`(option: String) async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = networks.environment.merging(["SEARCHAGG_NO_HISTORY": "false"]) { $1 }
      let ended = try await Program.searchagg.run(
        ["run", "#swift", option], environment: environment, in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      let list = try await Program.searchagg.run(["history", "list"], in: folder)
      #expect(list.errors.contains("nothing has been kept yet"))
    }
  }

  @Test func `Nothing that a run has kept is lost when runs and readers are killed`() async throws {
    let runs = ProcessInfo.processInfo.environment["KILLED_RUNS"].flatMap { Int($0) } ?? 20
    var random = SeededRandom(seed: 17)
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = networks.environment.merging([
        "SEARCHAGG_NO_HISTORY": "false", "SEARCHAGG_NOW": Networks.now,
        "SEARCHAGG_SOURCE": "hackernews,lobsters,x",
      ]) { $1 }
      func run(_ arguments: [String], killedAfter seconds: Double) async throws -> Program.Ended {
        try await Program(path: "/usr/bin/timeout").run(
          ["--signal=KILL", "\(seconds)", Program.searchagg.path] + arguments,
          environment: environment, in: folder)
      }
      let begin = ContinuousClock.now
      _ = try await run(["run", "first", "--format", "ndjson"], killedAfter: 60)
      let duration = (ContinuousClock.now - begin) / .seconds(1)
      var kept: Set<String> = []
      var killed = 0
      for number in 0..<runs {
        // At a random moment of the process, or after its end.
        let moments = (0..<2).map { _ in Double.random(in: 0.001...duration * 1.5, using: &random) }
        let ended = try await run(
          ["run", "word\(number % 7)", "more\(number)", "--format", "ndjson"],
          killedAfter: moments[0])
        if ended.status == 0 {
          kept.formUnion(try ended.objects.compactMap { $0["uri"] as? String })
        } else {
          killed += 1
        }
        let stats = try await run(["history", "stats"], killedAfter: moments[1])
        if stats.status != 0 { killed += 1 }
      }
      let exported = try await run(["history", "export", "--format", "ndjson"], killedAfter: 60)
      #expect(exported.status == 0, "\(exported.errors)")
      let found = try exported.objects.compactMap { $0["uri"] as? String }
      #expect(killed > 0 && !kept.isEmpty)
      #expect(Set(found).count == found.count)
      #expect(kept.subtracting(found) == [])
    }
  }
}
