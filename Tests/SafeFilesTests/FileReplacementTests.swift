import Foundation
import SafeFiles
import TestSupport
import Testing

@Suite struct FileReplacementTests {
  private func replace(_ path: String, with text: String, isLocked: Bool = false) throws {
    var replacement = try FileReplacement(of: path, isLocked: isLocked)
    try replacement.write(Array(text.utf8))
    try replacement.commit()
  }

  @Test(arguments: [true, false])
  func `A new file is complete, and nothing else is left`(isLocked: Bool) throws {
    let folder = try Folder()
    try replace(folder["a.txt"], with: "one", isLocked: isLocked)
    #expect(try folder.text(of: "a.txt") == "one")
    #expect(try folder.names == ["a.txt"])
    // What the mask leaves of it.
    #expect(try folder.mode(of: "a.txt").map { $0 & ~0o644 } == 0)
  }

  @Test(arguments: [0o600, 0o640, 0o666, 0o755])
  func `The mode of the old file is kept`(mode: Int) throws {
    let folder = try Folder()
    try folder.write("old and longer", to: "a.txt", mode: mode)
    try replace(folder["a.txt"], with: "new")
    #expect(try folder.text(of: "a.txt") == "new")
    #expect(try folder.mode(of: "a.txt") == mode)
  }

  @Test func `A symbolic link stays a link, and its target is replaced`() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(
      atPath: folder["real"], withIntermediateDirectories: false)
    try folder.write("old", to: "real/a.txt", mode: 0o600)
    try folder.link("second", to: "real/a.txt")
    try folder.link("first", to: folder["second"])
    try replace(folder["first"], with: "new")
    #expect(try folder.linkTarget(of: "first") == folder["second"])
    #expect(try folder.linkTarget(of: "second") == "real/a.txt")
    #expect(try folder.text(of: "real/a.txt") == "new")
    #expect(try folder.mode(of: "real/a.txt") == 0o600)
  }

  @Test func `A link that leads to no file yet gets one`() throws {
    let folder = try Folder()
    try folder.link("link", to: "a.txt")
    try replace(folder["link"], with: "new")
    #expect(try folder.names == ["a.txt", "link"])
    #expect(try folder.text(of: "a.txt") == "new")
  }

  @Test func `Links in a circle are refused`() throws {
    let folder = try Folder()
    try folder.link("a", to: "b")
    try folder.link("b", to: "a")
    #expect(throws: FileWriteError.self) { try replace(folder["a"], with: "new") }
    #expect(try folder.names == ["a", "b"])
  }

  @Test func `A file that need not wait for the disk is there at once all the same`() throws {
    let folder = try Folder()
    try folder.write("old", to: "a.txt", mode: 0o600)
    var replacement = try FileReplacement(of: folder["a.txt"])
    try replacement.write(Array("new".utf8))
    try replacement.commit(isSynced: false)
    #expect(try folder.text(of: "a.txt") == "new")
    #expect(try folder.mode(of: "a.txt") == 0o600)
    #expect(try folder.names == ["a.txt"])
  }

  @Test func `Without a commit nothing has happened`() throws {
    let folder = try Folder()
    try folder.write("old", to: "a.txt")
    do {
      var replacement = try FileReplacement(of: folder["a.txt"])
      try replacement.write(Array("new".utf8))
      #expect(try folder.names.count == 2)
      _ = consume replacement
    }
    #expect(try folder.names == ["a.txt"])
    #expect(try folder.text(of: "a.txt") == "old")
  }

  @Test func `What a killed process left is cleared away under the lock`() throws {
    let folder = try Folder()
    try folder.write("half", to: ".a.txt.new")
    try replace(folder["a.txt"], with: "whole", isLocked: true)
    #expect(try folder.names == ["a.txt"])
  }

  @Test(arguments: [String(repeating: "n", count: 255), String(repeating: "🧑‍🚀", count: 23)])
  func `A name as long as a name may be is replaced too`(name: String) throws {
    let folder = try Folder()
    try replace(folder[name], with: "new")
    #expect(try folder.names == [name])
  }

  @Test func `Folders, devices and missing folders are refused with the path`() throws {
    let folder = try Folder()
    #expect(throws: FileWriteError.isDirectory(path: folder.path)) {
      try replace(folder.path, with: "")
    }
    #expect(throws: FileWriteError.notRegular(path: "/dev/null")) {
      try replace("/dev/null", with: "")
    }
    let missing = folder["no/a.txt"]
    #expect(throws: FileWriteError.noDirectory(path: missing)) { try replace(missing, with: "") }
    #expect(
      FileWriteError.noDirectory(path: missing).description
        == "\(missing): its folder does not exist")
  }

  @Test(.enabled(if: geteuid() != 0, "nothing is refused to root"))
  func `A file that is read-only is not replaced`() throws {
    let folder = try Folder()
    try folder.write("old", to: "a.txt", mode: 0o444)
    #expect(throws: FileWriteError.permissionDenied(path: folder["a.txt"])) {
      try replace(folder["a.txt"], with: "new")
    }
  }

  @Test func `A file that was removed meanwhile is replaced all the same`() throws {
    let folder = try Folder()
    try folder.write("old", to: "a.txt")
    let inspected = try ReplacedFile(folder["a.txt"])
    try #require(unlink(folder["a.txt"]) == 0)
    var replacement = try FileReplacement(inspected)
    try replacement.write(Array("new".utf8))
    try replacement.commit()
    #expect(try folder.text(of: "a.txt") == "new")
  }

  @Test func `Missing folders are created, even by many tasks at once`() async throws {
    let folder = try Folder()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { try Directories.create(above: folder["a/b/c/file"], mode: 0o700) }
      }
      try await group.waitForAll()
    }
    #expect(try folder.mode(of: "a/b/c") == 0o700)
    try folder.write("", to: "file")
    #expect(throws: FileWriteError.self) { try Directories.create(above: folder["file/x/y"]) }
  }
}
