import Foundation
import PostHistory
import SearchModel
import TestSupport
import Testing

/// Finding stored posts.
@Suite struct SearchTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test(arguments: Store.all) func `A stored post is read back as it was`(store: Store) throws {
    let history = try store.open(in: folder)
    let post = Post(
      id: "1", source: "lemmy", server: mastodon, uri: "https://a.example/1",
      author: Author(handle: "amy", name: "Amy", url: "https://a.example/@amy"), feed: "News",
      title: "Title", text: "Text with \"marks\", \u{1B} and 東京", createdAt: noon,
      editedAt: noon.addingTimeInterval(60), language: "en",
      topics: ["c++", "Machine Learning"], links: ["https://b.example"],
      attachments: [
        PostAttachment(
          "https://c.example/1.png", type: "image/png", description: "A \"cat\"",
          thumbnail: "https://c.example/s.png"),
        PostAttachment("https://c.example/2"), PostAttachment("https://c.example/3", kind: .file),
      ],
      counts: Counts(likes: 1, reposts: 2, replies: 3, views: 4), replyTo: "0", repostOf: "2",
      repostedBy: Author(handle: "bob"), isSensitive: true, contentWarning: "loud",
      poll: ["yes", "no"], isReply: true, visibility: .unlisted)
    var expected = post
    expected.tags = ["swift"]
    try history.add([post])
    #expect(try history.posts(matching: HistoryQuery()) == [expected])
  }

  @Test(arguments: Store.all)
  func `A post that was ahead of its time is not hidden for good`(store: Store) throws {
    let history = try store.open(in: folder)
    // The last one is dated ten minutes after it is fetched.
    try history.add((0..<5).map { post("\($0)", minutesAgo: Double(50 - $0 * 15)) })
    for limit in [1, 3] {
      for since in [nil, noon.addingTimeInterval(-86_400)] {
        let found = try history.posts(matching: HistoryQuery(since: since, limit: limit))
        func newest(at now: Date) -> [String] {
          let posts = Merge(now: now).posts(of: [FoundPosts(tag: "swift", posts: found)])
          return posts.prefix(limit).map(\.id)
        }
        #expect(newest(at: noon.addingTimeInterval(3600)) == Array(["4", "3", "2"].prefix(limit)))
        #expect(newest(at: noon) == Array(["3", "2", "1"].prefix(limit)))
      }
    }
    #expect(try history.statistics(of: HistoryQuery()) { _ in "" }.posts == 5)
  }

  @Test(arguments: Store.all)
  func `Characters that are not seen part no words`(store: Store) throws {
    let history = try store.open(in: folder)
    try history.add([
      post("1", "un\u{AD}be\u{AD}liev\u{AD}able news"),
      post("2", "zero\u{200B}width and \u{202A}left\u{202C}"),
      post("3", "東\u{200D}京 in the spring"),
    ])
    #expect(try history.ids("unbelievable") == ["1"])
    #expect(try history.ids("un\u{AD}believable -zerowidth") == ["1"])
    #expect(try history.ids("liev") == [])
    #expect(try history.ids("zerowidth left") == ["2"])
    #expect(try history.ids("東京") == ["3"])
  }

  @Test(arguments: PostField.table.filter { $0.historyKey != nil }.map(\.field))
  func `Each field that has a key is read back as it was`(field: PostField) throws {
    let history = try SQLiteHistory(at: folder["history.db"])
    var post = try #require(Post.having(field))
    #expect(field == .id || field == .uri || post != Post.having(.id))
    try history.add([post])
    post.tags = ["swift"]
    #expect(try history.posts(matching: HistoryQuery(includesPrivate: true)) == [post])
  }

  @Test func `No key is used for two fields, nor ever for another than at first`() {
    // As the first version that packed bodies wrote them; 28 are the details of an attachment.
    let first: [PostField] = [
      .id, .uri, .url, .authorHandle, .authorName, .authorURL, .title, .text, .editedAt, .language,
      .links, .attachments, .likes, .reposts, .replies, .views, .replyTo, .repostOf,
      .reposterHandle, .reposterName, .reposterURL, .sensitive, .contentWarning, .poll, .isReply,
      .visibility, .topics,
    ]
    for (index, field) in first.enumerated() {
      #expect(field.description.historyKey == UInt8(index + 1))
    }
    #expect(PostField.feed.description.historyKey == 29)
    #expect(PostField.furtherLanguages.description.historyKey == 30)
    let keys = PostField.table.compactMap(\.historyKey) + [28]
    #expect(Set(keys).count == keys.count)
  }

  @Test(arguments: Store.all)
  func `Posts that are not for everyone are found and counted only on request`(store: Store) throws
  {
    let history = try store.open(in: folder)
    func post(_ id: String, _ visibility: Visibility?) -> Post {
      Post(
        id: id, source: "mastodon", server: mastodon, uri: "https://a.example/\(id)", text: "apple",
        createdAt: noon, visibility: visibility)
    }
    try history.add([
      post("1", nil), post("2", .public), post("3", .unlisted), post("4", .private),
      post("5", .direct),
    ])
    for terms in [[], [QueryTerm(.word, "apple")]] {
      var query = HistoryQuery(terms: terms)
      var leftOut = 0
      let open = try history.posts(matching: query, leavingOut: &leftOut)
      #expect(open.map(\.id).sorted() == ["1", "2", "3"] && leftOut == 2)
      let statistics = try history.statistics(of: query) { _ in "day" }
      #expect(statistics.posts == 3 && statistics.privatePosts == 2)
      query.includesPrivate = true
      #expect(try history.posts(matching: query, leavingOut: &leftOut).count == 5)
      #expect(leftOut == 2)
      #expect(try history.statistics(of: query) { _ in "day" }.posts == 5)
    }
  }

  @Test(arguments: Store.all)
  func `A post is found by its topics, however they are spelled, until they change`(store: Store)
    throws
  {
    let history = try store.open(in: folder)
    func tagged(_ topics: [String]) -> Post {
      Post(
        id: "1", source: "lobsters", server: mastodon, uri: "https://a.example/1",
        text: "No hashtag.", createdAt: noon, topics: topics)
    }
    try history.add([tagged(["Machine Learning", "C++", "東京", "Straße"]), post("2", "about c")])
    for query in [
      "#machinelearning", "#machine-learning", "#Machine_Learning", "#c++", "#東京", "#STRASSE",
    ] {
      #expect(try history.ids(query) == ["1"], "\(query)")
      #expect(try history.ids("-\(query)") == ["2"], "\(query)")
    }
    for query in ["#machine", "#c", "machine", "#京", "#swift"] {
      #expect(try history.ids(query).contains("1") == false, "\(query)")
    }
    try history.add([tagged(["swift"])])
    #expect(try history.ids("#swift") == ["1"])
    #expect(try history.ids("#東京") == [])
    #expect(try history.delete("https://a.example/1") == 1)
    #expect(try history.ids("#swift") == [])
  }

  @Test(arguments: Store.all)
  func `A post is found by an option of its poll, also after it was edited`(store: Store) throws {
    let history = try store.open(in: folder)
    func poll(_ option: String) -> Post {
      Post(
        id: "1", source: "lemmy", server: mastodon, uri: "https://a.example/1", text: "Which one?",
        createdAt: noon, poll: ["Rust", option])
    }
    try history.add([poll("Swift")])
    #expect(try history.ids("swift") == ["1"])
    try history.add([poll("Zig")])
    #expect(try history.ids("swift") == [])
    #expect(try history.ids("zig") == ["1"])
  }

  @Test(arguments: Store.all) func `Posts come newest first, and those without a date last`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    try history.add([
      post("old", minutesAgo: 60), post("undated", minutesAgo: nil), post("new", minutesAgo: 1),
      post("future", minutesAgo: -60), post("middle", minutesAgo: 30),
    ])
    #expect(try history.ids("swift") == ["new", "middle", "old", "future", "undated"])
    // By now the one that was ahead may be the newest.
    #expect(try history.ids("swift", limit: 2) == ["new", "middle", "future"])
  }

  @Test(arguments: Store.all) func `A post dated after it was fetched is found by its date`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    let posts = [
      post("old", minutesAgo: 60), post("undated", minutesAgo: nil), post("soon", minutesAgo: -20),
      post("far", minutesAgo: -3000),
    ]
    try history.commit(
      RunBatch(
        now: noon, findings: [.init(search: key("swift"), posts: posts, isAnswered: true)]))
    func ids(since: Double?, until: Double?, _ query: String = "") throws -> Set<String> {
      let date = { (minutes: Double) in noon.addingTimeInterval(minutes * 60) }
      return Set(
        try history.posts(
          matching: HistoryQuery(
            terms: Query(query)?.terms ?? [], since: since.map(date), until: until.map(date))
        ).map(\.id))
    }
    #expect(try ids(since: 0, until: nil) == ["far", "soon"])
    #expect(try ids(since: 10, until: 30, "swift") == ["soon"])
    #expect(try ids(since: nil, until: 30) == ["old", "soon"])
    let found = try history.found(from: noon, until: noon.addingTimeInterval(3600))
    #expect(found.values.flatMap(\.self).map(\.uri) == ["https://mastodon.example/soon"])
    let answered = try history.answers(
      to: [key("swift")], since: noon, until: nil)
    #expect(
      answered[key("swift")].map { Set($0.posts.map(\.id)) } == ["far", "soon", "undated"])
  }

  @Test(arguments: Store.all) func `A post is found by each of its languages`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    try history.add([
      Post(
        id: "1", source: "bluesky", server: mastodon, uri: "https://a.example/1",
        text: "hello and hallo", createdAt: noon, language: "en", furtherLanguages: ["de-AT"]),
      Post(
        id: "2", source: "x", server: mastodon, uri: "https://a.example/2", text: "hei",
        createdAt: noon, language: "no"),
    ])
    #expect(try history.ids("lang:nb") == ["2"])
    #expect(try history.ids("hei -lang:nn") == [])
    #expect(try history.ids("hello lang:de") == ["1"])
    #expect(try history.ids("lang:en") == ["1"])
    #expect(try history.ids("hello lang:fr") == [])
    #expect(try history.ids("hello -lang:de") == [])
    let german = try history.posts(matching: HistoryQuery(terms: [QueryTerm(.language, "de")]))
    #expect(german.first?.furtherLanguages == ["de-AT"])
  }

  @Test(arguments: Store.all)
  func `More posts of one second than it has numbers are all found, in order`(store: Store) throws {
    let history = try store.open(in: folder)
    let posts = (0..<3000).map { index in
      var post = post("\(index)", "swift")
      post.createdAt = noon.addingTimeInterval(-60 - Double(index) / 10_000)
      return post
    }
    try history.add(Array(posts[..<1500]))
    try history.add(Array(posts[1500...]))
    try history.add([post("newer", minutesAgo: 0.9)])
    #expect(Set(try history.ids("swift")).count == 3001)
    #expect(try history.ids("swift", limit: 1).contains("newer"))
    let bounded = try history.posts(
      matching: HistoryQuery(until: noon.addingTimeInterval(-59)))
    #expect(bounded.count == 3000)
  }

  @Test(
    arguments: Store.all,
    [
      ("swift", ["phrase", "tag", "word"]), ("SWIFT race", ["phrase", "word"]),
      ("\"data race\"", ["word"]),
      ("#swift", ["tag"]), ("swift -#swift", ["phrase", "word"]), ("cafe", ["accent"]),
      ("café", ["accent"]), ("from:bob", ["tag"]), ("from:@bob swift", ["tag"]),
      ("lang:de", ["german", "phrase"]), ("lang:de -swift", ["german"]), ("C++", ["sign"]),
      ("c", ["sign"]), ("東京", ["cjk"]), ("京都", ["cjk"]), ("東", ["cjk"]), ("庁", ["cjk"]),
      ("へ", ["cjk"]),
      ("東京都庁", ["cjk"]), ("都京", []), ("data_race", ["under"]), ("한국", ["korean"]),
      ("-swift", ["accent", "cjk", "german", "korean", "sign", "under"]), ("nothing", []),
      ("foo:bar", []), ("swiftly", []), ("🎉", ["sign"]), ("Title", ["german"]),
    ])
  func `A query finds what it would find in a run`(
    store: Store, sample: (query: String, expected: [String])
  ) throws {
    let history = try store.open(in: folder)
    try history.add([
      post("word", "Swift has no data race", language: "en"),
      post("phrase", "a race about swift and data"),
      post("tag", "Loving #Swift", author: "Bob@b.example", language: "en"),
      post("accent", "at the Café", language: "fr"),
      post("german", "Guten Tag", title: "Title", language: "de-AT"),
      post("sign", "C++ 🎉", language: "en"), post("cjk", "今日は東京都庁へ", language: "ja"),
      post("under", "data_race()", language: "en"),
      post("korean", "한국어로", language: "ko"),
    ])
    #expect(try history.ids(sample.query).sorted() == sample.expected)
  }

  @Test(
    arguments: Store.all,
    [
      "ünlü", "RELEASE", "v2", "#café", "Café", "東京", "notes", "\"release v2\"",
    ])
  func `Each word of a text in several scripts is found until the post is deleted`(
    store: Store, query: String
  ) throws {
    let history = try store.open(in: folder)
    try history.add([
      post("mixed", "Ünlü Release v2: #Cafe\u{301} 東京\u{0}notes"), post("other", "Öffnung Ruhe 京都"),
    ])
    #expect(try history.ids(query) == ["mixed"])
    #expect(try history.delete("mixed") == 1)
    #expect(try history.ids(query) == [])
  }

  @Test(arguments: Store.all) func `Only posts of the networks asked for are found`(store: Store)
    throws
  {
    let history = try store.open(in: folder)
    try history.add([post("1")])
    try history.add([post("2", source: "twitter-classic")])
    #expect(try history.ids("swift", sources: ["twitter-classic"]) == ["2"])
    #expect(try history.ids("swift", sources: ["reddit"]) == [])
  }

  @Test(arguments: Store.all) func `Posts of two networks with one address are both stored`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    try history.add([post("1")])
    try history.add([post("1", "the same about swift", source: "rss")])
    #expect(
      try history.posts(matching: HistoryQuery()).map(\.source).sorted() == ["mastodon", "rss"])
  }

  @Test(arguments: Store.all) func `Dates bound what is found`(store: Store) throws {
    let history = try store.open(in: folder)
    try history.add([1, 2, 3].map { post("\($0)", minutesAgo: Double($0)) })
    let found = try history.posts(
      matching: HistoryQuery(
        since: noon.addingTimeInterval(-120), until: noon.addingTimeInterval(-60)))
    #expect(found.map(\.id) == ["2"])
  }

  @Test(arguments: Store.all) func `A post says which tags found it`(store: Store) throws {
    let history = try store.open(in: folder)
    try history.add([post("1")], tag: "swift")
    try history.add([post("1")], tag: "apple")
    #expect(try history.posts(matching: HistoryQuery()).map(\.tags) == [["apple", "swift"]])
    #expect(try history.posts(matching: HistoryQuery(tags: ["linux"])) == [])
  }

  @Test(arguments: Store.all)
  func `An edited post is found by its new text, and its earlier text is kept`(store: Store) throws
  {
    let history = try store.open(in: folder)
    try history.add([post("1", "first words")])
    try history.add([post("1", "second words")], at: noon.addingTimeInterval(60))
    #expect(try history.ids("first") == [])
    #expect(try history.ids("second") == ["1"])
    let versions = try history.versions(named: "1")
    #expect(versions.map(\.text) == ["second words", "first words"])
    #expect(versions.allSatisfy { $0.tags == ["swift"] && $0.createdAt == versions[0].createdAt })
    #expect(try history.versions(named: versions[0].uri) == versions)
    #expect(try history.versions(named: "2") == [])
  }

  @Test(arguments: Store.all) func `A deleted post is found no more and stays marked`(store: Store)
    throws
  {
    let history = try store.open(in: folder)
    try history.add([post("1"), post("2")])
    #expect(try history.delete("https://mastodon.example/1") == 1)
    #expect(try history.delete("2") == 1)
    #expect(try history.delete("2") == 0)
    #expect(try history.ids("swift") == [])
    let status = try history.status(of: [post("1")], in: key("swift"))
    #expect(status == [PostStatus(isPrinted: true, isRead: true)])
  }

  @Test(arguments: Store.all) func `Old posts are pruned once they were fetched long ago, too`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    let day = 24 * 60.0
    try history.add(
      [post("old", minutesAgo: 100 * day), post("undated", minutesAgo: nil)],
      at: noon.addingTimeInterval(-99 * 86_400))
    try history.add([post("late", minutesAgo: 100 * day), post("new")])
    #expect(try history.prune(before: noon.addingTimeInterval(-90 * 86_400)) == 2)
    #expect(try history.ids("swift") == ["new", "late"])
  }

  @Test(arguments: Store.all) func `A run prunes once a day`(store: Store) throws {
    let history = try store.open(in: folder)
    let old = noon.addingTimeInterval(-99 * 86_400)
    try history.add([post("old", minutesAgo: 100 * 1440)], at: old)
    try history.add([post("new")])
    let batch = RunBatch(
      now: noon, findings: [], prunesBefore: noon.addingTimeInterval(-90 * 86_400))
    try history.commit(batch)
    #expect(try history.ids() == ["new"])
    try history.add([post("older", minutesAgo: 100 * 1440)], at: old)
    try history.commit(batch)
    #expect(try history.ids() == ["new", "older"])
  }

  @Test(arguments: Store.all) func `Posts are counted by day, network and author`(store: Store)
    throws
  {
    let history = try store.open(in: folder)
    try history.add([post("1"), post("2", minutesAgo: nil, author: "")])
    let statistics = try history.statistics(of: HistoryQuery()) { _ in "today" }
    #expect(statistics.posts == 2)
    #expect(statistics.days == ["today": 1, "undated": 1])
    #expect(statistics.networks == ["mastodon": 2])
    #expect(statistics.authors == ["amy": 1])
  }
}
