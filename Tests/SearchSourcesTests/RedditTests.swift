import Foundation
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct RedditTests {
  private let source = Reddit()
  private let server = "https://oauth.reddit.com"
  private let session = Session(accessToken: "tok")

  private func page(_ response: HTTPResponse) throws -> Page {
    try source.page(from: response, to: source.asking("a", at: server, session: session))
  }

  @Test func `Only links and comments of a listing are posts`() throws {
    let page = try page(
      answer(
        #"""
        {"kind":"Listing","data":{"after":null,"children":[
         {"kind":"t3","data":{"id":"a","name":"t3_a","title":"T"}},
         {"kind":"t1","data":{"id":"b","name":"t1_b","body":"c"}},
         {"kind":"t5","data":{"id":"2qh","name":"t5_2qh","title":"A sub","display_name":"sub"}},
         {"kind":"t2","data":{"id":"u","name":"amy"}},
         {"kind":"more","data":{"count":3,"id":"_","children":[]}}]}}
        """#))
    #expect(page.posts.map(\.uri) == ["t3_a", "t1_b"])
    #expect(page.passedOver == 3 && page.brokenItems == 0)
  }

  @Test func `Pictures, galleries and videos are media, also of a post that is passed on`() throws {
    let page = try page(
      answer(
        #"""
        {"kind":"Listing","data":{"after":null,"children":[
         {"kind":"t3","data":{"id":"a","title":"T","post_hint":"image","url":"https://i.redd.it/a.png"}},
         {"kind":"t3","data":{"id":"b","title":"T","is_gallery":true,"url":"https://www.reddit.com/gallery/b",
           "gallery_data":{"items":[{"media_id":"m2","caption":"Second"},{"media_id":"gone"},{"media_id":"m1"}]},
           "media_metadata":{"m1":{"s":{"u":"https://preview.redd.it/1.jpg?width=9&s=x"}},
             "m2":{"s":{"gif":"https://i.redd.it/2.gif","mp4":"https://i.redd.it/2.mp4"}}}}},
         {"kind":"t3","data":{"id":"c","title":"T","selftext":"","crosspost_parent":"t3_z","crosspost_parent_list":[
           {"id":"z","selftext":"said before","media":{"reddit_video":{"fallback_url":"https://v.redd.it/c/720.mp4"}}}]}},
         {"kind":"t3","data":{"id":"d","title":"T","post_hint":"link","url":"https://a.example/","media":null}}]}}
        """#))
    #expect(
      page.posts.map { $0.attachments.map(\.url) } == [
        ["https://i.redd.it/a.png"],
        ["https://i.redd.it/2.gif", "https://preview.redd.it/1.jpg?width=9&s=x"],
        ["https://v.redd.it/c/720.mp4"], [],
      ])
    #expect(page.posts[1].attachments.first?.description == "Second")
    #expect(page.posts[2].attachments.first?.kind == .video)
    #expect(page.posts[2].text == "said before" && page.posts[2].repostOf == "t3_z")
  }

  @Test(
    arguments: [
      (nil, "all"), ("2026-11-21T09:30:00Z", "day"), ("2026-11-20T11:30:00Z", "day"),
      // A run may wait for minutes, and the span is counted from each request.
      ("2026-11-20T10:30:00Z", "week"), ("2026-11-15T00:00:00Z", "week"),
      ("2026-10-25T00:00:00Z", "month"), ("2026-01-01T00:00:00Z", "year"),
      ("2020-01-01T00:00:00Z", "all"),
    ] as [(String?, String)])
  func `The request asks for the newest of a span`(since: String?, span: String) throws {
    let request = try source.request(
      for: source.asking(
        "c++ #x", at: server, since: since, wanted: 20, cursor: Cursor(rawValue: "t3_a"),
        session: session))
    #expect(
      request.url
        == "https://oauth.reddit.com/search?q=%22c%2B%2B%22%20x&sort=new&t=\(span)&type=link&limit=20"
        + "&raw_json=1&include_over_18=on&after=t3_a")
    #expect(request.headers["Authorization"] == "Bearer tok")
  }

  @Test func `Without a session the feed is requested, and its errors say what to do`() throws {
    for server in [server, "https://www.reddit.com"] {
      let page = try source.asking("c++", at: server, wanted: 20)
      #expect(
        try source.request(for: page).url
          == "https://www.reddit.com/search.rss?q=%22c%2B%2B%22&sort=new&t=all&type=link&limit=20")
    }
    let asked = try source.asking("a", at: "https://www.reddit.com")
    for (status, body) in [(403, "<html>Blocked</html>"), (429, "")] {
      let failure = try source.failure(of: answer(body, status: status), to: asked)
      #expect(failure.advice == "set REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET")
    }
    #expect(throws: SourceFault.self) {
      try source.page(from: answer("<html><body>whoa there</body></html>"), to: asked)
    }
    let blocked = try source.failure(
      of: answer("<html>Blocked</html>", status: 403),
      to: source.asking("a", at: server, session: session))
    #expect(blocked.advice?.contains("--user-agent") == true)
  }

  @Test func `Entries of its feed give the same posts`() throws {
    let page = try source.page(
      from: answer(
        #"""
        <?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>search</title>
        <entry><author><name>/u/amy</name><uri>https://www.reddit.com/user/amy</uri></author><category term="swift" label="r/swift"/><content type="html">&lt;!-- SC_OFF --&gt;&lt;div class=&quot;md&quot;&gt;&lt;p&gt;See &lt;a href=&quot;https://a.example/&quot;&gt;this&lt;/a&gt; &amp;amp; that&lt;/p&gt; &lt;/div&gt;&lt;!-- SC_ON --&gt; &amp;#32; submitted by &amp;#32; &lt;a href=&quot;https://www.reddit.com/user/amy&quot;&gt; /u/amy &lt;/a&gt; to &lt;a href=&quot;https://www.reddit.com/r/swift/&quot;&gt; r/swift &lt;/a&gt; &lt;br/&gt; &lt;span&gt;&lt;a href=&quot;https://www.reddit.com/r/swift/comments/abc/x/&quot;&gt;[link]&lt;/a&gt;&lt;/span&gt; &amp;#32; &lt;span&gt;&lt;a href=&quot;https://www.reddit.com/r/swift/comments/abc/x/&quot;&gt;[comments]&lt;/a&gt;&lt;/span&gt;</content><id>t3_abc</id><link href="https://www.reddit.com/r/swift/comments/abc/x/" /><updated>2026-11-20T09:00:00+00:00</updated><title>A &lt; B</title></entry>
        <entry><content type="html">&lt;table&gt;&lt;tr&gt;&lt;td&gt; &lt;a href=&quot;https://www.reddit.com/r/swift/comments/b/x/&quot;&gt; &lt;img src=&quot;https://i.example/t.jpg&quot; alt=&quot;T&quot; /&gt; &lt;/a&gt; &lt;/td&gt;&lt;td&gt; &amp;#32; submitted by &amp;#32; &lt;a href=&quot;https://www.reddit.com/user/[deleted]&quot;&gt; [deleted] &lt;/a&gt; &lt;br/&gt; &lt;span&gt;&lt;a href=&quot;https://l.example/story&quot;&gt;[link]&lt;/a&gt;&lt;/span&gt; &lt;span&gt;&lt;a href=&quot;https://www.reddit.com/r/swift/comments/b/x/&quot;&gt;[comments]&lt;/a&gt;&lt;/span&gt;&lt;/td&gt;&lt;/tr&gt;&lt;/table&gt;</content><id>t3_b</id><link href="https://www.reddit.com/r/swift/comments/b/x/" /><updated>2026-11-20T08:00:00+00:00</updated><title>B</title></entry>
        <entry><id>t5_2z6zi</id><title>r/swift</title><link href="https://www.reddit.com/r/swift/"/></entry>
        <entry><title>of nothing</title></entry>
        </feed>
        """#), to: source.asking("a", at: "https://www.reddit.com"))
    #expect(page.brokenItems == 1 && page.posts.count == 2 && page.next == nil)
    let own = try #require(page.posts.first)
    #expect(own.id == "abc" && own.uri == "t3_abc" && own.title == "A < B")
    #expect(own.author == Author(handle: "amy", url: "https://www.reddit.com/user/amy"))
    #expect(own.text == "See this & that" && own.links == ["https://a.example/"])
    #expect(own.createdAt == (try moment("2026-11-20T09:00:00Z")))
    #expect(page.posts.last?.links == ["https://l.example/story"])
    #expect(page.posts.last?.text == "T")
  }

  @Test func `A page of its feed that a few hidden posts shorten is not the end`() throws {
    let asked = try source.asking("a", at: "https://www.reddit.com", wanted: 20)
    func missing(_ count: Int) throws -> String? {
      let entries = (0..<count).map {
        "<entry><id>t3_\($0)</id><title>t</title><link href=\"https://www.reddit.com/r/a/comments/\($0)/x/\"/></entry>"
      }
      let feed = "<feed xmlns=\"http://www.w3.org/2005/Atom\">\(entries.joined())</feed>"
      return try source.page(from: answer(feed), to: asked).missing
    }
    #expect(try missing(19) != nil)
    #expect(try missing(12) == nil)
  }

  @Test func `A login that is refused with status 200 is a rejected credential`() throws {
    let body =
      #"{"error":"unauthorized_client","error_description":"Only confidential\u001b[31m clients"}"#
    let asking = try Reddit().asking(
      "a", at: "https://oauth.reddit.com", credentials: ["id", "s3cret-s3cret"])
    do {
      _ = try Reddit().session(from: answer(body), to: asking)
      Issue.record("a session without a token")
    } catch {
      guard case .failed(let failure) = error else { throw error }
      #expect(failure.kind == .credential && failure.advice?.contains("REDDIT_CLIENT_ID") == true)
      #expect(
        failure.message.contains("unauthorized_client") && !failure.message.contains("\u{1B}"))
    }
    #expect(throws: SourceFault.self) { try Reddit().session(from: answer("{}"), to: asking) }
  }

  @Test func `A login goes to the public site, or to the same server for any other address`() throws
  {
    let credentials = Credentials(["id", "sec"])
    let address = try #require(ServerAddress(server))
    let publicly = try #require(source.loginRequest(to: address, with: credentials))
    #expect(publicly.url == "https://www.reddit.com/api/v1/access_token")
    #expect(publicly.method == .post)
    #expect(publicly.headers["Authorization"] == "Basic aWQ6c2Vj")
    #expect(publicly.body == Array("grant_type=client_credentials".utf8))
    let other = try #require(ServerAddress("https://r.example"))
    let own = try #require(source.loginRequest(to: other, with: credentials))
    #expect(own.url == "https://r.example/api/v1/access_token")
    let asked = try source.asking("a", at: server, credentials: ["id", "sec"])
    let opened = try source.session(
      from: answer(#"{"access_token":"tok","token_type":"bearer","expires_in":86400}"#), to: asked)
    #expect(opened.accessToken == session.accessToken)
    #expect(opened.expires == testNow.addingTimeInterval(86_400))
    #expect(throws: SourceFault.self) {
      try source.session(from: answer(#"{"error":"invalid_grant"}"#), to: asked)
    }
    #expect(source.isExpired(answer("", status: 401)) && !source.isExpired(answer("", status: 403)))
  }

  @Test func `Posts are read, including deleted authors and links`() throws {
    let page = try page(
      answer(
        #"""
        {"kind":"Listing","data":{"after":"t3_b","children":[
         {"kind":"t3","data":{"id":"a","name":"t3_a","title":"A & B","selftext":"*x* < y","author":"amy","permalink":"/r/x/comments/a/wörd/","url":"https://www.reddit.com/r/x/comments/a/","is_self":true,"created_utc":1584559093.0,"edited":1584559193.5,"score":-3,"num_comments":2,"over_18":false,"spoiler":true,"poll_data":{"options":[{"id":"1","text":"Yes","vote_count":4},{"id":"2","text":"No"}]}}},
         {"kind":"t3","data":{"id":"b","title":"L","selftext":"","author":"[deleted]","permalink":"/r/x/comments/b/l/","url":"https://a.example/","is_self":false,"created_utc":1584559094,"edited":false,"crosspost_parent":"t3_z"}},
         {"kind":"t3","data":{"id":"d","title":"C","url":"/r/other/comments/z/","is_self":false}},
         {"kind":"t1","data":{"id":"c","name":"t1_c","body":"reply","author":"bob","parent_id":"t3_a","created_utc":1584559095.0}},
         {"kind":"t3","data":{}},{"kind":"t3"},null]}}
        """#))
    #expect(page.brokenItems == 3)
    #expect(page.next == Cursor(rawValue: "t3_b"))
    let own = page.posts[0]
    #expect(own.uri == "t3_a")
    #expect(own.url == "https://www.reddit.com/r/x/comments/a/w%C3%B6rd/")
    #expect(own.title == "A & B" && own.text == "*x* < y")
    #expect(own.author == Author(handle: "amy", url: "https://www.reddit.com/user/amy"))
    #expect(own.createdAt == (try moment("2020-03-18T19:18:13Z")))
    #expect(own.editedAt == (try moment("2020-03-18T19:19:53.500Z")))
    #expect(own.links.isEmpty)
    #expect(own.contentWarning == "spoiler" && own.poll == ["Yes", "No"])
    #expect(own.counts == Counts(likes: -3, replies: 2))
    let link = page.posts[1]
    #expect(link.links == ["https://a.example/"] && link.author == Author())
    #expect(link.repostOf == "t3_z" && link.editedAt == nil && link.uri == "t3_b")
    #expect(link.contentWarning == nil && link.poll.isEmpty)
    // A link within Reddit is a path.
    #expect(page.posts[2].links == ["https://www.reddit.com/r/other/comments/z/"])
    #expect(page.posts[3].text == "reply" && page.posts[3].replyTo == "t3_a")
  }

  @Test func `Another site with Reddit's software has its own addresses`() throws {
    let server = "https://saidit.example"
    let listing = try source.page(
      from: answer(
        #"""
        {"kind":"Listing","data":{"after":null,"children":[
         {"kind":"t3","data":{"id":"a","name":"t3_a","title":"T","author":"amy","permalink":"/s/x/comments/a/t/","url":"/s/other/comments/z/","is_self":false}}]}}
        """#), to: source.asking("a", at: server, session: session))
    let post = try #require(listing.posts.first)
    #expect(post.uri == "https://saidit.example/by_id/t3_a")
    #expect(post.url == "https://saidit.example/s/x/comments/a/t/")
    #expect(post.author.url == "https://saidit.example/user/amy")
    #expect(post.links == ["https://saidit.example/s/other/comments/z/"])
    // A feed names its site itself.
    let feed = try source.page(
      from: answer(
        #"""
        <feed xmlns="http://www.w3.org/2005/Atom"><entry><author><name>/u/amy</name></author><id>t3_a</id>
        <content type="html">text submitted by &lt;a href="https://www.saidit.example/user/amy"&gt;/u/amy&lt;/a&gt; &lt;a href="https://www.saidit.example/s/x/comments/a/t/"&gt;[comments]&lt;/a&gt;</content>
        <link href="https://www.saidit.example/s/x/comments/a/t/"/><title>T</title></entry></feed>
        """#), to: source.asking("a", at: server))
    let entry = try #require(feed.posts.first)
    #expect(entry.uri == post.uri && entry.links.isEmpty)
    #expect(entry.author.url == "https://www.saidit.example/user/amy")
  }

  @Test func `A listing that ends at about 250 posts was cut, and a shorter one was not`()
    async throws
  {
    try await SimulatedAsking.with("reddit") { asking in
      let cut = try await asking.walk("plenty")
      let counts = try cut.map { try $0.page.posts.count }
      #expect(counts == [100, 100, 50])
      #expect(try cut.last?.page.missing == "Reddit returns only about 250 posts of a search")
      let whole = try await asking.walk("#swift")
      #expect(try whole.last?.page.missing == nil)
      // Its feed has one page only.
      let feed = try await asking.page("plenty", wanted: 100, isAnonymous: true).page
      #expect(feed.posts.count == 100)
      #expect(feed.missing?.contains("REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET") == true)
    }
  }

  @Test func `The remaining seconds are read from the limit's header`() throws {
    let response = answer(
      #"{"message":"Too Many Requests","error":429}"#, status: 429,
      headers: ["X-Ratelimit-Remaining": "0.0", "X-Ratelimit-Reset": "323"])
    let until = testNow.addingTimeInterval(323)
    #expect(source.verdict(on: response, now: testNow) == .coolDown(until: until))
  }

  @Test func `Reddit's feed is read without a session`() async throws {
    try await SimulatedAsking.with("reddit") { asking in
      let whole = try await asking.page("#swift", wanted: 30).page
      let feed = try await asking.page("#swift", wanted: 30, isAnonymous: true).page
      #expect(feed.posts.map(\.uri) == whole.posts.map(\.uri))
      #expect(feed.posts.map(\.title) == whole.posts.map(\.title))
      #expect(feed.posts.map(\.links) == whole.posts.map(\.links))
      #expect(feed.posts.map(\.createdAt) == whole.posts.map(\.createdAt))
    }
  }

  @Test func `An expired session is recognized`() async throws {
    try await SimulatedAsking.with("reddit") { asking in
      let answered = try await asking.page("#swift", fault: "~expired-token")
      #expect(asking.source.isExpired(answered.response))
      let again = try await asking.page("#swift", fault: "~expired-token")
      #expect(try again.page.posts.isEmpty == false)
    }
  }

  @Test(arguments: Recorded.all)
  func `Recorded listings are read completely`(recorded: Recorded) throws {
    for name in recorded.names("reddit") where !name.contains("error") {
      let recording = try recorded.answer("reddit/\(name)")
      let json = try JSONSerialization.jsonObject(with: Data(recording.body.text.utf8))
      guard let data = (json as? [String: Any])?["data"] as? [String: Any],
        let children = data["children"] as? [[String: Any]]
      else { continue }
      let page = try page(recording)
      #expect(page.brokenItems == 0 && page.posts.count == children.count, "\(name)")
      #expect((page.next != nil) == (data["after"] is String), "\(name)")
      #expect(page.posts.allSatisfy { $0.createdAt != nil }, "\(name)")
    }
    for (name, status, kind) in [
      ("praw_error_401.json", 401, Failure.Kind.credential),
      ("praw_error_403.json", 403, .permanent),
      ("praw_error_403_min.json", 403, .permanent), ("praw_error_400_html.html", 400, .permanent),
      ("praw_error_404_reason.json", 404, .permanent),
    ] {
      let response = try recorded.answer("reddit/\(name)", status: status)
      let failure = try source.failure(
        of: response, to: source.asking("a", at: server, session: session))
      #expect(failure.kind == kind, "\(name)")
    }
  }
}
