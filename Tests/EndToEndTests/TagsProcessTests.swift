import Foundation
import TestSupport
import Testing
import TextFormats

@Suite(.serialized) struct TagsProcessTests {
  private func queries(_ folder: Folder) throws -> Set<String> {
    let file = try JSONValue(reading: Array(folder.text(of: "tags.json").utf8))
    guard case .array(let tags)? = file["tags"] else { return [] }
    return Set(
      tags.compactMap { tag in
        guard case .string(let query)? = tag["query"] else { return nil }
        return query
      })
  }

  @Test func `A hundred processes that add tags at once lose none`() async throws {
    let folder = try Folder()
    let processes = try (0..<100).map { number in
      try Program.searchagg.start(
        ["tags", "add", "tag \(number)", "--tags-file", "tags.json"], in: folder)
    }
    for process in processes {
      let ended = try await process.ended()
      #expect(ended.status == 0, "\(ended.errors)")
    }
    #expect(try queries(folder) == Set((0..<100).map { "tag \($0)" }))
    #expect(try folder.names == ["tags.json"])
  }

  /// The point at which a process is killed.
  enum Stage: CaseIterable { case locked, begun, written, renamed }

  @Test(arguments: Stage.allCases, 0..<5)
  func `A kill at any moment leaves the old file or the new one`(
    stage: Stage, round: Int
  ) async throws {
    let folder = try Folder()
    let old = "{\"version\":1,\"tags\":[{\"query\":\"old\"}]}"
    try folder.write(old, to: "tags.json", mode: 0o640)
    try folder.link("link.json", to: "tags.json")
    let lines = (0..<2000).map { "a query with some words, the \($0)th" }
    try folder.write(lines.joined(separator: "\n"), to: "new.txt")

    let process = try Program.searchagg.start(
      ["tags", "import", "new.txt", "--tags-file", "link.json"], in: folder)
    while process.isRunning, try !hasReached(stage, in: folder, oldSize: old.utf8.count) {
      await Task.yield()
    }
    process.send(SIGKILL)
    _ = try await process.ended()

    if try folder.text(of: "tags.json") != old { #expect(try queries(folder).count == 2001) }
    #expect(try folder.linkTarget(of: "link.json") == "tags.json")
    #expect(try folder.mode(of: "tags.json") == 0o640)
    // Leftover files do not block the next process.
    let next = try await Program.searchagg.run(
      ["tags", "add", "next", "--tags-file", "link.json"], in: folder)
    #expect(next.status == 0, "\(next.errors)")
    #expect(try queries(folder).isSuperset(of: ["old", "next"]))
    #expect(try folder.names == ["link.json", "new.txt", "tags.json"])
  }

  private func hasReached(_ stage: Stage, in folder: Folder, oldSize: Int) throws -> Bool {
    var status = stat()
    switch stage {
    case .locked: return stat(folder[".tags.json.lock"], &status) == 0
    case .begun: return stat(folder[".tags.json.new"], &status) == 0
    case .written: return stat(folder[".tags.json.new"], &status) == 0 && status.st_size > 0
    case .renamed: return stat(folder["tags.json"], &status) == 0 && status.st_size != oldSize
    }
  }
}
