import FoundationEssentials
import SearchModel
import TestSupport
import Testing

@Suite struct PostFilterTests {
  private func post(
    _ text: String, by handle: String = "amy@a.example", named name: String? = nil,
    title: String? = nil, likes: Int? = nil,
    language: String? = nil, replyTo: String? = nil, repostOf: String? = nil,
    repostedBy: Author? = nil, isReply: Bool? = nil, visibility: Visibility? = nil
  ) throws -> Post {
    Post(
      id: text, source: "mastodon", server: try #require(ServerAddress("https://a.example")),
      uri: text, author: Author(handle: handle, name: name), title: title, text: text,
      language: language,
      counts: Counts(likes: likes), replyTo: replyTo, repostOf: repostOf,
      repostedBy: repostedBy, isReply: isReply, visibility: visibility)
  }

  private func tally(_ filter: PostFilter, _ posts: [Post]) -> (kept: [String], left: [String]) {
    var tally = FilterTally(filter.reasons)
    let kept = filter.apply(to: posts, counting: &tally)
    return (kept.map(\.id), tally.all.map { "\($0.reason.rawValue) \($0.count)" })
  }

  @Test func `Posts that are not for everyone pass only on request, and are counted`() throws {
    let posts = [
      try post("says nothing"), try post("public", visibility: .public),
      try post("unlisted", visibility: .unlisted), try post("private", visibility: .private),
      try post("direct", visibility: .direct),
    ]
    #expect(
      tally(PostFilter(), posts) == (["says nothing", "public", "unlisted"], ["private 2"]))
    #expect(tally(PostFilter(includesPrivate: true), posts) == (posts.map(\.id), []))
    let (kept, left) = tally(PostFilter(fewestLikes: 1), posts)
    #expect(kept == [] && left == ["likes 3", "private 2"])
  }

  @Test func `Each filter leaves out its own, and counts them`() throws {
    let posts = [
      try post("plain", likes: 9, language: "en"),
      try post("repost", likes: 9, language: "en", repostOf: "x"),
      try post("reply", likes: 9, language: "en", replyTo: "y"),
      try post("told to be one", likes: 9, language: "en", isReply: true),
      try post("unliked", language: "en-GB"), try post("few", likes: 2, language: "en"),
      try post("deutsch", likes: 9, language: "de"), try post("unsaid", likes: 9),
      try post("undetermined", likes: 9, language: "und"),
    ]
    let filter = PostFilter(
      leavesOutReposts: true, leavesOutReplies: true, languages: ["en"], fewestLikes: 3)
    let (kept, left) = tally(filter, posts)
    #expect(kept == ["plain"])
    #expect(
      left == ["reposts 1", "replies 2", "languages 1", "language_unknown 2", "likes 2"])
  }

  @Test
  func `Without a filter nothing is counted, and a filter without matches counts zero`()
    throws
  {
    let posts = [try post("a", repostOf: "b"), try post("b", replyTo: "c")]
    #expect(tally(PostFilter(), posts) == (["a", "b"], []))
    let (kept, left) = tally(PostFilter(fewestLikes: 0), posts)
    #expect(kept == ["a", "b"])
    #expect(left == ["likes 0"])
  }

  @Test(arguments: [
    ("swift", ["Taylor Swift!", "#Swift", "swift-lang", "今日はswiftを"], ["swiftly", "swift_ui"]),
    ("two words", ["TWO \n Words"], ["two other words", "two wordsmiths"]),
    ("\"a, b\"", ["not a, b"], ["a b"]), ("#vim", ["#Vim.", "＃vim"], ["vim", "#vimrc"]),
    ("日本", ["日本語です"], ["日 本"]), ("é", ["caf e\u{301}", "e"], ["café"]),
    ("c++", ["I use C++."], ["c", "C+"]), ("author:bob", [], ["author:bob"]),
  ])
  func `Words are excluded as whole words`(list: String, left: [String], kept: [String]) throws {
    let filter = PostFilter(exclusions: try #require(ExclusionList(list)))
    let posts = try (left + kept).map { try post($0) }
    #expect(tally(filter, posts).kept == kept)
    // Titles count as texts do.
    for title in left {
      #expect(tally(filter, [try post("other", title: title)]).kept.isEmpty)
    }
  }

  @Test func `Authors are excluded by any spelling of their name`() throws {
    let handles = ["amy@a.example", "Amy", "amy.bsky.social", "amylee", "bob@a.example", ""]
    let posts = try handles.map { try post($0, by: $0) }
    for (list, kept) in [
      ("@amy", ["amylee", "bob@a.example", ""]),
      ("author:AMY@a.example", ["Amy", "amy.bsky.social", "amylee", "bob@a.example", ""]),
      ("@amy.bsky.social,@bob", ["amy@a.example", "Amy", "amylee", ""]),
    ] {
      let filter = PostFilter(exclusions: try #require(ExclusionList(list)))
      #expect(tally(filter, posts).kept == kept, "\(list)")
    }
  }

  @Test(
    arguments: [
      ("author:\"Amy Smith\"", true), ("@bob jones", true), ("author:amy", false),
      ("author:\"Smith\"", false),
    ])
  func `An author who has only a name is excluded by it, among several too`(
    list: String, isLeft: Bool
  ) throws {
    let article = try post("an article", by: "", named: "Amy Smith, Bob Jones")
    let exclusions = try #require(ExclusionList(list))
    #expect(tally(PostFilter(exclusions: exclusions), [article]).kept.isEmpty == isLeft)
    // A name beside a handle is no identity.
    let other = try post("a post", by: "carl", named: "Amy Smith")
    #expect(tally(PostFilter(exclusions: exclusions), [other]).kept == ["a post"])
    let query = try #require(Query("from:\"Amy Smith\" -from:\"Carl\""))
    let filter = TermFilter(query.terms, knowsAuthorsByName: true)
    #expect(filter.filter([article]).posts.map(\.id) == ["an article"])
    let without = TermFilter(
      try #require(Query("-from:\"Bob Jones\"")).terms, knowsAuthorsByName: true)
    #expect(without.filter([article]).posts.isEmpty)
  }

  @Test func `A repost matches its author and the account that reposted it`() throws {
    let posts = [
      try post("own", by: "bob"),
      try post("passed on", by: "amy", repostOf: "1", repostedBy: Author(handle: "bob")),
      try post("other", by: "amy", repostOf: "2", repostedBy: Author(handle: "cy")),
    ]
    let filter = PostFilter(exclusions: try #require(ExclusionList("@bob")))
    #expect(tally(filter, posts).kept == ["other"])
    let wanted = try #require(Query("from:bob")).terms
    #expect(TermFilter(wanted).filter(posts).posts.map(\.id) == ["own", "passed on"])
    let unwanted = try #require(Query("-from:amy")).terms
    #expect(TermFilter(unwanted).filter(posts).posts.map(\.id) == ["own"])
  }

  @Test func `A list has parts between commas`() throws {
    let list = try #require(ExclusionList(#" a b ,, @amy,source:Reddit, "x, @y" ,author:bob, #t"#))
    #expect(list.words == ["a b", "x, @y", "#t"].map { SearchedText($0) })
    #expect(list.authors == [AuthorName("amy"), AuthorName("bob")])
    #expect(list.sources == ["reddit"])
    for empty in ["", " , ,", "@", "source:", "author:@", "\"\"", "a,@"] {
      #expect(ExclusionList(empty) == nil, "\(empty)")
    }
  }

  @Test func `Local terms are applied after the response`() throws {
    let posts = [
      try post("swift and rust", language: "de-AT"), try post("swift alone", language: "de"),
      try post("swift unsaid"), try post("swift en", language: "en"),
      try post("swift by bob", by: "bob", language: "de"),
      try post("swift by nobody", by: "", language: "de"), try post("nothing", language: "de"),
    ]
    let terms = try #require(Query("swift -rust lang:de from:amy")).terms
    let result = TermFilter(terms).filter(posts)
    #expect(result.posts.map(\.id) == ["swift alone", "swift unsaid"])
    #expect(Set(result.unknown.map(\.description)) == ["lang:de", "from:amy"])
  }

  @Test func `One of several authors or languages is enough, and no excluded one passes`() throws {
    let posts = [
      try post("1", by: "amy", language: "de"), try post("2", by: "bob", language: "fr"),
      try post("3", by: "cy", language: "de"), try post("4", by: "amy", language: "en"),
    ]
    let some = try #require(Query("from:amy from:bob lang:de lang:fr")).terms
    #expect(TermFilter(some).filter(posts).posts.map(\.id) == ["1", "2"])
    let others = try #require(Query("-from:amy -lang:fr")).terms
    #expect(TermFilter(others).filter(posts).posts.map(\.id) == ["3"])
  }

  @Test func `A post in several languages is in each of them`() throws {
    let server = try #require(ServerAddress("https://b.example"))
    let post = Post(
      id: "1", source: "bluesky", server: server, uri: "1", text: "x", language: "en",
      furtherLanguages: ["de-AT"])
    let german = QueryTerm(.language, "de")
    #expect(TermFilter([german]).filter([post]).posts == [post])
    #expect(TermFilter([QueryTerm(.language, "fr")]).filter([post]).posts.isEmpty)
    let excluded = QueryTerm(.language, "de", isExcluded: true)
    #expect(TermFilter([excluded]).filter([post]).posts.isEmpty)
    var tally = FilterTally()
    #expect(PostFilter(languages: ["de"]).apply(to: [post], counting: &tally) == [post])
  }
}
