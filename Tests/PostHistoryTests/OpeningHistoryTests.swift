import Foundation
import PostHistory
import SearchModel
import TestSupport
import Testing

/// A history that is opened while a run goes on, and written to at its end.
@Suite struct OpeningHistoryTests {
  private let folder: Folder
  private let path: String

  init() throws {
    folder = try Folder()
    path = folder["state/history.db"]
  }

  private func opening() -> OpeningHistory {
    OpeningHistory(at: path, wait: LockWait(longest: .seconds(10)))
  }

  private func batch(_ id: String) -> RunBatch {
    RunBatch(now: noon, findings: [.init(search: key("swift"), posts: [post(id)])])
  }

  @Test func `What is written on another thread is there once the history is asked for`() throws {
    let opening = opening()
    #expect(!opening.hasBegunWriting && !opening.isWriting)
    let isDue = DispatchSemaphore(value: 0)
    opening.write {
      isDue.wait()
      return batch("1")
    }
    #expect(opening.hasBegunWriting && opening.isWriting)
    isDue.signal()
    #expect(try opening.opened().ids() == ["1"])
    #expect(opening.hasBegunWriting && !opening.isWriting)
    #expect(opening.loss == nil)
    #expect(try SQLiteHistory(at: path).ids() == ["1"])
  }

  @Test func `A file that was removed meanwhile is made again`() throws {
    let opening = opening()
    // Now it is open.
    _ = try opening.opened()
    try FileManager.default.removeItem(atPath: folder["state"])
    opening.write { batch("1") }
    #expect(try opening.opened().ids() == ["1"])
    #expect(try SQLiteHistory(at: path).ids() == ["1"])
  }

  @Test func `A file that was replaced meanwhile is used as it is now`() throws {
    let opening = opening()
    _ = try opening.opened()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    try SQLiteHistory(at: path).add([post("other")])
    opening.write { batch("1") }
    #expect(try Set(opening.opened().ids()) == ["1", "other"])
  }

  @Test func `A history that cannot be opened at first is opened once it is asked for`() throws {
    try Data().write(to: URL(filePath: folder["state"]))
    let opening = opening()
    let failure = #expect(throws: HistoryError.self) { try opening.opened() }
    #expect("\(try #require(failure))".contains(path))
    try FileManager.default.removeItem(atPath: folder["state"])
    opening.write { batch("1") }
    #expect(try opening.opened().ids() == ["1"])
  }

  @Test func `What could not be written is said, and not that it could not be opened`() throws {
    let opening = opening()
    _ = try opening.opened()
    let other = try ForeignDatabase(at: path)
    try other.run("BEGIN IMMEDIATE")
    let impatient = OpeningHistory(at: path, wait: LockWait(longest: .milliseconds(20)))
    impatient.write { batch("1") }
    #expect(
      impatient.loss == .failed(path: path, reason: "another process is using it"))
    #expect(try impatient.opened().ids() == [])
  }

  @Test func `Nothing holds the history once its run has been written`() async throws {
    weak var held: OpeningHistory?
    do {
      let opening = opening()
      opening.write { batch("1") }
      _ = try opening.opened()
      held = opening
    }
    // The thread that wrote lets go a moment later.
    for _ in 0..<1000 where held != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(held == nil)
  }
}
