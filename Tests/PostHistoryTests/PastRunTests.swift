import FoundationEssentials
import PostHistory
import SearchModel
import TestSupport
import Testing

/// What runs leave for later ones: runs to retry, windows that were read, and tags.
@Suite struct PastRunTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func commit(
    _ history: any HistoryStore, _ posts: [Post], at now: Date = noon, window: StoredWindow? = nil,
    run: PastRun? = nil,
    keepsPosts: Bool = true, prunesBefore: Date? = nil, sightings: [TagSighting] = []
  ) throws {
    try history.commit(
      RunBatch(
        now: now,
        findings: [
          .init(search: key("swift"), posts: posts, isAnswered: true, window: window)
        ], keepsPosts: keepsPosts, prunesBefore: prunesBefore, run: run, sightings: sightings))
  }

  @Test(arguments: Store.all) func `A run comes back with its bounds, answers and posts`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    let until = noon.addingTimeInterval(-60)
    let run = PastRun(
      name: "a", began: noon, since: until.addingTimeInterval(-60), until: until, newest: 7,
      perSearch: 9,
      parts: [
        .init(
          search: key("swift"),
          answer: StoredAnswer(notes: ["x"], posts: nil, pages: 2, excluded: ["words": 4])),
        .init(search: key("other"), answer: nil),
      ])
    try history.commit(
      RunBatch(
        now: noon,
        findings: [
          .init(search: key("swift"), posts: [post("1"), post("2", minutesAgo: 5)]),
          .init(search: key("other"), posts: []),
        ], run: run))
    let found = try #require(try history.run(named: "a"))
    #expect(found.began == noon && found.since == run.since && found.until == until)
    #expect(found.newest == 7 && found.perSearch == 9)
    #expect(found.parts.map(\.answer) == run.parts.map(\.answer))
    #expect(found.parts.map { $0.posts.map(\.id) } == [["1", "2"], []])
    #expect(found.parts.map(\.search) == [key("swift"), key("other")])
    #expect(try history.run(named: "b") == nil)
  }

  // More posts than are packed at once, and searches without posts before, between and after the others.
  @Test(arguments: Store.all) func `The posts of each search of a large run are found again`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    let searches = (0..<64).map { key("tag\($0)") }
    let posts = searches.indices.map { search -> [Post] in
      if search.isMultiple(of: 3) { return [] }
      return (0..<100).map { post("\(search)-\($0)") } + [post("shared", "found by \(search)")]
    }
    try history.commit(
      RunBatch(
        now: noon,
        findings: searches.indices.map { search in
          .init(
            search: searches[search], posts: posts[search], isAnswered: search.isMultiple(of: 2))
        },
        run: PastRun(
          name: "a", began: noon,
          parts: searches.map { .init(search: $0, answer: StoredAnswer()) })))
    let found = try #require(try history.run(named: "a"))
    #expect(found.parts.map(\.search) == searches)
    for (part, posts) in zip(found.parts, posts) {
      #expect(Set(part.posts.map(\.id)) == Set(posts.map(\.id)), "\(part.search)")
    }
    let shared = found.parts.compactMap { $0.posts.first { $0.id == "shared" } }
    // The first one of a run is the one that counts.
    #expect(shared.count == 42 && Set(shared.map(\.text)) == ["found by 1"])
  }

  @Test func `The searches of a run that fill several rows come back, and go with the run`() throws
  {
    let history = try SQLiteHistory(at: folder["history.db"])
    let searches = (0..<8000).map { key("\(String(repeating: "t", count: 50))\($0)") }
    func keep(_ searches: [SearchKey], named name: String, at now: Date = noon) throws {
      try history.commit(
        RunBatch(
          now: now,
          findings: searches.enumerated().map { index, search in
            .init(search: search, posts: index.isMultiple(of: 500) ? [post("\(index)")] : [])
          },
          run: PastRun(
            name: name, began: now,
            parts: searches.map { .init(search: $0, answer: StoredAnswer(posts: 1, pages: 1)) })))
    }
    let other = try ForeignDatabase(at: folder["history.db"])
    func pieces() throws -> Int64 {
      try #require(try other.numbers("SELECT count(*) FROM run_piece").first)
    }
    try keep(searches, named: "a")
    let whole = try pieces()
    #expect(whole > 1)
    try keep(searches.reversed(), named: "b")
    #expect(try pieces() == whole * 2)
    for (name, searches) in [("a", searches), ("b", searches.reversed())] {
      let parts = try #require(try history.run(named: name)).parts
      #expect(parts.map(\.search) == searches)
      #expect(parts.allSatisfy { $0.answer == StoredAnswer(posts: 1, pages: 1) })
      #expect(parts.indices.filter { !parts[$0].posts.isEmpty }.count == 16)
    }
    try keep(searches.dropLast(4000), named: "a")
    #expect((whole + 1..<whole * 2).contains(try pieces()))
    #expect(try history.run(named: "a")?.parts.count == 4000)
    #expect(try history.run(named: "b")?.parts.count == 8000)
    try keep([], named: "c", at: noon.addingTimeInterval(3600))
    _ = try history.prune(before: noon.addingTimeInterval(60))
    #expect(try pieces() == 0)
    #expect(try history.run(named: "c")?.parts.isEmpty == true)
  }

  @Test(arguments: Store.all) func `The last run of a name replaces the one before`(store: Store)
    throws
  {
    let history = try store.open(in: folder)
    let run = PastRun(
      name: "a", began: noon, parts: [.init(search: key("swift"), answer: StoredAnswer())])
    try commit(history, [post("1"), post("2")], run: run)
    try commit(history, [post("2")], run: run)
    #expect(try history.run(named: "a")?.parts.map { $0.posts.map(\.id) } == [["2"]])
  }

  @Test(arguments: Store.all) func `Runs with long names are told apart to the last letter`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    let long = String(repeating: "n", count: 100_000)
    let limit = String(repeating: "n", count: 256)
    let names = [limit, limit + "n", limit + "m", "m" + limit, long, long + "n", long + "\u{E9}"]
    for name in names + names.reversed() {
      try commit(
        history, [post(name.suffix(3) + "\(name.utf8.count)")],
        run: PastRun(
          name: name, began: noon, parts: [.init(search: key("swift"), answer: StoredAnswer())]))
    }
    for name in names {
      let run = try #require(try history.run(named: name))
      #expect(run.name == name)
      #expect(run.parts.map { $0.posts.map(\.id) } == [[name.suffix(3) + "\(name.utf8.count)"]])
    }
    #expect(try history.run(named: long + "m") == nil)
  }

  @Test func `A long name that an earlier version kept whole is found, and replaced by its hash`()
    throws
  {
    let history = try SQLiteHistory(at: folder["history.db"])
    let long = String(repeating: "n", count: 300)
    func keep(_ id: String, _ name: String) throws {
      try commit(
        history, [post(id)],
        run: PastRun(
          name: name, began: noon, parts: [.init(search: key("swift"), answer: StoredAnswer())]))
    }
    func kept() throws -> [String]? {
      try history.run(named: long)?.parts.flatMap { $0.posts.map(\.id) }
    }
    try keep("1", "short")
    let other = try ForeignDatabase(at: folder["history.db"])
    try other.run("UPDATE run SET name = '\(long)'")
    #expect(try kept() == ["1"])
    try keep("2", long)
    #expect(try kept() == ["2"])
    // The longest name that is kept as it is.
    try keep("3", String(long.prefix(256)))
    let lengths = try other.numbers("SELECT length(name) FROM run ORDER BY 1")
    #expect(lengths.count == 2 && lengths[0] < 40 && lengths[1] == 256)
  }

  @Test(arguments: Store.all) func `A deleted post is missing from its run, and spoils its window`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    let window = StoredWindow(filter: "", first: noon.addingTimeInterval(-3600), last: noon)
    let run = PastRun(
      name: "a", began: noon, parts: [.init(search: key("swift"), answer: StoredAnswer())])
    try commit(history, [post("1"), post("2")], window: window, run: run)
    #expect(try history.windows(of: key("swift"), filter: "").count == 1)
    #expect(try history.windows(of: key("swift"), filter: "other").isEmpty)
    #expect(try history.run(named: "a")?.parts.map { $0.answer != nil } == [true])
    #expect(try history.delete("1") == 1)
    // Its number passes on to a post that the search has not found.
    try history.add([post("3")], tag: "other")
    #expect(try history.run(named: "a")?.parts.map { $0.posts.map(\.id) } == [["2"]])
    // It is to be asked for again.
    #expect(try history.run(named: "a")?.parts.map { $0.answer != nil } == [false])
    #expect(try history.windows(of: key("swift"), filter: "").isEmpty)
  }

  @Test(arguments: Store.all)
  func `A window stays spoiled when another search finds its deleted post`(store: Store) throws {
    let history = try store.open(in: folder)
    let window = StoredWindow(filter: "", first: noon.addingTimeInterval(-3600), last: noon)
    let later = post("2", minutesAgo: 20)
    try commit(history, [post("1"), later], window: window)
    try history.add([post("1")])
    #expect(try history.delete("1") == 1)
    try history.add([post("1")], tag: "other")
    #expect(try history.ids() == ["1", "2"])
    #expect(try history.windows(of: key("swift"), filter: "").isEmpty)
  }

  @Test(arguments: Store.all)
  func `Windows are kept newest first, and a larger one replaces those within it`(store: Store)
    throws
  {
    let history = try store.open(in: folder)
    func window(_ first: Double, _ last: Double) -> StoredWindow {
      StoredWindow(
        filter: "", first: noon.addingTimeInterval(first * -60),
        last: noon.addingTimeInterval(last * -60))
    }
    try commit(history, [post("2", minutesAgo: 20)], window: window(30, 15))
    try commit(history, [post("1", minutesAgo: 10)], window: window(15, 0))
    let windows = try history.windows(of: key("swift"), filter: "")
    #expect(windows.map { $0.posts.map(\.id) } == [["1"], ["2"]])
    #expect(windows.allSatisfy { $0.fetched == noon })
    #expect(windows.map(\.last) == [noon, noon.addingTimeInterval(-900)])
    try commit(history, [post("1"), post("2", minutesAgo: 20)], window: window(30, 0))
    #expect(try history.windows(of: key("swift"), filter: "").count == 1)
  }

  @Test(arguments: Store.all) func `Runs, windows and tags are forgotten with the posts`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    let run = PastRun(name: "a", began: noon, parts: [])
    try commit(
      history,
      [post("1")], window: StoredWindow(filter: "", first: .distantPast, last: noon), run: run,
      sightings: [TagSighting(tag: TagKey(tag: "swift"), posts: 1)])
    let later = noon.addingTimeInterval(80_000)
    try commit(history, [], at: later, prunesBefore: noon.addingTimeInterval(60))
    #expect(try history.run(named: "a") == nil)
    #expect(try history.windows(of: key("swift"), filter: "").isEmpty)
    #expect(try history.tags().isEmpty)
  }

  @Test(arguments: Store.all) func `Pruning on request forgets runs, windows and tags, too`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    try commit(
      history,
      [post("1")], window: StoredWindow(filter: "", first: .distantPast, last: noon),
      run: PastRun(name: "a", began: noon),
      sightings: [TagSighting(tag: TagKey(tag: "swift"), posts: 1)])
    #expect(try history.prune(before: noon) == 0)
    #expect(try history.run(named: "a") != nil)
    #expect(try history.prune(before: noon.addingTimeInterval(60)) == 1)
    #expect(try history.run(named: "a") == nil)
    #expect(try history.windows(of: key("swift"), filter: "").isEmpty)
    #expect(try history.tags().isEmpty)
  }

  @Test(arguments: Store.all) func `A tag is remembered by its newest post and its last find`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    let tag = TagKey(tag: "swift")
    func sight(_ posts: Int, newest: Double?, at seconds: Double) throws {
      try commit(
        history,
        [], at: noon.addingTimeInterval(seconds),
        sightings: [
          TagSighting(tag: tag, newest: newest.map(noon.addingTimeInterval), posts: posts)
        ])
    }
    try sight(0, newest: nil, at: 0)
    #expect(try history.tags()[tag] == TagMemory(firstRun: noon))
    try sight(3, newest: -100, at: 10)
    try sight(2, newest: -200, at: 20)
    try sight(0, newest: nil, at: 30)
    #expect(
      try history.tags()[tag]
        == TagMemory(
          firstRun: noon, newest: noon.addingTimeInterval(-100),
          lastFound: noon.addingTimeInterval(20), posts: 2))
  }

  @Test(arguments: Store.all)
  func `The newest posts of a search come back with the moment of its answer`(store: Store) throws {
    let history = try store.open(in: folder)
    try commit(history, (1...9).map { post("\($0)", minutesAgo: Double($0)) })
    try history.add([post("x", minutesAgo: 1)], tag: "other")
    func ids(since: Double? = nil, until: Double? = nil) throws -> [String]? {
      try history.answers(
        to: [key("swift"), key("other")], since: since.map { noon.addingTimeInterval($0 * -60) },
        until: until.map { noon.addingTimeInterval($0 * -60) })[key("swift")]?
        .posts.map(\.id)
    }
    #expect(try ids()?.prefix(3) == ["1", "2", "3"])
    #expect(try ids(since: 4) == ["1", "2", "3", "4"])
    #expect(try ids(since: 8, until: 5) == ["6", "7", "8"])
    // It has posts, but no run got an answer.
    #expect(
      try history.answers(to: [key("other")], since: nil, until: nil).isEmpty)
  }

  @Test(arguments: Store.all) func `Posts that are not for everyone count in no alert`(store: Store)
    throws
  {
    let history = try store.open(in: folder)
    let hidden = Post(
      id: "2", source: "mastodon", server: mastodon, url: nil, uri: "https://mastodon.example/2",
      author: Author(handle: "amy"), text: "a", createdAt: noon.addingTimeInterval(-60),
      visibility: .private)
    try commit(history, [post("1", minutesAgo: 30), hidden])
    let found = try history.found(from: noon.addingTimeInterval(-3600), until: noon)
    #expect(found == [TagKey(tag: "swift"): [PostIdentity(post("1"))]])
  }

  @Test(arguments: Store.all) func `Posts of some hours are told apart by the tags that found them`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    try commit(history, [post("1", minutesAgo: 30), post("2", minutesAgo: 90)])
    try history.add([post("1", minutesAgo: 30)], tag: "other")
    let found = try history.found(from: noon.addingTimeInterval(-3600), until: noon)
    let one = Set([PostIdentity(post("1"))])
    #expect(found == [TagKey(tag: "swift"): one, TagKey(tag: "other"): one])
  }
}
