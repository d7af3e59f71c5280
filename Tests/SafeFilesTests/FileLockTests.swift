import Foundation
import SafeFiles
import TestSupport
import Testing

@Suite struct FileLockTests {
  @Test func `Concurrent increments under the lock lose nothing and leave no file`() async throws {
    let folder = try Folder()
    try folder.write("0", to: "count")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          try FileLock.hold(folder["count"]) {
            let count = Int(try folder.text(of: "count")) ?? 0
            var replacement = try FileReplacement(of: folder["count"], isLocked: true)
            try replacement.write(Array("\(count + 1)".utf8))
            try replacement.commit()
          }.get()
        }
      }
      try await group.waitForAll()
    }
    #expect(try folder.text(of: "count") == "100")
    #expect(try folder.names == ["count"])
  }

  @Test func `A lock file of a killed process blocks nobody`() throws {
    let folder = try Folder()
    try folder.write("", to: ".a.lock")
    #expect(try FileLock.hold(folder["a"]) { 1 }.get() == 1)
    #expect(try folder.names == [])
  }

  @Test func `A lock that somebody holds is not waited for where that is not wanted`() throws {
    let folder = try Folder()
    do {
      guard let first = try FileLock(ifFree: folder["a"]) else { throw CancellationError() }
      if try FileLock(ifFree: folder["a"]) != nil { Issue.record("it was taken twice") }
      extendLifetime(first)
    }
    guard try FileLock(ifFree: folder["a"]) != nil else { throw CancellationError() }
  }

  @Test func `A link and its target have one lock`() throws {
    let folder = try Folder()
    try folder.link("link", to: "a")
    let names = try FileLock.hold(folder["link"]) { try folder.names }.get()
    #expect(names == [".a.lock", "link"])
  }
}
