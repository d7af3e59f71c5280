import Foundation
import Testing

@Suite struct MisskeyTests {
  private func ask(
    _ endpoint: String, _ body: String, _ fixture: SimulatorFixture
  ) async throws -> RawResponse {
    try await fixture.client.send(
      "/misskey/api/notes/\(endpoint)", method: "POST",
      headers: ["Content-Type": "application/json"], body: body)
  }

  @Test func `Its pages hold the whole corpus once, newest first`() async throws {
    try await withSimulator { fixture in
      var notes: [JSONTree] = []
      var until = ""
      while true {
        let page = try await ask("search-by-tag", #"{"tag":"swift","limit":40\#(until)}"#, fixture)
        guard let last = page.json.elements.last?["id"].string else { break }
        notes += page.json.elements
        until = #","untilId":"\#(last)""#
      }
      #expect(notes.count >= 60)
      let ids = notes.compactMap { $0["id"].string }
      #expect(ids == Set(ids).sorted(by: >) && ids.count == notes.count)
      let dates = notes.compactMap { $0["createdAt"].string }
      #expect(dates == dates.sorted(by: >))
      #expect(notes.contains { $0["text"].isNull && !$0["renote"].isNull })
    }
  }

  @Test func `Words are searched for by its users alone`() async throws {
    try await withSimulator { fixture in
      let anonymous = try await ask("search", #"{"query":"swift"}"#, fixture)
      #expect(anonymous.status == 400)
      #expect(anonymous.json["error"]["code"].string == "UNAVAILABLE")
      let token = fixture.environment["MISSKEY_TOKEN"] ?? ""
      let known = try await ask("search", #"{"query":"swift","i":"\#(token)"}"#, fixture)
      #expect(known.json.elements.count == 10)
      let wrong = try await ask("search", #"{"query":"swift","i":"wrong"}"#, fixture)
      #expect(wrong.status == 401)
    }
  }

  @Test(arguments: [#"{"tag":"a","limit":101}"#, #"{"tag":"a","limit":0}"#, "{}", "[]", "x"])
  func `A bad body is a 400 with a code`(body: String) async throws {
    try await withSimulator { fixture in
      let response = try await ask("search-by-tag", body, fixture)
      #expect(response.status == 400)
      #expect(response.json["error"]["code"].string == "INVALID_PARAM")
    }
  }

  @Test func `Nothing is read by GET`() async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/misskey/api/notes/search-by-tag?tag=swift")
      #expect(response.status == 405)
    }
  }
}
