import FoundationEssentials
import TestSupport
import Testing

@testable import SearchModel

@Suite struct LinkCopiesTests {
  private let now = Date(timeIntervalSince1970: 1_795_000_000)

  private func post(
    _ id: String, _ text: String, links: [String], source: SourceName = "mastodon",
    title: String? = nil, secondsAgo: Double = 10, url: String? = nil
  ) throws -> Post {
    Post(
      id: id, source: source, server: try #require(ServerAddress("https://\(source).example")),
      url: url ?? "https://\(source).example/\(id)", uri: "uri:\(id)", title: title, text: text,
      createdAt: now.addingTimeInterval(-secondsAgo), links: links)
  }

  private func merged(_ posts: [Post], tags: [String] = ["#a"], limit: Int? = nil) -> [Post] {
    let found = tags.flatMap { tag in [FoundPosts(tag: tag, posts: posts)] }
    return Merge(now: now, limit: limit, joinsByLink: true).posts(of: found)
  }

  @Test func `The newest copy is shown, and lists the others`() throws {
    let text = "Swift 6.3 is out, with better diagnostics"
    let posts = [
      try post("old", "\(text)!", links: ["https://swift.example/63"], secondsAgo: 30),
      try post(
        "new", "\(text) https://swift.example/63/?utm_source=x #swift",
        links: ["https://swift.example/63/?utm_source=x", "https://bluesky.example/tag/swift"],
        source: "bluesky", secondsAgo: 5),
      try post(
        "story", "", links: ["http://Swift.Example/63#news"], source: "hackernews", title: text,
        secondsAgo: 20),
      try post("other", "Something else altogether", links: ["https://swift.example/63"]),
    ]
    let merged = merged(posts)
    #expect(merged.map(\.id) == ["new", "other"])
    #expect(
      merged[0].also == [
        PostCopy(source: "hackernews", address: "https://hackernews.example/story"),
        PostCopy(source: "mastodon", address: "https://mastodon.example/old"),
      ])
    #expect(merged[1].also.isEmpty)
    // Off by default.
    let plain = Merge(now: now).posts(of: [FoundPosts(tag: "#a", posts: posts)])
    #expect(plain.count == 4 && plain.allSatisfy(\.also.isEmpty))
  }

  @Test func `The limit comes after the copies are joined, and tags of copies count`() throws {
    let link = ["https://x.example/a"]
    let found = [
      FoundPosts(
        tag: "#a", posts: [try post("1", "the very same words", links: link, secondsAgo: 1)]),
      FoundPosts(
        tag: "#b",
        posts: [
          try post("2", "the very same words", links: link, secondsAgo: 2),
          try post("3", "unlike", links: [], secondsAgo: 3),
        ]),
    ]
    let merged = Merge(now: now, limit: 2, joinsByLink: true).posts(of: found)
    #expect(merged.map(\.id) == ["1", "3"])
    #expect(merged[0].tags == ["#a", "#b"])
  }

  @Test(arguments: [
    ("https://a.example/x", "HTTPS://A.Example:443/x/", true),
    ("https://a.example", "http://a.example/#top", true),
    ("https://a.example/x?b=1&utm_medium=m&c=2", "https://a.example/x/?b=1&c=2&UTM_X=1", true),
    ("https://a.example/x?fbclid=1", "https://a.example/x", true),
    ("https://a.example/x", "https://a.example/X", false),
    ("https://a.example/x?b=1", "https://a.example/x?b=2", false),
    ("https://a.example/x", "https://b.example/x", false),
    ("https://a.example:8080/x", "https://a.example/x", false),
  ])
  func `Addresses of one page are equal`(one: String, other: String, areEqual: Bool) throws {
    let posts = [
      try post("1", "the same words", links: [one]),
      try post("2", "the same words", links: [other]),
    ]
    #expect(merged(posts).count == (areEqual ? 1 : 2))
  }

  @Test(arguments: [
    ("one two three four five six", "one two three four five seven", true),
    ("one two three four", "one two three five", false),
    ("One, two: three!", "@amy one two three https://t.example/x", true),
    ("", "", true), ("", "words", false), ("日本語 テキスト", "日本語 テキスト", true),
  ])
  func `Nearly the same text shares two thirds of its words`(
    one: String, other: String, areNear: Bool
  ) throws {
    let link = ["https://x.example/a"]
    let posts = [try post("1", one, links: link), try post("2", other, links: link)]
    #expect(merged(posts).count == (areNear ? 1 : 2))
  }

  private func page(
    _ id: String, _ source: SourceName, at server: String, url: String, secondsAgo: Double = 10,
    links: [String] = [], text: String? = nil
  ) throws -> Post {
    Post(
      id: id, source: source, server: try #require(ServerAddress(server)), url: url,
      uri: "\(server)/id/\(id)", text: text ?? "words of \(id)",
      createdAt: now.addingTimeInterval(-secondsAgo), links: links)
  }

  @Test func `A post found by a feed and by a network's own search occurs once`() throws {
    let url = "https://social.example/@amy/1"
    let entry = try page("entry", "feed", at: "https://reader.example", url: "\(url)#a")
    let links = ["https://swift.example/63"]
    let status = try page(
      "status", "mastodon", at: "https://social.example", url: url, secondsAgo: 12, links: links)
    let later = try post("later", "something else", links: [], secondsAgo: 11)
    for posts in [[entry, status, later], [status, later, entry]] {
      let merged = merged(posts)
      #expect(merged.map(\.id) == ["later", "status"])
      #expect(merged.last?.also.map(\.source) == ["feed"] && merged.first?.also.isEmpty == true)
    }
    // Where neither is from the server that has the page, the plan decides.
    let copy = try page("copy", "mastodon", at: "https://b.example", url: url, secondsAgo: 0)
    #expect(merged([copy, entry]).map(\.id) == ["copy"])
    #expect(merged([entry, copy]).map(\.id) == ["entry"])
  }

  @Test func `Entries of one feed that share a page stay, and so do those that share a site`()
    throws
  {
    let feed = "https://f.example/feed"
    let url = "https://f.example/releases"
    var posts = try (1...5).map { try page("\($0)", "feed", at: feed, url: url) }
    #expect(merged(posts).count == 5)
    posts.append(try page("result", "searxng", at: "https://s.example", url: url))
    #expect(merged(posts).count == 5)
    let sites = try ["feed", "searxng"].map { (source: SourceName) in
      try page("\(source)", source, at: "https://\(source).example", url: "https://f.example/")
    }
    #expect(merged(sites).count == 2)
  }

  @Test func `With a limit, posts older than the last one shown do not count, even as copies`()
    throws
  {
    let link = ["https://x.example/a"]
    let posts = [
      try post("1", "the very same words", links: link, secondsAgo: 1),
      try post("2", "unlike", links: [], secondsAgo: 2),
      try post("3", "the very same words", links: link, secondsAgo: 3),
      try post("4", "another", links: [], secondsAgo: 4),
    ]
    // Which older ones were read depends on the order of arrival.
    for count in 2...4 {
      let merged = merged(Array(posts.prefix(count)), limit: 2)
      #expect(merged.map(\.id) == ["1", "2"] && merged.allSatisfy(\.also.isEmpty))
    }
    #expect(merged(posts, limit: 3).first?.also.count == 1)
  }

  @Test(arguments: 1...40)
  func `The posts shown do not depend on posts older than the last`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var posts: [Post] = []
    for number in 0..<120 {
      let topic = Int.random(in: 0..<12, using: &random)
      let source: SourceName =
        ["feed", "mastodon", "lemmy"].randomElement(using: &random) ?? "feed"
      let isStory = Bool.random(using: &random)
      posts.append(
        try page(
          "\(number)", source, at: "https://\(source).example",
          url: "https://home.example/\(isStory ? "\(topic)" : "own/\(number)")",
          secondsAgo: Double(Int.random(in: 0..<200, using: &random)) / 2,
          links: Bool.random(using: &random) ? ["https://x.example/\(topic)"] : [],
          text: "a b c d e f g h".split(separator: " ")
            .filter { _ in Int.random(in: 0..<4, using: &random) > 0 }.joined(separator: " ")))
    }
    let limit = Int.random(in: 1...40, using: &random)
    let whole = merged(posts, limit: limit)
    let last = try #require(whole.compactMap(\.createdAt).min())
    let second = last.timeIntervalSince1970.rounded(.down)
    for _ in 0..<10 {
      // In any order of arrival, what is as new as the last one is there, and of the rest some.
      let read = posts.filter { post in
        let date = post.createdAt?.timeIntervalSince1970 ?? 0
        return date >= second || Bool.random(using: &random)
      }
      #expect(merged(read, limit: limit) == whole)
    }
  }

  @Test func `Posts that may be joined by their link count as one`() throws {
    let link = ["https://x.example/a"]
    let one = try post("1", "the same words", links: link)
    let other = try post("2", "other words", links: ["http://x.example/a/#b"], source: "lemmy")
    #expect(one.copyKey == other.copyKey)
    let entry = try page("3", "feed", at: "https://a.example", url: "https://b.example/1")
    let status = try page("4", "mastodon", at: "https://b.example", url: "https://b.example/1#x")
    #expect(entry.copyKey == status.copyKey && entry.copyKey != one.copyKey)
    let alone = try page("5", "feed", at: "https://a.example", url: "https://b.example/")
    #expect(alone.copyKey == alone.identityHash)
  }

  @Test func `If a network lists no links, those in the text count`() throws {
    let listed = try post("1", "the very same words", links: ["https://x.example/a"])
    let written = try post("2", "The very same words: (https://x.example/a).", links: [])
    #expect(merged([listed, written]).count == 1)
    let others = try post("3", "the very same words http://x.example/a http://y.example", links: [])
    #expect(merged([listed, others]).count == 2)
  }

  @Test func `Posts without a link, with several, or with one of their own network stay`() throws {
    let text = "the very same words"
    let several = ["https://x.example/a", "https://y.example/b"]
    for links in [[], several, ["https://mastodon.example/@amy/1"], ["ftp://x.example/a"]] {
      let posts = [try post("1", text, links: links), try post("2", text, links: links)]
      #expect(merged(posts).count == 2, "\(links)")
    }
  }

  @Test func `A text is compared with a bounded number of others, but always finds its equal`()
    throws
  {
    let link = ["https://x.example/a"]
    func words(_ number: Int) -> String { "a\(number) b\(number) c\(number)" }
    var finder = LinkCopies()
    let count = LinkCopies.mostTexts + 1
    for number in 0..<count {
      let post = try post("\(number)", words(number), links: link)
      #expect(finder.take(post, number: number) == nil)
    }
    let last = count - 1
    let equal = try post("equal", words(last), links: link)
    #expect(finder.take(equal, number: count) == .alike(last))
    // Nearly equal texts are found among the first ones only.
    let nearFirst = try post("near", words(0) + " d", links: link)
    #expect(finder.take(nearFirst, number: count + 1) == .alike(0))
    let nearLast = try post("late", words(last) + " d", links: link)
    #expect(finder.take(nearLast, number: count + 2) == nil)
  }

  @Test func `At most 100 copies of a post are listed`() throws {
    let link = ["https://x.example/a"]
    let joined = merged(try (0..<150).map { try post("\($0)", "the same words", links: link) })
    #expect(joined.count == 1 && joined.first?.also.count == 100)
  }

  @Test func `A copy of a copy joins the post that is shown`() throws {
    let page = "https://home.example/1"
    let link = ["https://x.example/a"]
    // The second is the first by their page, and the third is like the second by their link.
    let posts = [
      try self.page("entry", "feed", at: "https://f.example", url: page, secondsAgo: 1),
      try self.page(
        "status", "mastodon", at: "https://m.example", url: page, secondsAgo: 2, links: link,
        text: "the very same words"),
      try post("story", "the very same words", links: link, source: "lemmy", secondsAgo: 3),
    ]
    let merged = merged(posts)
    #expect(merged.map(\.id) == ["entry"])
    #expect(merged.first?.also.map(\.source) == ["mastodon", "lemmy"])
  }
}
