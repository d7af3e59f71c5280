import Foundation
import TestSupport
import Testing

/// A recorded run gives the same bytes again, without its servers and credentials.
@Suite(.serialized) struct ReplayTests {
  private func run(
    _ arguments: [String], _ environment: [String: String], in folder: Folder
  ) async throws -> Program.Ended {
    try await Program.searchagg.run(
      ["run"] + arguments, environment: environment, in: folder)
  }

  @Test(arguments: ["ndjson", "text", "csv"])
  func `A recorded run of all networks is replayed byte for byte`(_ format: String) async throws {
    let folder = try Folder()
    let recorded = try await Networks.with { networks in
      try await run(
        ["swift", "#linux", "libcurl -foo", "--per-search", "30", "--format", format]
          + ["--record", "recording"], networks.all, in: folder)
    }
    #expect(recorded.status == 0, "\(recorded.errors)")
    #expect(recorded.lines.count > 100)
    let replayed = try await run(
      ["--replay", "recording", "--format", format], [:], in: folder)
    #expect(replayed.status == recorded.status, "\(replayed.errors)")
    #expect(replayed.output == recorded.output)
  }

  @Test func `Failures, pauses and rejected logins are replayed, too`() async throws {
    let folder = try Folder()
    let faults = [
      "SEARCHAGG_X_URL": "~status=503", "SEARCHAGG_GITHUB_URL": "~retry-after=3600",
      "SEARCHAGG_MASTODON_URL": "~cut", "SEARCHAGG_HACKERNEWS_URL": "~reset",
      "SEARCHAGG_STACKEXCHANGE_URL": "~retry-after=90", "SEARCHAGG_LEMMY_URL": "~garbage",
    ]
    let recorded = try await Networks.with { networks in
      var environment = networks.all
      for (name, fault) in faults {
        guard let address = environment[name], let slash = address.lastIndex(of: "/") else {
          continue
        }
        environment[name] = "\(address[..<slash])/\(fault)\(address[slash...])"
      }
      environment["BLUESKY_APP_PASSWORD"] = "not-the-password"
      return try await run(
        ["swift", "linux", "-n", "40", "--format", "ndjson", "--retries", "1"]
          + ["--record", "recording"], environment, in: folder)
    }
    #expect(recorded.status == 2, "\(recorded.errors)")
    let replayed = try await run(
      ["--replay", "recording", "--format", "ndjson"], [:], in: folder)
    #expect(replayed.status == recorded.status, "\(replayed.errors)")
    #expect(replayed.output == recorded.output)
    #expect(replayed.errors == recorded.errors)
  }

