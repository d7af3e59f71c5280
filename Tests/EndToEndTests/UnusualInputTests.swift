import Glibc
import TestSupport
import Testing

/// Files of tags and settings that are not what they seem.
@Suite(.serialized) struct UnusualInputTests {
  @Test func `A pipe is not read as a file of tags or settings`() async throws {
    let folder = try Folder()
    // Nobody writes into it: whoever opened it for reading would wait for ever.
    #expect(mkfifo(folder["pipe"], 0o600) == 0)
    let named = try await Program.searchagg.run(
      ["run", "--dry-run", "--tags-file", "pipe"], in: folder)
    #expect(named.status == 66)
    #expect(named.errors.contains("pipe: is not a regular file"), "\(named.errors)")
    let list = try await Program.searchagg.run(["tags", "list", "--tags-file", "pipe"], in: folder)
    #expect(list.status == 66)
    let settings = try await Program.searchagg.run(
      ["run", "a", "--dry-run", "--config", "pipe"], in: folder)
    #expect(settings.status == 78)
    #expect(mkfifo(folder["tags.json"], 0o600) == 0)
    let found = try await Program.searchagg.run(["run", "--dry-run"], in: folder)
    #expect(found.status == 66)
    #expect(found.errors.contains("./tags.json: is not a regular file"), "\(found.errors)")
  }

  @Test func `A file where the settings folder should be counts as no settings`()
    async throws
  {
    let ended = try await Program.searchagg.run(
      ["run", "swift", "--source", "hackernews", "--dry-run"],
      environment: ["HOME": "/dev/null", "XDG_CONFIG_HOME": "/dev/null"], in: Folder())
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(ended.output.contains("hackernews"))
  }

  @Test(.enabled(if: getuid() == 0, "only root becomes another user"))
  func `A current folder that the user may not look into has no tags and settings`() async throws {
    let folder = try Folder()
    try folder.write("no JSON", to: "searchagg.json")
    try folder.write("no JSON", to: "tags.json")
    func run(_ arguments: String...) async throws -> Program.Ended {
      try await Program(path: "/usr/bin/setpriv").run(
        ["--reuid", "65534", "--regid", "65534", "--clear-groups", Program.searchagg.path]
          + arguments,
        environment: ["HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent"], in: folder)
    }
    // The folder of the build may be root's as well.
    guard try await run("--version").status == 0 else { return }
    let named = try await run("run", "swift", "--source", "hackernews", "--dry-run")
    #expect(named.status == 0, "\(named.errors)")
    let listed = try await run("tags", "list")
    #expect(listed.status == 0, "\(listed.errors)")
  }

  @Test func `A file of settings may begin with a byte order mark`() async throws {
    let folder = try Folder()
    try folder.write("\u{FEFF}{\"source\": \"hackernews\"}", to: "config.json")
    let ended = try await Program.searchagg.run(
      ["config", "check", "--config", "config.json"], in: folder)
    #expect(ended.status == 0, "\(ended.errors)")
  }

  @Test(arguments: [
    #"{"limit": 3, "limit": 4}"#, #"{"per-search": 3, "per_search": 4}"#,
    #"{"sources": {"lemmy": {"servers": []}, "lemmy": {"servers": []}}}"#,
    #"{"channels": {"a": {"kind": "ntfy", "url": "https://n.example/a"}, "a": {}}}"#,
  ])
  func `A key that occurs twice in a file of settings is refused`(text: String) async throws {
    let folder = try Folder()
    try folder.write(text, to: "config.json")
    let ended = try await Program.searchagg.run(
      ["run", "a", "--dry-run", "--config", "config.json"], in: folder)
    #expect(ended.status == 78)
    #expect(ended.errors.contains("duplicate key"), "\(ended.errors)")
  }

  @Test func `The default folder of the state is closed to others, and any other is named`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      try folder.write("", to: "state/searchagg/other.txt")
      try folder.write("", to: "mine/other.txt")
      for name in ["state/searchagg", "mine"] { #expect(chmod(folder[name], 0o755) == 0) }
      let environment = networks.environment.merging([
        "SEARCHAGG_NO_HISTORY": "false", "SEARCHAGG_SOURCE": "hackernews",
        "XDG_STATE_HOME": folder["state"],
      ]) { $1 }
      let standard = try await Program.searchagg.run(
        ["run", "swift"], environment: environment, in: folder)
      #expect(standard.status == 0 && standard.errors == "", "\(standard.errors)")
      #expect(try folder.mode(of: "state/searchagg") == 0o700)
      let named = try await Program.searchagg.run(
        ["run", "swift", "--state", "mine/history.db"], environment: environment, in: folder)
      #expect(named.errors.split(separator: "\n").count == 1)
      #expect(named.errors.contains("run: chmod 700 \(folder["mine"])"), "\(named.errors)")
      #expect(try folder.mode(of: "mine") == 0o755)
    }
  }
}
