import FoundationEssentials
import SearchModel
import TestSupport
import Testing

@Suite struct MergeTests {
  private let now = Date(timeIntervalSince1970: 1_795_000_000)

  private func post(
    _ id: String, _ secondsAgo: Double?, source: SourceName = "mastodon",
    server: String = "https://a.example", uri: String? = nil
  ) throws -> Post {
    Post(
      id: id, source: source, server: try #require(ServerAddress(server)), uri: uri ?? "uri:\(id)",
      text: "text of \(id)", createdAt: secondsAgo.map { now.addingTimeInterval(-$0) })
  }

  @Test func `The newest comes first, whoever found it`() throws {
    let merged = Merge(now: now).posts(of: [
      FoundPosts(tag: "#a", posts: [try post("old", 50), try post("new", 1)]),
      FoundPosts(tag: "#b", posts: [try post("middle", 20, source: "bluesky")]),
    ])
    #expect(merged.map(\.id) == ["new", "middle", "old"])
    #expect(merged.map(\.tags) == [["#a"], ["#b"], ["#a"]])
  }

  @Test func `Turned around, posts of one moment keep their order`() throws {
    let posts = [
      try post("3", 5), try post("1", 9), try post("2", 9), try post("0", 20), try post("4", nil),
      try post("5", nil),
    ]
    let merged = Merge(now: now).posts(of: [FoundPosts(tag: "#a", posts: posts)])
    #expect(merged.map(\.id) == ["3", "1", "2", "0", "4", "5"])
    #expect(merged.oldestFirst.map(\.id) == ["4", "5", "0", "1", "2", "3"])
  }

