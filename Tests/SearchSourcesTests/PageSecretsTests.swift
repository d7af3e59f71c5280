import QueuedHTTP
import Testing

@testable import SearchSources

/// The secrets of a request that its response may repeat.
struct PageSecretsTests {
  @Test(
    arguments: [
      (#"{"data":[]}"#, false), (#"{"next":"https://a/?access_token=ab%2Fcd%2Bef&q=a"}"#, true),
      (#"{"next":"https:\/\/a\/?access_token=ab\/cd+ef"}"#, true), ("ab&#47;cd+ef", true),
      (#""ab/cd\u002bef""#, true), ("ab/cd-ef", false), ("ab/cd", false),
    ])
  func `A token is found in any spelling, in the body and in a header field`(
    text: String, isFound: Bool
  ) throws {
    let source = try EverySource.named("threads")
    let page = try source.asking("a", at: "https://h.example", credentials: ["ab/cd+ef"])
    #expect(page.hasSecrets(in: answer(text)) == isFound)
    #expect(page.hasSecrets(in: answer("{}", headers: ["Link": text])) == isFound)
  }

  @Test func `A session is sent in place of the name and the password`() throws {
    let source = try EverySource.named("bluesky")
    let page = try source.asking(
      "a", at: "https://h.example", credentials: ["me.example", "password"],
      session: Session(accessToken: "token"))
    #expect(page.hasSecrets(in: answer("the token")))
    #expect(!page.hasSecrets(in: answer("me.example")))
    #expect(page.secrets.contains("password"))
  }

  @Test func `A feed may name its own address`() throws {
    let source = try EverySource.named("feed")
    let page = try source.asking("a", at: "https://h.example/feed?token=abcdef&page=1")
    #expect(page.hasSecrets(in: answer("<link href='https://h.example/feed?token=abcdef'/>")))
    #expect(!page.hasSecrets(in: answer("<link href='https://h.example/feed?page=1'/>")))
  }
}
