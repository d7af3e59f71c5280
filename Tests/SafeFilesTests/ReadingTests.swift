import Foundation
import SafeFiles
import TestSupport
import Testing

@Suite struct ReadingTests {
  @Test func `A file is read up to its bound and not beyond`() throws {
    let folder = try Folder()
    try folder.write("12345", to: "a")
    #expect(try BoundedRead.bytes(of: folder["a"], limit: 5) == Array("12345".utf8))
    #expect(throws: FileReadError.tooLarge(path: folder["a"], limit: 4)) {
      try BoundedRead.bytes(of: folder["a"], limit: 4)
    }
  }

  @Test func `A device has no size and a bound all the same`() {
    #expect(throws: FileReadError.tooLarge(path: "/dev/zero", limit: 1 << 20)) {
      try BoundedRead.bytes(of: "/dev/zero", limit: 1 << 20, allowsStreams: true)
    }
  }

  @Test func `Files that cannot be read have a reason`() throws {
    let folder = try Folder()
    #expect(throws: FileReadError.missing(path: folder["a"])) {
      try BoundedRead.bytes(of: folder["a"], limit: 1)
    }
    #expect(throws: FileReadError.isDirectory(path: folder.path)) {
      try BoundedRead.bytes(of: folder.path, limit: 1, allowsStreams: true)
    }
    #expect(throws: FileReadError.notRegular(path: "/dev/null")) {
      try BoundedRead.bytes(of: "/dev/null", limit: 1)
    }
    #expect(mkfifo(folder["pipe"], 0o600) == 0)
    #expect(throws: FileReadError.notRegular(path: folder["pipe"])) {
      try BoundedRead.bytes(of: folder["pipe"], limit: 1)
    }
  }

  @Test(.enabled(if: geteuid() != 0, "nothing is refused to root"))
  func `A file without read permission is reported`() throws {
    let folder = try Folder()
    try folder.write("x", to: "a", mode: 0)
    #expect(throws: FileReadError.permissionDenied(path: folder["a"])) {
      try BoundedRead.bytes(of: folder["a"], limit: 1)
    }
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o601])
  func `A private file that others can get at is refused`(mode: Int) throws {
    let folder = try Folder()
    try folder.write("secret", to: "token", mode: mode)
    #expect(throws: FileReadError.openToOthers(path: folder["token"], mode: UInt32(mode))) {
      try PrivateFile(path: folder["token"]).read(limit: 100)
    }
  }

  @Test func `A private file is written for its owner alone, whatever it was`() throws {
    let folder = try Folder()
    let file = PrivateFile(path: folder["token"])
    try file.write(Array("one".utf8))
    #expect(try folder.mode(of: "token") == 0o600)
    try folder.write("one", to: "token", mode: 0o644)
    try file.write(Array("two".utf8))
    #expect(try folder.mode(of: "token") == 0o600)
    #expect(try file.read(limit: 100) == Array("two".utf8))
  }
}
