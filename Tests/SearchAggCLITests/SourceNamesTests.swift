import Testing

@testable import Application
@testable import SearchAggCLI

@Suite struct SourceNamesTests {
  @Test func `Names are separated by commas and count once`() throws {
    let words = ["mastodon,twitter-classic", "hackernews, mastodon"]
    let names = try SourceNames.parse(words, known: ["mastodon", "hackernews", "twitter-classic"])
    #expect(names.map { "\($0)" } == ["mastodon", "twitter-classic", "hackernews"])
    #expect(try SourceNames.parse([""], known: ["mastodon"]).isEmpty)
  }

  @Test(arguments: [
    ("Mastodon", "unknown source 'Mastodon'; did you mean 'mastodon'?"),
    ("myspace", "unknown source 'myspace' (known: mastodon, hackernews)"),
  ])
  func `An unknown name is refused with the one that is near, or with all`(
    name: String, line: String
  ) {
    #expect(throws: CommandFailure(.usage, line)) {
      try SourceNames.parse([name], known: ["mastodon", "hackernews"])
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
