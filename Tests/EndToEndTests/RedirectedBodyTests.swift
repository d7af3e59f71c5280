import Foundation
import TestSupport
import Testing

/// Secrets in the body of a request stay with the server that the user named.
@Suite(.serialized) struct RedirectedBodyTests {
  private let environments = [
    "misskey": ["MISSKEY_TOKEN": "secret"],
    "bluesky": ["BLUESKY_IDENTIFIER": "me.example", "BLUESKY_APP_PASSWORD": "secret"],
  ]

  @Test func `A failure after a redirect names the server that it led to`() async throws {
    // Nobody listens there: the port is that of a service of the 1980s.
    let gone = "http://127.0.0.1:1"
    let server = try RecordingServer(next: gone) { _ in (302, "") }
    defer { server.stop() }
    let ended = try await Program.searchagg.run(
      ["run", "swift", "--source", "lobsters", "--no-state", "--retries", "0"],
      environment: [Networks.variable(of: "lobsters"): server.address], in: Folder())
    #expect(ended.status == 75)
    #expect(
      ended.errors.contains("redirected to \(gone): connection refused"),
      "\(ended.errors)")
  }

  @Test(arguments: ["misskey", "bluesky"], [307, 308])
  func `A secret in a body never reaches another server by a redirect`(
    source: String, status: Int
  ) async throws {
    let other = try RecordingServer { _ in (200, "{}") }
    defer { other.stop() }
    let server = try RecordingServer(next: other.address) { _ in (status, "") }
    defer { server.stop() }
    var environment = try #require(environments[source])
    environment[Networks.variable(of: source)] = server.address
    let ended = try await Program.searchagg.run(
      ["run", "two words", "--source", source, "--format", "ndjson", "--no-state"],
      environment: environment, in: Folder())
    #expect(other.requests.isEmpty)
    #expect(server.requests.count == 1)
    #expect(
      server.requests.allSatisfy { String(decoding: $0.body, as: UTF8.self).contains("secret") })
    #expect(ended.status != 0)
    let outcomes = try #require(try ended.objects.last?["outcomes"] as? [[String: Any]])
    #expect(outcomes.map { $0["outcome"] as? String } == ["failed"])
    let messages = outcomes.map { $0["message"] as? String }
    #expect(
      messages.first??.contains("the redirect to another server is not allowed") == true,
      "\(ended.output)\(ended.errors)")
    #expect(!ended.output.contains("secret") && !ended.errors.contains("secret"))
  }
}
