import FoundationEssentials
import Printing
import SearchEngine
import SearchModel
import TestSupport
import Testing

@testable import Application
@testable import SearchAggCLI

/// Walks the table of settings: each works in all of its places, and only there.
@Suite struct SettingTableTests {
  /// A value of each setting, none of them the default.
  private static let examples: [String: String] = [
    "now": "2026-11-20T09:00:00Z", "source": "lemmy,github", "raw": "true", "dry-run": "true",
    "shard": "2/3",
    "tags-file": "mine.json", "limit": "3", "per-search": "7", "since": "2026-11-01T00:00:00Z",
    "until": "2026-11-02T00:00:00Z", "undated": "keep", "exclude": "spam,@amy",
    "no-reposts": "true", "no-replies": "true", "lang": "de", "min-likes": "4",
    "include-private": "true", "dedupe": "link", "sort": "oldest", "mute": "@amy,bob",
    "include-muted": "true", "posts-only": "true", "cells": "raw",
    "format": "ndjson", "json": "true", "fields": "id,author", "template": "{{id}}",
    "count-by": "day", "all": "true", "full": "true", "no-pager": "true", "stats": "true",
    "stats-file": "stats.json", "output": "posts.txt", "stream": "true", "quiet": "true",
    "verbose": "true", "color": "never", "progress": "always", "fail-on": "none",
    "fail-on-empty": "true", "max-pages": "3", "max-cost": "x=100", "max-time": "5m",
    "max-wait": "0", "timeout": "9s", "retries": "5", "jobs": "3", "per-host": "2",
    "record": "recorded", "proxy": "socks5h://127.0.0.1:1080", "user-agent": "mine/1.0",
    "cache": "/tmp/answers",
    "new": "true", "new-all": "true", "from-now": "true", "notify-first": "true", "append": "true",
    "state": "/tmp/mine.db",
    "retry-failed": "true", "backfill": "true",
    "refresh": "true", "offline": "true",
    "expect-within": "2d", "alert-over": "3",
    "no-state": "true", "no-history": "true", "history.keep": "30d",
    "exec": "cat", "notify": "team", "every": "10m", "exactly": "true", "for": "1h", "lease": "5s",
  ]

  /// The settings that `./searchagg.json` can set. Whoever adds one shows that it runs, sends, writes
  /// and spends nothing, and waits for nothing.
  private static let allowedInProject: Set<String> = [
    "source", "raw", "limit", "per-search", "since", "until", "undated", "exclude", "no-reposts",
    "no-replies", "lang", "min-likes", "dedupe", "format", "json", "fields", "count-by", "fail-on",
    "fail-on-empty", "sort", "posts-only", "cells",
  ]

  /// A new setting of posts has to be added to the filters, or here.
  @Test func `Each setting of posts is a filter, or known to be none`() {
    let others: Set = ["limit", "per-search", "since", "until", "sort", "dedupe"]
    let posts = Set(Setting.all.filter { $0.group == .posts }.map(\.name))
    #expect(posts == others.union(WrittenSettings.filterNames))
  }

  private static let inFiles = Setting.all.filter { $0.places.contains(.file) }.map(\.name)

  /// The values of a run's settings, each on a line.
  private func settings(
    _ world: TestWorld, _ arguments: [String] = []
  ) throws -> [Substring] {
    var written = try written(world, arguments)
    // Where it was written is the only difference.
    written.words = [:]
    var lines = ""
    dump(written, to: &lines)
    return lines.split(separator: "\n")
  }

