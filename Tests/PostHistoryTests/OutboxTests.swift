import Foundation
import PostHistory
import TestSupport
import Testing

/// The batches that wait for a receiver.
@Suite struct OutboxTests {
  @Test(arguments: Store.all)
  func `The oldest batch of a receiver is delivered first`(store: Store) throws {
    let folder = try Folder()
    defer { folder.remove() }
    let history = try store.open(in: folder)
    for lines in ["1", "2", "3"] {
      var batch = RunBatch(now: noon, findings: [])
      batch.outbox = [
        OutboxBatch(receiver: "exec other", lines: "other \(lines)", created: noon),
        OutboxBatch(receiver: "exec cat", lines: lines, created: noon),
      ]
      try history.commit(batch)
    }
    var delivered: [String] = []
    while let batch = try history.oldestBatch(for: "exec cat") {
      delivered.append(batch.lines)
      try history.remove(batch)
    }
    #expect(delivered == ["1", "2", "3"])
    #expect(try history.oldestBatch(for: "exec other")?.lines == "other 1")
  }

  @Test(arguments: Store.all)
  func `One delivers to a receiver at a time, and another to another`(store: Store) throws {
    let folder = try Folder()
    defer { folder.remove() }
    let history = try store.open(in: folder)
    var lock = try history.deliveryLock(for: "exec cat")
    #expect(lock != nil)
    #expect(try history.deliveryLock(for: "exec cat") == nil)
    #expect(try history.deliveryLock(for: "exec other") != nil)
    lock = nil
    #expect(try history.deliveryLock(for: "exec cat") != nil)
  }

  @Test(arguments: Store.all)
  func `Posts that were given up come back by their names, until none are left`(store: Store) throws
  {
    let folder = try Folder()
    defer { folder.remove() }
    let history = try store.open(in: folder)
    #expect(try history.undelivered() == [])
    let posts = ["b.ndjson", "a.ndjson"].map { UndeliveredPosts(name: $0, lines: "1\n2\n") }
    for posts in posts { #expect(try history.keep(posts).contains(posts.name)) }
    #expect(try history.undelivered() == posts.reversed())
    try history.keep(UndeliveredPosts(name: "b.ndjson", lines: "2\n"))
    try history.keep(UndeliveredPosts(name: "a.ndjson", lines: ""))
    #expect(try history.undelivered() == [UndeliveredPosts(name: "b.ndjson", lines: "2\n")])
  }
}
