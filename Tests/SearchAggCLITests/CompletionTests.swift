import Glibc
import TestSupport
import Testing

@testable import Application
@testable import SearchAggCLI

@Suite struct CompletionTests {
  private func candidates(
    _ words: [String], in world: TestWorld
  ) async -> [Substring] {
    let outcome = await world.run(["complete", "--"] + words)
    return outcome.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
  }

  @Test(arguments: [
    ([""], "tags"), (["ru"], "run"), (["tags", ""], "remove"), (["run", "--so"], "--source"),
    (["run", "--source", "mast"], "mastodon"),
    (["run", "--source", "lemmy,mast"], "lemmy,mastodon"),
    (["run", "--source=mast"], "--source=mastodon"),
    (["run", "--source", "=", "mast"], "mastodon"),
    (["run", "--format", "nd"], "ndjson"), (["run", "--color", ""], "never"),
    (["run", "-o", ""], ":files"), (["run", "--tags-file", "x"], ":files"),
    (["tags", "add", "a", "--priority", "h"], "high"), (["tags", "import", ""], ":files"),
    (["help", "for"], "formats"), (["help", "ta"], "tags"), (["completion", "z"], "zsh"),
    (["sources", "show", "hack"], "hackernews"), (["auth", "set", "GITH"], "GITHUB_TOKEN"),
    (["config", ""], "check"), (["--ver"], "--version"),
  ])
  func `The last word is completed`(words: [String], candidate: String) async throws {
    let found = try await candidates(words, in: TestWorld())
    #expect(found.contains { $0 == candidate }, "\(found)")
    #expect(found.allSatisfy { $0 == ":files" || $0.hasPrefix(words.last ?? "") })
  }

  @Test func `Stored tags are completed, hostile ones included`() async throws {
    let world = try TestWorld()
    try world.folder.write(
      #"{"tags": ["swift", "$(touch x)", "`touch x`", "'; touch x; '", "e\u202evil"]}"#,
      to: "tags.json")
    for command in ["remove", "edit"] {
      #expect(
        await candidates(["tags", command, ""], in: world)
          == ["swift", "$(touch x)", "`touch x`", "'; touch x; '"])
      #expect(await candidates(["tags", command, "'$(t"], in: world) == ["$(touch x)"])
    }
    #expect(await candidates(["tags", "add", ""], in: world) == [])
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `Each shell has a script`(shell: String) async throws {
    let outcome = try await TestWorld().run("completion", shell)
    #expect(outcome.status == .success)
    #expect(outcome.output.contains("searchagg complete -- "))
    #expect(!outcome.output.contains("eval") && !outcome.output.contains("compgen"))
  }

  @Test func `The man page has every option of the table`() async throws {
    let page = try await TestWorld().run("manual").output
    for setting in Setting.all where setting.places.contains(.option) {
      let name = "--\(setting.name)".replacing("-", with: #"\-"#)
      #expect(page.contains(name), "\(setting.name)")
    }
    #expect(page.hasPrefix(".TH SEARCHAGG 1 \(Version.date) \"searchagg "))
    #expect(!page.contains("`"))
  }

  @Test func `The man page has the usual sections, every page of help, and no empty macro`()
    async throws
  {
    let page = try await TestWorld().run("manual").output
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let sections = lines.filter { $0.hasPrefix(".SH ") }.map { String($0.dropFirst(4)) }
    let usual = [
      "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES",
      "EXAMPLES",
    ]
    #expect(Array(sections.prefix(usual.count)) == usual && sections.last == "SEE ALSO")
    let pages = [
      "CONFIG", "FORMATS", "SCHEMA", "DATES", "QUERIES", "NOTIFICATIONS", "JSON SOURCES",
    ]
    #expect(pages.allSatisfy(sections.contains))
    // What mandoc warns of, for where it is not installed.
    for (line, next) in zip(lines, lines.dropFirst()) {
      #expect(!line.isEmpty && !line.hasSuffix(" "), "\(line)")
      if [".PP", ".nf", ".TP"].contains(line) || line.hasPrefix(".SH") || line.hasPrefix(".SS") {
        #expect(next != ".PP" && next != ".fi" && !next.hasPrefix(".SH"), "\(line), \(next)")
      }
      if line == ".fi" { #expect(next != ".nf") }
      if line == ".PP" { #expect(!next.hasPrefix(".S") && next != ".TP") }
    }
  }

  private static let mandoc = "/usr/bin/mandoc"

  @Test(.enabled(if: access(mandoc, X_OK) == 0, "mandoc is not installed"))
  func `mandoc warns of nothing in the man page`() async throws {
    let world = try TestWorld()
    try world.folder.write(await world.run("manual").output, to: "searchagg.1")
    let lint = try await Program(path: Self.mandoc).run(
      ["-T", "lint", "-W", "warning", "searchagg.1"], in: world.folder)
    #expect(lint.status == 0 && lint.output.isEmpty, "\(lint.output)")
    try world.folder.write(".TH A 1\n.PP\n", to: "bad.1")
    let bad = try await Program(path: Self.mandoc).run(
      ["-T", "lint", "-W", "warning", "bad.1"], in: world.folder)
    #expect(!bad.output.isEmpty)
  }
}
