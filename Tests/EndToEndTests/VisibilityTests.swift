import Foundation
import NetworkSimulator
import TestSupport
import Testing

/// Posts that only the owner of a token and a few others can see.
@Suite(.serialized) struct VisibilityTests {
  private static let closed: Set<String> = ["private", "direct"]

  /// An environment for one network whose search, with a token, finds private posts.
  private func environment(_ source: String, _ networks: Networks) -> [String: String] {
    networks.environment.merging([
      "SEARCHAGG_SOURCE": source, "SEARCHAGG_NO_HISTORY": "false",
      "SEARCHAGG_PER_SEARCH": "200", "SEARCHAGG_FORMAT": "ndjson",
    ]) { $1 }
  }

  private func visibilities(_ ended: Program.Ended) throws -> [String] {
    try ended.objects.dropLast().map { $0["visibility"] as? String ?? "" }
  }

  private func excluded(_ ended: Program.Ended) throws -> Int? {
    (try ended.objects.last?["excluded"] as? [String: Int])?["private"]
  }

  @Test(arguments: ["mastodon", "gotosocial", "misskey"])
  func `Posts that are not for everyone are printed only on request`(network: String) async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      var environment = self.environment(network == "misskey" ? network : "mastodon", networks)
      if network == "gotosocial" {
        environment["SEARCHAGG_MASTODON_URL"] = networks.simulator.address(of: network)
      }
      let open = try await Program.searchagg.run(
        ["run", "swift"], environment: environment, in: folder)
      #expect(open.status == 0, "\(open.errors)")
      #expect(Self.closed.isDisjoint(with: try visibilities(open)))
      #expect(try visibilities(open).contains("unlisted"))
      let count = try excluded(open) ?? 0
      #expect(count > 0, "\(open.lines.last ?? "")")

      let all = try await Program.searchagg.run(
        ["run", "swift", "--include-private", "--no-state"], environment: environment, in: folder)
      #expect(try visibilities(all).count { Self.closed.contains($0) } == count)
      #expect(try excluded(all) == nil)
      // None was kept.
      let kept = try await Program.searchagg.run(
        ["history", "export", "--include-private"], environment: environment, in: folder)
      #expect(kept.lines.dropLast() == open.lines.dropLast(), "\(kept.errors)")
    }
  }

  @Test func `What was kept on request is read back only on request`() async throws {
    let folder = try Folder()
    let (environment, count) = try await Networks.with { networks -> ([String: String], Int) in
      let environment = self.environment("mastodon", networks)
      let all = try await Program.searchagg.run(
        ["run", "swift", "--include-private"], environment: environment, in: folder)
      return (environment, try visibilities(all).count { Self.closed.contains($0) })
    }
    #expect(count > 0)
    for arguments in [
      ["history", "list", "-n", "200"], ["history", "search", "swift", "-n", "200"],
      ["history", "export"], ["run", "swift", "--offline"],
    ] {
      let open = try await Program.searchagg.run(arguments, environment: environment, in: folder)
      #expect(open.status == 0 && open.lines.count > 20, "\(open.errors)")
      #expect(Self.closed.isDisjoint(with: try visibilities(open)), "\(arguments)")
      let isCounted =
        arguments[0] == "run"
        ? try excluded(open) == count
        : open.errors.contains("left out: \(count) private posts (--include-private shows them)")
      #expect(isCounted, "\(arguments): \(open.errors)")
      let all = try await Program.searchagg.run(
        arguments + ["--include-private"], environment: environment, in: folder)
      #expect(try visibilities(all).count { Self.closed.contains($0) } == count, "\(arguments)")
    }
    func counted(_ arguments: String...) async throws -> Int? {
      let ended = try await Program.searchagg.run(
        ["history", "stats", "--format", "json"] + arguments, environment: environment, in: folder)
      return try ended.objects.first?["posts"] as? Int
    }
    let (open, all) = (try await counted(), try await counted("--include-private"))
    #expect(all == open.map { $0 + count })
  }

  @Test func `A command for new posts gets none that are not for everyone`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = self.environment("mastodon", networks)
      let ended = try await Program.searchagg.run(
        ["run", "swift", "--new-all", "--notify-first", "--exec", "cat > told.txt"],
        environment: environment,
        in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      let told = try folder.text(of: "told.txt")
      #expect(told.contains("\"visibility\":\"public\""))
      #expect(!told.contains("\"visibility\":\"private\""))
      #expect(!told.contains("\"visibility\":\"direct\""))
    }
  }

  @Test func `A recording with private posts says so, and so does its replay`() async throws {
    let folder = try Folder()
    let line = "the recording holds posts that are not public: do not share it"
    let recorded = try await Networks.with { networks in
      let environment = self.environment("mastodon", networks)
      let open = try await Program.searchagg.run(
        ["run", "#swift", "--record", "public"], environment: environment, in: folder)
      #expect(open.status == 0 && !open.errors.contains(line), "\(open.errors)")
      return try await Program.searchagg.run(
        ["run", "swift", "--record", "recording"], environment: environment, in: folder)
    }
    #expect(recorded.errors.components(separatedBy: line).count == 2, "\(recorded.errors)")
    let replayed = try await Program.searchagg.run(
      ["run", "--replay", "recording", "--format", "ndjson"], in: folder)
    #expect(replayed.output == recorded.output && replayed.errors == recorded.errors)
    #expect(Self.closed.isDisjoint(with: try visibilities(replayed)))
  }
}