  @Test func `A declaration that names its credential in the address can be replayed`() async throws
  {
    let folder = try Folder()
    try folder.write(
      #"""
      {"sources": {"mine": {"kind": "json", "url": "http://127.0.0.1:9/s?q={query}&api_key={MY_KEY}",
        "items": "posts", "fields": {"id": "id", "text": "text"}}}}
      """#, to: "own.json")
    let own = ["MY_KEY": "s3cret-s3cret", "SEARCHAGG_CONFIG": folder["own.json"]]
    let recorded = try await Networks.with { networks in
      try await run(
        ["swift", "--source", "hackernews,mine", "--format", "ndjson", "--retries", "0"]
          + ["--record", "recording"], networks.all.merging(own) { $1 }, in: folder)
    }
    #expect(recorded.status == 2, "\(recorded.errors)")
    let kept = try folder.text(of: "recording/config.json")
    #expect(kept.contains("{MY_KEY}") && !kept.contains("s3cret"))
    let replayed = try await run(["--replay", "recording", "--format", "ndjson"], [:], in: folder)
    #expect(replayed.status == recorded.status, "\(replayed.errors)")
    #expect(replayed.output == recorded.output)
  }

  @Test func `A renewal of a session that the server refuses is refused again`() async throws {
    let folder = try Folder()
    let recorded = try await Networks.with { networks in
      // The login, a search with an expired session, and its renewal.
      var environment = networks.environment(
        faults: ["bluesky": "~after=retry-after=3600:2/~expired-token"])
      environment["SEARCHAGG_SOURCE"] = "bluesky,hackernews"
      return try await run(
        ["linux", "--format", "ndjson", "--retries", "0", "--record", "recording"], environment,
        in: folder)
    }
    #expect(recorded.status == 2, "\(recorded.errors)")
    #expect(try folder.text(of: "recording/exchanges.har").contains("refreshSession"))
    let replayed = try await run(["--replay", "recording", "--format", "ndjson"], [:], in: folder)
    #expect(replayed.status == recorded.status, "\(replayed.errors)")
    #expect(replayed.output == recorded.output)
    #expect(replayed.errors == recorded.errors)
  }

  @Test func `A date relative to a moment of the clock is replayed exactly`() async throws {
    let folder = try Folder()
    for number in 1...4 {
      let recorded = try await Networks.with { networks in
        var environment = networks.all
        // Of the clock's moments hardly one is a whole millisecond.
        environment["SEARCHAGG_NOW"] = nil
        return try await run(
          ["swift", "#linux", "--since", "5d", "--per-search", "10", "--format", "ndjson"]
            + ["--record", "recording-\(number)"], environment, in: folder)
      }
      let replayed = try await run(
        ["--replay", "recording-\(number)", "--format", "ndjson"], [:], in: folder)
      #expect(!replayed.output.contains("not in the recording"), "\(replayed.output)")
      #expect(replayed.status == recorded.status)
      #expect(replayed.output == recorded.output && replayed.errors == recorded.errors)
    }
  }

  @Test func `A run that ended when its time was up is replayed like that`() async throws {
    let folder = try Folder()
    let recorded = try await Networks.with { networks in
      var environment = networks.environment
      environment["SEARCHAGG_SOURCE"] = "lobsters,hackernews"
      environment["SEARCHAGG_LOBSTERS_URL"] = environment["SEARCHAGG_LOBSTERS_URL"]?
        .replacing("/lobsters", with: "/~stall/lobsters")
      return try await run(
        ["swift", "--format", "ndjson", "--max-time", "1s", "--record", "recording"],
        environment, in: folder)
    }
    #expect(recorded.status == 2, "\(recorded.errors)")
    #expect(recorded.output.contains("time is up after 1 s"), "\(recorded.output)")
    let replayed = try await run(
      ["--replay", "recording", "--format", "ndjson"], [:], in: folder)
    #expect(replayed.status == recorded.status, "\(replayed.errors)")
    #expect(replayed.output == recorded.output)
  }

  @Test(arguments: ["now", "since", "until"])
  func `A date of a recording that no calendar has is named`(name: String) async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      _ = try await run(
        [
          "swift", "--since", "2026-11-01", "--until", "2026-11-30", "--source",
          "hackernews,mastodon",
          "--record", "recording",
        ], networks.all, in: folder)
      let written = try folder.text(of: "recording/run.json")
      let date = try Regex("\"\(name)\": *-?[0-9.]+")
      #expect(written.contains(date))
      try folder.write(
        written.replacing(date) { _ in "\"\(name)\": 1e300" }, to: "recording/run.json", mode: 0o600
      )
      let ended = try await run(["--replay", "recording"], [:], in: folder)
      #expect(ended.status == 65)
      #expect(
        ended.errors.contains("run.json: \(name): expected seconds since 1970"), "\(ended.errors)")
    }
  }

  @Test func `No credential reaches the recording, and its files are private`() async throws {
    let folder = try Folder()
    let credentials = try await Networks.with { networks in
      let recorded = try await run(
        ["swift", "--record", "recording"], networks.all, in: folder)
      #expect(recorded.status == 0, "\(recorded.errors)")
      return networks.environment.filter { !$0.key.hasPrefix("SEARCHAGG_") }
    }
    #expect(!credentials.isEmpty)
    for name in ["exchanges.har", "run.json", "config.json", "tags.json"] {
      let text = try folder.text(of: "recording/\(name)")
      for (variable, value) in credentials {
        #expect(!text.contains(value), "\(name) holds \(variable)")
      }
      #expect(try folder.mode(of: "recording/\(name)") == 0o600)
    }
    #expect(try folder.mode(of: "recording") == 0o700)
  }

  @Test func `The token of a feed reaches neither the recording nor a dry run, and is replayed`()
    async throws
  {
    let folder = try Folder()
    let server = try RecordingServer { _ in
      (
        200,
        """
        <rss version="2.0"><channel><title>F</title>
        <item><title>swift</title><guid>1</guid><link>https://f.example/1</link></item></channel></rss>
        """
      )
    }
    defer { server.stop() }
    let environment = [
      "SEARCHAGG_SOURCE": "feed",
      "SEARCHAGG_FEED_URL": "\(server.address)/f?feed_token=t0ps3cret&a=b",
      "SEARCHAGG_NOW": Networks.now,
    ]
    let dry = try await Program.searchagg.run(
      ["run", "swift", "--dry-run"], environment: environment, in: folder)
    #expect(dry.output.contains("/f?feed_token=***&a=b"), "\(dry.output)")
    let ended = try await Program.searchagg.run(
      ["run", "swift", "--record", "recording", "--format", "ndjson"], environment: environment,
      in: folder)
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(server.requests.contains { $0.head.contains("feed_token=t0ps3cret") })
    for name in try FileManager.default.contentsOfDirectory(atPath: folder["recording"]) {
      #expect(try !folder.text(of: "recording/\(name)").contains("t0ps3cret"), "\(name)")
    }
    let again = try await Program.searchagg.run(
      ["run", "--replay", "recording", "--format", "ndjson"], in: folder)
    #expect(again.output == ended.output && again.output.contains("\"swift\""), "\(again.errors)")
  }

  @Test(arguments: ["exchanges.har", "tags.json", "config.json", "run.json"])
  func `A folder that has a file of a recording is not overwritten`(name: String) async throws {
    let folder = try Folder()
    try folder.write("kept", to: "recording/\(name)", mode: 0o600)
    let ended = try await run(["swift", "--record", "recording"], [:], in: folder)
    #expect(ended.status == 74)
    #expect(ended.errors.contains("the folder already has the file \(name)"))
    #expect(try folder.text(of: "recording/\(name)") == "kept")
  }

  @Test(arguments: [
    (["--replay", "nowhere"], 66, "not a recording"),
    (["--replay", "recording", "swift"], 64, "do not give any"),
    (["--replay", "recording", "--since", "1d"], 64, "--since cannot be changed in a replay"),
  ])
  func `A replay that cannot be is refused`(
    _ arguments: [String], _ status: Int32, _ message: String
  ) async throws {
    let folder = try Folder()
    try folder.write("{}", to: "recording/run.json", mode: 0o600)
    let ended = try await run(arguments, [:], in: folder)
    #expect(ended.status == status)
    #expect(ended.errors.contains(message), "\(ended.errors)")
  }

  @Test func `A request that is missing in the recording is a failed search`() async throws {
    let folder = try Folder()
    _ = try await Networks.with { networks in
      try await run(["swift", "--record", "recording"], networks.environment, in: folder)
    }
    let tags = try folder.text(of: "recording/tags.json")
    try folder.write(tags.replacing("swift", with: "other"), to: "recording/tags.json", mode: 0o600)
    let ended = try await run(["--replay", "recording"], [:], in: folder)
    #expect(ended.errors.contains("not in the recording: GET"), "\(ended.errors)")
    #expect(ended.status == 69)
  }
}

extension Networks {
  /// The environment in which every network that has an address and its credentials is asked.
  fileprivate var all: [String: String] { environment.filter { $0.key != "SEARCHAGG_SOURCE" } }
}
