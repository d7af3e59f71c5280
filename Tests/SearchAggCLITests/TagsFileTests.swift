import Application
import Foundation
import SearchAggCLI
import TestSupport
import Testing

@Suite struct TagsFileTests {
  @Test func `The user's configuration names the file as it does for a run`() async throws {
    let world = try TestWorld()
    try world.folder.write(
      #"{"tags-file": "mine.json"}"#, to: "home/.config/searchagg/config.json")
    // A file of the folder may not say so, whatever is in it.
    try world.folder.write("{broken", to: "searchagg.json")
    let outcome = await world.run("tags", "add", "a")
    #expect(outcome.errors == "searchagg: added a to mine.json\n")
    #expect(try world.folder.text(of: "mine.json").contains("\"a\""))
    let flagged = await world.run("tags", "list", "--tags-file", "other.json")
    #expect(flagged.output.isEmpty)
  }

  @Test func `The file is found by option, variable, folder and home, in this order`() async throws
  {
    var world = try TestWorld()
    #expect(await world.run("tags", "add", "home").status == .success)
    #expect(try world.folder.text(of: "home/.config/searchagg/tags.json").contains("home"))
    #expect(try world.folder.mode(of: "home/.config/searchagg") == 0o700)

    world.environment["XDG_CONFIG_HOME"] = "relative"
    #expect(await world.run("tags", "list", "--format", "plain").output == "home\n")
    world.environment["XDG_CONFIG_HOME"] = world.folder["xdg"]
    #expect(await world.run("tags", "list", "--format", "plain").output == "")
    #expect(await world.run("tags", "add", "xdg").status == .success)
    #expect(try world.folder.text(of: "xdg/searchagg/tags.json").contains("xdg"))

    try world.folder.write(#"{"tags": ["local"]}"#, to: "tags.json")
    #expect(await world.run("tags", "list", "--format", "plain").output == "local\n")
    try world.folder.write(#"["variable"]"#, to: "variable.json")
    world.environment["SEARCHAGG_TAGS_FILE"] = "variable.json"
    #expect(await world.run("tags", "list", "--format", "plain").output == "variable\n")
    let outcome = await world.run("tags", "add", "x", "--tags-file", "some/where/t.json")
    #expect(outcome.errors == "searchagg: added x to some/where/t.json\n")
    #expect(
      await world.run("tags", "list", "--format", "plain", "--tags-file", "some/where/t.json")
        .output == "x\n")
    world.environment["SEARCHAGG_TAGS_FILE"] = ""
    #expect(await world.run("tags", "list", "--format", "plain").output == "local\n")
  }

  @Test func `Without a home there must be an option`() async throws {
    var world = try TestWorld()
    world.environment = [:]
    #expect(await world.run("tags", "list").status == .unreadableInput)
    #expect(await world.run("tags", "add", "a", "--tags-file", "t.json").status == .success)
  }

  @Test(arguments: [
    Array(#"{"version": 1, "tags": [{"query": "a"}, {"que"#.utf8),
    Array("[\"a".utf8) + [0xFF, 0x22],
    Array(#"{"version": 1, "tags": 7}"#.utf8), Array(#"{"version": 2, "tags": []}"#.utf8), [],
    [UInt8](repeating: UInt8(ascii: "["), count: 3 << 20),
  ])
  func `A malformed file is 65 with its place, and stays as it is`(bytes: [UInt8]) async throws {
    let world = try TestWorld()
    let url = URL(filePath: world.folder["tags.json"])
    try Data(bytes).write(to: url)
    for arguments in [
      ["add", "x"], ["remove", "x"], ["edit", "x", "--limit", "3"], ["list"], ["export"],
      ["import", "tags.json"],
    ] where !(bytes.isEmpty && arguments[0] == "import") {
      let outcome = await world.run(["tags"] + arguments)
      #expect(outcome.status == .malformedInput)
      #expect(outcome.output == "")
      let isImport = arguments[0] == "import"
      let found =
        "./tags.json is not a searchagg tags file; name another with --tags-file: line 1, column "
      #expect(outcome.errors.contains(isImport ? "tags.json: line 1, column " : found))
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
    #expect(try Data(contentsOf: url) == Data(bytes))
    #expect(try world.folder.names == ["tags.json"])
  }

  @Test func `A bare list is read where it is named, and not where it is found`() async throws {
    let world = try TestWorld()
    try world.folder.write(#"["a"]"#, to: "tags.json")
    for arguments in [["tags", "list"], ["tags", "add", "x"], ["run"]] {
      let outcome = await world.run(arguments)
      #expect(outcome.status == .malformedInput)
      #expect(
        outcome.errors
          == "searchagg: ./tags.json is not a searchagg tags file; name another with --tags-file: "
          + "line 1, column 1: expected an object with \"tags\", found a list\n")
    }
    #expect(try world.folder.text(of: "tags.json") == #"["a"]"#)
    let named = await world.run(
      "tags", "list", "--format", "plain", "--tags-file", "tags.json")
    #expect(named.output == "a\n")
  }

  @Test func `A file that is too large is 65`() async throws {
    let world = try TestWorld()
    try world.folder.write("", to: "tags.json")
    #expect(truncate(world.folder["tags.json"], 65 << 20) == 0)
    for arguments in [["list"], ["add", "x"], ["import", "tags.json"]] {
      #expect(await world.run(["tags"] + arguments).status == .malformedInput)
    }
  }

  @Test func `A file that cannot be read is 66`() async throws {
    let world = try TestWorld()
    try FileManager.default.createDirectory(
      atPath: world.folder["dir"], withIntermediateDirectories: false)
    for arguments in [
      ["list", "--tags-file", "dir"], ["export", "--tags-file", "dir"], ["import", "dir"],
      ["import", "missing.txt"],
    ] {
      let outcome = await world.run(["tags"] + arguments)
      #expect(outcome.status == .unreadableInput)
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
    #expect(try world.folder.names == ["dir"])
  }

  @Test(.enabled(if: geteuid() != 0, "nothing is refused to root"))
  func `A file that may not be read is 66, and that may not be written 74`() async throws {
    let world = try TestWorld()
    try world.folder.write("{}", to: "tags.json", mode: 0o000)
    #expect(await world.run("tags", "list").status == .unreadableInput)
    try world.folder.write("[]", to: "other.json", mode: 0o444)
    #expect(
      await world.run("tags", "add", "x", "--tags-file", "other.json").status == .cannotWrite)
  }

  @Test func `A file that cannot be written is 74`() async throws {
    let world = try TestWorld()
    try world.folder.write("", to: "file")
    let outcome = await world.run("tags", "add", "x", "--tags-file", "file/tags.json")
    #expect(outcome.status == .cannotWrite)
    #expect(try world.folder.names == ["file"])
  }
}
