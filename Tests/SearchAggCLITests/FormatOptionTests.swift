import Foundation
import TestSupport
import Testing

@testable import Application
@testable import SearchAggCLI

@Suite struct FormatOptionTests {
  @Test(arguments: [
    (["--fields", "id"], "--fields needs --format json, ndjson, csv or tsv"),
    (["--fields", "id", "--format", "html"], "--fields needs --format json, ndjson, csv or tsv"),
    (
      ["--fields", "id,nope", "--json"],
      "--fields: unknown field 'nope' (see: searchagg help formats)"
    ),
    (["--template", "{{nope}}"], "--template: unknown field 'nope' (see: searchagg help formats)"),
    (
      ["--template", "{{id", "--json"],
      "--template: '{{' without '}}' (see: searchagg help formats)"
    ),
    (
      ["--template", "{{id}}", "--json"],
      "--template is a format of its own: leave out the other one"
    ),
    (
      ["--count-by", "day", "--format", "atom"],
      "--count-by prints text, plain, json, ndjson, csv, tsv or markdown, not atom"
    ),
    (
      ["--count-by", "year"],
      "--count-by: expected one of network, author, tag, day, hour, language, found 'year'"
    ),
  ])
  func `Options that do not fit the format are refused`(options: [String], message: String)
    async throws
  {
    let outcome = try await TestWorld().run(["run", "a", "--source", "lemmy"] + options)
    #expect(outcome.status == .usage)
    #expect(outcome.errors == "searchagg: \(message)\n")
  }

  @Test func `The page on formats lists every format and every field with its type`() async throws {
    let page = try await TestWorld().run("help", "formats").output
    #expect(page.contains(/\n +author\.handle +the author's user name, without @ \(string\)/))
    #expect(page.contains(/\n +tags +the queries that found it \(strings\)/))
    for line in page.split(separator: "\n") { #expect(line.count <= 100) }
  }

  @Test func `The schema is printed as a page of help`() async throws {
    let page = try await TestWorld().run("help", "schema").output
    #expect(try JSONSerialization.jsonObject(with: Data(page.utf8)) is [String: Any])
  }
}

@Suite struct ProgressLineTests {
  @Test(arguments: [
    (80, "12/44 searches · 310 posts · github waits 6 s · x waits 1 min"),
    (45, "12/44 searches · 310 posts"), (27, "12/44 searches · 310 posts"), (26, "12/44 searches"),
    (15, "12/44 searches"), (10, "12/44 sea"), (1, "1"),
  ])
  func `The line keeps its first parts at any width`(columns: Int, line: String) {
    let parts = ["12/44 searches", "310 posts", "github waits 6 s", "x waits 1 min"]
    #expect(ProgressLine.line(of: parts, within: columns) == line)
  }

  @Test func `Nothing is written once the line is over`() async {
    let errors = BufferStream()
    let progress = ProgressLine(errors: errors, isAnimated: true, interval: .zero) { 80 }
    progress.end()
    await progress.show { ["1/2 searches"] }
    #expect(errors.text == ProgressLine.erase)
  }
}
