import Foundation
import PostHistory
import SearchModel
import TestSupport
import Testing

/// What runs remember of searches and of printed posts.
@Suite struct MarkTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func commit(
    _ history: any HistoryStore, _ tag: String, _ posts: [Post], printed: [Post],
    memory: MemoryChange? = nil,
    keepsPosts: Bool = true, filter: String = SearchMemory.noFilter
  ) throws {
    var batch = RunBatch(
      now: noon, findings: [.init(search: key(tag), posts: posts, memory: memory)],
      printed: Set(printed.map { PostIdentity($0) }), keepsPosts: keepsPosts)
    batch.filter = filter
    try history.commit(batch)
  }

  @Test(arguments: Store.all, [true, false])
  func `Only printed posts are marked, for every search`(store: Store, keepsPosts: Bool) throws {
    let history = try store.open(in: folder)
    let posts = [post("1"), post("2"), post("3")]
    try commit(history, "swift", Array(posts[..<2]), printed: [posts[0]], keepsPosts: keepsPosts)
    #expect(
      try history.status(of: posts, in: key("swift")) == [
        PostStatus(isPrinted: true, isRead: true), PostStatus(isPrinted: false, isRead: true),
        PostStatus(isPrinted: false, isRead: false),
      ])
    #expect(
      try history.status(of: posts, in: key("apple")).map(\.isPrinted) == [true, false, false])
    #expect(try history.status(of: posts, in: key("apple")).allSatisfy { !$0.isRead })
    #expect(try history.ids().isEmpty == !keepsPosts)
  }

  @Test(arguments: Store.all) func `A mark outlives later runs that print something else`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    try commit(history, "swift", [post("1")], printed: [post("1")])
    try commit(history, "swift", [post("1")], printed: [])
    #expect(try history.status(of: [post("1")], in: key("swift")).map(\.isPrinted) == [true])
  }

  @Test(arguments: Store.all) func `A mark outlives a later run that keeps the post`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    try commit(history, "swift", [post("1")], printed: [post("1")], keepsPosts: false)
    try commit(history, "swift", [post("1")], printed: [])
    #expect(try history.ids() == ["1"])
    #expect(try history.status(of: [post("1")], in: key("swift")).map(\.isPrinted) == [true])
  }

  @Test(arguments: Store.all)
  func `A post that an earlier run only kept is marked once a run prints it`(store: Store) throws {
    let history = try store.open(in: folder)
    try commit(history, "swift", [post("1")], printed: [])
    try commit(history, "swift", [post("1")], printed: [post("1")])
    #expect(try history.status(of: [post("1")], in: key("swift")).map(\.isPrinted) == [true])
  }

  @Test(arguments: Store.all)
  func `Without bodies a run keeps its marks, outbox and record, and no post`(store: Store) throws {
    let history = try store.open(in: folder)
    let answer = StoredAnswer(posts: 1)
    var batch = RunBatch(
      now: noon,
      findings: [
        .init(search: key("swift"), posts: [post("1"), post("2")], isAnswered: true),
        .init(search: key("apple"), posts: [], isAnswered: true),
      ], printed: [PostIdentity(post("1"))],
      run: PastRun(
        name: "a", began: noon,
        parts: [
          .init(search: key("swift"), answer: answer), .init(search: key("apple"), answer: answer),
        ]))
    batch.outbox = [OutboxBatch(receiver: "exec cat", lines: "{}\n", created: noon)]
    try history.commit(batch.withoutBodies)
    #expect(try history.ids() == [])
    #expect(
      try history.status(of: [post("1"), post("2")], in: key("swift")).map(\.isPrinted)
        == [true, false])
    #expect(try history.oldestBatch(for: "exec cat")?.lines == "{}\n")
    #expect(try history.run(named: "a")?.parts.map(\.search) == [key("apple")])
    #expect(try history.run(named: "a")?.parts.map(\.answer) == [answer])
    #expect(
      try history.answers(to: [key("swift")], since: nil, until: nil).isEmpty)
  }

  @Test(arguments: Store.all) func `Posts of two networks with one address are two`(store: Store)
    throws
  {
    let history = try store.open(in: folder)
    try commit(history, "swift", [post("1")], printed: [post("1")])
    let other = post("1", source: "rss")
    #expect(try history.status(of: [other], in: key("swift", "rss")).map(\.isPrinted) == [false])
  }

  @Test(arguments: Store.all) func `A search is remembered from its first run on`(store: Store)
    throws
  {
    let history = try store.open(in: folder)
    #expect(try history.memories(of: [key("swift")], filter: SearchMemory.noFilter) == [:])
    let old = noon.addingTimeInterval(-3600)
    try commit(history, "swift", [], printed: [])
    #expect(try history.memories(of: [key("swift")], filter: SearchMemory.noFilter) == [:])
    try commit(
      history,
      "swift", [], printed: [], memory: MemoryChange(knownBefore: old, reach: .forth(to: noon)))
    // A second run that began before the first one had ended.
    try commit(
      history,
      "swift", [], printed: [], memory: MemoryChange(knownBefore: noon, reach: .forth(to: old)))
    try commit(history, "swift", [], printed: [], memory: MemoryChange())
    #expect(
      try history.memories(of: [key("swift"), key("apple")], filter: SearchMemory.noFilter)
        == [key("swift"): SearchMemory(knownBefore: old, readUpTo: noon)])
  }

  @Test(arguments: Store.all) func `Forgetting a tag starts its searches over, and no others`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    let memory = MemoryChange(knownBefore: noon, reach: .forth(to: noon))
    try commit(history, "swift", [post("1")], printed: [post("1")], memory: memory)
    try commit(history, "apple", [post("2")], printed: [post("2")], memory: memory)
    #expect(try history.forget(tags: ["swift"]) == 1)
    #expect(
      try history.memories(of: [key("swift"), key("apple")], filter: SearchMemory.noFilter).keys
        .map(\.tag) == ["apple"])
    let status = try history.status(of: [post("1"), post("2")], in: key("swift"))
    #expect(status.map(\.isPrinted) == [false, true])
    #expect(try history.forget(tags: nil) == 1)
    #expect(try history.forget(tags: nil) == 0)
  }

  @Test func `Two feeds of one path are two searches`() throws {
    let feeds = ["https://a.example/rss?topic=1", "https://a.example/rss?topic=2"]
      .compactMap(ServerAddress.whole)
    let keys = feeds.map { SearchKey(tag: "swift", source: "rss", server: $0) }
    #expect(Set(keys).count == 2)
    #expect(keys.allSatisfy { !$0.server.contains("topic") })
  }

  private func memory(
    _ history: any HistoryStore, filter: String = SearchMemory.noFilter
  ) throws -> SearchMemory? {
    try history.memories(of: [key("swift")], filter: filter)[key("swift")]
  }

  @Test(arguments: Store.all)
  func `How far was read is remembered for each filter, and the first run for all`(store: Store)
    throws
  {
    let history = try store.open(in: folder)
    let old = noon.addingTimeInterval(-3600)
    try commit(
      history,
      "swift", [], printed: [],
      memory: MemoryChange(knownBefore: old, reach: .forth(to: noon), lookedBack: noon),
      filter: "lang")
    #expect(
      try memory(history, filter: "lang")
        == SearchMemory(knownBefore: old, readUpTo: noon, lookedBack: noon))
    #expect(try memory(history) == SearchMemory(knownBefore: old, readUpTo: nil))
    try commit(history, "swift", [], printed: [], memory: MemoryChange(reach: .forth(to: old)))
    #expect(try memory(history)?.readUpTo == old)
    #expect(try memory(history, filter: "lang")?.readUpTo == noon)
    #expect(try history.forget(tags: ["swift"]) == 1)
    #expect(try memory(history, filter: "lang") == nil)
  }

  @Test(arguments: Store.all) func `A search goes back to what was cut, and forth again`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    let old = noon.addingTimeInterval(-3600)
    try commit(history, "swift", [], printed: [], memory: MemoryChange(reach: .back(to: old)))
    try commit(history, "swift", [], printed: [], memory: MemoryChange(reach: .forth(to: noon)))
    try commit(history, "swift", [], printed: [], memory: MemoryChange(reach: .back(to: old)))
    #expect(try memory(history)?.readUpTo == old)
    try commit(history, "swift", [], printed: [], memory: MemoryChange(lookedBack: noon))
    #expect(try memory(history) == SearchMemory(knownBefore: nil, readUpTo: old, lookedBack: noon))
    try commit(history, "swift", [], printed: [], memory: MemoryChange(reach: .forth(to: noon)))
    #expect(try memory(history) == SearchMemory(knownBefore: nil, readUpTo: noon, lookedBack: noon))
  }

  @Test(arguments: Store.all) func `A gap is remembered until something has read it`(
    store: Store
  ) throws {
    let history = try store.open(in: folder)
    let hour = { (count: Double) in noon.addingTimeInterval(count * 3600) }
    func change(_ reach: MemoryChange.Reach) throws -> SearchMemory? {
      try commit(history, "swift", [], printed: [], memory: MemoryChange(reach: reach))
      return try memory(history)
    }
    let gap = SearchGap(since: noon, top: hour(3), end: hour(2))
    _ = try change(.forth(to: noon))
    let left = SearchMemory(knownBefore: nil, readUpTo: noon, gap: gap)
    #expect(try change(.gap(gap)) == left)
    #expect(try change(.unchanged) == left)
    // Another run began before, and has read the beginning of the gap.
    let later = SearchMemory(knownBefore: nil, readUpTo: hour(1), gap: gap)
    #expect(try change(.forth(to: hour(1))) == later)
    #expect(try change(.forth(to: hour(2))) == SearchMemory(knownBefore: nil, readUpTo: hour(2)))
    let other = SearchGap(since: hour(5), top: hour(6))
    #expect(
      try change(.gap(other)) == SearchMemory(knownBefore: nil, readUpTo: hour(2), gap: other))
    #expect(
      try change(.gap(gap, after: hour(2.5)))
        == SearchMemory(knownBefore: nil, readUpTo: hour(2.5), gap: gap))
    #expect(try change(.back(to: noon)) == SearchMemory(knownBefore: nil, readUpTo: noon))
    _ = try change(.gap(other))
    #expect(try change(.forth(to: hour(4))) == SearchMemory(knownBefore: nil, readUpTo: hour(4)))
  }

  @Test(arguments: Store.all) func `Each search of a run has its own gap`(store: Store) throws {
    let history = try store.open(in: folder)
    let gap = SearchGap(since: noon, top: noon.addingTimeInterval(60))
    for tags in [["swift", "apple"], ["apple", "swift"]] {
      let batch = RunBatch(
        now: noon,
        findings: tags.map { tag in
          .init(
            search: key(tag), posts: [],
            memory: MemoryChange(
              knownBefore: noon, reach: tag == "swift" ? .gap(gap) : .unchanged))
        }, printed: [])
      try history.commit(batch)
      let memories = try history.memories(
        of: [key("swift"), key("apple")], filter: SearchMemory.noFilter
      )
      #expect(memories[key("swift")]?.gap == gap)
      #expect(memories[key("apple")] != nil && memories[key("apple")]?.gap == nil)
      // The other search has nothing to say of it.
      try commit(history, "swift", [], printed: [], memory: MemoryChange())
      #expect(try memory(history)?.gap == gap)
    }
  }

  @Test(arguments: Store.all)
  func `What a first run read is known to its search alone, and so is what filters left out`(
    store: Store
  )
    throws
  {
    let history = try store.open(in: folder)
    var finding = RunBatch.Finding(search: key("swift"), posts: [post("1")])
    finding.known = ["https://mastodon.example/2"]
    finding.memory = MemoryChange(reach: .forth(to: noon))
    finding.skimmed = ["https://mastodon.example/3"]
    try history.commit(RunBatch(now: noon, findings: [finding], printed: []))
    let posts = [post("1"), post("2"), post("3")]
    #expect(
      try history.status(of: posts, in: key("swift")) == [
        PostStatus(isPrinted: false, isRead: true), PostStatus(isPrinted: true, isRead: true),
        PostStatus(isPrinted: false, isRead: true),
      ])
    // To another search it may be new.
    try commit(history, "apple", [], printed: [])
    for other in ["apple", "pear"] {
      #expect(
        try history.status(of: posts, in: key(other))
          == posts.map { _ in PostStatus(isPrinted: false, isRead: false) })
    }
    #expect(try history.ids() == ["1"])
    #expect(try history.forget(tags: ["swift"]) == 1)
    #expect(
      try history.status(of: posts, in: key("swift")).map(\.isPrinted) == [false, false, false])
  }
}
