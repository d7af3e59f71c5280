import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// Answers in shapes that lie beside the documented one, and that nothing is lost of.
struct OtherShapesTests {
  private func posts(_ source: some Source, _ body: String) throws -> [Post] {
    let page = try source.page(
      from: answer(body),
      to: source.asking(
        "#x", at: source.traits.defaultServer ?? "https://old.example",
        credentials: source.traits.needsCredentials ? ["token"] : nil))
    #expect(page.brokenItems == 0)
    return page.posts
  }

  @Test func `A single post of X is a page of one`() throws {
    let posts = try posts(
      X(), #"{"data":{"id":"1","text":"a","author_id":"7"},"includes":{"users":[]}}"#)
    #expect(posts.map(\.id) == ["1"])
    #expect(posts.map(\.author.handle) == ["7"])
  }

  @Test(
    arguments: [
      #"{"id":"1","text":"own","note_tweet":{"text":5}}"#,
      #"{"id":"1","text":"own","note_post":{},"note_tweet":{"text":""},"note_tweet":null}"#,
      #"{"id":"1","text":"own","referenced_tweets":[{"type":"retweeted","id":"9"}]}"#,
    ])
  func `An invalid long text of X falls back to the short one`(item: String) throws {
    let body = #"{"data":[\#(item)],"includes":{"tweets":[{"id":"9"}]}}"#
    #expect(try posts(X(), body).map(\.text).allSatisfy { $0 == "own" || $0 == "" })
  }

  @Test func `X's newer word wins if both occur, in either order`() throws {
    for counts in [
      #"{"repost_count":2,"retweet_count":1}"#, #"{"retweet_count":1,"repost_count":2}"#,
    ] {
      let body = #"{"data":[{"id":"1","text":"a","public_metrics":\#(counts)}]}"#
      #expect(try posts(X(), body).map(\.counts.reposts) == [2])
    }
    let histories = [
      #""edit_history_post_ids":["8"],"edit_history_tweet_ids":["9"]"#,
      #""edit_history_tweet_ids":["9"],"edit_history_post_ids":["8"]"#,
    ]
    for history in histories {
      let body = #"{"data":[{"id":"1","text":"a",\#(history)}]}"#
      #expect(try posts(X(), body).map(\.uri) == ["https://x.com/i/status/8"])
    }
  }

  @Test func `A date without a zone is UTC`() throws {
    let date = try moment("2026-11-21T09:00:00Z")
    let text = "2026-11-21T09:00:00"
    #expect(
      try posts(X(), #"{"data":[{"id":"1","text":"a","created_at":"\#(text)"}]}"#)
        .map(\.createdAt) == [date])
    #expect(
      try posts(
        HackerNews.network, #"{"hits":[{"objectID":"1","title":"a","created_at":"\#(text)"}]}"#
      ).map(\.createdAt) == [date])
    #expect(
      try posts(Mastodon(), #"[{"id":"1","content":"a","created_at":"\#(text)"}]"#)
        .map(\.createdAt) == [date])
  }

  @Test func `A bare list from Twitter and a retweet without the original's text are read`() throws
  {
    let body = #"[{"id":1,"text":"RT @u: cut","retweeted_status":{"id":2}},{"id":3,"text":"b"}]"#
    let posts = try posts(TwitterClassic(), body)
    #expect(posts.map(\.text) == ["RT @u: cut", "b"])
    #expect(posts.map(\.repostOf) == ["2", nil])
  }

  @Test func `A feed of Bluesky is read like a search`() throws {
    let post = #"{"uri":"at://d/c/1","record":{"text":"a"},"indexedAt":"2026-11-21T09:00:00Z"}"#
    let body = #"{"feed":[{"post":\#(post),"reason":{}},{"post":\#(post)}],"cursor":"c"}"#
    #expect(try posts(Bluesky(), body).map(\.text) == ["a"])
  }

  @Test func `A boost without content is read from the status around it`() throws {
    let body = #"[{"id":"1","content":"<p>own</p>","reblog":{"id":"2"}}]"#
    let posts = try posts(Mastodon(), body)
    #expect(posts.map(\.text) == ["own"])
    #expect(posts.map(\.repostOf) == ["2"])
  }

  @Test func `A comment's text of another kind leaves the story's`() throws {
    let body = #"{"hits":[{"objectID":"1","comment_text":5,"story_text":"<p>a"}]}"#
    #expect(try posts(HackerNews.network, body).map(\.text) == ["a"])
  }
}
