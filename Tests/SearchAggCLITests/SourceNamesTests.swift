import Testing

@testable import Application
@testable import SearchAggCLI

@Suite struct SourceNamesTests {
  @Test func `Names are separated by commas and count once`() async throws {
    let world = try TestWorld()
    let added = await world.run(
      "tags", "add", "a", "--source", "mastodon,hackernews", "--source", "lemmy, mastodon")
    #expect(added.status == .success, "\(added.errors)")
    #expect(await world.run("tags", "list").output.contains("mastodon,hackernews,lemmy"))
  }

  @Test(arguments: [
    ("Mastodon", "--source: unknown source 'Mastodon'; did you mean 'mastodon'?"),
    ("hacker news", "--source: unknown source 'hacker news'; did you mean 'hackernews'?"),
    (",", "--source: expected names of sources, found ','"),
    ("", "--source: expected names of sources, found ''"),
  ])
  func `A tag takes the same names as a run, and refuses others with the same line`(
    name: String, line: String
  ) async throws {
    let world = try TestWorld()
    for command in [["tags", "add", "a"], ["run", "a"]] {
      let refused = await world.run(command + ["--source", name])
      #expect(refused.status == .usage)
      #expect(refused.errors.contains(line), "\(command): \(refused.errors)")
    }
  }

  @Test func `Sources are stored with a tag and taken away by an empty value`() async throws {
    let names = "mastodon,hackernews"
    let world = try TestWorld()
    let outcome = await world.run("tags", "add", "a", "--source", names)
    #expect(outcome.status == .success)
    #expect(await world.run("tags", "list").output.contains(names))
    #expect(await world.run("tags", "edit", "a", "--source", "").status == .success)
    #expect(await !world.run("tags", "list", "--format", "json").output.contains("sources"))
  }
}
