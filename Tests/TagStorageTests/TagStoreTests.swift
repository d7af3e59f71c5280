import Foundation
import SafeFiles
import SearchModel
import TagStorage
import TestSupport
import Testing
import TextFormats

@Suite struct TagStoreTests {
  private func add(_ text: String, to store: TagStore) throws {
    let query = try #require(Query(text))
    try store.change { list in
      (try list.adding([SearchTag(query)]).list, ())
    }
  }

  @Test func `Without a file there is no list, and a change creates it`() throws {
    let folder = try Folder()
    let store = TagStore(path: folder["new/place/tags.json"], folderMode: 0o700)
    #expect(try store.load() == nil)
    try add("a", to: store)
    #expect(try store.load()?.tags.map(\.query.text) == ["a"])
    #expect(try folder.mode(of: "new/place") == 0o700)
    #expect(try folder.names == ["new"])
  }

  @Test func `A change that changes nothing leaves no trace`() throws {
    let folder = try Folder()
    let store = TagStore(path: folder["new/tags.json"])
    try store.change { list in (list, ()) }
    #expect(throws: TagChangeRefusal.self) {
      try store.change { list in
        (try list.removing([Query("a")].compactMap { $0 }).list, ())
      }
    }
    #expect(try folder.names == [])
    let bytes = "[ \"as\",\"it was\" ]"
    try folder.write(bytes, to: "tags.json")
    try TagStore(path: folder["tags.json"]).change { list in (list, ()) }
    #expect(try folder.text(of: "tags.json") == bytes)
  }

  @Test func `Concurrent changes lose nothing`() async throws {
    let folder = try Folder()
    let store = TagStore(path: folder["tags.json"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 { group.addTask { try add("tag \(number)", to: store) } }
      try await group.waitForAll()
    }
    #expect(try store.load().map { Set($0.tags.map(\.query)).count } == 50)
    #expect(try folder.names == ["tags.json"])
  }

  @Test(arguments: ["[\"a\", ", "{\"version\": 1, \"tags\": 4}", "", "\"\u{0}\""])
  func `A malformed file is never touched`(text: String) throws {
    let folder = try Folder()
    try folder.write(text, to: "tags.json")
    let store = TagStore(path: folder["tags.json"])
    #expect(throws: DocumentError.self) { try add("x", to: store) }
    #expect(throws: DocumentError.self) { try store.load() }
    #expect(try folder.text(of: "tags.json") == text)
    #expect(try folder.names == ["tags.json"])
  }

  @Test func `A file that is too large is refused before it is read`() throws {
    let folder = try Folder()
    try folder.write("", to: "tags.json")
    #expect(truncate(folder["tags.json"], 65 << 20) == 0)
    let error = FileReadError.tooLarge(path: folder["tags.json"], limit: 64 << 20)
    #expect(throws: error) { try TagStore(path: folder["tags.json"]).load() }
  }

  @Test func `A link stays a link and the mode of its file is kept`() throws {
    let folder = try Folder()
    try folder.write("[]", to: "real.json", mode: 0o640)
    try folder.link("tags.json", to: "real.json")
    try add("a", to: TagStore(path: folder["tags.json"]))
    #expect(try folder.linkTarget(of: "tags.json") == "real.json")
    #expect(try folder.text(of: "real.json") == "[\n  \"a\"\n]\n")
    #expect(try folder.mode(of: "real.json") == 0o640)
  }
}
