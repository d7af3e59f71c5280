import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct BadInputTests {
  @Test(arguments: ["tags.json", "./tags.json", "link.json"])
  func `The posts of a run do not replace its tags`(output: String) async throws {
    let folder = try Folder()
    try folder.write(#"{"version": 1, "tags": [{"query": "swift"}]}"#, to: "tags.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder["link.json"], withDestinationPath: "tags.json")
    let before = try folder.text(of: "tags.json")
    let ended = try await Program.searchagg.run(["run", "-o", output], in: folder)
    #expect(ended.status == 64)
    #expect(ended.errors.contains("tags.json holds the tags; name another file"))
    #expect(try folder.text(of: "tags.json") == before)
  }

  // Replaced, the file would lose what is in it, and all that the shell writes later.
  @Test(arguments: [">", ">>"], ["/dev/stdout", "/proc/self/fd/1"])
  func `An open descriptor that is named as the output is written to where it stands`(
    redirection: String, path: String
  ) async throws {
    let folder = try Folder()
    try folder.write("earlier\n", to: "log")
    let command =
      "{ echo before;"
      + " \(Program.searchagg.path) run swift --offline --no-state --format ndjson -o \(path) 2> errors;"
      + " echo after; } \(redirection) log"
    _ = try await Program(path: "/bin/sh").run(["-c", command], in: folder)
    let lines = try folder.text(of: "log").split(separator: "\n")
    #expect(lines.first == (redirection == ">" ? "before" : "earlier"))
    #expect(lines.contains { $0.contains("outcomes") } && lines.last == "after")
  }

  @Test(arguments: ["-o", "--stats-file"])
  func `No output replaces the state or the configuration`(option: String) async throws {
    let folder = try Folder()
    let networks = ["SEARCHAGG_NO_HISTORY": "false"]
    try folder.write("{}", to: "own.json")
    let state = ["--state", "a.db", "--config", "own.json", "--offline"]
    let first = try await Program.searchagg.run(
      ["run", "swift"] + state, environment: networks, in: folder)
    #expect(first.errors.contains("swift"), "\(first.errors)")
    try folder.write("state", to: "a.db")
    try folder.write("log", to: "a.db-wal")
    let all = [
      ("./a.db", "the state"), ("a.db-wal", "part of the state"), ("own.json", "the configuration"),
    ]
    for (file, what) in all {
      let before = try folder.text(of: file)
      let ended = try await Program.searchagg.run(
        ["run", "swift", option, file] + state, environment: networks, in: folder)
      #expect(ended.status == 64)
      #expect(ended.errors.contains("is \(what); name another file"), "\(ended.errors)")
      #expect(try folder.text(of: file) == before)
    }
  }

  @Test func `No output takes the place of a state that the run makes`() async throws {
    let folder = try Folder()
    let ended = try await Program.searchagg.run(
      ["run", "swift", "--offline", "--state", "new.db", "-o", "./new.db"], in: folder)
    #expect(ended.status == 64)
    #expect(ended.errors.contains("new.db is the state; name another file"), "\(ended.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder["new.db"]))
  }

  @Test(arguments: [
    ["-o", "./out.csv", "--stats-file", "out.csv"], ["-o", "link", "--stats-file", "there"],
  ])
  func `Statistics do not replace the posts, however their file is spelled`(
    arguments: [String]
  ) async throws {
    let folder = try Folder()
    try folder.write("kept", to: "there")
    try FileManager.default.createSymbolicLink(
      atPath: folder["link"], withDestinationPath: "there")
    let ended = try await Program.searchagg.run(
      ["run", "swift", "--offline", "--no-state"] + arguments, in: folder)
    #expect(ended.status == 64)
    #expect(ended.errors.contains("--stats-file and --output name the same file"))
    #expect(try folder.text(of: "there") == "kept")
  }

  @Test(arguments: [
    ["run", "swift", "-o", "tags.json"], ["run", "swift", "--stats-file", "tags.json"],
    ["run", "--stats-file", "tags.json"], ["history", "export", "-o", "tags.json"],
    ["run", "swift", "-o", "config/searchagg/credentials.json"],
    ["history", "list", "-o", "state/searchagg/sessions.json"],
    ["run", "--replay", "recording", "-o", "recording/exchanges.har"],
    ["run", "--replay", "recording", "-o", "tags.json"],
    ["merge", "part.ndjson", "-o", "state/searchagg/history.db"],
    ["merge", "part.ndjson", "-o", "part.ndjson"],
  ])
  func `No output replaces what is read again`(arguments: [String]) async throws {
    let folder = try Folder()
    try folder.write(#"{"version": 1, "tags": [{"query": "swift"}]}"#, to: "tags.json")
    let output = try #require(arguments.last)
    if arguments.contains("--replay") {
      let recorded = try await Program.searchagg.run(
        ["run", "swift", "--record", "recording"], in: folder)
      #expect(recorded.status != 74, "\(recorded.errors)")
    } else if output != "tags.json" {
      try FileManager.default.createDirectory(
        atPath: (folder[output] as NSString).deletingLastPathComponent,
        withIntermediateDirectories: true)
      try folder.write("{}", to: output)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: folder[output])
    }
    let before = try folder.text(of: output)
    let ended = try await Program.searchagg.run(arguments, in: folder)
    #expect(ended.status == 64, "\(ended.errors)")
    #expect(ended.errors.contains("; name another file"), "\(ended.errors)")
    #expect(try folder.text(of: output) == before)
  }

  private func run(tags bytes: Data) async throws -> (Program.Ended, isUnchanged: Bool) {
    let folder = try Folder()
    let file = folder.url.appendingPathComponent("tags.json")
    try bytes.write(to: file)
    let ended = try await Program.searchagg.run(["run"], in: folder)
    return (ended, try Data(contentsOf: file) == bytes)
  }

  @Test(arguments: [
    ##"{"version": 1, "tags": [{"query": "#swi"##, #"{"version": 1, "tags": 7}"#, #"["a", 3]"#,
    #"{"version": 1, "tags": [{"query": 3}]}"#, "", "tags", "{}{}",
  ])
  func `A malformed file exits with 65 and one line that names it, and is not changed`(text: String)
    async throws
  {
    let (ended, isUnchanged) = try await run(tags: Data(text.utf8))
    #expect(ended.status == 65, "\(ended.errors)")
    #expect(ended.errors.split(separator: "\n").count == 1)
    #expect(ended.errors.contains("tags.json"))
    #expect(isUnchanged)
  }

  @Test func `A file that is not UTF-8 exits with 65`() async throws {
    let (ended, isUnchanged) = try await run(tags: Data([0x5B, 0x22, 0xFF, 0xFE, 0x22, 0x5D]))
    #expect(ended.status == 65)
    #expect(ended.errors.split(separator: "\n").count == 1)
    #expect(isUnchanged)
  }

  @Test(arguments: [3_000_000, 100_000_000])
  func `Endless brackets exit with 65`(count: Int) async throws {
    let (ended, isUnchanged) = try await run(tags: Data(repeating: UInt8(ascii: "["), count: count))
    #expect(ended.status == 65)
    #expect(ended.errors.split(separator: "\n").count == 1)
    #expect(isUnchanged)
  }

  @Test(arguments: [
    ["run", "swift", "--offline", "-o"], ["tags", "add", "swift", "--tags-file"],
    ["run", "swift", "--record"],
  ])
  func `In a deleted folder no path leads elsewhere`(arguments: [String]) async throws {
    let name = "searchagg-\(UInt32.random(in: .min ... .max))"
    let ended = try await Program(path: "/bin/sh").run(
      [
        "-c", #"mkdir gone && cd gone && rmdir ../gone && exec "$@""#, "sh",
        Program.searchagg.path,
      ] + arguments + [name], in: Folder())
    #expect(ended.status == 74, "\(ended.errors)")
    #expect(ended.errors.contains(name), "\(ended.errors)")
    #expect(ended.errors.contains("its folder does not exist"), "\(ended.errors)")
    #expect(!FileManager.default.fileExists(atPath: "/\(name)"))
  }

  @Test func `An argument that is not UTF-8 exits with 64, and changes no tag`() async throws {
    let folder = try Folder()
    let ended = try await Program(path: "/bin/sh").run(
      ["-c", #"exec "$0" tags add "$(printf 'caf\351')""#, Program.searchagg.path], in: folder)
    #expect(ended.status == 64)
    #expect(ended.errors == "searchagg: an argument is not valid UTF-8\n")
    #expect(!FileManager.default.fileExists(atPath: folder["tags.json"]))
  }

  @Test(arguments: [
    "POSTGRESQL://sa@host/x", "mysql://host/x", "postgresql:/host/x", "host=h dbname=x password=p",
    "jdbc:postgresql://sa:p@host/x", "postgresql+psycopg2://sa@host/x",
  ])
  func `A misspelt address of a database is not taken for a file`(address: String) async throws {
    let folder = try Folder()
    for command in [
      ["run", "swift", "--offline", "--state"], ["tags", "add", "swift", "--tags-file"],
      ["run", "--offline", "--tags-file"],
    ] {
      let ended = try await Program.searchagg.run(command + [address], in: folder)
      #expect(ended.status == 64, "\(ended.errors)")
      #expect(
        ended.errors.contains(": write a database as postgresql://USER@HOST/NAME"),
        "\(ended.errors)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `A missing file or a folder exits with 66`() async throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("folder"), withIntermediateDirectories: true)
    for name in ["missing.json", "folder"] {
      let ended = try await Program.searchagg.run(["run", "--tags-file", name], in: folder)
      #expect(ended.status == 66, "\(ended.errors)")
      #expect(ended.errors.split(separator: "\n").count == 1)
      #expect(ended.errors.contains(name))
    }
  }

  @Test func `Without tags a run exits with 66 and says how to add one`() async throws {
    let ended = try await Program.searchagg.run(["run"], in: Folder())
    #expect(ended.status == 66)
    #expect(ended.errors.contains("tags add"))
  }

  @Test(arguments: [
    (["--jobs", "0"], "--jobs"), (["--since", "soon"], "--since"),
    (["--format", "xml"], "--format"),
    (["--source", "myspace"], "--source"), (["-n", "many"], "--limit"),
    (["--timeout", "0"], "--timeout"), (["--fail-on", "some"], "--fail-on"),
    (["--bogus"], "--bogus"), (["--user-agent", "a\nb"], "--user-agent"),
    (["--since", "today", "--until", "yesterday"], "--since"),
    (["--since", "2999-01-01"], "--since: '2999-01-01' is in the future"),
  ])
  func `A wrong option exits with 64 and is named`(arguments: [String], name: String) async throws {
    let ended = try await Program.searchagg.run(["run", "a"] + arguments, in: Folder())
    #expect(ended.status == 64, "\(ended.errors)")
    #expect(ended.errors.contains(name))
    #expect(ended.output == "")
  }

  @Test(arguments: [
    ("SEARCHAGG_JOBS", "many"), ("SEARCHAGG_X_URL", "not an address"), ("SEARCHAGG_NOW", "soon"),
    ("SEARCHAGG_CONFIG", "/no/such/file"), ("SEARCHAGG_X_URL", ","), ("SEARCHAGG_PROXY", "::::"),
    ("SEARCHAGG_SINCE", "2999-01-01"), ("SEARCHAGG_USER_AGENT", "caf\u{e9}"),
  ])
  func `A wrong variable exits with 78 and is named`(name: String, value: String) async throws {
    let ended = try await Program.searchagg.run(
      ["run", "a"], environment: [name: value], in: Folder())
    #expect(ended.status == 78, "\(ended.errors)")
    #expect(ended.errors.contains(name) || ended.errors.contains(value))
  }
}
