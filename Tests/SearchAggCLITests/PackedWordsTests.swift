import Testing

@testable import Application
@testable import SearchAggCLI

@Suite struct PackedWordsTests {
  private static let queries = (1...10_000).map { "query \($0)" }

  @Test func `Ten thousand queries are few words for the parser, and read back as they were`() {
    let line = ["run", "--limit", "3", "-q"] + Self.queries + ["--json", "--", "last"]
    let packed = PackedWords.packed(line)
    #expect(packed.count < 20)
    #expect(PackedWords.unpacked(packed) == line)
  }

  @Test(arguments: [
    ["run", "a", "b"], ["sources", "check"] + queries, ["tags", "edit"] + queries,
    ["run"] + queries.map { "--\($0)" }, [],
  ])
  func `Other command lines stay as they are`(line: [String]) {
    #expect(PackedWords.packed(line) == line)
  }

  @Test func `Ten thousand queries are added as tags, each of them`() async throws {
    let world = try TestWorld()
    let added = await world.run(["tags", "add"] + Self.queries + ["", "--priority", "low"])
    #expect(added.status == .usage, "an empty one among them is refused")
    let command = try CommandLineRunner.command(["tags", "add"] + Self.queries + ["--if-absent"])
    let add = try #require(command as? TagsAdd)
    #expect(PackedWords.unpacked(add.queries) == Self.queries)
  }

  @Test func `A mistake among many words is named as it was typed`() async throws {
    let outcome = try await TestWorld().run(["run"] + Self.queries.prefix(100) + ["--bogus"])
    #expect(outcome.status == .usage)
    #expect(outcome.errors == "searchagg: unknown option '--bogus'; see: searchagg run --help\n")
  }
}