  @Test func `Ties are sorted by source, then server, then id, byte by byte`() throws {
    let posts = [
      try post("é", 5), try post("e\u{301}", 5), try post("10", 5), try post("9", 5),
      try post("1", 5, server: "https://b.example"), try post("0", 5, source: "bluesky"),
      try post("1", 5, source: "Zeta"),
    ]
    let merged = Merge(now: now).posts(of: [FoundPosts(tag: "#a", posts: posts)])
    #expect(
      merged.map { "\($0.source) \($0.server.host) \($0.id)".unicodeScalars.map(\.value) }
        == [
          "Zeta a.example 1", "bluesky a.example 0", "mastodon a.example 10",
          "mastodon a.example 9", "mastodon a.example e\u{301}", "mastodon a.example é",
          "mastodon b.example 1",
        ].map { $0.unicodeScalars.map(\.value) })
  }

  @Test func `Ties between long identifiers are sorted by all of their bytes`() throws {
    let ends = [
      "", "\0", "\0\0", "1", "10", "9", "12345678", "123456780", "123456781", "1234567\u{E9}",
    ]
    for beginning in ["", "11482190", "114821903355", "1148219033550123", "11482190335501234567"] {
      let ids = ends.map { "\(beginning)\($0)" }
      let found = FoundPosts(tag: "#a", posts: try ids.reversed().map { try post($0, 5) })
      let merged = Merge(now: now).posts(of: [found]).map { Array($0.id.utf8) }
      #expect(merged == ids.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    }
  }

  @Test func `A post found twice occurs once: the first copy, with each query once`() throws {
    let merged = Merge(now: now).posts(of: [
      FoundPosts(tag: "#a", posts: [try post("first", 5, uri: "x")]),
      FoundPosts(tag: "#b", posts: [try post("second", 5, server: "https://b.example", uri: "x")]),
      FoundPosts(tag: "#a", posts: [try post("first", 5, uri: "x")]),
      FoundPosts(
        tag: "#c", posts: [try post("first", 5, uri: "x"), try post("first", 1, uri: "x")]),
      FoundPosts(tag: "#b", posts: [try post("first", 5, uri: "x")]),
    ])
    #expect(merged.map(\.id) == ["first"])
    #expect(merged.map(\.tags) == [["#a", "#b", "#c"]])
  }

  @Test func `Of several copies the one from the post's home server is shown`() throws {
    let home = "http://home.example:8080"
    let uri = "\(home)/users/amy/statuses/1"
    func copy(_ id: String, _ server: String, secondsAgo: Double = 5) throws -> FoundPosts {
      FoundPosts(tag: "#\(id)", posts: [try post(id, secondsAgo, server: server, uri: uri)])
    }
    let copies = [
      try copy("port", "http://home.example"), try copy("far", "https://b.example"),
      try copy("home", "\(home)/m", secondsAgo: 6), try copy("again", home),
    ]
    let merged = Merge(now: now).posts(of: copies)
    #expect(merged.map(\.id) == ["home"] && merged[0].server.host == "home.example")
    #expect(merged[0].createdAt == now.addingTimeInterval(-6))
    #expect(merged[0].tags == ["#port", "#far", "#home", "#again"])
    #expect(Merge(now: now).posts(of: Array(copies.prefix(2))).map(\.id) == ["port"])
    #expect(Merge(now: now).posts(of: Array(copies.dropFirst().prefix(1))).map(\.id) == ["far"])
    // The scheme's own port may be left out.
    let plain = "https://c.example:443/1"
    let found = try ["https://b.example", "https://c.example"].map { server in
      FoundPosts(tag: "#a", posts: [try post(server, 5, server: server, uri: plain)])
    }
    #expect(Merge(now: now).posts(of: found).map(\.id) == ["https://c.example"])
  }

  @Test func `The same address on two networks is two posts`() throws {
    let merged = Merge(now: now).posts(of: [
      FoundPosts(
        tag: "#a", posts: [try post("1", 5, uri: "x"), try post("2", 4, source: "lemmy", uri: "x")])
    ])
    #expect(merged.map(\.id) == ["2", "1"])
  }

  @Test
  func `Posts more than five minutes in the future come after the dated ones, and are marked`()
    throws
  {
    let merged = Merge(now: now).posts(of: [
      FoundPosts(
        tag: "#a",
        posts: [
          try post("undated", nil), try post("ahead", -300.001), try post("far ahead", -9_000),
          try post("tolerated", -300), try post("old", 9_000),
        ])
    ])
    #expect(merged.map(\.id) == ["tolerated", "old", "far ahead", "ahead", "undated"])
    #expect(merged.map(\.isFuture) == [false, false, true, true, false])
  }

  @Test func `Posts of one second are sorted by milliseconds`() throws {
    let posts = [try post("1", 0.6), try post("2", 0.501), try post("3", 0.5), try post("4", 0.7)]
    let merged = Merge(now: now).posts(of: [FoundPosts(tag: "#a", posts: posts)])
    #expect(merged.map(\.id) == ["3", "2", "1", "4"])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, 253_402_300_800, -62_167_219_201])
  func `A date that RFC 3339 cannot express counts as no date`(seconds: Double) throws {
    var strange = try post("strange", 0)
    strange.createdAt = Date(timeIntervalSince1970: seconds)
    let merged = Merge(now: now, since: now.addingTimeInterval(-60), until: now).posts(of: [
      FoundPosts(tag: "#a", posts: [strange, try post("dated", 30)])
    ])
    #expect(merged.map(\.id) == ["dated", "strange"])
    #expect(merged.last?.createdAt == nil)
  }

  @Test func `Since is inclusive, until is exclusive, and the undated are kept`() throws {
    let merge = Merge(
      now: now, since: now.addingTimeInterval(-20), until: now.addingTimeInterval(-10))
    let merged = merge.posts(of: [
      FoundPosts(
        tag: "#a",
        posts: [
          try post("undated", nil), try post("before", 20.001), try post("at since", 20),
          try post("at until", 10), try post("within", 10.001), try post("future", -900),
        ])
    ])
    #expect(merged.map(\.id) == ["within", "at since", "undated"])
  }

  @Test func `The limit is applied last`() throws {
    let found = [
      FoundPosts(tag: "#a", posts: [try post("3", 3), try post("1", 1), try post("1", 1)]),
      FoundPosts(tag: "#b", posts: [try post("2", 2), try post("undated", nil)]),
    ]
    #expect(Merge(now: now, limit: 2).posts(of: found).map(\.id) == ["1", "2"])
    #expect(Merge(now: now, limit: 0).posts(of: found).isEmpty)
    #expect(Merge(now: now, limit: 9).posts(of: found).count == 4)
    #expect(Merge(now: now, limit: 9).posts(of: []).isEmpty)
  }

  /// The rules read out, with no thought of speed.
  private func naive(_ merge: Merge, _ found: [FoundPosts]) -> [Post] {
    var kept: [Post] = []
    for search in found {
      for post in search.posts {
        if let index = kept.firstIndex(where: { $0.source == post.source && $0.uri == post.uri }) {
          if !kept[index].tags.contains(search.tag) { kept[index].tags.append(search.tag) }
        } else {
          var post = post
          post.tags = [search.tag]
          post.isFuture = post.createdAt.map { $0.timeIntervalSince(merge.now) > 300 } ?? false
          kept.append(post)
        }
      }
    }
    kept = kept.filter { post in
      guard let date = post.createdAt else { return true }
      return merge.since.map { date >= $0 } ?? true && merge.until.map { date < $0 } ?? true
    }
    let order = kept.enumerated().sorted { one, other in
      func key(_ post: Post) -> (Int, Double) {
        guard let date = post.createdAt else { return (2, 0) }
        return (post.isFuture ? 1 : 0, -date.timeIntervalSince1970)
      }
      func ties(_ post: Post, _ offset: Int) -> (String, String, String, Int) {
        (post.source.rawValue, post.server.text, post.id, offset)
      }
      if key(one.element) != key(other.element) { return key(one.element) < key(other.element) }
      return ties(one.element, one.offset) < ties(other.element, other.offset)
    }
    return Array(order.map(\.element).prefix(merge.limit ?? .max))
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `Random posts are merged according to the rules`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let sources: [SourceName] = ["bluesky", "hackernews", "mastodon"]
    var found: [FoundPosts] = []
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      var posts: [Post] = []
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let id = String(Int.random(in: 0..<120, using: &random))
        posts.append(
          try post(
            id,
            Bool.random(using: &random) ? Double(Int.random(in: -600...60, using: &random)) : nil,
            source: sources[Int.random(in: 0..<3, using: &random)],
            server: "https://\(Int.random(in: 0..<4, using: &random)).example",
            uri: Bool.random(using: &random) ? nil : "uri:\(id)/\(posts.count)"))
      }
      found.append(FoundPosts(tag: "#\(Int.random(in: 0..<6, using: &random))", posts: posts))
    }
    for limit in [nil, 7] {
      for since in [nil, now.addingTimeInterval(-30)] {
        for until in [nil, now.addingTimeInterval(100)] {
          let merge = Merge(now: now, since: since, until: until, limit: limit)
          #expect(merge.posts(of: found) == naive(merge, found))
        }
      }
    }
  }

  @Test(arguments: [0, 1, 2] as [UInt64])
  func `Thousands of posts of all times are in order`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var posts: [Post] = []
    for number in 0..<3000 {
      // Ties, moments of one day, of two thousand years, from the future and unknown ones.
      let age: Double? =
        switch Int.random(in: 0..<20, using: &random) {
        case 0: nil
        case 1: -Double.random(in: 301...1e9, using: &random)
        case 2: Double.random(in: 0...60e9, using: &random)
        case 3...9: Double(Int.random(in: 0..<100, using: &random))
        default: Double.random(in: 0...86400, using: &random)
        }
      posts.append(try post("\(number)", age))
    }
    let milliseconds = { (post: Post) in
      post.createdAt.map { -($0.timeIntervalSince1970 * 1000).rounded() }
    }
    let ordered = posts.sorted { one, other in
      func era(_ post: Post) -> Int {
        post.createdAt.map { $0.timeIntervalSince(now) > 300 ? 1 : 0 } ?? 2
      }
      let keys = (
        (era(one), milliseconds(one) ?? 0, one.id), (era(other), milliseconds(other) ?? 0, other.id)
      )
      return keys.0 < keys.1
    }
    let merged = Merge(now: now).posts(of: [FoundPosts(tag: "#a", posts: posts)])
    #expect(merged.map(\.id) == ordered.map(\.id))
  }

  @Test func `Posts of one server with one address and two ids are two posts`() throws {
    let one = try #require(ServerAddress("https://one.example"))
    let other = try #require(ServerAddress("https://other.example"))
    func post(_ id: String, _ server: ServerAddress, firstID: String? = nil) -> Post {
      Post(
        id: id, source: "mastodon", server: server, uri: "https://x.example/1", text: id,
        firstID: firstID)
    }
    let merged = Merge(now: now).posts(of: [
      FoundPosts(tag: "a", posts: [post("1", one), post("2", one), post("1", one)]),
      FoundPosts(tag: "b", posts: [post("7", other), post("3", one, firstID: "1")]),
    ])
    #expect(merged.map(\.id) == ["1", "2"])
  }
}
