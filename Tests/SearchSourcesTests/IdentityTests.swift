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

  private static let redditPost =
    #"{"data":{"children":[{"kind":"t3","data":{"id":"b","name":"t3_b","title":"t","permalink":"/r/a/comments/b/t/"}}]}}"#
  private static let unnamedRedditPost =
    #"{"data":{"children":[{"kind":"t3","data":{"id":"b","title":"t","permalink":"/r/a/comments/b/t/"}}]}}"#
  private static let redditFeed =
    #"<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>t3_b</id><title>t</title></entry></feed>"#
  private static let tweet =
    #"{"results":[{"id":7,"text":"a","from_user":"amy"}]}"#

  @Test(
    arguments: [
      ("reddit", "https://www.reddit.com", "https://oauth.reddit.com", 1),
      ("reddit", "https://old.reddit.com", "https://reddit.com", 1),
      ("reddit", "https://one.example", "https://two.example", 2),
      ("reddit", "https://www.reddit.com", "https://reddit.com.example", 2),
      (
        "twitter-classic", "https://search.twitter.com",
        "https://api.twitter.com/1.1/search/tweets.json", 1
      ),
      ("twitter-classic", "https://twitter.com", "https://api.x.com", 1),
      ("twitter-classic", "https://one.example", "https://two.example", 2),
      ("twitter-classic", "https://netflix.com", "https://x.com", 2),
      ("twitter-classic", "https://one.example/api", "https://one.example/api/search.json", 1),
    ])
  func `A short id names a post of one site only`(
    name: String, one: String, other: String, count: Int
  ) throws {
    let source = try #require(Sources.named(name))
    let bodies =
      name == "reddit"
      ? [Self.redditPost, Self.unnamedRedditPost] : [Self.tweet, Self.tweet]
    let found = try zip([one, other], bodies).map { server, body in
      let page = try source.asking("a", at: server, session: Session(accessToken: "s"))
      return FoundPosts(tag: server, posts: try source.page(from: answer(body), to: page).posts)
    }
    let merged = Merge(now: testNow).posts(of: found)
    #expect(merged.count == count, "\(merged.map(\.uri))")
  }

  @Test(arguments: ["https://www.reddit.com", "https://one.example/forum"])
  func `A post has one identity in a feed of Reddit and in its search`(server: String) throws {
    let source = Reddit()
    let feed = try source.page(
      from: answer(Self.redditFeed), to: source.asking("a", at: server)
    ).posts
    let search = try source.page(
      from: answer(Self.redditPost),
      to: source.asking("a", at: server, session: Session(accessToken: "s"))
    ).posts
    #expect(feed.count == 1 && feed.map(\.uri) == search.map(\.uri))
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
