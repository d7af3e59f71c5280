import Foundation
import Printing
import SearchEngine
import SearchModel
import TestSupport
import Testing

@testable import Application
@testable import SearchAggCLI

@Suite struct FormatOptionTests {
  @Test(arguments: [
    (["--fields", "id"], "--fields needs --format json, ndjson, csv or tsv"),
    (["--fields", "id", "--format", "html"], "--fields needs --format json, ndjson, csv or tsv"),
    (["--cells", "raw"], "--cells needs --format csv or tsv"),
    (["--cells", "raw", "--format", "json"], "--cells needs --format csv or tsv"),
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
      "--template cannot be combined with --format or --count-by"
    ),
    (["--json", "--format", "csv"], "--json contradicts --format csv"),
    (
      ["--count-by", "day", "--format", "atom"],
      "--count-by prints text, plain, json, ndjson, csv, tsv or markdown, not atom"
    ),
    (
      ["--count-by", "year"],
      "--count-by: expected one or two of network, author, tag, day, hour, language, found 'year'"
    ),
  ])
  func `Options that do not fit the format are refused`(options: [String], message: String)
    async throws
  {
    let outcome = try await TestWorld().run(["run", "a", "--source", "lemmy"] + options)
    #expect(outcome.status == .usage)
    #expect(outcome.errors == "searchagg: \(message)\n")
  }

  @Test(arguments: [
    (["-o", "x.csv"], OutputFormat.csv), (["-o", "a.b/x.TSV"], .tsv), (["-o", "x.html"], .html),
    (["-o", "x.json"], .json), (["-o", "x.ndjson"], .ndjson), (["-o", "x.jsonl"], .ndjson),
    (["-o", "x.md"], .markdown), (["-o", "x.atom"], .atom), (["-o", "x.txt"], .text),
    (["-o", "a.csv/x"], .text), (["-o", "x.csv", "--format", "plain"], .plain),
    (["-o", "x.csv", "--format", "text"], .text), (["-o", "x.csv", "--json"], .json),
    (["-o", "x.csv", "--template", "{{id}}"], .text),
  ])
  func `The name of the output file chooses the format where nothing else does`(
    options: [String], format: OutputFormat
  ) throws {
    #expect(try settings(options).output.format == format)
  }

  @Test func `A variable or a file that sets the format wins over the name of the output file`()
    throws
  {
    #expect(try settings(["-o", "x.csv"], ["SEARCHAGG_FORMAT": "text"]).output.format == .text)
    #expect(try settings(["--format", "csv"], ["SEARCHAGG_JSON": "1"]).output.format == .csv)
    let plain = try settings(["--format", "csv"], ["SEARCHAGG_TEMPLATE": "{{id}}"])
    #expect(plain.output.format == .csv && plain.output.template == nil)
    for (name, value) in [("FORMAT", "csv"), ("JSON", "1")] {
      let own = try settings(["--template", "{{id}}"], ["SEARCHAGG_\(name)": value])
      #expect(own.output.format == .text && own.output.template != nil)
    }
    let folder = try Folder()
    try folder.write(#"{"format": "plain"}"#, to: "config.json")
    let options = ["-o", "x.csv", "--config", folder["config.json"]]
    #expect(try settings(options).output.format == .plain)
  }

  @Test func `The nearest place that names a format counts, also where it is called json`() throws {
    let folder = try Folder()
    try folder.write(#"{"json": true}"#, to: "config.json")
    let configured = ["--config", folder["config.json"]]
    #expect(try settings(configured).output.format == .json)
    #expect(try settings(configured, ["SEARCHAGG_FORMAT": "csv"]).output.format == .csv)
    try folder.write(#"{"format": "csv"}"#, to: "config.json")
    #expect(try settings(configured, ["SEARCHAGG_JSON": "1"]).output.format == .json)
  }

  @Test(arguments: [
    ["--template", "{{id}}"], ["--format", "atom"], ["--format", "csv", "--fields", "id"],
    ["--format", "ndjson", "--posts-only"], ["-o", "x.atom"],
  ])
  func `Options for posts come before numbers that are configured`(options: [String]) throws {
    #expect(try settings(options, ["SEARCHAGG_COUNT_BY": "day"]).output.countBy == nil)
    #expect(try settings([], ["SEARCHAGG_COUNT_BY": "day"]).output.countBy != nil)
  }

  /// The settings of a run with these options.
  private func settings(
    _ words: [String], _ environment: [String: String] = [:]
  ) throws -> RunSettings {
    var world = try TestWorld()
    world.environment.merge(environment) { $1 }
    let context = world.context(output: BufferStream(), errors: BufferStream())
    let command = try #require(
      try CommandLineRunner.command(["run", "a"] + words) as? RunCommand)
    let texts = command.options.texts
    return try RunSettings(
      from: SettingsReader(
        context: context, configuration: Configuration(named: texts["config"], in: context),
        options: texts), for: .run)
  }

  @Test func `A run whose sources are all excluded has nobody to ask`() async throws {
    let outcome = try await TestWorld()
      .run("run", "a", "--source", "lemmy", "--exclude", "source:lemmy")
    #expect(outcome.status == .usage && outcome.output.isEmpty)
    #expect(
      outcome.errors
        == "searchagg: no source is left to ask: --exclude leaves out all of them\n")
  }

  @Test func `A source that is named again is searched, too`() throws {
    let sources = try settings(["--source", "lemmy", "--source=x,github"]).search.sources
    #expect(sources == ["lemmy", "x", "github"])
  }

  @Test func `What is excluded adds up over the option, the variable and the files`() throws {
    let folder = try Folder()
    try folder.write(
      #"{"exclude": ["spam", "@amy"], "mute": ["@bob", "carol@a.example"]}"#, to: "config.json")
    let options = ["--exclude", "ham", "--config", folder["config.json"]]
    let variables = ["SEARCHAGG_EXCLUDE": "source:reddit"]
    let exclusions = try settings(options, variables).limits.filter.exclusions
    let expected = try #require(ExclusionList("ham,source:reddit,spam,@amy,@bob,@carol@a.example"))
    #expect(exclusions == expected)
    let unmuted = try settings(options + ["--include-muted"], variables)
    #expect(unmuted.limits.filter.exclusions.authors == [AuthorName("amy")])
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