  private func written(_ world: TestWorld, _ arguments: [String]) throws -> WrittenSettings {
    let isOnlyForWatch =
      arguments.first.map { ["--every", "--exactly", "--for", "--lease"].contains($0) } ?? false
    let command = try CommandLineRunner.command([isOnlyForWatch ? "watch" : "run"] + arguments)
    let context = world.context(output: BufferStream(), errors: BufferStream())
    let texts = try #require(
      (command as? RunCommand)?.options.texts ?? (command as? WatchCommand)?.options.texts)
    let configuration = try Configuration(named: texts["config"], in: context)
    return try WrittenSettings(
      from: SettingsReader(context: context, configuration: configuration, options: texts),
      for: .ask)
  }

  @Test(arguments: [
    (["--max-cost", "x=5", "--max-cost", "youtube=3"], nil, ["x": 5, "youtube": 3, "threads": 7]),
    (["--max-cost", "youtube=3"], nil, ["x": 100, "youtube": 3, "threads": 7]),
    (["--max-cost", "4"], 4, [:]), (["--max-cost", "4,x=9"], 4, ["x": 9]),
  ])
  func `A bound on the cost of one network leaves the others as they are`(
    arguments: [String], general: Int?, bySource: [String: Int]
  ) throws {
    let world = try TestWorld()
    try world.folder.write(
      #"{"max-cost": "x=100,threads=7"}"#, to: "home/.config/searchagg/config.json")
    let costs = try written(world, arguments).limits.costs
    #expect(costs.general == general)
    let expected = bySource.map { (SourceName(rawValue: $0.key), $0.value) }
    #expect(costs.bySource == Dictionary(expected) { first, _ in first })
  }

  private func json(_ name: String, in world: TestWorld) throws -> String {
    let example = try #require(Self.examples[name])
    return #"{"\#(name)": "\#(example)"}"#
  }

  // `--config` and `--replay` name a file with settings, and are read before them.
  @Test(arguments: Setting.all.map(\.name).filter { !["config", "replay"].contains($0) })
  func `A setting says the same in each of its places, and nothing in the others`(
    name: String
  ) throws {
    let setting = try #require(Setting.named(name))
    let example = try #require(Self.examples[name])
    let standard = try settings(TestWorld())

    var variable = try TestWorld()
    variable.environment[setting.variable] = example
    let option = setting.form == .flag ? ["--\(name)"] : ["--\(name)", example]
    let file = try TestWorld()
    try file.folder.write(try json(name, in: file), to: "home/.config/searchagg/config.json")

    let isOption = setting.places.contains(.option)
    let isVariable = setting.places.contains(.variable)
    let changed =
      try isOption ? settings(TestWorld(), option) : settings(isVariable ? variable : file)
    #expect(changed != standard)
    #expect(try settings(variable) == (isVariable ? changed : standard))
    if !isOption {
      #expect(throws: (any Error).self) { try settings(TestWorld(), option) }
    }
    if setting.places.contains(.file) {
      #expect(try settings(file) == changed)
    } else {
      #expect(throws: CommandFailure.self) { try settings(file) }
    }
  }

  @Test(arguments: inFiles)
  func `A file of the current folder sets what the table allows, and nothing else`(
    name: String
  ) async throws {
    let setting = try #require(Setting.named(name))
    #expect(setting.isAllowedInProject == Self.allowedInProject.contains(name))
    let world = try TestWorld()
    try world.folder.write(try json(name, in: world), to: "searchagg.json")
    let isSet = try settings(world) != settings(TestWorld())
    #expect(isSet == setting.isAllowedInProject)
    let run = await world.run("run", "a", "--dry-run", "--source", "lemmy")
    #expect(run.errors.contains("'\(name)' is ignored") != setting.isAllowedInProject)
  }

  @Test func `The options that the parser knows are those of the table`() async throws {
    let page = try await TestWorld().run("help", "run").output
    let watchPage = try await TestWorld().run("help", "watch").output
    let run = page.split { $0.isWhitespace }.joined(separator: " ")
    let watch = watchPage.split { $0.isWhitespace }.joined(separator: " ")
    for setting in Setting.all {
      let help = setting.group == .watch ? watch : run
      #expect(help.contains("--\(setting.name) ") == setting.places.contains(.option))
      if setting.places.contains(.option) {
        let words = setting.helpWithDefault.replacing("`", with: "")
        let isExplained = help.contains(words)
        #expect(isExplained, "\(setting.name): \(words)")
      }
    }
    let longNames = page.matches(of: /^ +(?:-\w[^-]*)?--([a-z-]+)/.anchorsMatchLineEndings())
      .map { String($0.1) }
    #expect(
      Set(longNames).subtracting(["help", "version"])
        == Set(
          Setting.all.filter { $0.places.contains(.option) && $0.group != .watch }.map(\.name)))
  }

  @Test func `The options that charge and stream work in the user's file as they are written`()
    throws
  {
    let world = try TestWorld()
    try world.folder.write(
      #"{"max-cost": "x=100", "max-pages": 3, "stream": true, "dry_run": false}"#,
      to: "home/.config/searchagg/config.json")
    let lines = try settings(world).joined(separator: "\n")
    #expect(lines.contains("100") && lines.contains("pages: Optional(3)"))
    #expect(lines.contains("streams: true"))
  }

  @Test func `A file as a whole beats streaming, unless both are options`() async throws {
    var world = try TestWorld()
    world.environment["SEARCHAGG_STREAM"] = "on"
    #expect(try RunSettings(written(world, []), for: .run).output.streams)
    #expect(try !RunSettings(written(world, ["-o", "x"]), for: .run).output.streams)
    let outcome = await world.run("run", "a", "--stream", "-o", "x")
    #expect(outcome.status == .usage)
  }
}
