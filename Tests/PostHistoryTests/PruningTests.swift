import Foundation
import PostHistory
import SearchModel
import TestSupport
import Testing

/// What is deleted and pruned, whatever the clocks say.
@Suite struct PruningTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A run at a moment, which keeps posts for 90 days.
  private func run(_ history: any HistoryStore, _ days: Double) throws {
    let now = noon.addingTimeInterval(days * 86_400)
    try history.commit(
      RunBatch(now: now, findings: [], prunesBefore: now.addingTimeInterval(-90 * 86_400)))
  }

  @Test(arguments: Store.all) func `A clock that jumps ahead empties nothing`(store: Store) throws {
    let history = try store.open(in: folder)
    try history.add([post("1")])
    try run(history, 0)
    try run(history, 3650)
    #expect(try history.ids() == ["1"])
    try run(history, 1)
    #expect(try history.ids() == ["1"])
  }

  @Test(arguments: Store.all) func `A pruning in the future does not stop later ones`(store: Store)
    throws
  {
    let history = try store.open(in: folder)
    try history.add([post("old", minutesAgo: 100 * 1440)], at: noon.addingTimeInterval(-86_400))
    try run(history, 3650)
    // Its clock is right again, and the days go by.
    for day in stride(from: 0.0, through: 91, by: 1) { try run(history, day) }
    #expect(try history.ids() == [])
  }

  @Test(arguments: Store.all) func `A month without a run does not stop the pruning`(store: Store)
    throws
  {
    let history = try store.open(in: folder)
    try history.add([post("old", minutesAgo: 100 * 1440)], at: noon.addingTimeInterval(-86_400))
    try run(history, 60)
    try run(history, 95)
    try run(history, 96)
    #expect(try history.ids() == [])
  }

  @Test(arguments: Store.all, [1, 5])
  func `A post that runs come back to is kept`(store: Store, daysBetweenLooks: Int) throws {
    let history = try store.open(in: folder)
    let left = post("left", minutesAgo: 100 * 1440)
    let old = post("old", minutesAgo: 100 * 1440)
    for half in 0...40 {
      let now = noon.addingTimeInterval(Double(half) * 43_200)
      let posts = half <= 8 ? [old, left] : [old]
      try history.commit(
        RunBatch(
          now: now, findings: [.init(search: key("swift"), posts: posts, isAnswered: true)],
          prunesBefore: now.addingTimeInterval(-3 * 86_400)))
      // Looking moves what is spooled into the tables.
      guard half % (2 * daysBetweenLooks) == 0 else { continue }
      let ids = Set(try history.ids())
      #expect(ids.contains("old"), "after \(half) half days")
      if half <= 8 || half >= 20 { #expect(ids.contains("left") == (half <= 8)) }
    }
  }

  @Test(arguments: Store.all)
  func `Other runs of a day take no post from one that comes back to it`(store: Store) throws {
    let history = try store.open(in: folder)
    let old = post("old", minutesAgo: 100 * 1440)
    func commit(_ tag: String, _ posts: [Post], hours: Double, isNew: Bool = false) throws {
      let now = noon.addingTimeInterval(hours * 3600)
      try history.commit(
        RunBatch(
          now: now,
          findings: [
            .init(
              search: key(tag), posts: posts, memory: isNew ? MemoryChange() : nil,
              isAnswered: true)
          ], prunesBefore: now.addingTimeInterval(-86_400)))
    }
    for day in 0...8 {
      let hours = Double(day * 24)
      // It begins each day, and prints new posts only.
      try commit("rust", [post("\(day)", minutesAgo: -60 * hours)], hours: hours - 11, isNew: true)
      for hour in [-10.0, 2, 11] { try commit("swift", [old], hours: hours + hour) }
      if day % 3 == 2 { #expect(try history.ids().contains("old"), "day \(day)") }
    }
  }

  @Test(arguments: Store.all) func `A day's first run prunes, and its others do not`(store: Store)
    throws
  {
    let history = try store.open(in: folder)
    let then = noon.addingTimeInterval(-89.9 * 86_400)
    try history.add([post("old", minutesAgo: 100 * 1440)], at: then)
    try run(history, 0)
    try run(history, 0.2)
    #expect(try history.ids() == ["old"])
    try run(history, 1)
    #expect(try history.ids() == [])
  }

  @Test(arguments: Store.all)
  func `More posts are pruned than one transaction deletes`(store: Store) throws {
    let history = try store.open(in: folder)
    let then = noon.addingTimeInterval(-99 * 86_400)
    try history.add((0..<4500).map { post("\($0)", minutesAgo: 99 * 1440 + 5) }, at: then)
    try history.add([post("new")])
    #expect(try history.prune(before: noon.addingTimeInterval(-90 * 86_400)) == 4500)
    #expect(try history.ids() == ["new"])
    #expect(
      try history.status(of: [post("7", minutesAgo: nil)], in: key("swift")).map(\.isPrinted)
        == [true])
  }

  @Test(arguments: Store.all)
  func `Deleting what matches takes it out of the history and of what waits`(store: Store) throws {
    let history = try store.open(in: folder)
    var batch = RunBatch(
      now: noon, findings: [.init(search: key("swift"), posts: [post("1"), post("2", "rust")])])
    batch.outbox = [
      OutboxBatch(
        receiver: "a", lines: #"{"uri":"https://mastodon.example/2"}"# + "\n", created: noon)
    ]
    try history.commit(batch)
    var query = HistoryQuery(terms: [QueryTerm(.word, "rust")], tags: ["apple"], limit: 1)
    #expect(try history.delete(matching: query) == 0)
    query.tags = ["swift"]
    #expect(try history.delete(matching: query) == 1)
    #expect(try history.ids() == ["1"])
    #expect(try history.oldestBatch(for: "a") == nil)
    // Nobody had printed it, so that it is new to the next run.
    #expect(
      try history.status(of: [post("2")], in: key("swift"))
        == [PostStatus(isPrinted: false, isRead: false)])
  }
}
