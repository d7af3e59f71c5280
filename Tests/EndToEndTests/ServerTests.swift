import Foundation
import NetworkSimulator
import TestSupport
import Testing

@Suite(.serialized) struct ServerTests {
  @Test func `Several servers are asked once each, and each post is printed once`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let one = networks.simulator.address(of: "mastodon")
      let slow = networks.simulator.address(of: "mastodon", fault: "~latency=1")
      let broken = networks.simulator.address(of: "mastodon", fault: "~status=500")
      var environment = networks.anonymous
      let arguments = [
        "run", "#swift", "--source", "mastodon", "--format", "ndjson", "--retries", "0",
      ]
      let alone = try await Program.searchagg.run(arguments, environment: environment, in: folder)
      environment["SEARCHAGG_MASTODON_URL"] = "\(one), \(slow),\(broken),\(one)"
      let ended = try await Program.searchagg.run(arguments, environment: environment, in: folder)
      #expect(ended.status == 2, "\(ended.errors)")
      #expect(ended.lines.dropLast() == alone.lines.dropLast())
      let outcomes = try #require(try ended.objects.last?["outcomes"] as? [[String: Any]])
      #expect(outcomes.map { $0["server"] as? String } == [one, slow, broken])
      #expect(outcomes.map { $0["outcome"] as? String } == ["completed", "completed", "failed"])
    }
  }

  @Test func `A token without a server is sent to none of several servers, and one line says so`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      var environment = networks.environment
      let one = networks.simulator.address(of: "mastodon")
      environment["SEARCHAGG_MASTODON_URL"] = "\(one),\(one)2"
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "--source", "mastodon,hackernews", "--retries", "0"],
        environment: environment, in: folder)
      let lines = ended.errors.split(separator: "\n").filter { $0.contains("is not sent") }
      #expect(lines.count == 1, "\(ended.errors)")
      // Who does not ask that source is not bothered.
      let other = try await Program.searchagg.run(
        ["run", "#swift", "--source", "hackernews"], environment: environment, in: folder)
      #expect(other.errors == "")
    }
  }

  @Test func `A server whose own variable is unset is advised to set that one`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let address = networks.simulator.address(of: "mastodon")
      try folder.write(
        #"""
        {"sources": {"mastodon": {"servers": [{"url": "\#(address)", "credentials": ["HACHYDERM_TOKEN"]}]}}}
        """#, to: "config/searchagg/config.json")
      let arguments = ["run", "two words", "--source", "mastodon"]
      let unset = try await Program.searchagg.run(arguments, in: folder)
      #expect(unset.status == 77)
      #expect(unset.errors.contains("HACHYDERM_TOKEN"), "\(unset.errors)")
      #expect(!unset.errors.contains("MASTODON_ACCESS_TOKEN"), "\(unset.errors)")
      // A variable that names the same address changes nothing about whose token it is.
      let token = try #require(networks.environment["MASTODON_ACCESS_TOKEN"])
      let named = try await Program.searchagg.run(
        arguments, environment: ["SEARCHAGG_MASTODON_URL": address, "HACHYDERM_TOKEN": token],
        in: folder)
      #expect(named.status == 0, "\(named.errors)")
    }
  }

  @Test func `Several servers without variables of their own say where to name them`() async throws
  {
    try await Networks.with { networks in
      let one = networks.simulator.address(of: "mastodon")
      let ended = try await Program.searchagg.run(
        ["run", "two words", "--source", "mastodon"],
        environment: ["SEARCHAGG_MASTODON_URL": "\(one),\(one)2"], in: Folder())
      #expect(ended.status == 77)
      #expect(
        ended.errors.contains("name the variable of each server in the configuration file"),
        "\(ended.errors)")
    }
  }

  @Test
  func `A token may end in a line break, and one that cannot be sent exits with 77 and is named`()
    async throws
  {
    try await Networks.with { networks in
      var environment = networks.environment
      let token = try #require(environment["X_BEARER_TOKEN"])
      environment["X_BEARER_TOKEN"] = "\(token)\r\n"
      let arguments = ["run", "#swift", "--source", "x"]
      let trimmed = try await Program.searchagg.run(
        arguments, environment: environment, in: Folder())
      #expect(trimmed.status == 0, "\(trimmed.errors)")
      environment["X_BEARER_TOKEN"] = "s3cret\nX-Other: 1"
      let requests = networks.simulator.counters.requests.count
      let bad = try await Program.searchagg.run(arguments, environment: environment, in: Folder())
      #expect(bad.status == 77, "\(bad.errors)")
      #expect(
        bad.errors.contains("X_BEARER_TOKEN contains a line break or another control character"))
      #expect(!bad.errors.contains("s3cret"))
      #expect(networks.simulator.counters.requests.count == requests)
    }
  }

  @Test func `A refused token is named by the variable that the configuration names`() async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      let address = networks.simulator.address(of: "mastodon")
      try folder.write(
        #"""
        {"sources": {"mastodon": {"servers": [{"url": "\#(address)", "credentials": ["HACHYDERM_TOKEN"]}]}}}
        """#, to: "config/searchagg/config.json")
      let ended = try await Program.searchagg.run(
        ["run", "two words", "--source", "mastodon"],
        environment: ["HACHYDERM_TOKEN": "not-the-token", "MASTODON_ACCESS_TOKEN": "other"],
        in: folder)
      #expect(ended.status == 77, "\(ended.errors)")
      #expect(ended.errors.contains("check HACHYDERM_TOKEN"))
      #expect(!ended.errors.contains("MASTODON_ACCESS_TOKEN"))
    }
  }

  private func renewals(_ networks: Networks) -> Int {
    networks.simulator.counters.requests.count { $0.path.contains("refreshSession") }
  }

  private func logins(_ networks: Networks) -> Int {
    networks.simulator.counters.requests.count { $0.path.contains("createSession") }
  }

  @Test func `A session is used again by the next run, and a damaged file costs one login`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      let file = "state/searchagg/sessions.json"
      for (round, expected) in [(0, 1), (1, 1), (2, 2), (3, 2)] {
        if round == 2 { try folder.write("{\"bluesky", to: file, mode: 0o600) }
        let ended = try await Program.searchagg.run(
          ["run", "a", "b", "--source", "bluesky"], environment: networks.environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(logins(networks) == expected)
        #expect(try folder.mode(of: file) == 0o600)
      }
    }
  }

  @Test func `An expired session is renewed once for all searches`() async throws {
    try await Networks.with { networks in
      let environment = networks.environment(faults: ["bluesky": "~expired-token"])
      let ended = try await Program.searchagg.run(
        ["run", "a", "b", "c", "--source", "bluesky"], environment: environment, in: Folder())
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(logins(networks) == 1)
      #expect(renewals(networks) == 1)
    }
  }

  @Test
  func `An ended session is renewed by its token, or by a login if that has ended too`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      let file = "state/searchagg/sessions.json"
      func run() async throws {
        let ended = try await Program.searchagg.run(
          ["run", "a", "b", "--source", "bluesky"], environment: networks.environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
      }
      try await run()
      let kept = try folder.text(of: file)
      let expiry = try #require(kept.firstMatch(of: /"expires":"[^"]*"/))
      let over = kept.replacingCharacters(
        in: expiry.range, with: #""expires":"2020-01-01T00:00:00.000Z""#)
      try folder.write(over, to: file, mode: 0o600)
      try await run()
      #expect(logins(networks) == 1 && renewals(networks) == 1)
      #expect(try folder.text(of: file) != over)
      let refresh = try #require(over.firstMatch(of: /"refresh":"[^"]*"/))
      try folder.write(
        over.replacingCharacters(in: refresh.range, with: #""refresh":"a.b.c""#), to: file,
        mode: 0o600)
      try await run()
      #expect(logins(networks) == 2 && renewals(networks) == 2)
    }
  }

  @Test func `A custom user agent is sent, but not one from ./searchagg.json`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      let agent = "linux:my-digest:1.0 (by /u/amy)"
      let own = try await Program.searchagg.run(
        ["run", "swift", "--source", "hackernews", "--user-agent", agent],
        environment: networks.anonymous, in: folder)
      #expect(own.status == 0, "\(own.errors)")
      try folder.write(#"{"user-agent": "a stranger's"}"#, to: "searchagg.json")
      let refused = try await Program.searchagg.run(
        ["run", "swift", "--source", "hackernews"], environment: networks.anonymous, in: folder)
      #expect(refused.errors.contains("user-agent"))
      let agents = networks.simulator.counters.requests.map(\.userAgent)
      #expect(agents.first == agent)
      #expect(agents.last??.hasPrefix("searchagg/") == true)
    }
  }
}
