import Application
import Foundation
import SearchAggCLI
import TestSupport
import Testing
import TextFormats

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

  @Test(arguments: [
    (#"encoding="ISO-8859-1""#, "xmlurl", String.Encoding.isoLatin1),
    ("", "xmlUrl", .utf16),
  ])
  func `An OPML file may have any encoding`(
    declared: String, key: String, encoding: String.Encoding
  ) async throws {
    let world = try TestWorld()
    let file =
      #"<?xml version="1.0" \#(declared)?><opml><body><outline text="Café" \#(key)="https://a.example/"/></body></opml>"#
    let bytes = try #require(file.data(using: encoding))
    try bytes.write(to: URL(filePath: world.folder["feeds.opml"]))
    let added = await world.run("sources", "add", "feed", "--opml", "feeds.opml")
    #expect(added.status == .success, "\(added.errors)")
    let opml = await world.run("sources", "export", "feed").output
    #expect(opml.contains(#"text="Café" xmlUrl="https://a.example/""#), "\(opml)")
  }

  @Test func `Servers and feeds are added to the file that --config names`() async throws {
    let world = try TestWorld()
    try world.folder.write("{}", to: "other.json")
    for arguments in [["lemmy", "https://lemmy.example"], ["feed", "https://a.example/feed"]] {
      let added = await world.run(["sources", "add"] + arguments + ["--config", "other.json"])
      #expect(added.status == .success, "\(added.errors)")
      #expect(try world.folder.text(of: "other.json").contains(arguments[1]))
      let missing = await world.run(["sources", "add"] + arguments + ["--config", "nowhere.json"])
      #expect(missing.status == .badConfiguration, "\(missing.errors)")
      let removed = await world.run(
        ["sources", "remove"] + arguments + ["--config", "other.json"])
      #expect(removed.status == .success, "\(removed.errors)")
      #expect(try !world.folder.text(of: "other.json").contains(arguments[1]))
    }
    let enabled = await world.run("sources", "enable", "crossref", "--config", "other.json")
    #expect(enabled.status == .success, "\(enabled.errors)")
    #expect(try world.folder.text(of: "other.json").contains("crossref"))
    #expect(!FileManager.default.fileExists(atPath: world.folder[own]))
    #expect(!FileManager.default.fileExists(atPath: world.folder["nowhere.json"]))
  }

  @Test func `The letters of a path may be as a browser shows them`() async throws {
    let world = try TestWorld()
    let added = await world.run("sources", "add", "feed", "https://a.example/grün.xml")
    #expect(added.status == .success, "\(added.errors)")
    #expect(try world.folder.text(of: own).contains("https://a.example/gr%C3%BCn.xml"))
    let refused = await world.run("sources", "add", "feed", "https://grün.example/a.xml")
    #expect(refused.status == .usage)
  }

  @Test func `A subject of the catalog is not one source`() async throws {
    let added = await (try TestWorld()).run("sources", "add", "science", "https://a.example")
    #expect(added.status == .usage)
    #expect(
      added.errors.contains("'science' is a subject, which selects ")
        && added.errors.contains("crossref"))
  }

  @Test func `Titles and folders of an OPML file are kept, shown and exported again`() async throws
  {
    let world = try TestWorld()
    let opml = """
      <opml version="2.0"><body>
        <outline text="News &amp; more">
          <outline text="a/b"><outline title="Deep" text="x" xmlUrl="https://deep.example/feed"/></outline>
          <outline text="Daily" xmlUrl="https://daily.example/feed"/>
        </outline>
        <outline text="https://bare.example/feed" xmlUrl="https://bare.example/feed"/>
      </body></opml>
      """
    let known = ["sources", "add", "feed", "https://daily.example/feed"]
    #expect(await world.run(known).status == .success)
    let added = await world.run("sources", "add", "feed", "--opml", "-", input: opml)
    #expect(added.status == .success, "\(added.errors)")
    let file = try JSONValue(reading: Array(world.folder.text(of: own).utf8))
    #expect(
      file["sources"]?["feed"]?["servers"]
        == .array([
          .members([
            "url": .string("https://daily.example/feed"), "title": .string("Daily"),
            "folder": .string("News & more"),
          ]),
          .members([
            "url": .string("https://deep.example/feed"), "title": .string("Deep"),
            "folder": .string("News & more/a\u{2215}b"),
          ]),
          .string("https://bare.example/feed"),
        ]))
    let again = await world.run("sources", "add", "feed", "--opml", "-", input: opml)
    #expect(again.status == .nothing)

    let shown = await world.run("sources", "show", "feed").output
    #expect(shown.contains("# feed: Daily (in News & more): https://daily.example/feed\n"))
    let listed = await world.run("sources", "list").output
    #expect(listed.contains("Daily, Deep, https://bare.example/feed"))
    let list = await world.run("sources", "list", "--format", "json").output
    #expect(list.contains(#""title": "Daily""#) && list.contains(#""folder": "News & more""#))

    let exported = await world.run("sources", "export", "feed").output
    #expect(exported.contains(#"    <outline text="News &amp; more">"#))
    #expect(exported.contains(#"text="Deep" xmlUrl="https://deep.example/feed"/>"#))
    let other = try TestWorld()
    #expect(
      await other.run("sources", "add", "feed", "--opml", "-", input: exported).status == .success)
    #expect(await other.run("sources", "export", "feed").output == exported)
    #expect(
      await world.run("sources", "remove", "feed", "https://daily.example/feed").status == .success)
    #expect(await !world.run("sources", "export", "feed").output.contains("Daily"))
  }

  @Test func `Servers with credentials of their own are added beside the network's own`()
    async throws
  {
    let world = try TestWorld()
    let added = await world.run(
      "sources", "add", "mastodon", "https://social.example", "--token-variable", "SOCIAL_TOKEN")
    #expect(added.status == .success, "\(added.errors)")
    #expect(
      added.errors.contains("mastodon now has https://mastodon.social, https://social.example"))
    #expect(added.errors.contains("to store its credential: searchagg auth set SOCIAL_TOKEN"))
    let stored = await world.run("auth", "set", "SOCIAL_TOKEN", input: "secret")
    #expect(stored.status == .success, "\(stored.errors)")
    for same in ["https://social.example", "https://social.example/", "HTTPS://Social.example"] {
      #expect(await world.run("sources", "add", "mastodon", same).status == .nothing)
    }
    let plan = await world.run("run", "#a", "--dry-run", "--source", "mastodon").output
    #expect(plan.contains("https://mastodon.social") && plan.contains("https://social.example"))
    #expect(!plan.contains("secret"))
    // The network's own credential is for one server alone.
    var holder = world
    holder.environment["MASTODON_ACCESS_TOKEN"] = "mine"
    let third = await holder.run(
      "sources", "add", "mastodon", "https://third.example", "--token-variable", "THIRD_TOKEN")
    #expect(
      third.errors.contains(
        "MASTODON_ACCESS_TOKEN is not sent while there are several servers; give each its own variable: "
          + "searchagg sources add mastodon https://mastodon.social --token-variable NAME"),
      "\(third.errors)")
    let named = await holder.run(
      "sources", "add", "mastodon", "https://mastodon.social", "--token-variable",
      "MASTODON_ACCESS_TOKEN")
    #expect(named.status == .success && !named.errors.contains("is sent to none"))
    let remains = await holder.run("sources", "remove", "mastodon", "https://third.example")
    #expect(remains.status == .success)
    for address in ["https://social.example/", "https://mastodon.social"] {
      #expect(await world.run("sources", "remove", "mastodon", address).status == .success)
      #expect(await world.run("sources", "remove", "mastodon", address).status == .nothing)
    }
    let standard = await world.run("run", "#a", "--dry-run", "--source", "mastodon").output
    #expect(standard.contains("https://mastodon.social") && !standard.contains("social.example"))
  }

  @Test func `One bad address in an OPML file does not keep out the others`()
    async throws
  {
    let world = try TestWorld()
    try world.folder.write(
      """
      <opml version="2.0"><body><outline type="rss" xmlUrl="feed://127.0.0.1:1/a"/>
      <outline type="rss" xmlUrl="http://münchen.example/b"/></body></opml>
      """, to: "list.opml")
    let added = await world.run("sources", "add", "feed", "--opml", "list.opml")
    #expect(added.status == .success, "\(added.errors)")
    #expect(added.errors.contains("list.opml: left out 'http://münchen.example/b'"))
    #expect(try world.folder.text(of: own).contains("http://127.0.0.1:1/a"))
    try world.folder.write(
      #"<opml><body><outline type="rss" xmlUrl="javascript:a"/></body></opml>"#, to: "none.opml")
    let none = await world.run("sources", "add", "feed", "--opml", "none.opml")
    #expect(none.status == .malformedInput && none.errors.contains("none.opml: left out"))
  }

  @Test
  func `Where several servers leave a credential without its server, the list says what to do`()
    async throws
  {
    var world = try TestWorld()
    world.environment["X_BEARER_TOKEN"] = "mine"
    let added = await world.run("sources", "add", "x", "https://x.example")
    #expect(added.errors.contains("sources add x https://api.x.com --token-variable NAME"))
    let listed = await world.run("sources").output.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(
      listed.contains("needs a credential: name the variable of each server"), "\(listed)")
  }

  @Test(arguments: [("gotosocial", "mastodon"), ("Sharkey", "misskey"), ("forgejo", "gitea")])
  func `Servers of a program are added to the network whose API they have`(
    program: String, network: String
  ) async throws {
    let world = try TestWorld()
    let added = await world.run("sources", "add", program, "https://social.example")
    #expect(added.status == .success)
    #expect(added.errors.contains("\(network) now has "), "\(added.errors)")
    #expect(try world.folder.text(of: own).contains("\"\(network)\""))
    let removed = await world.run("sources", "remove", program, "https://social.example")
    #expect(removed.status == .success, "\(removed.errors)")
  }

  @Test(arguments: [
    (
      ["add", "feed", "notaurl"], "<url>: expected an address such as https://example.org/feed.xml"
    ),
    (["add", "mastodon", "a.example/x"], "<url>: expected an address such as https://social.exam"),
    (
      ["add", "feed", "https://bücher.example/feed"],
      "feed.xml (write its host in ASCII, such as xn--bcher-kva.example), found 'https://bücher"
    ),
    (["add", "mastodon"], "no server was given: searchagg sources add mastodon https://"),
    (["add", "masto", "https://a.example"], "did you mean 'mastodon'?"),
    (["add", "hackernews", "https://a.example", "--token-variable", "A"], "takes no credential"),
    (["add", "mastodon", "https://a.example", "--token-variable", "1 A"], "such as SOCIAL_TOKEN"),
    (["add", "feed", "https://a.example", "--token-variable", "A"], "without a credential"),
    (["remove", "lemy", "https://a.example"], "did you mean 'lemmy'?"),
  ])
  func `What cannot be added is refused in one line that says what to write`(
    words: [String], part: String
  ) async throws {
    let world = try TestWorld()
    let outcome = await world.run(["sources"] + words)
    #expect(outcome.status == .usage)
    #expect(outcome.errors.contains(part), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(try world.folder.names == [])
  }

  @Test func `A credential that nothing uses is refused with the way to declare it`() async throws {
    let world = try TestWorld()
    let outcome = await world.run("auth", "set", "SOCIAL_TOKEN", input: "secret")
    #expect(outcome.status == .usage)
    #expect(outcome.errors.contains("https://social.example --token-variable SOCIAL_TOKEN"))
    #expect(try world.folder.names == [])
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
