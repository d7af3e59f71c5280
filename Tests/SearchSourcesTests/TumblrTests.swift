import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct TumblrTests {
  private let source = Tumblr()
  private let server = "https://api.tumblr.com"

  private func page(_ body: String, cursor: String? = nil, until: String? = nil) throws -> Page {
    try source.page(
      from: answer(body),
      to: source.asking(
        "a", at: server, until: until, cursor: cursor.map(Cursor.init), credentials: ["k"]))
  }

  @Test func `The request names a tag and the second that a page lies before`() throws {
    let first = try source.request(
      for: source.asking(
        "\"swift lang\"", at: server, until: "2026-11-21T10:00:00.100Z", wanted: 5,
        credentials: ["k"])
    )
    #expect(
      first.url
        == "https://api.tumblr.com/v2/tagged?tag=swift%20lang&limit=5&before=1795255201&api_key=k"
    )
    let next = try source.request(
      for: source.asking(
        "a", at: server, wanted: 5, cursor: Cursor(rawValue: "17"), credentials: ["k"]))
    #expect(next.url.hasSuffix("?tag=a&limit=6&before=17&api_key=k"))
    #expect(throws: Failure.self) { try source.request(for: source.asking("a", at: server)) }
    for query in ["#a #b", "#"] {
      #expect(
        source.unsupportedReason(
          for: source.split(try #require(Query(query)), with: nil), with: nil)?.contains("one tag")
          == true)
    }
  }

  @Test func `Posts of several kinds are read`() throws {
    let page = try page(
      #"""
      {"meta":{"status":200,"msg":"OK"},"response":[
       {"type":"text","id":9223372036854775807,"id_string":"9223372036854775807","blog_name":"amy","blog":{"title":"Amy's"},"post_url":"https://amy.tumblr.com/post/9/words","timestamp":1795168800,"date":"2026-11-20 10:00:00 GMT","title":"T","body":"<p>A &amp; <b>b</b> <a href=\"https://l.example/\">l</a></p>","note_count":3},
       {"type":"photo","id":8,"blog_name":"bob","date":"2026-11-20 09:00:00 GMT","caption":"","photos":[{"original_size":{"url":"https://i.example/1.png"}}]},
       {"type":"quote","id":7,"blog_name":"c","timestamp":1795100000,"text":"said"},
       {"type":"text","id":6}, {"body":"no id"}, 5]}
      """#)
    #expect(page.brokenItems == 3)
    #expect(page.next == Cursor(rawValue: "1795100001"))
    let text = page.posts[0]
    #expect(text.id == "9223372036854775807" && text.title == "T" && text.text == "A & b l")
    #expect(text.url == "https://amy.tumblr.com/post/9/words")
    #expect(text.uri == "https://www.tumblr.com/amy/9223372036854775807")
    #expect(
      text.author == Author(handle: "amy", name: "Amy's", url: "https://www.tumblr.com/amy"))
    #expect(text.createdAt == (try moment("2026-11-20T10:00:00Z")))
    #expect(text.counts == Counts(likes: 3) && text.links == ["https://l.example/"])
    #expect(page.posts[1].media == ["https://i.example/1.png"])
    #expect(page.posts[1].createdAt == (try moment("2026-11-20T09:00:00Z")))
    #expect(page.posts[2].text == "said")
  }

  @Test func `Questions with answers, quotes and videos of other sites are read`() throws {
    let page = try page(
      #"""
      {"response":[
       {"type":"answer","id":3,"question":"What is <b>it</b>?","answer":"<p>A <a href=\"https://l.example/\">word</a></p>","timestamp":300},
       {"type":"quote","id":2,"text":"said","source":"in <a href=\"https://s.example/\">a book</a>","timestamp":200},
       {"type":"video","id":1,"caption":"","permalink_url":"https://v.example/1","thumbnail_url":"https://v.example/1.png","timestamp":100}]}
      """#)
    #expect(page.brokenItems == 0)
    #expect(page.posts.map(\.text) == ["What is it?\n\nA word", "said\n\nin a book", ""])
    #expect(page.posts.map(\.links) == [["https://l.example/"], ["https://s.example/"], []])
    #expect(page.posts[2].media == ["https://v.example/1"])
  }

  @Test func `Posts without words are read by what else they have`() throws {
    let page = try page(
      #"""
      {"response":[
       {"type":"audio","id":6,"caption":"","summary":"","player":"<embed src=\"https://p.example/\">","plays":7,"album_art":"https://a.example/1.png","artist":"Amy","album":"One","track_name":"Song","track_number":2,"year":2026,"source_url":"https://s.example/6","timestamp":600},
       {"type":"audio","id":5,"caption":"","artist":"Amy","album":"One","timestamp":500},
       {"type":"audio","id":4,"caption":"<p>heard</p>","track_name":"Song","timestamp":400},
       {"type":"video","id":3,"caption":"","player":[{"width":250,"embed_code":"<iframe></iframe>"}],"source_url":"https://s.example/3","source_title":"A page","post_url":"https://c.tumblr.com/3","timestamp":300},
       {"type":"text","id":2,"body":"","title":"","summary":"","post_url":"https://c.tumblr.com/2","timestamp":200},
       {"type":"text","id":1,"body":"","source_url":"https://s.example/1","post_url":"https://c.tumblr.com/1","date":"2026-11-20 10:00:00 GMT"},
       {"type":"text","id":0,"body":"","timestamp":100}]}
      """#)
    #expect(page.brokenItems == 1)
    #expect(page.posts.map(\.title) == ["Amy – Song", "Amy – One", "Song", "A page", nil, nil])
    #expect(page.posts.map(\.text) == ["", "", "heard", "", "", ""])
    #expect(
      page.posts.map(\.links) == [
        ["https://s.example/6"], [], [], ["https://s.example/3"], [], [],
      ])
  }

  /// Tumblr documents no `offset` for posts with a tag.
  @Test(arguments: [1, 2, 5, 20, 21, 25, 60], [1, 3, 30])
  func `A server that ignores the offset has no gaps but those of crowded seconds`(
    wanted: Int, crowd: Int
  ) throws {
    // Each second has some posts, the newest first.
    let seconds = (0..<60).map { 1000 - $0 / crowd }
    var (cursor, read, gaps) = (Cursor?.none, Set<String>(), 0)
    for _ in 0..<200 {
      let asked = try source.asking(
        "a", at: server, wanted: max(wanted - read.count, 0), cursor: cursor, credentials: ["k"])
      let parts = try source.request(for: asked).url.split(whereSeparator: { "?&".contains($0) })
      func value(_ name: String) -> Int? {
        parts.first { $0.hasPrefix("\(name)=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
      }
      let items = seconds.indices.filter { seconds[$0] < value("before") ?? .max }
        .prefix(try #require(value("limit")))
        .map { #"{"id":\#($0 + 1),"body":"a","timestamp":\#(seconds[$0])}"# }
      let page = try source.page(
        from: answer(#"{"response":[\#(items.joined(separator: ","))]}"#), to: asked)
      read.formUnion(page.posts.map(\.id))
      gaps += page.gap == nil ? 0 : 1
      cursor = page.next
      if cursor == nil || read.count >= wanted { break }
    }
    // A page has 20 posts at most, which is less than some seconds have.
    #expect(gaps > 0 ? crowd == 30 && wanted > 20 : read.count >= wanted)
  }

  @Test func `Pages go back by seconds until nothing is older`() throws {
    let post = #"{"response":[{"id":1,"body":"a","timestamp":100}]}"#
    #expect(try page(post).next == Cursor(rawValue: "101"))
    // The page requested for the other posts of that second continues within it.
    #expect(try page(post, cursor: "101").next == Cursor(rawValue: "101/1/1"))
    let other = #"{"response":[{"id":2,"body":"b","timestamp":100}]}"#
    #expect(try page(other, cursor: "101/1/1").next == Cursor(rawValue: "101/2/2"))
    let older = #"{"response":[{"id":2,"body":"b","timestamp":99}]}"#
    #expect(try page(older, cursor: "101/1/1").next == Cursor(rawValue: "100"))
    #expect(try page(#"{"response":[]}"#, cursor: "100") == Page())
    // A server that does not skip posts is read on at the next second. A full page may have hidden some of this one.
    let same = try page(post, cursor: "101/1/1")
    #expect(same.next == Cursor(rawValue: "100") && same.gap == nil)
    let items = (0..<20).map { #"{"id":\#($0),"body":"a","timestamp":100}"# }
    let full = #"{"response":[\#(items.joined(separator: ","))]}"#
    let crowded = try page(full, cursor: "101/20/19")
    #expect(crowded.next == Cursor(rawValue: "100") && crowded.gap?.contains("one second") == true)
    // Of a first page within one second, the page before that second would be the same.
    #expect(try page(full).next == Cursor(rawValue: "101/20/19"))
    let featured = #"{"response":[{"id":1,"body":"a","timestamp":100,"featured_timestamp":200}]}"#
    let newest = try page(featured)
    #expect(newest.next == Cursor(rawValue: "201"))
    // Tumblr sorts by when it featured a post, which may be long after its date.
    #expect(newest.sortDates == [Date(timeIntervalSince1970: 200)])
  }

  @Test(arguments: [
    ([500, 10, 499, 498], 498), ([500, 499, 498, 10], 498), ([500, 499, 10, 11], 499),
    ([500, 499, 498, 10, 497, 11, 12, 13], 497), ([500, 500, 498, 497], 497),
    ([500, 500, 500, 10], 500),
    // A tag that is seldom used.
    ([500, 497, 490, 485], 485),
  ])
  func `A post that is dated back far does not hide those between`(days: [Int], next: Int) throws {
    let items = days.map { day in
      #"{"id":\#(day),"body":"a","timestamp":\#(day * 86_400)}"#
    }
    let page = try page(#"{"response":[\#(items.joined(separator: ","))]}"#)
    #expect(page.next == Cursor(rawValue: "\(next * 86_400 + 1)"))
  }

  @Test func `A range that ends is read from the newest post where a tag is featured`() throws {
    let until = "2026-11-20T00:00:00Z"
    let featured = #"{"response":[{"id":1,"body":"a","timestamp":100,"featured_timestamp":200}]}"#
    let plain = #"{"response":[{"id":1,"body":"a","timestamp":100}]}"#
    let nothing = #"{"response":[]}"#
    let newest = Cursor(rawValue: "newest")
    #expect(try page(plain, until: until).posts.count == 1)
    for body in [featured, nothing] {
      #expect(try page(body, until: until) == .redirect(to: newest))
    }
    #expect(try page(featured, cursor: "newest", until: until).posts.count == 1)
    // Its posts are all after the end.
    #expect(try page(plain, cursor: "newest", until: until) == Page())
    let asked = { cursor in
      try source.request(
        for: source.asking("a", at: server, until: until, cursor: cursor, credentials: ["k"])
      ).url
    }
    #expect(try asked(nil).contains("before=1795132800"))
    #expect(try !asked(newest).contains("before="))
    // Long ago, not all that was featured since is read.
    let month = Cursor(rawValue: "\(1_735_689_600 + 31 * 86_400)")
    #expect(try page(featured, until: "2025-01-01T00:00:00Z") == .redirect(to: month))
    let late = try page(featured, cursor: month.rawValue, until: "2025-01-01T00:00:00Z")
    #expect(late.posts.count == 1 && late.notes.count == 1)
  }

  @Test func `An error with status 200 is not "nothing found"`() throws {
    let body = #"{"meta":{"status":429,"msg":"Limit Exceeded"},"response":[]}"#
    let failure = try source.failure(
      of: answer(body), to: source.asking("a", at: server, credentials: ["k"]))
    #expect(failure.message == "the server returned an error: Limit Exceeded")
    #expect(try page(#"{"meta":{"status":200,"msg":"OK"},"response":[]}"#) == Page())
  }

  @Test func `After a page without dates nothing can be requested`() throws {
    let page = try page(
      #"{"meta":{"status":200},"response":[{"id":1,"blog_name":"amy","summary":"a","post_url":"https://a.example/1"}]}"#
    )
    #expect(page.next == nil && page.deadEnd != nil)
  }

  @Test func `Four headers say when a spent quota resets`() throws {
    func headers(hour: Int, day: Int) -> HTTPHeaders {
      [
        "X-Ratelimit-Perhour-Remaining": "\(hour)", "X-Ratelimit-Perhour-Reset": "1200",
        "X-Ratelimit-Perday-Remaining": "\(day)", "X-Ratelimit-Perday-Reset": "40000",
      ]
    }
    func verdict(_ status: Int, hour: Int, day: Int) -> Verdict {
      source.verdict(
        on: answer("{}", status: status, headers: headers(hour: hour, day: day)), now: testNow)
    }
    let hour = testNow.addingTimeInterval(1200)
    let day = testNow.addingTimeInterval(40_000)
    #expect(verdict(200, hour: 1, day: 1) == .done)
    #expect(verdict(200, hour: 0, day: 9) == .doneThenCoolDown(until: hour))
    #expect(verdict(429, hour: 0, day: 9) == .coolDown(until: hour))
    #expect(verdict(429, hour: 0, day: 0) == .coolDown(until: day))
    let fault = try source.fault(
      of: answer("{}", status: 429, headers: headers(hour: 9, day: 0)),
      to: source.asking("a", at: server, credentials: ["k"]))
    guard case .rateLimited(day, _) = fault else {
      Issue.record("\(fault)")
      return
    }
  }

  @Test func `A reblog shows the original's author, and names who passed it on`() throws {
    let page = try page(
      #"""
      {"response":[
       {"id":3,"body":"b","timestamp":9,"blog_name":"amy","reblogged_from_id":"2","reblogged_from_name":"bob","reblogged_root_name":"root"},
       {"id":4,"body":"b","timestamp":8,"blog_name":"amy","reblogged_from_id":"2","reblogged_from_name":"bob","trail":[{"is_current_item":true}]}]}
      """#)
    #expect(page.posts.map(\.author.handle) == ["root", "amy"])
    #expect(page.posts.map(\.repostedBy?.handle) == ["amy", nil])
    // With a comment of its own it is not a mere repost.
    #expect(page.posts.map(\.repostOf) == ["2", nil])
  }

  @Test func `A rejected key is reported without the key`() throws {
    let body =
      #"{"meta":{"status":401,"msg":"Unauthorized"},"response":[],"errors":[{"title":"Unauthorized","code":1016,"detail":"Unable to authorize"}]}"#
    let failure = try source.failure(
      of: answer(body, status: 401), to: source.asking("a", at: server, credentials: ["k"]))
    #expect(failure.kind == .credential && failure.advice == "check TUMBLR_API_KEY")
    #expect(failure.message == "the credential was rejected (401): Unable to authorize")
    let bare = answer(#"{"meta":{"status":429,"msg":"Limit Exceeded"},"response":[]}"#, status: 429)
    #expect(
      try source.failure(of: bare, to: source.asking("a", at: server, credentials: ["k"])).message
        == "too many requests (429): Limit Exceeded")
  }
}
