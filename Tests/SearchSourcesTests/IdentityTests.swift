import FoundationEssentials
import SearchModel
import Testing

@testable import SearchSources

/// Copies of one post are one, whichever server or version of it answers.
struct IdentityTests {
  @Test(
    arguments: [
      // The id is the server's own, the address of federation is everybody's.
      (
        "mastodon", "#a",
        #"[{"id":"1","uri":"https://o.example/users/amy/statuses/9","content":"x","account":{"acct":"amy@o.example"}}]"#,
        #"[{"id":"01FC3","uri":"https://o.example/users/amy/statuses/9","content":"x","account":{"acct":"amy"}}]"#
      ),
      (
        "bluesky", "a",
        #"{"posts":[{"uri":"at://did:plc:a/app.bsky.feed.post/1","author":{"handle":"amy.example"},"record":{"text":"x"}}]}"#,
        #"{"posts":[{"uri":"at://did:plc:a/app.bsky.feed.post/1","author":{"handle":"new.example"},"record":{"text":"x"}}]}"#
      ),
      // A newer version, under a newer id, shares the first one's.
      (
        "x", "a", #"{"data":[{"id":"10","text":"x","edit_history_tweet_ids":["10"]}]}"#,
        #"{"data":[{"id":"12","text":"x, edited","edit_history_tweet_ids":["10","12"]}]}"#
      ),
      (
        "x", "a", #"{"data":[{"id":"12","text":"x","edit_history_post_ids":["10","12"]}]}"#,
        #"{"data":[{"id":"13","text":"x","edit_history_tweet_ids":["10","12","13"]}]}"#
      ),
      (
        "lemmy", "a",
        #"{"posts":[{"post":{"id":5,"name":"t","ap_id":"https://o.example/post/1"}}]}"#,
        #"{"posts":[{"post":{"id":77,"name":"t","ap_id":"https://o.example/post/1"}}]}"#
      ),
      (
        "misskey", "#a",
        #"[{"id":"9a","text":"x","uri":"https://o.example/notes/1","user":{"username":"amy","host":"o.example"}}]"#,
        #"[{"id":"9b","text":"x","uri":"https://o.example/notes/1","user":{"username":"amy","host":"o.example"}}]"#
      ),
      // Titles, and the words in an address with them, may be edited.
      (
        "stackexchange", "a",
        #"{"items":[{"question_id":7,"title":"t","link":"https://stackoverflow.com/questions/7/t"}]}"#,
        #"{"items":[{"question_id":7,"title":"u","link":"https://stackoverflow.com/questions/7/u"}]}"#
      ),
      (
        "reddit", "a",
        #"{"data":{"children":[{"kind":"t3","data":{"id":"b","name":"t3_b","title":"t","permalink":"/r/a/comments/b/t/"}}]}}"#,
        #"{"data":{"children":[{"kind":"t3","data":{"id":"b","name":"t3_b","title":"t"}}]}}"#
      ),
    ])
  func `Two copies are merged into the first`(
    name: String, query: String, one: String, other: String
  ) throws {
    let source = try #require(Sources.named(name))
    let found = try [("https://one.example", one), ("https://two.example", other)].map {
      server, body in
      let page = try source.asking(query, at: server, session: Session(accessToken: "s"))
      let posts = try source.page(from: answer(body), to: page).posts
      #expect(posts.count == 1)
      return FoundPosts(tag: server, posts: posts)
    }
    let merged = Merge(now: testNow).posts(of: found)
    #expect(merged.count == 1, "\(merged.map(\.uri))")
    #expect(merged.first?.server.text == "https://one.example")
    #expect(merged.first?.tags == ["https://one.example", "https://two.example"])
  }

  @Test func `Posts that differ in their identity alone are two`() throws {
    let source = try #require(Sources.named("x"))
    let body =
      #"{"data":[{"id":"10","text":"x","edit_history_tweet_ids":["10"]},{"id":"11","text":"x","edit_history_tweet_ids":["11"]}]}"#
    let page = try source.page(
      from: answer(body), to: source.asking("a", at: "https://one.example"))
    #expect(Merge(now: testNow).posts(of: [FoundPosts(tag: "a", posts: page.posts)]).count == 2)
  }
}
