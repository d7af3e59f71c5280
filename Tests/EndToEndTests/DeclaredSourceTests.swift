import Foundation
import NetworkSimulator
import TestSupport
import Testing

/// Sources that a configuration file declares, as a user adds them.
@Suite(.serialized) struct DeclaredSourceTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs/json-sources.md")

  /// The blocks of code in the page about a network of one's own.
  private func blocks() throws -> [(kind: String, text: String)] {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let parts = text.components(separatedBy: "```")
    return stride(from: 1, to: parts.count - 1, by: 2).map { index in
      let lines = parts[index].split(separator: "\n", omittingEmptySubsequences: false)
      return (String(lines[0]), lines.dropFirst().joined(separator: "\n"))
    }
  }

  /// The declaration of that page, for a simulator that serves another port.
  private func declaration(_ simulator: Simulator) throws -> String {
    let block = try #require(try blocks().first { $0.kind == "json" })
    return block.text.replacingOccurrences(of: ":8080/", with: ":\(simulator.port)/")
  }

  @Test func `The documented declaration works as printed`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let declaration = try declaration(networks.simulator)
      #expect(declaration.split(separator: "\n").count <= 12)
      try folder.write(declaration, to: "my.json")
      let console = try #require(try blocks().first { $0.kind == "console" })
      let words = try #require(console.text.split(separator: "\n").first).split(separator: " ")
      #expect(words.prefix(2) == ["$", "searchagg"])
      let arguments = words.dropFirst(2).map(String.init) + ["--format", "ndjson"]
      let time = ["SEARCHAGG_NOW": Networks.now]
      let ended = try await Program.searchagg.run(arguments, environment: time, in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.errors == "")
      let own = try await Program.searchagg.run(
        ["run", "swift", "--source", "hackernews", "--format", "ndjson"],
        environment: networks.anonymous, in: folder)
      let posts = try ended.objects.dropLast()
      let others = try own.objects.dropLast()
      #expect(posts.count == 20 && posts.count == others.count)
      for (post, other) in zip(posts, others) {
        #expect(post["source"] as? String == "my-hn")
        for key in ["id", "url", "text", "title", "created_at"] {
          #expect(post[key] as? String == other[key] as? String, "\(key)")
        }
      }
    }
  }

  @Test func `A source declared in the user's configuration works like the others`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      try folder.write(declaration(networks.simulator), to: "config/searchagg/config.json")
      var environment = ["SEARCHAGG_NOW": Networks.now]
      for arguments in [
        ["tags", "add", "swift", "--source", "my-hn"],
        ["tags", "edit", "swift", "--source", "my-hn"],
      ] {
        let ended = try await Program.searchagg.run(arguments, environment: environment, in: folder)
        #expect([0, 1].contains(ended.status), "\(ended.errors)")
        #expect(!ended.errors.contains("unknown source"))
      }
      // It can be left out and bounded by its name.
      for arguments in [["--exclude", "source:my-hn"], ["--max-cost", "my-hn=5"]] {
        let ended = try await Program.searchagg.run(
          ["run", "rust", "--source", "my-hn,hackernews", "--dry-run"] + arguments,
          environment: environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.output.contains("my-hn") == (arguments[0] == "--max-cost"))
      }
      // Another address, by the variable of its name, with a fault to tell it by.
      environment["SEARCHAGG_MY_HN_URL"] = "http://127.0.0.1:\(networks.simulator.port)/~status=503"
      let ended = try await Program.searchagg.run(
        ["run", "--format", "ndjson", "--retries", "0"], environment: environment, in: folder)
      #expect(ended.status == 75, "\(ended.errors)")
      #expect(
        ended.errors.contains("my-hn (http://127.0.0.1:\(networks.simulator.port)/~status=503)"))
      // Without the declaration the tag says so in one line.
      let bare = try await Program.searchagg.run(
        ["run", "--config", "/dev/null"], environment: environment, in: folder)
      #expect(bare.status == 78, "\(bare.errors)")
      try folder.write("{}", to: "bare.json")
      let unknown = try await Program.searchagg.run(
        ["run", "--config", "bare.json"], environment: environment, in: folder)
      #expect(unknown.status == 69, "\(unknown.errors)")
      #expect(unknown.errors.split(separator: "\n").count == 1)
      #expect(unknown.errors.contains("my-hn: swift: skipped: unknown source 'my-hn'"))
    }
  }

  @Test func `A file in the current folder cannot declare a source`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      try folder.write(declaration(networks.simulator), to: "searchagg.json")
      let ended = try await Program.searchagg.run(
        ["run", "swift", "--source", "my-hn"], in: folder)
      #expect(ended.status == 64, "\(ended.errors)")
      #expect(networks.simulator.counters.requests.isEmpty)
      // Nor does a mistake in it stop anybody.
      try folder.write(#"{"sources": {"x": 5, "evil": {"kind": 7}}}"#, to: "searchagg.json")
      let other = try await Program.searchagg.run(
        ["run", "swift", "--source", "hackernews"], environment: networks.anonymous, in: folder)
      #expect(other.status == 0, "\(other.errors)")
      #expect(other.errors.contains("'sources' is ignored"))
    }
  }

  @Test func `A declared source's credential is sent but never printed`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let address = networks.simulator.address(of: "github")
      try folder.write(
        #"""
        {"sources": {"mine": {"kind": "json", "url": "\#(address)/search/issues?q=is%3Aissue%20{query}&access_token={MINE_TOKEN}",
          "headers": {"Authorization": "Bearer {MINE_TOKEN}"}, "items": "items",
          "fields": {"id": "id", "title": "title", "text": "body", "created_at": "created_at"}}}}
        """#, to: "mine.json")
      let arguments = ["run", "swift", "--config", "mine.json", "--source", "mine"]
      let missing = try await Program.searchagg.run(arguments, in: folder)
      #expect(missing.status == 77)
      #expect(missing.errors.contains("mine needs MINE_TOKEN"))
      let refused = try await Program.searchagg.run(
        arguments, environment: ["MINE_TOKEN": "s3cret-s3cret"], in: folder)
      #expect(refused.status == 77, "\(refused.errors)")
      #expect(!(refused.errors + refused.output).contains("s3cret"))
      let token = try #require(networks.simulator.environment["GITHUB_TOKEN"])
      let accepted = try await Program.searchagg.run(
        arguments, environment: ["MINE_TOKEN": token], in: folder)
      #expect(accepted.status == 0, "\(accepted.errors)")
      #expect(!accepted.lines.isEmpty)
    }
  }
}
