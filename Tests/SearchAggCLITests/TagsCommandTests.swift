import Application
import SearchAggCLI
import TestSupport
import Testing

@Suite struct TagsCommandTests {
  @Test func `Tags are added, listed, edited and removed`() async throws {
    let world = try TestWorld()
    try world.folder.write(#"{"tags": []}"#, to: "tags.json")
    var outcome = await world.run(
      "tags", "add", "#swift", "lib curl", "--priority", "high", "--limit", "40")
    #expect(outcome.status == .success)
    #expect(outcome.output == "")
    #expect(outcome.errors == "searchagg: added 2 tags to ./tags.json\n")
    outcome = await world.run("tags", "edit", "lib curl", "--query", "libcurl", "--limit", "")
    #expect(outcome.errors == "searchagg: changed lib curl in ./tags.json\n")
    outcome = await world.run("tags", "add", "plain")
    #expect(outcome.errors == "searchagg: added plain to ./tags.json\n")
    #expect(
      await world.run("tags", "list").output == """
        ADDED       PRIORITY  LIMIT  QUERY
        2026-11-21  high      40     #swift
        2026-11-21  high             libcurl
        2026-11-21                   plain

        """)
    #expect(
      await world.run("tags", "list", "--format", "plain").output == "#swift\nlibcurl\nplain\n")
    #expect(
      await world.run("tags", "list", "--format", "json").output == """
        [
          { "query": "#swift", "priority": "high", "limit": 40, "added": "2026-11-21T09:00:00Z" },
          { "query": "libcurl", "priority": "high", "added": "2026-11-21T09:00:00Z" },
          { "query": "plain", "added": "2026-11-21T09:00:00Z" }
        ]

        """)
    outcome = await world.run("tags", "remove", "#swift", "libcurl")
    #expect(outcome.status == .success)
    #expect(outcome.errors == "searchagg: removed 2 tags from ./tags.json\n")
    #expect(await world.run("tags", "list", "--format", "plain").output == "plain\n")
  }

  @Test func `Adding what is there changes nothing of that call`() async throws {
    let world = try TestWorld()
    let text = #"{"tags": ["cafe\#u{301}"]}"#
    try world.folder.write(text, to: "tags.json")
    let outcome = await world.run("tags", "add", "new", "caf\u{E9}")
    #expect(outcome.status == .nothing)
    #expect(
      outcome.errors == "searchagg: caf\u{E9} is already in ./tags.json; nothing changed\n")
    #expect(try world.folder.text(of: "tags.json") == text)
    #expect(await world.run("tags", "add", "--if-absent", "new", "caf\u{E9}").status == .success)
    #expect(await world.run("tags", "list", "--format", "plain").output == "caf\u{E9}\nnew\n")
    #expect(await world.run("tags", "add", "--if-absent", "new").status == .success)
  }

  @Test func `Blanks at the ends of a query are not part of it, nor are those of no width`()
    async throws
  {
    let world = try TestWorld()
    #expect(
      await world.run("tags", "add", " swift", "\u{200B}lib curl \u{200B}").status == .success)
    #expect(await world.run("tags", "list", "--format", "plain").output == "swift\nlib curl\n")
    #expect(await world.run("tags", "add", "\u{FEFF}swift\u{200E}").status == .nothing)
    let empty = await world.run("tags", "add", "\u{200B}")
    #expect(empty.status == .usage)
    #expect(empty.errors == "searchagg: a query cannot be empty\n")
    #expect(await world.run("tags", "remove", "lib curl ").status == .success)
  }

  @Test func `Comments in an import are counted, and tags are none`() async throws {
    let world = try TestWorld()
    let outcome = await world.run(
      "tags", "import", "-", "--tags-file", "t.json", input: "# mine\n#\n#swift\n  # more\nc # d\n")
    #expect(
      outcome.errors == "searchagg: added 2 tags to t.json, 0 already there, 3 comments skipped\n")
    let list = await world.run("tags", "list", "--format", "plain", "--tags-file", "t.json")
    #expect(list.output == "#swift\nc # d\n")
    #expect(list.errors == "searchagg: 2 tags in t.json\n")
  }

  @Test func `Names that are nearly right are warned about`() async throws {
    var world = try TestWorld()
    try world.folder.write(
      #"{"tags": [{"query": "a", "source": ["x"]}, {"query": "b", "limits": 3, "note": 1}]}"#,
      to: "tags.json")
    world.environment["SEARCHAGG_TAG_FILE"] = "t.json"
    world.environment["SEARCHAGG_MASTODN_URL"] = "https://m.example"
    world.environment["SEARCHAGG_PER_SEARCH"] = "5"
    world.environment["SEARCHAGG_SOMETHING_ELSE"] = "5"
    let list = await world.run("tags", "list")
    #expect(
      list.errors == """
        searchagg: unknown variable SEARCHAGG_MASTODN_URL; did you mean SEARCHAGG_MASTODON_URL?
        searchagg: unknown variable SEARCHAGG_TAG_FILE; did you mean SEARCHAGG_TAGS_FILE?
        searchagg: ./tags.json: tags[0]: unknown key 'source'; did you mean 'sources'?
        searchagg: ./tags.json: tags[1]: unknown key 'limits'; did you mean 'limit'?
        searchagg: 2 tags in ./tags.json

        """)
    let added = await world.run("tags", "add", "c")
    #expect(added.errors.split(separator: "\n").count == 5)
  }

  @Test func `Removing what is not there changes nothing of that call`() async throws {
    let world = try TestWorld()
    #expect(await world.run("tags", "remove", "a").status == .nothing)
    let text = #"{"tags": ["a"]}"#
    try world.folder.write(text, to: "tags.json")
    let outcome = await world.run("tags", "remove", "a", "b")
    #expect(outcome.status == .nothing)
    #expect(outcome.errors == "searchagg: b is not in ./tags.json; nothing changed\n")
    #expect(try world.folder.text(of: "tags.json") == text)
    #expect(await world.run("tags", "remove", "--if-present", "a", "b").status == .success)
    #expect(
      try world.folder.text(of: "tags.json").filter { !$0.isWhitespace } == #"{"tags":[]}"#)
  }

  @Test func `An edit must name a tag, a change, and no other tag`() async throws {
    let world = try TestWorld()
    let text = #"{"tags": ["a", "b"]}"#
    try world.folder.write(text, to: "tags.json")
    #expect(await world.run("tags", "edit", "x", "--limit", "1").status == .nothing)
    #expect(await world.run("tags", "edit", "a").status == .usage)
    #expect(await world.run("tags", "edit", "a", "--query", "b").status == .nothing)
    #expect(await world.run("tags", "edit", "a", "--query", "a").status == .nothing)
    #expect(await world.run("tags", "edit", "a", "--query", "").status == .usage)
    #expect(try world.folder.text(of: "tags.json") == text)
  }

  @Test func `A dash reads queries and two dashes end the options`() async throws {
    let world = try TestWorld()
    let outcome = await world.run("tags", "add", "-", "d", input: "a\n\n b c \r\n")
    #expect(outcome.status == .success)
    #expect(await world.run("tags", "add", "--", "-O3", "--limit").status == .success)
    #expect(
      await world.run("tags", "list", "--format", "plain").output == "a\nb c\nd\n-O3\n--limit\n")
    #expect(await world.run("tags", "add", "-", input: "\n \n").status == .nothing)
    #expect(await world.run("tags", "remove", "-", input: "a\nd\n").status == .success)
    #expect(await world.run("tags", "list", "--format", "plain").output == "b c\n-O3\n--limit\n")
  }

  @Test(arguments: [
    ["add"], ["add", ""], ["add", "  "], ["add", "a\nb"], ["add", "a", "--limit", "0"],
    ["add", "a", "--limit", "x"], ["add", "a", "--priority", "urgent"],
    ["add", "a", "--source", "no-such-network"], ["add", "a", "--source", ","],
    ["add", "a", "--tags-file", ""], ["list", "--format", "xml"], ["list", "surplus"], ["import"],
    ["frobnicate"],
  ])
  func `Wrong usage is 64 and touches no file`(arguments: [String]) async throws {
    let world = try TestWorld()
    let outcome = await world.run(["tags"] + arguments)
    #expect(outcome.status == .usage)
    #expect(outcome.output == "")
    #expect(!outcome.errors.isEmpty)
    #expect(try world.folder.names == [])
  }

  @Test func `Listing an empty store is not an error`() async throws {
    let world = try TestWorld()
    let list = await world.run("tags", "list")
    #expect(list.status == .success)
    #expect(list.output == "")
    #expect(list.errors.contains("searchagg tags add"))
    #expect(await world.run("tags", "list", "--format", "json").output == "[]\n")
    let export = await world.run("tags", "export")
    #expect(export.status == .success)
    #expect(export.output == "{\n  \"version\": 1,\n  \"tags\": []\n}\n")
    #expect(try world.folder.names == [])
  }

  @Test func `An export can be imported, and says how many were there`() async throws {
    let world = try TestWorld()
    let text = """
      {
        "version": 1,
        "tags": [
          { "query": "a", "added": "2020-01-01T00:00:00Z", "x": true },
          { "query": "b", "limit": 5, "added": "2020-01-01T00:00:00Z" }
        ],
        "owner": "me"
      }

      """
    try world.folder.write(text, to: "other.json")
    #expect(await world.run("tags", "export", "--tags-file", "other.json").output == text)
    try world.folder.write(#"{"tags": ["b"]}"#, to: "tags.json")
    let outcome = await world.run("tags", "import", "other.json")
    #expect(outcome.status == .success)
    #expect(outcome.errors == "searchagg: added 1 tag to ./tags.json, 1 already there\n")
    #expect(
      try world.folder.text(of: "tags.json") == """
        {
          "tags": [
            "b",
            { "query": "a", "added": "2020-01-01T00:00:00Z", "x": true }
          ]
        }

        """)
    let lines = await world.run("tags", "import", "-", input: "a\nc\n")
    #expect(lines.errors == "searchagg: added 1 tag to ./tags.json, 1 already there\n")
  }

  @Test func `Text from a file cannot steer the terminal`() async throws {
    var world = try TestWorld()
    try world.folder.write(
      #"{"tags": [{"query": "a\u202eb", "sources": ["x\u001b[31m", "y"]}]}"#, to: "tags.json")
    let text = await world.run("tags", "list").output
    #expect(text == "SOURCES  QUERY\nx,y      ab\n")
    // A program gets it as it is.
    #expect(await world.run("tags", "list", "--format", "plain").output == "a\u{202E}b\n")
    world.terminal = Screen(columns: 80, isCapable: true)
    #expect(await world.run("tags", "list", "--format", "plain").output == "ab\n")
    for command in [["list", "--format", "json"], ["export"]] {
      let json = await world.run(["tags"] + command).output
      #expect(json.contains(#""a\u202eb""#))
    }
  }
}
