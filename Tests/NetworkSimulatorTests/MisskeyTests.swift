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

  @Test func `Its pages contain each post once, newest first`() async throws {
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

  @Test func `Only its users can search for words`() async throws {
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

  @Test func `Dates limit a search without ids, and a start date alone reverses the order`()
    async throws
  {
    try await withSimulator { fixture in
      let all = try await ask("search-by-tag", #"{"tag":"swift","limit":100}"#, fixture).json
        .elements
      func dates(_ bounds: String) async throws -> [String] {
        try await ask("search-by-tag", #"{"tag":"swift","limit":5,\#(bounds)}"#, fixture).json
          .elements.compactMap { $0["createdAt"].string }
      }
      let known = all.compactMap { $0["createdAt"].string }
      let strategy = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
      func milliseconds(_ place: Int) throws -> Int {
        Int((try Date(known[place], strategy: strategy).timeIntervalSince1970 * 1000).rounded())
      }
      let (newer, older) = (try milliseconds(20), try milliseconds(40))
      #expect(try await dates(#""untilDate":\#(newer)"#) == Array(known[21..<26]))
      #expect(
        try await dates(#""untilDate":\#(newer),"sinceDate":\#(older)"#) == Array(known[21..<26]))
      #expect(try await dates(#""sinceDate":\#(older)"#) == known[35..<40].reversed())
      let id = try #require(all[30]["id"].string)
      #expect(
        try await dates(#""untilId":"\#(id)","untilDate":\#(older)"#) == Array(known[31..<36]))
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

  @Test func `GET requests are refused`() async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/misskey/api/notes/search-by-tag?tag=swift")
      #expect(response.status == 405)
    }
  }
}
