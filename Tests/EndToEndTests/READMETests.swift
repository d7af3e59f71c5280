import Foundation
import TestSupport
import Testing

/// The README's commands, typed from top to bottom as they are printed.
@Suite(.serialized) struct READMETests {
  private static let readme = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md")

  /// The commands for a shell in all sections but those of `make`.
  private func commands() throws -> [String] {
    let parts = try String(contentsOf: Self.readme, encoding: .utf8).components(separatedBy: "```")
    return stride(from: 1, to: parts.count - 1, by: 2).flatMap { index -> [String] in
      // A command may continue on the next lines.
      var lines = parts[index].replacing("\\\n", with: "").split(separator: "\n").map(String.init)
      guard lines.removeFirst() == "sh" else { return [] }
      return lines.filter { !$0.hasPrefix("#") && !$0.contains("make ") }
    }
  }

  /// A command that ends by itself: a watch goes on until somebody ends it.
  private static func ended(_ command: String) -> String {
    command.replacing("searchagg watch", with: "searchagg watch --for 1s")
  }

  @Test func `The commands succeed in the order of the README`() async throws {
    let commands = try commands()
    #expect(commands.count > 20)
    let folder = try Folder()
    // A reader has these: a folder for the feed, and a repository.
    try folder.write("", to: "public/.keep")
    try folder.write("secret", to: "token")
    let script =
      (["git init --quiet ."] + commands.map(Self.ended))
      .map { "echo \"+ $(cat <<'COMMAND'\n\($0)\nCOMMAND\n)\" >&2\n\($0)" }
      .joined(separator: "\n")
    try folder.write(script, to: "script")
    // The folder's own tags.json is the one that is shared.
    try folder.write(#"{"version": 1, "tags": []}"#, to: "tags.json")
    // And a program that sends mail, and a webhook.
    try folder.write("#!/bin/sh\ncat > mail\n", to: "bin/mail", mode: 0o755)
    try folder.write(
      #"{"channels": {"team": {"kind": "slack", "url": "{TEAM_WEBHOOK}"}}}"#,
      to: "config/searchagg/config.json")
    let webhook = try RecordingServer { _ in (200, "ok") }
    defer { webhook.stop() }
    let programs = URL(filePath: Program.searchagg.path).deletingLastPathComponent().path
    try await Networks.with { networks in
      // Nor has a reader named feeds or a SearXNG server yet, which have more pages than are read.
      let unnamed: Set = ["SEARCHAGG_SOURCE", "SEARCHAGG_FEED_URL", "SEARCHAGG_SEARXNG_URL"]
      var environment = networks.environment.filter { !unnamed.contains($0.key) }
      environment["PATH"] = "\(programs):\(folder["bin"]):/usr/bin:/bin"
      environment["TEAM_WEBHOOK"] = webhook.address
      environment["SEARCHAGG_NO_HISTORY"] = "false"
      let ended = try await Program(path: "/bin/sh").run(
        ["-e", "script"], environment: environment, in: folder)
      #expect(ended.status == 0, "\(ended.errors.suffix(2000))")
    }
    for name in [
      "public/tags.atom", "digest.html", "today.md", "today.ndjson", "posts.db", "2026.csv",
      "week.html",
    ] {
      #expect(try folder.text(of: name).count > 1000 || name == "posts.db", "\(name)")
    }
  }
}
