import Application
import SearchAggCLI
import TestSupport
import Testing

@Suite struct FeedCommandTests {
  private let own = "home/.config/searchagg/config.json"

  @Test func `Feeds are added once, listed as OPML and removed`() async throws {
    let world = try TestWorld()
    try world.folder.write(#"{"jobs": 3, "sources": {"lemmy": {"servers": []}}}"#, to: own)
    let added = await world.run(
      "sources", "add", "feed", "https://a.example/x?a=1&b=2", "https://b.example/feed")
    #expect(added.status == .success, "\(added.errors)")
    let text = try world.folder.text(of: own)
    #expect(text.contains(#""jobs": 3"#) && text.contains("lemmy") && text.contains("b=2"))
    let again = await world.run("sources", "add", "feed", "https://b.example/feed")
    #expect(again.status == .nothing)
    let opml = await world.run("sources", "export", "feed").output
    #expect(opml.contains(#"xmlUrl="https://a.example/x?a=1&amp;b=2""#))
    let other = try TestWorld()
    let imported = await other.run("sources", "add", "feed", "--opml", "-", input: opml)
    #expect(imported.status == .success, "\(imported.errors)")
    #expect(await other.run("sources", "export", "feed").output == opml)
    #expect(
      await world.run("sources", "remove", "feed", "https://b.example/feed").status == .success)
    #expect(
      await world.run("sources", "remove", "feed", "https://b.example/feed").status == .nothing)
    let shown = await world.run("config", "show").output
    #expect(shown.contains("https://a.example/x") && !shown.contains("b.example"))
  }

  @Test(arguments: ["nonsense", "ftp://a.example/x", ""])
  func `A wrong address is refused and nothing is stored`(address: String) async throws {
    let world = try TestWorld()
    #expect(await world.run("sources", "add", "feed", address).status == .usage)
    #expect(try world.folder.names == [])
  }

  @Test(arguments: ["", "<rss/>", "{}"])
  func `A file that is not OPML is malformed`(text: String) async throws {
    let world = try TestWorld()
    let outcome = await world.run("sources", "add", "feed", "--opml", "-", input: text)
    #expect(outcome.status == .malformedInput)
    #expect(try world.folder.names == [])
  }
}
