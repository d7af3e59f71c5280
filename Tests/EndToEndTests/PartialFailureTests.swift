import Foundation
import NetworkSimulator
import TestSupport
import Testing

@Suite(.serialized) struct PartialFailureTests {
  private func run(
    faults: [String: String], _ arguments: [String] = [], removing: [String] = [],
    setting: [String: String] = [:]
  ) async throws -> Program.Ended {
    try await Networks.with { networks in
      var environment = networks.environment(faults: faults)
      for name in removing { environment[name] = nil }
      environment.merge(setting) { _, set in set }
      return try await Program.searchagg.run(
        ["run", "#swift", "--format", "ndjson", "--retries", "0"] + arguments,
        environment: environment, in: Folder())
    }
  }

  private func all(_ fault: String) -> [String: String] {
    Dictionary(uniqueKeysWithValues: Networks.sources.map { ($0, fault) })
  }

  private func outcome(of source: String, in ended: Program.Ended) throws -> [String: Any] {
    let outcomes = try #require(try ended.objects.last?["outcomes"] as? [[String: Any]])
    return try #require(outcomes.first { $0["source"] as? String == source })
  }

  @Test func `One source that answers 500 is named, and the others are printed`() async throws {
    let ended = try await run(faults: ["hackernews": "~status=500"])
    #expect(ended.status == 2)
    let outcome = try outcome(of: "hackernews", in: ended)
    #expect(outcome["outcome"] as? String == "failed")
    #expect(outcome["tag"] as? String == "#swift")
    #expect((outcome["server"] as? String)?.contains("~status=500") == true)
    #expect(outcome["status"] as? Int == 500)
    #expect(try ended.objects.last?["incomplete"] as? Bool == true)
    let sources = Set(try ended.objects.compactMap { $0["source"] as? String })
    #expect(sources == Set(Networks.sources).subtracting(["hackernews"]))
    #expect(ended.errors.contains("hackernews"))
    #expect(ended.errors.contains("#swift"))
    #expect(ended.errors.contains("500"))
  }

  @Test(arguments: Networks.sources)
  func `One source that says to wait for an hour is named at once`(source: String) async throws {
    let started = ContinuousClock.now
    let ended = try await run(faults: [source: "~retry-after=3600"])
    #expect(ended.status == 2)
    let outcome = try outcome(of: source, in: ended)
    #expect(outcome["outcome"] as? String == "rate_limited")
    #expect(outcome["until"] is String)
    // An hour was named; anything near it would be a wait.
    #expect(ContinuousClock.now - started < .seconds(600))
  }

  @Test(arguments: [
    ("~status=400", Int32(69)), ("~retry-after=3600", 75), ("~status=500", 75), ("~status=404", 69),
    ("~reset", 75), ("~garbage", 69),
  ])
  func `When nothing was answered, the status says whether to retry`(
    fault: String, status: Int32
  ) async throws {
    let ended = try await run(faults: all(fault))
    #expect(ended.status == status, "\(ended.errors)")
    #expect(ended.lines.count == 1)
  }

  @Test func `A refused token exits with 77`() async throws {
    let ended = try await run(
      faults: [:], ["--source", "x"], setting: ["X_BEARER_TOKEN": "not-the-token"])
    #expect(ended.status == 77)
    #expect(try outcome(of: "x", in: ended)["status"] as? Int == 401)
    #expect(!ended.errors.contains("not-the-token"))
    #expect(!ended.output.contains("not-the-token"))
  }

  @Test func `A refused login exits with 77 and is made once for all searches`() async throws {
    try await Networks.with { networks in
      var environment = networks.environment
      environment["BLUESKY_APP_PASSWORD"] = "wrong-password"
      let ended = try await Program.searchagg.run(
        ["run", "a", "b", "c", "--source", "bluesky"], environment: environment, in: Folder())
      #expect(ended.status == 77, "\(ended.errors)")
      #expect(!ended.errors.contains("wrong-password"))
      let logins = networks.simulator.counters.requests.filter {
        $0.path.contains("createSession")
      }
      #expect(logins.count == 1)
    }
  }

  @Test func `A missing credential exits with 77 when nothing else was asked`() async throws {
    let ended = try await run(faults: [:], ["--source", "x"], removing: ["X_BEARER_TOKEN"])
    #expect(ended.status == 77)
    #expect(try outcome(of: "x", in: ended)["outcome"] as? String == "skipped")
    #expect(ended.errors.contains("X_BEARER_TOKEN"))
  }

  @Test func `A tag that no source could search for counts as failed and makes the run incomplete`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      try folder.write(
        ##"{"tags": [{"query": "two words"}, {"query": "#swift"}]}"##,
        to: "tags.json")
      let ended = try await Program.searchagg.run(
        ["run", "--source", "mastodon", "-q", "--format", "ndjson"],
        environment: networks.anonymous, in: folder)
      #expect(ended.status == 2, "\(ended.errors)")
      #expect(try ended.objects.last?["incomplete"] as? Bool == true)
      #expect(ended.errors.contains("two words"))
      #expect(ended.errors.split(separator: "\n").count == 1)
    }
  }

  @Test(arguments: [("all", Int32(0)), ("none", 0), ("any", 2)])
  func `--fail-on chooses the failures that count`(choice: String, status: Int32) async throws {
    let ended = try await run(faults: ["x": "~status=500"], ["--fail-on", choice])
    #expect(ended.status == status)
  }

  @Test func `A run that finds nothing exits with 0, or with 1 under --fail-on-empty`() async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      for (arguments, status) in [([String](), Int32(0)), (["--fail-on-empty"], 1)] {
        let ended = try await Program.searchagg.run(
          ["run", "nothing-at-all"] + arguments, environment: networks.environment, in: folder)
        #expect(ended.status == status, "\(ended.errors)")
        #expect(ended.output == "")
      }
    }
  }
}
