import Foundation
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// Answers with one value of another type than it should have, at every place.
struct BrokenItemTests {
  static let answers = [
    "twitter-classic": #"""
    {"results":[{"id_str":"1","id":1,"text":"a","from_user":"u","created_at":"Wed, 27 Oct 2010 03:56:39 +0000",
    "entities":{"urls":[{"url":"http://t.co/a","expanded_url":"http://x.example","indices":[0,5]}],"media":[{"media_url":"http://m.example","url":"http://t.co/b","indices":[1]}]}},
    {"id":2,"full_text":"b","user":{"screen_name":"u","name":"n","id":3},"retweeted_status":{"id":4,"text":"c","extended_tweet":{"full_text":"d","entities":{}}},"metadata":{"iso_language_code":"en"}},
    {"id":3,"text":"whole"}],"next_page":"?page=2&q=a","search_metadata":{"next_results":"?q=a"}}
    """#,
    "x": #"""
    {"data":[{"id":"1","text":"a https://t.co/a","author_id":"7","created_at":"2026-11-21T09:00:00.000Z","edit_history_tweet_ids":["1"],
    "entities":{"urls":[{"start":2,"end":16,"url":"https://t.co/a","expanded_url":"https://x.example","display_url":"x"}]},"attachments":{"media_keys":["3_1"]},
    "public_metrics":{"like_count":1},"referenced_tweets":[{"type":"retweeted","id":"9"}],"note_tweet":{"text":"long","entities":{"urls":[]}}},
    {"id":"2","text":"b"},{"id":"3","text":"whole"}],
    "includes":{"users":[{"id":"7","username":"u","name":"n"}],"tweets":[{"id":"9","text":"full"}],"media":[{"media_key":"3_1","url":"https://m.example"}]},
    "errors":[{"title":"t","detail":"d","type":"https://api.x.com/2/problems/x"}],"meta":{"result_count":3,"next_token":"n"}}
    """#,
    "bluesky": #"""
    {"posts":[{"uri":"at://d/c/1","author":{"did":"d","handle":"h","displayName":"n"},"record":{"text":"a b.example/l...","createdAt":"2026-11-21T09:00:00Z","langs":["en"],
    "facets":[{"index":{"byteStart":2,"byteEnd":16},"features":[{"uri":"https://b.example/long"}]}],"reply":{"parent":{"uri":"at://x"}},"labels":{"values":[{"val":"porn"}]}},
    "embed":{"external":{"uri":"https://e.example"},"images":[{"fullsize":"https://f.example"}],"media":{"playlist":"https://p.example"}},"indexedAt":"2026-11-21T09:00:00Z","likeCount":1,"labels":[{"val":"gore","neg":true}]},
    {"uri":"at://d/c/2","record":{"text":"b"}},{"uri":"at://d/c/3","record":{"text":"whole"}}],"cursor":"25"}
    """#,
    "mastodon": #"""
    [{"id":"1","uri":"https://m.example/1","url":"https://m.example/@a/1","content":"<p>a</p>","spoiler_text":"s","account":{"acct":"a","username":"a","display_name":"A","url":"https://m.example/@a"},
    "created_at":"2026-11-21T09:00:00Z","edited_at":null,"media_attachments":[{"url":"https://f.example"}],"sensitive":false,"language":"en","favourites_count":1,"in_reply_to_id":null,"reblog":{"id":"2","uri":"u","content":"<b>c"}},
    {"id":"3","content":"b"},{"id":"4","content":"whole"}]
    """#,
    "hackernews": #"""
    {"hits":[{"objectID":"1","title":"t","url":"https://x.example","author":"a","created_at":"2026-11-21T09:00:00Z","created_at_i":1,"story_text":"<p>a","points":1,"num_comments":2,"parent_id":3,"story_title":"s","comment_text":"c"},
    {"objectID":"2","title":"b"},{"objectID":"3","title":"whole"}],"nbHits":3,"nbPages":2,"page":0,"message":"m"}
    """#,
  ]

  @Test(arguments: answers.keys.sorted())
  func `One value of another type never costs the other posts`(name: String) throws {
    let source = try #require(Sources.named(name))
    let whole = try #require(Self.answers[name])
    let json = try JSONSerialization.jsonObject(with: Data(whole.utf8))
    let credentials = source.traits.needsCredentials ? ["token"] : nil
    let page = try source.asking("#a", at: "https://h.example", credentials: credentials)
    var pages = 0
    let wrong = [
      "null", "5", "-1", "1.5", "9223372036854775807", "18446744073709551615", "true", #""""#,
      #""x""#, "[]", "[5]", "{}", #"{"a":1}"#,
    ]
    try JSONPlaces.forEachSpoiled(json, by: wrong) { bytes, _ in
      let response = HTTPResponse(status: 200, body: HTTPBody(bytes))
      guard let read = try? source.page(from: response, to: page), !read.posts.isEmpty else {
        return
      }
      pages += 1
      #expect(
        read.posts.count + read.brokenItems == 3, "\(String(decoding: bytes, as: UTF8.self))")
      #expect(read.brokenItems <= 1)
    }
    // Only a change of the envelope or of the list itself costs the page.
    #expect(pages >= wrong.count * (JSONPlaces.count(json) - 4))
  }

  @Test func `A page of too many items is cut and says so`() throws {
    let item = #"{"objectID":"%","title":"t","created_at_i":1}"#
    let items = (0...PageBuilder.mostItems).map { item.replacing("%", with: "\($0)") }
    let body = #"{"hits":["# + items.joined(separator: ",") + #"],"nbPages":1,"page":0}"#
    let asked = try HackerNews.network.asking("x", at: "https://hn.example")
    let page = try HackerNews.network.page(from: answer(body), to: asked)
    #expect(page.posts.count == PageBuilder.mostItems)
    #expect(page.gap == "only the first 20000 items of the page were read")
  }

  @Test func `A response of too many values is not read`() throws {
    let body = "[" + String(repeating: "{},", count: AnswerSize.mostMarks / 2 + 1) + "{}]"
    let asked = try HackerNews.network.asking("x", at: "https://hn.example")
    let failure = try HackerNews.network.failure(of: answer(body), to: asked)
    #expect(failure.message == "the response has too many values")
  }
}
