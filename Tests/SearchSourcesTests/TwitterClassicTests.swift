import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct TwitterClassicTests {
  private let source = TwitterClassic()

  private func page(_ body: String, at server: String = "https://search.twitter.com") throws -> Page
  {
    try source.page(from: answer(body), to: source.asking("#ruby", at: server))
  }

  @Test func `The base address gets the path of version 1`() throws {
    let request = try source.request(
      for: source.asking(
        "#ruby on rails", at: "https://old.example/twitter/", until: "2026-11-20T00:00:00.001Z",
        wanted: 7))
    #expect(
      request.url
        == "https://old.example/twitter/search.json?q=%23ruby%20on%20rails&rpp=7&result_type=recent"
        + "&include_entities=true&until=2026-11-21")
    let midnight = try source.request(
      for: source.asking("a", at: "https://old.example", until: "2026-11-20T00:00:00Z"))
    #expect(
      midnight.url.hasSuffix("&rpp=100&result_type=recent&include_entities=true&until=2026-11-20"))
  }

  @Test func `An address that ends in json is the endpoint`() throws {
    let plain = try source.request(for: source.asking("a", at: "https://old.example/s.json"))
    #expect(
      plain.url
        == "https://old.example/s.json?q=a&rpp=100&result_type=recent&include_entities=true")
    let newer = try source.request(
      for: source.asking("a", at: "https://o.example/1.1/search/tweets.json"))
    #expect(
      newer.url
        == "https://o.example/1.1/search/tweets.json?q=a&count=100&result_type=recent"
        + "&include_entities=true&tweet_mode=extended")
  }

  @Test func `Numbered pages keep the size of the first one`() throws {
    let server = "https://old.example"
    func next(_ address: String, after page: PageRequest) throws -> String {
      let body = #"{"results":[{"id":1,"text":"a"}],"next_page":"\#(address)"}"#
      return try #require(source.page(from: answer(body), to: page).next).rawValue
    }
    let second = try next("?page=2&max_id=9&q=a", after: source.asking("a", at: server, wanted: 80))
    #expect(second == "page=2&max_id=9&q=a&rpp=80")
    let page = try source.asking("a", at: server, wanted: 7, cursor: Cursor(rawValue: second))
    #expect(try source.request(for: page).url.contains("?page=2&max_id=9&q=a&rpp=80&result_type"))
    #expect(try next("?page=3&max_id=9&q=a", after: page) == "page=3&max_id=9&q=a&rpp=80")
    // The server's own word counts; and pages by identifier may have any size.
    #expect(try next("?page=3&rpp=50&q=a", after: page) == "page=3&rpp=50&q=a")
    #expect(try next("?max_id=9&q=a", after: page) == "max_id=9&q=a")
  }

  @Test func `Version 1 is read, and its next page stays on the server`() throws {
    let page = try page(
      #"""
      {"results":[
       {"id":99628211503235073,"id_str":"99628211503235073","from_user":"i7oo","from_user_name":"I 7","from_user_id":1,
        "text":"&quot;a&quot; &amp;lt; b http://t.co/abc1234567","created_at":"Mon, 05 Aug 2011 23:49:51 +0000","iso_language_code":"en","source":"&lt;a&gt;",
        "entities":{"urls":[{"url":"http://t.co/abc1234567","expanded_url":"http://long.example/","indices":[27,49]}]},"geo":null},
       {"id":16210104161,"from_user_id_str":"77","text":"old","created_at":"never","metadata":{"iso_language_code":"de"}},
       {"id":5}, "x", null, {"text":"no id"}, {"id_str":"99628211503235073","text":"again"}
      ],"next_page":"https://evil.example/?page=2&max_id=99&q=%23ruby#é","max_id":1}
      """#)
    #expect(page.brokenItems == 4)
    #expect(page.posts.count == 2)
    let post = page.posts[0]
    #expect(post.id == "99628211503235073")
    #expect(post.text == "\"a\" &lt; b http://long.example/")
    #expect(post.author == Author(handle: "i7oo", name: "I 7", url: "https://twitter.com/i7oo"))
    #expect(post.createdAt == (try moment("2011-08-05T23:49:51Z")))
    #expect(post.language == "en")
    #expect(post.links == ["http://long.example/"])
    #expect(post.url == "https://twitter.com/i7oo/status/99628211503235073")
    #expect(page.posts[1].author.handle == "77")
    #expect(page.posts[1].language == "de")
    #expect(page.posts[1].createdAt == nil)

    let next = try source.request(
      for: source.asking("#ruby", at: "https://old.example/twitter", wanted: 50, cursor: page.next))
    #expect(
      next.url
        == "https://old.example/twitter/search.json?page=2&max_id=99&q=%23ruby&rpp=100"
        + "&result_type=recent&include_entities=true")
  }

  @Test func `Version 1_1 is read, with full texts and retweets`() throws {
    let page = try page(
      #"""
      {"statuses":[
       {"id":247827742178021376,"id_str":"247827742178021376","full_text":"RT @o: cut…","created_at":"Mon Sep 17 22:41:52 +0000 2012",
        "user":{"id_str":"9","screen_name":"richrad","name":"Richard"},"lang":"en","retweet_count":3,"favorite_count":0,"reply_count":0,
        "in_reply_to_status_id":12,"possibly_sensitive":true,
        "retweeted_status":{"id_str":"11","favorite_count":8,"full_text":"the whole text http://t.co/m","entities":{"urls":[],"media":[{"url":"http://t.co/m","expanded_url":"http://tw.example/p/1","media_url":"http://pbs.example/m.jpg","indices":[15,28]}]}}},
       {"id":2,"text":"plain","extended_tweet":{"full_text":"longer than plain"},"user":null}
      ],"search_metadata":{"next_results":"?max_id=1&q=%23ruby&include_entities=1","count":2}}
      """#)
    #expect(page.brokenItems == 0)
    let post = page.posts[0]
    #expect(post.text == "the whole text http://tw.example/p/1")
    #expect(post.repostOf == "11")
    #expect(post.author == Author(handle: "o", url: "https://twitter.com/o"))
    #expect(post.repostedBy?.handle == "richrad")
    #expect(post.url == "https://twitter.com/richrad/status/247827742178021376")
    #expect(post.replyTo == "12")
    #expect(post.media == ["http://pbs.example/m.jpg"])
    #expect(post.links.isEmpty)
    #expect(post.counts == Counts(likes: 8, reposts: 3, replies: 0))
    #expect(post.isSensitive == true)
    #expect(post.createdAt == (try moment("2012-09-17T22:41:52Z")))
    #expect(page.posts[1].text == "longer than plain")
    let next = try source.request(
      for: source.asking("#ruby", at: "https://o.example/search/tweets.json", cursor: page.next))
    #expect(
      next.url
        == "https://o.example/search/tweets.json?max_id=1&q=%23ruby&include_entities=1&count=100"
        + "&result_type=recent&tweet_mode=extended")
  }

  @Test(arguments: [
    #"{"results":[],"max_id":-1}"#, #"{"results":[],"max_id":0,"since_id":0,"query":"x"}"#,
    #"{"completed_in":0.1,"max_id":1,"query":"x"}"#, #"{"search_metadata":{"count":100}}"#,
    #"{"statuses":[],"search_metadata":{}}"#, #"{"results":[]}"#, "[]",
  ])
  func `Every known empty response is an empty last page`(body: String) throws {
    let page = try page(body)
    #expect(page.items == 0 && page.next == nil && page.deadEnd == nil)
    #expect(page.missing == nil && page.gap == nil)
  }

  @Test func `A cut after 1500 posts in version 1 is reported`() throws {
    let deep = #"{"results":[{"id_str":"1","text":"a"}],"page":15,"results_per_page":100}"#
    #expect(
      try page(deep).missing == "this API returns only the newest 1500 posts of a query")
    #expect(try page(deep.replacing("15", with: "14")).missing == nil)
    let named = deep.replacing(#""page":"#, with: #""next_page":"?page=16&max_id=1&q=a","page":"#)
    // Servers that imitate it have more, and say so.
    #expect(try page(named).next != nil && page(named).missing == nil)
  }

  @Test(
    arguments: [
      ("https://gs.example/api/search.json", "https://gs.example"),
      ("https://gs.example/index.php/api", "https://gs.example/index.php"),
      ("https://gs.example/1.1/search/tweets.json", "https://gs.example"),
      ("http://api/search.json", "http://api"),
      ("https://gs.example/social", "https://gs.example/social"),
    ])
  func `Posts of another server have addresses there`(server: String, home: String) throws {
    let posts = try page(
      #"""
      {"results":[{"id":3,"text":"a","from_user":"amy"},
       {"id":4,"text":"b","uri":"tag:far.example,2026-11-01:noticeId=9:objectType=note","external_url":"https://far.example/notice/9",
        "user":{"screen_name":"bob","statusnet_profile_url":"https://far.example/bob"}},
       {"id":5,"text":"c","uri":"https://far.example/notice/10"}]}
      """#, at: server
    ).posts
    #expect(
      posts.map(\.url) == [
        home + "/notice/3", "https://far.example/notice/9", "https://far.example/notice/10",
      ])
    #expect(
      posts.map(\.uri) == [
        home + "/notice/3", "tag:far.example,2026-11-01:noticeId=9:objectType=note",
        "https://far.example/notice/10",
      ])
    #expect(
      posts.map(\.author) == [
        Author(handle: "amy"), Author(handle: "bob", url: "https://far.example/bob"), Author(),
      ])
  }

  @Test func `A premium page leads to the next one by its token`() throws {
    let page = try page(
      #"{"results":[{"id_str":"1","text":"a"}],"next":"eyJ=","requestParameters":{}}"#)
    let next = try source.request(
      for: source.asking("q", at: "https://o.example/1.1/30day.json", cursor: page.next))
    #expect(next.url.hasPrefix("https://o.example/1.1/30day.json?next=eyJ%3D&q=q&"))
  }
}
