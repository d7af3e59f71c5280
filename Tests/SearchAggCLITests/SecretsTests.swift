import FoundationEssentials
import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import TestSupport
import Testing

@testable import Application
@testable import SearchAggCLI

@Suite struct SecretsTests {
  private let folder: Folder
  private let now = Date(timeIntervalSince1970: 1_795_251_600)

  init() throws { folder = try Folder() }

  @Test func `A credential in the environment beats the one in the file`() throws {
    try folder.write(
      #"{"X_BEARER_TOKEN": "from the file", "GITHUB_TOKEN": "from the file"}"#,
      to: "home/.config/searchagg/credentials.json", mode: 0o600)
    let context = Context(
      environment: ["HOME": folder["home"], "X_BEARER_TOKEN": "from the environment"],
      workingDirectory: folder.path, input: BufferStream(), output: BufferStream(),
      errors: BufferStream(), now: { [now] in now })
    let secrets = try Secrets(in: context)
    #expect(try secrets.credentials(named: ["X_BEARER_TOKEN"]).token == "from the environment")
    #expect(try secrets.credentials(named: ["GITHUB_TOKEN"]).token == "from the file")
  }

  @Test(arguments: [nil, "token for renewal"])
  func `A session that has ended is kept only if it can be renewed`(renewal: String?) async throws {
    let place = SessionPlace(
      source: "bluesky", server: try #require(ServerAddress("https://b.example")), account: "amy")
    let session = Session(
      accessToken: "token", refreshToken: renewal, expires: now.addingTimeInterval(-60))
    let path = folder["sessions.json"]
    let file = { [now] in SessionFile(path: path, now: { now }, warn: { _ in }) }
    await file().keep(session, at: place)
    #expect(await file().session(at: place) == (renewal == nil ? nil : session))
  }

  @Test(arguments: ["Authorization", "authorization"])
  func `A preview shows the scheme of an Authorization header and nothing else`(name: String) {
    var request = HTTPRequest(url: "https://r.example/token")
    request.headers[name] = "Basic KioqOioqKg=="
    #expect(RequestPreview(request).text.hasSuffix("\n\(name): Basic ***"))
  }
}
