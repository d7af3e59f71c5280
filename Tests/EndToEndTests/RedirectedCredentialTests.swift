import Foundation
import TestSupport
import Testing

/// A redirect to another server leaves the credential behind; what is wrong then is the address.
@Suite(.serialized) struct RedirectedCredentialTests {
  private static let session =
    #"{"accessJwt":"a.secret.b","refreshJwt":"c.secret.d","handle":"me.example","did":"did:plc:a"}"#

  private let environments = [
    "bluesky": ["BLUESKY_IDENTIFIER": "me.example", "BLUESKY_APP_PASSWORD": "secret"],
    "mastodon": ["MASTODON_ACCESS_TOKEN": "secret"], "x": ["X_BEARER_TOKEN": "secret"],
  ]

  /// Runs a search for words on a server.
  private func search(
    _ source: String, at server: RecordingServer
  ) async throws -> Program.Ended {
    var environment = environments[source] ?? [:]
    environment[Networks.variable(of: source)] = server.address
    return try await Program.searchagg.run(
      ["run", "two words", "--source", source, "--no-state", "--retries", "0"],
      environment: environment, in: Folder())
  }

  @Test(
    arguments: [
      ("x", 401, #"{"title":"Unauthorized","status":401}"#),
      // Who is not logged in finds nothing there.
      ("mastodon", 200, #"{"accounts":[],"statuses":[],"hashtags":[]}"#),
      // Which would be taken for a session that has expired.
      ("bluesky", 401, #"{"error":"AuthMissing","message":"Authentication Required"}"#),
    ])
  func `A search that another server answers without the credential fails, and names that server`(
    source: String, status: Int, body: String
  ) async throws {
    let other = try RecordingServer { _ in (status, body) }
    defer { other.stop() }
    let server = try RecordingServer(next: other.address) { path in
      path.contains("createSession") ? (200, Self.session) : (301, "")
    }
    defer { server.stop() }
    let ended = try await search(source, at: server)
    #expect(ended.status == 77, "\(ended.errors)")
    let words = "the server redirects to \(other.address), where the credential is not sent"
    let advice = "set \(Networks.variable(of: source)) to that"
    #expect(ended.errors.contains("\(words): \(advice)"), "\(ended.errors)")
    #expect(!other.requests.isEmpty)
    #expect(other.requests.allSatisfy { !$0.head.contains("secret") })
  }

  @Test func `A failure of that server which passes is reported as such`() async throws {
    let other = try RecordingServer { _ in (502, "") }
    defer { other.stop() }
    let server = try RecordingServer(next: other.address) { _ in (301, "") }
    defer { server.stop() }
    let ended = try await search("x", at: server)
    #expect(ended.status == 75, "\(ended.errors)")
    #expect(ended.errors.contains("the server failed (502)"), "\(ended.errors)")
  }

  @Test func `Without a credential a redirect leads to any server`() async throws {
    let other = try RecordingServer { _ in (200, #"{"hits":[]}"#) }
    defer { other.stop() }
    let server = try RecordingServer(next: other.address) { _ in (301, "") }
    defer { server.stop() }
    let ended = try await search("hackernews", at: server)
    #expect(ended.status == 0, "\(ended.errors)")
  }

  @Test func `A redirect within the server takes the credential along`() async throws {
    let found = #"{"data":[],"meta":{"result_count":0}}"#
    let server = try RecordingServer { path in path == "/elsewhere" ? (200, found) : (301, "") }
    defer { server.stop() }
    let ended = try await search("x", at: server)
    #expect(ended.status == 0, "\(ended.errors)")
    let moved = server.requests.filter { $0.head.contains("GET /elsewhere ") }
    #expect(!moved.isEmpty && moved.allSatisfy { $0.head.contains("Bearer secret") })
  }
}
