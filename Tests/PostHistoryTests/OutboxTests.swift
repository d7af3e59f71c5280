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
}
