import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct XTests {
  private let source = X()

  private func page(_ body: String, cursor: Cursor? = nil, since: String? = nil) throws -> Page {
    try source.page(
      from: answer(body),
      to: source.asking(
        "swift", at: "https://api.x.com", since: since, cursor: cursor, credentials: ["t"]))
  }

  @Test func `The request follows the API documentation`() throws {
    let request = try source.request(
      for: source.asking(
        "#swift & \"c++\" 🎉", at: "https://api.x.com", since: "2026-11-20T10:00:00.900Z",
        until: "2026-11-21T09:00:00.100Z", wanted: 5, cursor: Cursor(rawValue: "a b"),
        credentials: ["to.ken"]))
    #expect(
      request.url
        == "https://api.x.com/2/tweets/search/recent?query=%23swift%20%22c%2B%2B%22%20%22%F0%9F%8E%89%22"
        + "&max_results=10&tweet.fields=attachments%2Cauthor_id%2Ccreated_at%2Cedit_history_tweet_ids"
        + "%2Centities%2Clang%2Cnote_tweet%2Cpossibly_sensitive%2Cpublic_metrics%2Creferenced_tweets"
        + "&expansions=author_id%2Creferenced_tweets.id%2Creferenced_tweets.id.author_id"
        + "%2Cattachments.media_keys%2Cattachments.poll_ids"
        + "&user.fields=name%2Cprotected%2Cusername&media.fields=alt_text%2Cmedia_key%2Cpreview_image_url%2Ctype%2Curl%2Cvariants"
        + "&start_time=2026-11-20T10%3A00%3A00Z&end_time=2026-11-21T09%3A00%3A01Z&next_token=a%20b")
    #expect(request.headers["authorization"] == "Bearer to.ken")
  }

  @Test(arguments: [
    (#"{"parameters":{"tweet.fields":["a"]},"message":"x"}"#, true),
    (#"{"parameters":{"expansions":["referenced_tweets.id"]},"message":"x"}"#, true),
    (#"{"message":"The query parameter [tweet.fields] is not one of [query,post.fields]"}"#, true),
    (#"{"parameters":{"query":["a"]},"message":"not one of [query,tweet.fields]"}"#, false),
  ])
  func `A server that refuses the old words is asked in the new ones`(
    error: String, isAskedAgain: Bool
  ) throws {
    let body = #"{"errors":[\#(error)],"title":"Invalid Request"}"#
    var asked = try source.asking("swift", at: "https://api.x.com", credentials: ["t"])
    let refused = try #require(source.refusal(in: answer(body, status: 400), to: asked))
    guard case .success(let redirect) = refused.result else {
      #expect(!isAskedAgain)
      return
    }
    #expect(isAskedAgain && redirect.isRedirect)
    asked.cursor = redirect.next
    let first = try source.request(for: asked).url
    #expect(
      first.contains(
        "&post.fields=attachments%2Ccreated_at%2Centities%2Clang%2Cnote_post%2Cpossibly_sensitive"
          + "%2Cpublic_metrics&expansions=author_id%2Creferenced_posts%2Cattachments"))
    #expect(!first.contains("tweet.fields") && !first.contains("referenced_tweets"))
    #expect(!first.contains("next_token"))
    // It is asked once.
    let again = try #require(source.refusal(in: answer(body, status: 400), to: asked))
    if case .success = again.result { Issue.record("asked again and again") }
    let page = try source.page(
      from: answer(#"{"data":[],"meta":{"next_token":"b26v"}}"#), to: asked)
    asked.cursor = page.next
    let second = try source.request(for: asked).url
    #expect(second.contains("&post.fields=") && second.hasSuffix("&next_token=b26v"))
  }

  @Test(arguments: [
    ("swift", ["de"], "swift%20lang%3Ade&"),
    ("swift", ["de", "en"], "swift%20%28lang%3Ade%20OR%20lang%3Aen%29&"),
    ("swift lang:fr", ["de"], "swift%20lang%3Afr&"), ("swift", [], "swift&"),
    ("❤️", [], "%22%E2%9D%A4%EF%B8%8F%22&"), ("été", [], "%C3%A9t%C3%A9&"),
    ("l’a", [], "%22l%E2%80%99a%22&"),
    ("swift", ["id"], "swift%20lang%3Aid&"), ("swift", ["he"], "swift%20lang%3Ahe&"),
    ("swift", ["de", "tlh"], "swift&"),
    ("swift", ["zh"], "swift%20%28lang%3Azh-CN%20OR%20lang%3Azh-TW%29&"),
    ("swift", ["nb"], "swift%20lang%3Ano&"), ("swift lang:fil", [], "swift%20lang%3Atl&"),
    ("swift lang:zh", [], "swift%20%28lang%3Azh-CN%20OR%20lang%3Azh-TW%29&"),
    ("swift -lang:zh", [], "swift%20-lang%3Azh-CN%20-lang%3Azh-TW&"),
    // All posts are read if X does not know one of the languages, but for those that it can leave out.
    ("swift lang:de lang:tlh -lang:fr", ["de"], "swift%20-lang%3Afr&"),
  ])
  func `The languages of the run are part of the query, as all posts cost`(
    query: String, languages: [String], sent: String
  ) throws {
    var page = try source.asking(query, at: "https://api.x.com", credentials: ["t"])
    page.filter.languages = languages
    #expect(try source.request(for: page).url.contains("?query=\(sent)max_results="))
  }

  @Test(arguments: [
    ("swift", true, false, "swift%20-is%3Aretweet&"),
    ("swift", false, true, "swift%20-is%3Areply&"),
    ("swift", true, true, "swift%20-is%3Aretweet%20-is%3Areply&"),
    ("swift", false, false, "swift&"),
    // With the operators it would be longer than X takes.
    (String(repeating: "a", count: 501), true, false, String(repeating: "a", count: 501) + "&"),
  ])
  func `Reposts and replies that the run leaves out are not asked for`(
    query: String, reposts: Bool, replies: Bool, sent: String
  ) throws {
    var page = try source.asking(query, at: "https://api.x.com", credentials: ["t"])
    page.filter = PostFilter(leavesOutReposts: reposts, leavesOutReplies: replies)
    #expect(try source.request(for: page).url.contains("?query=\(sent)max_results="))
  }

  @Test func `Dates that the API would reject are omitted`() throws {
    let request = try source.request(
      for: source.asking(
        "swift", at: "https://api.x.com", since: "2026-11-14T10:00:30Z",
        until: "2026-11-21T09:59:55Z", wanted: 500, credentials: ["t"]))
    #expect(!request.url.contains("start_time") && !request.url.contains("end_time"))
    #expect(request.url.contains("max_results=100&"))
    // The start must lie before the end, which is some seconds ago.
    let young = try source.request(
      for: source.asking(
        "swift", at: "https://api.x.com", since: "2026-11-21T09:59:55Z", credentials: ["t"]))
    #expect(young.url.contains("start_time=2026-11-21T09%3A59%3A00Z"))
    #expect(throws: Failure.self) {
      try source.request(
        for: source.asking(
          "x", at: "https://api.x.com", until: "2026-11-14T09:00:00Z", credentials: ["t"])
      )
    }
    #expect(
      throws: Failure(.credential, message: "a credential is needed", advice: "set X_BEARER_TOKEN")
    ) {
      try source.request(for: source.asking("x", at: "https://api.x.com"))
    }
  }

  @Test func `A range that ends before the last seven days can never be answered`() throws {
    let now = try moment("2026-11-21T10:00:00Z")
    let until = try moment("2026-11-14T10:00:00Z")
    #expect(
      source.unreachableReason(since: nil, until: until, now: now)
        == "--until is earlier than the 7 days that this network searches")
    #expect(
      source.unreachableReason(since: nil, until: until.addingTimeInterval(1), now: now) == nil)
    #expect(source.unreachableReason(since: until, until: nil, now: now) == nil)
  }

  /// One post of each kind; `%POST%` and so on are the words of a vocabulary.
  private static let template = #"""
    {"data":[
      {"id":"1900000000000000001","text":"🎉 a &amp; b https://t.co/aaaaaaaaaa &lt;c&gt; https://t.co/bbbbbbbbbb",
       "author_id":"7","created_at":"2026-11-21T09:00:00.000Z","lang":"en","possibly_sensitive":false,
       "%HISTORY%":["1899999999999999999","1900000000000000001"],
       "entities":{"urls":[{"start":12,"end":35,"url":"https://t.co/aaaaaaaaaa","expanded_url":"https://a.example/?x=1&amp;y","display_url":"a.example"},
         {"start":99,"end":122,"url":"https://t.co/bbbbbbbbbb","expanded_url":"https://x.com/u/status/1/photo/1","display_url":"pic.x.com/b"}]},
       "attachments":{"media_keys":["3_1","3_2","3_9"],"poll_ids":["50"]},
       "public_metrics":{"%REPOSTS%":2,"reply_count":3,"like_count":4,"quote_count":5,"impression_count":6},
       "%REFERENCED%":[{"type":"replied_to","id":"55"},{"type":"quoted","id":"56"}]},
      {"id":"1900000000000000002","text":"RT @orig: the full te…","author_id":"404","created_at":"2026-11-21T08:00:00-01:00",
       "public_metrics":{"%REPOSTS%":9,"reply_count":0,"like_count":0},
       "%REFERENCED%":[{"type":"retweeted","id":"77"}]},
      {"id":10765432100123456789,"text":"short…","author_id":"7","%NOTE%":{"text":"all of it https://t.co/cccccccccc","entities":{"urls":[{"start":10,"end":33,"url":"https://t.co/cccccccccc","expanded_url":"https://c.example"}]}},"created_at":"yesterday"},
      {"id":"3","text":["no"]}, 5, {"text":"no id"}, null, {"id":"","text":"x"}
     ],
     "includes":{"users":[{"id":"8","username":"orig"},{"id":"7","username":"amy","name":"Amy 🎈"}, 3],
       "%POSTS%":[{"id":"77","text":"the full text &amp; more","public_metrics":{"%REPOSTS%":9,"reply_count":1,"like_count":675}}],
       "polls":[{"id":"50","options":[{"position":2,"label":"no","votes":1},{"position":1,"label":"yes","votes":2},{"position":3}]},{"id":7}],
       "media":[{"media_key":"3_1","type":"photo","url":"https://pbs.example/1.jpg"},{"media_key":"3_2","type":"video","preview_image_url":"https://pbs.example/2.jpg"}]},
     "errors":[{"title":"Not Found Error","detail":"Could not find tweet","type":"https://api.x.com/2/problems/resource-not-found"},{"title":"Not Found Error","detail":"Could not find tweet"}],
     "meta":{"result_count":8,"next_token":"b26v"}}
    """#

  @Test(arguments: [
    [
      "HISTORY": "edit_history_tweet_ids", "REPOSTS": "retweet_count", "NOTE": "note_tweet",
      "REFERENCED": "referenced_tweets", "POSTS": "tweets",
    ],
    [
      "HISTORY": "edit_history_post_ids", "REPOSTS": "repost_count", "NOTE": "note_post",
      "REFERENCED": "referenced_posts", "POSTS": "posts",
    ],
  ])
  func `A page is the same in either vocabulary`(words: [String: String]) throws {
    var body = Self.template
    for (name, word) in words { body.replace("%\(name)%", with: word) }
    let page = try page(body)
    #expect(page.brokenItems == 5)
    #expect(page.next == Cursor(rawValue: "b26v"))
    #expect(page.notes == ["Not Found Error: Could not find tweet"])
    #expect(page.posts.count == 3)

    let first = page.posts[0]
    #expect(first.id == "1900000000000000001")
    #expect(first.uri == "https://x.com/i/status/1899999999999999999")
    #expect(first.url == "https://x.com/amy/status/1900000000000000001")
    #expect(first.author == Author(handle: "amy", name: "Amy 🎈", url: "https://x.com/amy"))
    #expect(
      first.text == "🎉 a & b https://a.example/?x=1&amp;y <c> https://x.com/u/status/1/photo/1")
    #expect(first.links == ["https://a.example/?x=1&amp;y"])
    #expect(first.media == ["https://pbs.example/1.jpg", "https://pbs.example/2.jpg"])
    #expect(first.counts == Counts(likes: 4, reposts: 2, replies: 3, views: 6))
    #expect(first.replyTo == "55")
    #expect(first.language == "en")
    #expect(first.isSensitive == false)
    #expect(first.poll == ["yes", "no"])
    #expect(first.createdAt == (try moment("2026-11-21T09:00:00Z")))

    let retweet = page.posts[1]
    #expect(retweet.text == "the full text & more")
    #expect(retweet.repostOf == "77" && retweet.poll.isEmpty)
    // A retweet counts no likes and replies of its own.
    #expect(retweet.counts == Counts(likes: 675, reposts: 9, replies: 1))
    // The original tells no author, but the retweet does.
    #expect(retweet.author == Author(handle: "orig", url: "https://x.com/orig"))
    #expect(retweet.repostedBy == Author(handle: "404"))
    #expect(retweet.url == "https://x.com/i/status/1900000000000000002")
    #expect(retweet.createdAt == (try moment("2026-11-21T09:00:00Z")))

    let long = page.posts[2]
    #expect(long.id == "10765432100123456789")
    #expect(long.text == "all of it https://c.example")
    #expect(long.createdAt == nil)
  }

  @Test func `A retweet shows the original's author, and names who passed it on`() throws {
    let page = try page(
      #"""
      {"data":[
       {"id":"3","text":"RT @orig: the full te…","author_id":"7","referenced_tweets":[{"type":"retweeted","id":"77"}]},
       {"id":"2","text":"RT @gone: cut…","author_id":"7","referenced_tweets":[{"type":"retweeted","id":"78"}]},
       {"id":"1","text":"RT @amy: not a retweet","author_id":"7"}],
       "includes":{"users":[{"id":"7","username":"amy"},{"id":"8","username":"orig","name":"O"}],
        "tweets":[{"id":"77","text":"the full text","author_id":"8"}]},"meta":{}}
      """#)
    #expect(page.posts.map(\.author.handle) == ["orig", "gone", "amy"])
    #expect(page.posts.map(\.repostedBy?.handle) == ["amy", "amy", nil])
    #expect(page.posts.map(\.text) == ["the full text", "cut…", "RT @amy: not a retweet"])
    #expect(page.posts[0].url == "https://x.com/amy/status/3")
  }

  @Test func `The price includes users and referenced posts`() throws {
    let page = try page(
      #"""
      {"data":[{"id":"3","text":"a","author_id":"7"},{"id":"2","text":"b","author_id":"7"}],
       "includes":{"users":[{"id":"7","username":"amy"},{"id":"8","username":"o"}],
        "tweets":[{"id":"77","text":"t","author_id":"8"}]},"meta":{}}
      """#)
    #expect(page.charged == 5)
    #expect(source.traits.cost?.most(ofPosts: 10) == 60)
    #expect(source.traits.cost?.defaultBound == 500)
  }

  @Test func `A long post that many others repeat fills no memory, and the rest is missing`() throws
  {
    let text = String(repeating: "swift ", count: 350_000)
    let items = (1...300).map {
      #"{"id":"\#($0)","text":"RT","author_id":"7","referenced_tweets":[{"type":"retweeted","id":"a"}]}"#
    }
    let page = try page(
      #"{"data":[\#(items.joined(separator: ","))],"#
        + #""includes":{"tweets":[{"id":"a","text":"\#(text)"}]},"meta":{}}"#)
    #expect(page.posts.count < 300 && page.posts.count > 50)
    #expect(page.gap == "only the first \(page.posts.count) items of the page were read")
  }

  @Test func `Only the first errors are told in words`() throws {
    let errors = (1...50).map { #"{"title":"Not Found","detail":"no post \#($0)"}"# }
    let page = try page(
      #"{"data":[{"id":"1","text":"a"}],"errors":[\#(errors.joined(separator: ","))],"meta":{}}"#)
    #expect(page.notes.count == 21)
    #expect(page.notes.last == "and 30 further errors")
  }

  @Test func `An empty answer is a page, and the last has no cursor`() throws {
    #expect(try page(#"{"meta":{"result_count":0}}"#) == Page())
    let odd = try page(#"{"meta":{"result_count":5}}"#)
    #expect(odd.gap == "a page was empty, although X counts 5 posts")
    #expect(try page(#"{"data":[],"meta":{"result_count":0}}"#) == Page())
    #expect(try page(#"{"data":[{"id":"1","text":""}],"meta":{}}"#).posts.count == 1)
    // The engine adds what the horizon means.
    let short = try page(#"{"meta":{"result_count":0}}"#, since: "2026-11-01T00:00:00Z")
    #expect(short.missing == nil && source.traits.horizon == 7 * 86_400)
  }

  @Test func `A repeated post counts once`() throws {
    let body = #"{"data":[{"id":"1","text":"a"},{"id":"1","text":"a"}],"meta":{}}"#
    #expect(try page(body).posts.count == 1)
    #expect(try page(body).brokenItems == 0)
  }

  @Test(arguments: [
    (
      402,
      #"{"title":"CreditsDepleted","detail":"no credits","type":"https://api.x.com/2/problems/credits"}"#,
      Failure.Kind.permanent
    ),
    (
      403,
      #"{"title":"Client Forbidden","reason":"client-not-enrolled","type":"https://api.twitter.com/2/problems/client-forbidden"}"#,
      .credential
    ),
    (403, #"{"title":"Forbidden","detail":"Forbidden","type":"about:blank"}"#, .credential),
    (403, #"{"errors":[{"code":64,"message":"Your account is suspended"}]}"#, .credential),
    (403, "<html>Access denied</html>", .permanent),
    (
      429,
      #"{"title":"UsageCapExceeded","type":"https://api.twitter.com/2/problems/usage-capped"}"#,
      .permanent
    ),
    (
      400,
      #"{"errors":[{"message":"Ambiguous use of and as a keyword"}],"title":"Invalid Request"}"#,
      .permanent
    ),
  ])
  func `Problems are recognized by the end of their type`(
    status: Int, body: String, kind: Failure.Kind
  ) throws {
    let page = try source.asking("swift", at: "https://api.x.com", credentials: ["t"])
    let fault = try source.fault(of: answer(body, status: status), to: page)
    guard case .failed(let failure) = fault else {
      Issue.record("\(fault)")
      return
    }
    #expect(failure.kind == kind)
    if status == 402 { #expect(failure.message.contains("CreditsDepleted")) }
    if kind == .credential { #expect(failure.advice == "check X_BEARER_TOKEN") }
  }

  @Test func `A repost whose author is not included has the name in its text`() throws {
    let page = try page(
      #"""
      {"data":[{"id":"5","text":"RT @orig: the text","author_id":"9",
       "referenced_tweets":[{"type":"retweeted","id":"77"}]}],
       "includes":{"users":[{"id":"9","name":"N","username":"nine"}],
        "tweets":[{"id":"77","text":"the text","author_id":"1"}]},"meta":{"result_count":1}}
      """#)
    let post = try #require(page.posts.first)
    #expect(post.author == Author(handle: "orig", url: "https://x.com/orig"))
    #expect(post.text == "the text" && post.repostedBy?.handle == "nine")
  }

  @Test func `An identifier is the same as a number and as a string`() throws {
    let page = try page(
      #"""
      {"data":[{"id":"5","text":"t","author_id":9999999999999999999},
       {"id":"6","text":"t","author_id":"007"},{"id":"7","text":"t","author_id":7}],
       "includes":{"users":[{"id":"9999999999999999999","name":"N","username":"nine"},
        {"id":7,"name":"S","username":"seven"}]},"meta":{"result_count":3}}
      """#)
    #expect(page.posts.map(\.author.handle) == ["nine", "007", "seven"])
  }

  @Test func `Each hashtag is one topic, on one line`() throws {
    let page = try page(
      #"""
      {"data":[{"id":"5","text":"t","entities":{"hashtags":[{"tag":"Swift"},{"tag":"Swift"}]}},
       {"id":"6","text":"t","entities":{"hashtags":[{"tag":"a b"},{"tag":""},{"tag":"c\nd"}]}},
       {"id":"7","text":"t","entities":{"hashtags":[{"tag":"Swift"},{"tag":"two"}]}}],
       "meta":{"result_count":3}}
      """#)
    #expect(page.posts.map(\.topics) == [["Swift"], ["a b", "c d"], ["Swift", "two"]])
  }
}
