import Application
import SearchAggCLI
import TestSupport
import Testing

@Suite struct AuthCommandTests {
  private let file = "home/.config/searchagg/credentials.json"

  @Test func `A credential is read from standard input and stored in a private file`() async throws
  {
    let world = try TestWorld()
    let set = await world.run("auth", "set", "GITHUB_TOKEN", input: "s3cret\n")
    #expect(set.status == .success, "\(set.errors)")
    #expect(try world.folder.mode(of: file) == 0o600)
    #expect(try world.folder.text(of: file).contains(#""GITHUB_TOKEN": "s3cret""#))
    _ = await world.run("auth", "set", "X_BEARER_TOKEN", input: "0ther")
    _ = await world.run("auth", "set", "GITHUB_TOKEN", input: "n3w")
    let text = try world.folder.text(of: file)
    #expect(text.contains("n3w") && text.contains("0ther") && !text.contains("s3cret"))
    let list = await world.run("auth", "list")
    #expect(list.output.contains("GITHUB_TOKEN") && list.output.contains("X_BEARER_TOKEN"))
    #expect(!(list.output + set.output + set.errors).contains("s3cret"))
    #expect(!list.output.contains("n3w"))
  }

  @Test func `The environment wins, and the list says so`() async throws {
    var world = try TestWorld()
    world.environment["GITHUB_TOKEN"] = "fr0m"
    let set = await world.run("auth", "set", "GITHUB_TOKEN", input: "s3cret")
    #expect(set.errors.contains("the variable in the environment takes precedence"))
    let list = await world.run("auth", "list")
    #expect(list.output == "NAME          FROM\nGITHUB_TOKEN  the environment\n")
  }

  @Test func `A credential is removed once`() async throws {
    let world = try TestWorld()
    _ = await world.run("auth", "set", "GITHUB_TOKEN", input: "s3cret")
    #expect(await world.run("auth", "remove", "GITHUB_TOKEN").status == .success)
    #expect(await world.run("auth", "remove", "GITHUB_TOKEN").status == .nothing)
    let list = await world.run("auth", "list")
    #expect(list.output == "" && list.errors.contains("no credentials are set"))
  }

  @Test(arguments: [("GITHUB_TOKEN", "\n"), ("GITHUB_TOKEN", "a\u{7}b"), ("GITHUB_TOKN", "s3cret")])
  func `Nothing is stored for an unknown name, or without a usable credential`(
    name: String, input: String
  ) async throws {
    let world = try TestWorld()
    let set = await world.run("auth", "set", name, input: input)
    #expect(set.status == .usage)
    if name == "GITHUB_TOKN" {
      #expect(
        set.errors == "searchagg: unknown credential 'GITHUB_TOKN'; did you mean 'GITHUB_TOKEN'?\n")
    }
    #expect(try world.folder.names == [])
  }

  @Test func `A file that others can read is refused`() async throws {
    let world = try TestWorld()
    try world.folder.write(#"{"GITHUB_TOKEN": "s3cret"}"#, to: file, mode: 0o644)
    for arguments in [["list"], ["remove", "GITHUB_TOKEN"]] {
      let outcome = await world.run(["auth"] + arguments)
      #expect(outcome.status == .badConfiguration)
      #expect(outcome.errors.contains("chmod 600") && !outcome.errors.contains("s3cret"))
    }
  }

  @Test func `The credential of a channel can be stored`() async throws {
    let world = try TestWorld()
    let refused = await world.run("auth", "set", "TEAM_WEBHOOK", input: "https://example.org/x")
    #expect(refused.status == .usage)
    try world.folder.write(
      #"{"channels": {"team": {"kind": "slack", "url": "{TEAM_WEBHOOK}"}}}"#,
      to: "home/.config/searchagg/config.json")
    let stored = await world.run("auth", "set", "TEAM_WEBHOOK", input: "https://example.org/x")
    #expect(stored.status == .success, "\(stored.errors)")
    #expect(await world.run("auth", "list").output.contains("TEAM_WEBHOOK"))
  }
}
