import TestSupport
import Testing

@testable import SafeFiles

@Suite struct PrivateFolderTests {
  @Test(arguments: [0o700, 0o755])
  func `A folder that only its owner can write to is private`(mode: Int) throws {
    let folder = try Folder()
    try folder.setMode(mode)
    #expect(try PrivateFolder(at: folder.path).path == folder.path)
  }

  @Test(arguments: [0o720, 0o702, 0o777])
  func `A folder that the group or anyone else can write to is refused`(mode: Int) throws {
    let folder = try Folder()
    try folder.setMode(mode)
    #expect(throws: FileWriteError.self) { try PrivateFolder(at: folder.path) }
  }
}
