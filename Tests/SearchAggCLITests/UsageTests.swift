import Application
import Foundation
import SearchAggCLI
import SearchSources
import Testing

@Suite struct UsageTests {
  @Test(arguments: [
    (
      ["bogus"],
      "unknown command 'bogus'; to search for it: searchagg run bogus; see: searchagg --help"
    ),
    (["run", "--bogus"], "unknown option '--bogus'; see: searchagg run --help"),
    (["run", "--limit"], "missing value for '--limit <n>'; see: searchagg run --help"),
    (["tags", "add"], "missing argument '<query> ...'; see: searchagg tags add --help"),
    (
      ["tags", "list", "--format", "yaml"],
      "the value 'yaml' is invalid for '--format <format>'; expected one of 'text', 'plain' "
        + "or 'json'; see: searchagg tags list --help"
    ),
    (
      ["tags", "add", "x", "--limit", "0"],
      "the value '0' is invalid for '--limit <n>': expected a whole number from 1 to 10000000; "
        + "see: searchagg tags add --help"
    ),
    (
      ["tags", "add", "x", "--expect-within", "soon"],
      "the value 'soon' is invalid for '--expect-within <time>': expected a time such as 12h, 2d "
        + "or 1w; see: searchagg tags add --help"
    ),
    (
      ["tags", "edit", "x", "--priority", "up"],
      "the value 'up' is invalid for '--priority <priority>': expected low, normal or high; "
        + "see: searchagg tags edit --help"
    ),
    (["run", "--\u{1B}[31mx"], "unknown option '--x'; see: searchagg run --help"),
    (["run", "a", "--output", ""], "--output: expected a file, found ''"),
    (["run", "a", "--since", "9999w"], "--since: '9999w': that is more than 100 years ago"),
    (["run", "a", "-nx"], "--limit: expected a whole number from 1 to 10000000, found 'x'"),
    (["run", "--replay", ""], "--replay: expected a folder"),
    (["run", "a", "--config", ""], "--config: expected a file"),
    (["run", "a", "--stats-file", "-"], "--stats-file: expected a file, found '-'"),
    (
      ["run", "a", "--since", "-1d"],
      "--since -1d: write it without the hyphen: --since 1d; see: searchagg run --help"
    ),
    (
      ["tags", "add", "-taylor swift"],
      "'-taylor swift' looks like an option; write -- before a query that begins with a hyphen: "
        + "searchagg tags add -- '-taylor swift'; see: searchagg tags add --help"
    ),
  ])
  func `A wrong command line is one line that says where its help is`(
    arguments: [String], line: String
  ) async throws {
    let outcome = try await TestWorld().run(arguments)
    #expect(outcome.status == .usage)
    #expect(outcome.errors == "searchagg: \(line)\n")
    #expect(outcome.output.isEmpty)
  }

  @Test func `Help and documentation say where each credential comes from`() async throws {
    let help = try await TestWorld().run("help", "sources").output
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/networks.md"), encoding: .utf8)
    for name in Sources.all.flatMap(\.traits.credentialNames) {
      #expect(help.contains("  \(name)") || help.contains(", \(name)\n"), "\(name)")
      #expect(page.contains("| `\(name)`") || page.contains(", `\(name)` |"), "\(name)")
    }
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["run", "a", "-h"], ["help", "run"], ["help", "tags", "add"],
    ["tags", "edit", "x", "--help"], ["help", "exit-codes"], ["help", "environment"],
    ["help", "formats"], ["help", "dates"], ["help", "json-sources"], ["help", "config"],
    ["help", "recipes"],
    ["help", "queries"], ["sources", "--help"],
    ["sources", "check", "--help"], ["sources", "show", "-h"], ["sources", "login", "--help"],
    ["help", "--help"], ["--version"],
  ])
  func `Help is printed wherever it is asked for, and fits eighty columns`(
    arguments: [String]
  ) async throws {
    let outcome = try await TestWorld().run(arguments)
    #expect(outcome.status == .success)
    #expect(outcome.errors.isEmpty)
    #expect(!outcome.output.hasPrefix("\n") && !outcome.output.hasSuffix("\n\n"))
    for line in outcome.output.split(separator: "\n") { #expect(line.count <= 80) }
  }

  @Test(arguments: [["help", "run", "--help"], ["help", "-h", "run"]])
  func `Help on a command that is asked for twice is help on the command`(
    arguments: [String]
  ) async throws {
    let twice = try await TestWorld().run(arguments)
    let once = try await TestWorld().run("help", "run")
    #expect(twice.status == .success && twice.output == once.output)
  }

  @Test(arguments: [
    "exit-codes", "environment", "config", "formats", "schema", "dates", "queries", "sources",
    "json-sources", "recipes",
  ])
  func `Each page of help exists, and the list of pages or commands names it`(page: String)
    async throws
  {
    let text = try await TestWorld().run("help", page)
    #expect(text.status == .success && text.output.count > 200)
    let list = try await TestWorld().run("help", "help")
    let commands = try await TestWorld().run("help")
    #expect((list.output + commands.output).contains("  \(page) "))
  }

  @Test func `Each recipe of the help is one of the README, whose commands are run by a test`()
    async throws
  {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let lines = Set(page.split(separator: "\n").map { $0.drop { $0 == " " } })
    let recipes = try await TestWorld().run("help", "recipes").output.split(separator: "\n")
      .filter { $0.hasPrefix("  ") }
    #expect(recipes.count > 10)
    for recipe in recipes {
      let isThere = lines.contains(recipe.drop { $0 == " " })
      #expect(isThere, "\(recipe)")
    }
  }

  @Test func `A run needs a query on standard input`() async throws {
    let outcome = try await TestWorld().run("run", "-", input: "\n")
    #expect(outcome.status == .unreadableInput)
    #expect(outcome.errors == "searchagg: standard input contains no query\n")
    let plan = await (try TestWorld()).run(
      "run", "-", "--dry-run", "--source", "hackernews", input: "# mine\n#\n#swift\n")
    #expect(plan.output.split(separator: "\n").count { $0.hasPrefix("# ") } == 1)
    #expect(plan.output.contains("#swift"), "\(plan.output)")
    #expect(try await TestWorld().run("tags", "add", "-", "--if-absent").status == .success)
    #expect(try await TestWorld().run("tags", "remove", "-", "--if-present").status == .success)
  }
}
