import Testing

@testable import SearchAggCLI

@Suite struct SourceNamesTests {
  @Test func `Names are separated by commas and count once`() throws {
    let words = ["mastodon,twitter-classic", "hackernews, mastodon"]
    let names = try SourceNames.parse(words, known: ["mastodon", "hackernews", "twitter-classic"])
    #expect(names.map { "\($0)" } == ["mastodon", "twitter-classic", "hackernews"])
    #expect(try SourceNames.parse([""], known: ["mastodon"]).isEmpty)
  }

  @Test func `An unknown name is refused with those that are known`() {
    let failure = CommandFailure(
      .usage, "there is no source 'Mastodon'; there are: mastodon, hackernews")
    #expect(throws: failure) {
      try SourceNames.parse(["Mastodon"], known: ["mastodon", "hackernews"])
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
