import Foundation
import TestSupport
import Testing

/// Runs on a machine without a network, and with servers that cannot be reached.
@Suite(.serialized) struct OfflineTests {
  /// Runs a program in a network namespace of its own, where even loopback is down.
  private static let unshare = Program(path: "/usr/bin/unshare")

  /// True if this user may create such a namespace.
  private static var canUnshare: Bool {
    get async {
      let ended = try? await unshare.run(["--net", "true"], in: Folder())
      return ended?.status == 0
    }
  }

  @Test(.enabled { await canUnshare })
  func `Without a network the run prints one line`() async throws {
    let tags = (1...12).map { "#tag\($0)" }
    let ended = try await Self.unshare.run(
      ["--net", Program.searchagg.path, "run"] + tags, in: Folder())
    #expect(ended.status == 75)
    let lines = ended.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(ended.errors)")
    #expect(lines.first?.contains("no network: none of") == true, "\(ended.errors)")
  }

  @Test func `A server that cannot be reached does not affect the others`() async throws {
    try await Networks.with { networks in
      var environment = networks.environment
      // Port 1 is reserved, and nothing listens there.
      environment["SEARCHAGG_MASTODON_URL"] = "http://127.0.0.1:1"
      let ended = try await Program.searchagg.run(
        ["run", "--source", "mastodon,hackernews,bluesky", "--format", "ndjson"]
          + (1...50).map { "#tag\($0)" }, environment: environment, in: Folder())
      #expect(ended.status == 2, "\(ended.errors)")
      let outcomes = try #require(try ended.objects.last?["outcomes"] as? [[String: Any]])
      for outcome in outcomes {
        let isDead = outcome["source"] as? String == "mastodon"
        #expect(outcome["outcome"] as? String == (isDead ? "failed" : "completed"), "\(outcome)")
      }
      #expect(ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
    }
  }
}
