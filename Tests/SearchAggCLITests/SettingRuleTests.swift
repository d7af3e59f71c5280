import TestSupport
import Testing

@testable import Application
@testable import SearchAggCLI

/// What settings need and exclude, wherever they are written.
@Suite struct SettingRuleTests {
  /// Checks options, variables and a use; returns the line that refuses them.
  private func refusal(
    _ options: [String: String], _ variables: [String: String] = [:], for use: SettingsUse = .run
  ) throws -> String? {
    var world = try TestWorld()
    world.environment.merge(variables) { $1 }
    let context = world.context(output: BufferStream(), errors: BufferStream())
    let reader = SettingsReader(
      context: context, configuration: try Configuration(named: nil, in: context),
      options: options)
    do {
      _ = try WrittenSettings(from: reader, for: use)
      return nil
    } catch let failure as CommandFailure {
      #expect(failure.exitStatus == .usage)
      return failure.message
    }
  }

  private static func on(_ names: String...) -> [String: String] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, "true") })
  }

  @Test(arguments: [
    (on("new", "no-state"), "--new needs to know what earlier runs printed"),
    (on("new-all", "no-state"), "--new needs to know what earlier runs printed"),
    (on("new-all", "from-now"), "--from-now and --new-all contradict each other"),
    (on("new", "from-now", "notify-first"), "--notify-first passes on what a first run prints"),
    (on("from-now"), "--from-now prints posts that are new later: add --new"),
    (["exec": "cat"], "--exec passes on new posts: add --new"),
    (["notify": "team"], "--notify passes on new posts: add --new"),
    (on("notify-first"), "--notify-first passes on new posts: add --new"),
    (on("retry-failed", "new"), "--retry-failed cannot be used with --new, which resumes"),
    (on("retry-failed", "no-history"), "--retry-failed needs the history, and --no-history"),
    (on("retry-failed", "backfill"), "--retry-failed cannot be used with --backfill"),
    (on("backfill", "new-all"), "--backfill cannot be used with --new, which resumes"),
    (on("backfill", "no-state"), "--backfill needs the history, and --no-history"),
    (on("backfill"), "--backfill needs --since: the date"),
    (["backfill": "true", "since": "3d", "limit": "3"], "everything: leave out --limit"),
    (["backfill": "true", "since": "3d", "per-search": "3"], "leave out --per-search"),
    (
      ["expect-within": "2d", "no-state": "true"],
      "--expect-within needs the history of earlier runs"
    ),
    (["alert-over": "3", "no-state": "true"], "which --no-state does not keep"),
    (["alert-over": "3", "no-history": "true"], "which --no-history does not keep"),
    (on("refresh"), "--refresh shows what the cache has first: add --cache on"),
    (["refresh": "true", "cache": "/c", "new": "true"], "--refresh cannot be combined with --new"),
    (["record": "r", "new": "true"], "--record cannot record a run with --new"),
    (["record": "r", "backfill": "true", "since": "3d"], "a run with --backfill, which depends"),
    (on("offline", "new"), "--new asks the networks, which --offline does not"),
    (["offline": "true", "record": "r"], "--record asks the networks"),
    (["offline": "true", "refresh": "true", "cache": "/c"], "--refresh asks the networks"),
    (["shard": "1/2", "dedupe": "link"], "--shard: copies are joined when all parts are"),
    (["stats-file": "x.json", "output": "x.json"], "--stats-file and --output name the same file"),
    (
      ["append": "true", "output": "x.csv", "count-by": "day"],
      "--append cannot continue a csv file with --count-by"
    ),
    (["stream": "true", "output": "x"], "--stream writes to standard output"),
    (["append": "true", "output": "x.html"], "in the format html, chosen by the name x.html"),
    (on("append"), "--append needs a file"),
    (["template": "{{id}}", "format": "csv"], "--template cannot be combined"),
    (["template": "{{id}}", "count-by": "day"], "--template cannot be combined"),
    (["count-by": "day", "format": "atom"], "--count-by prints text, plain"),
    (["fields": "id", "template": "{{id}}", "format": "json"], "--fields needs --format json"),
    (["since": "2d", "until": "3d"], "--since must be earlier than --until"),
  ])
  func `Options that contradict each other are refused`(options: [String: String], words: String)
    throws
  {
    let line = try #require(try refusal(options))
    #expect(line.contains(words), "\(line)")
  }

  @Test(arguments: [
    ["new": "true"], ["new": "true", "exec": "cat"], ["new-all": "true", "notify-first": "true"],
    ["new": "true", "no-history": "true"], ["backfill": "true", "since": "3d"],
    ["refresh": "true", "cache": "/c"], ["offline": "true"], ["record": "r"],
    ["stream": "true", "output": "-"], ["append": "true", "output": "x.csv"],
    ["shard": "1/2", "dedupe": "none"], ["count-by": "day", "format": "csv"],
    ["alert-over": "3"], ["expect-within": "2d", "no-history": "true"],
  ])
  func `Options that fit together are accepted`(options: [String: String]) throws {
    #expect(try refusal(options) == nil)
  }

  @Test(arguments: [
    ["SEARCHAGG_EXEC": "cat"], ["SEARCHAGG_FROM_NOW": "on"], ["SEARCHAGG_APPEND": "on"],
    ["SEARCHAGG_FIELDS": "id"], ["SEARCHAGG_TEMPLATE": "{{id}}", "SEARCHAGG_FORMAT": "csv"],
    ["SEARCHAGG_ALERT_OVER": "3", "SEARCHAGG_NO_HISTORY": "on"],
  ])
  func `What a variable sets waits for the runs that can use it`(variables: [String: String])
    throws
  {
    #expect(try refusal([:], variables) == nil)
  }

  @Test func `A rule counts for the commands that it is for`() throws {
    let offline = ["SEARCHAGG_OFFLINE": "on", "SEARCHAGG_NEW": "on"]
    #expect(try refusal([:], offline) != nil)
    for use in [SettingsUse.watch, .print, .ask] {
      #expect(try refusal([:], offline, for: use) == nil)
    }
    let none = ["SEARCHAGG_NO_STATE": "on"]
    #expect(try refusal([:], none) == nil)
    let line = try refusal([:], none, for: .watch)
    #expect(line == "a watch needs to know what it printed, and --no-state keeps nothing")
  }
}
