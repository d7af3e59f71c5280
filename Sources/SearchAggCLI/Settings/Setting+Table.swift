internal import Application
internal import FoundationEssentials
internal import Printing
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TagStorage
internal import TextFormats

extension Setting {
  /// All settings, in the order of the help.
  static let all: [Setting] = search + posts + output + limits + network + history + watch

  /// The run's now, which is read before all other settings.
  static let now = Setting(
    "now", .value("date"), .search, "Take this date for the current time.", places: .variable
  ) { text, written in written.now = try text.date(now: text.context.now()) }

  private static let search: [Setting] = [
    now,
    Setting(
      "source", .list("names"), .search,
      "Search only these sources, separated by commas (see: `searchagg sources`).",
      isAllowedInProject: true, completion: .sources
    ) { text, written in written.sources = try text.sources() },
    .flag(
      "raw", .search, "Send queries unchanged, in each network's own syntax.",
      isAllowedInProject: true, into: \.isRaw),
    .flag(
      "dry-run", .search,
      "Show the requests of a run, with secrets as ***, without sending any.", isForWatch: false,
      into: \.isDryRun),
    Setting(
      "shard", .value("i/n"), .search,
      "Run part I of N of the plan; each server belongs to one part (see: `searchagg help "
        + "shards`).", isForWatch: false,
      rules: [
        .excludes(
          "dedupe",
          because: "--shard: copies are joined when all parts are: searchagg merge --dedupe link")
      ]
    ) { text, written in
      written.shard = try text.parse(expected: "a part such as 2/10") { Shard($0) }
    },
    Setting(
      "tags-file", .value("file"), .search,
      "Read the stored queries from this file, or from a PostgreSQL database (see: `searchagg help "
        + "state`).",
      defaultNote: "default: see `searchagg tags --help`", completion: .files
    ) { text, written in
      written.tagsFile = try HistorySettings.fileOrDatabase(text.text, from: text.origin)
    },
    Setting(
      "config", .value("file"), .search,
      "Read only this configuration file (see: `searchagg help config`).",
      places: [.option, .variable], completion: .files
    ) { _, _ in
      // `Configuration` has read it: all other settings may be in that file.
    },
  ]

  private static let posts: [Setting] = [
    Setting(
      "limit", short: "n", .value("n"), .posts, "Print only the newest N posts.",
      isAllowedInProject: true,
      rules: [
        .optionExcludes(
          "backfill", because: "--backfill reads everything: leave out --limit")
      ]
    ) { text, written in written.limit = try text.number(in: SearchTag.limits) },
    Setting(
      "per-search", .value("n"), .posts, "Take at most N posts from each search.",
      defaultNote: "default: 20; unlimited with -n or --since", isAllowedInProject: true,
      rules: [
        .optionExcludes(
          "backfill", because: "--backfill reads everything: leave out --per-search")
      ]
    ) { text, written in written.perSearch = try text.number(in: SearchTag.limits) },
    Setting(
      "since", .value("date"), .posts,
      "Print only posts from this date on (see: `searchagg help dates`).",
      isAllowedInProject: true
    ) { text, written in
      let since = try text.date(now: written.now)
      // Only wrong dates would be found.
      guard since <= written.now else {
        throw text.origin.refusal("'\(text.text)' is in the future; --since takes a past date")
      }
      written.limits.since = since
    },
    Setting(
      "until", .value("date"), .posts, "Print only posts before this date.",
      isAllowedInProject: true, isForWatch: false, rules: [.isAfterSince]
    ) { text, written in written.limits.until = try text.date(now: written.now) },
    .choice(
      "undated", "what", .posts, "Treatment of undated posts under --since or --until",
      default: UndatedRule.drop, isAllowedInProject: true, into: \.undated),
    Setting(
      "exclude", .list("what"), .posts,
      "Leave out posts with these words, by @author, or from source:NAME; repeatable, or separated "
        + "by commas, in addition to what the configuration excludes (see: `searchagg help queries`).",
      isAllowedInProject: true, isAdditive: true
    ) { text, written in written.limits.filter.exclusions = try text.exclusions() },
    Setting(
      "mute", .list("@handle"), .posts,
      "Leave out posts by these authors, in `searchagg history`, too (see: `searchagg mute --help`).",
      places: .file, isAdditive: true
    ) { text, written in written.muted = try text.authors() },
    .flag(
      "include-muted", .posts, "Also print posts by authors that `searchagg mute` hides.",
      into: \.includesMuted),
    .flag(
      "no-reposts", .posts, "Leave out reposts.", isAllowedInProject: true,
      into: \.limits.filter.leavesOutReposts),
    .flag(
      "no-replies", .posts, "Leave out replies and comments.", isAllowedInProject: true,
      into: \.limits.filter.leavesOutReplies),
    Setting(
      "lang", .list("languages"), .posts,
      "Print only posts in these languages, such as en,de; posts whose language is unknown are "
        + "left out.", isAllowedInProject: true
    ) { text, written in written.limits.filter.languages = try text.languages() },
    Setting(
      "min-likes", .value("n"), .posts,
      "Print only posts with at least N likes or points; an unknown count is 0.",
      isAllowedInProject: true
    ) { text, written in
      written.limits.filter.fewestLikes = try text.number(in: 0...1_000_000_000)
    },
    .flag(
      "include-private", .posts,
      "Also print, keep and pass on non-public posts, such as your direct messages "
        + "and followers-only posts.", into: \.limits.filter.includesPrivate),
    .choice(
      "sort", "order", .posts, "Order of the printed posts; -n still takes the newest N",
      default: PostOrder.newest, isAllowedInProject: true, isForWatch: false, into: \.order),
    .choice(
      "dedupe", "how", .posts,
      "Merge copies of a post; link also merges posts that share their only link and most of their "
        + "text", default: DedupeRule.none, isAllowedInProject: true, into: \.dedupe),
  ]

  private static let output: [Setting] = [
    Setting(
      "format", .value("name"), .output,
      "Output format (see: `searchagg help formats`): "
        + "\(OutputFormat.allCases.map(\.rawValue).inWords("or")).",
      default: OutputFormat.text.rawValue, isAllowedInProject: true,
      completion: .values(OutputFormat.allCases.map(\.rawValue))
    ) { text, written in
      written.format = try text.choice()
      // It writes to the file of a variable, which a project's file must not make a run do.
      guard written.format != .github || !text.origin.isProject else {
        throw text.origin.refusal("github writes a file; choose it with --format")
      }
    },
    .flag(
      "json", .output, "Short for --format json.", isAllowedInProject: true, isForWatch: false,
      rules: [.isOnlyFormat], into: \.isJSON),
    Setting(
      "fields", .list("fields"), .output,
      "Print only these fields in json, ndjson, csv and tsv, in this order, such as id,handle,url (see: "
        + "`searchagg help formats`).", isAllowedInProject: true, rules: [.needsFields("--fields")]
    ) { text, written in
      do throws(UnknownField) {
        written.contents.fields = try FieldSelection(parsing: text.text)
      } catch {
        throw text.origin.refusal(
          "unknown field '\(error.path)' (see: searchagg help formats)")
      }
    },
    .flag(
      "posts-only", .output,
      "Leave the outcomes of the searches out of json, ndjson, csv and tsv; standard error has them.",
      isAllowedInProject: true, isForWatch: false, rules: [.needsFields("--posts-only")],
      into: \.contents.isPostsOnly),
    .choice(
      "cells", "how", .output,
      "Put a ' before cells of csv and tsv that a spreadsheet would take for formulas, or leave them raw",
      default: CellMarking.marked, isAllowedInProject: true, rules: [.needsCells("--cells")],
      into: \.contents.cells),
    Setting(
      "template", .value("text"), .output,
      "Print each post by a template, such as '{{author.handle}}: {{text}}' (see: "
        + "`searchagg help formats`).", rules: [.isFormat]
    ) { text, written in
      // Not from a file of the current folder: its text may hold control codes.
      do throws(TemplateError) {
        written.template = try PostTemplate(text.text)
      } catch {
        throw text.origin.refusal("\(error.reason) (see: searchagg help formats)")
      }
    },
    Setting(
      "count-by", .value("what"), .output,
      "Count posts by \(CountPrinter.Key.allCases.map(\.rawValue).inWords("or")), or by two "
        + "of these, such as day,tag.",
      isAllowedInProject: true, isForWatch: false,
      completion: .values(CountPrinter.Key.allCases.map(\.rawValue)), rules: [.needsCountFormat]
    ) { text, written in
      let names = CountPrinter.Key.allCases.map(\.rawValue).joined(separator: ", ")
      written.countBy = try text.parse(expected: "one or two of \(names)") { text in
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        let keys = names.compactMap { CountPrinter.Key(rawValue: String($0.trimmed)) }
        guard keys.count == names.count, Set(keys).count == keys.count,
          keys.count <= CountPrinter.mostKeys
        else { return nil }
        return keys
      }
    },
    .flag(
      "all", .output, "Print every post on a terminal, not only the newest 50.", isForWatch: false,
      into: \.showsAll),
    .flag("full", .output, "Print long posts to their end on a terminal.", into: \.isFull),
    .flag(
      "no-pager", .output, "Print long output on a terminal at once, without a pager.",
      isForWatch: false,
      into: \.skipsPager),
    Setting(
      "output", short: "o", .value("file"), .output,
      "Write the posts to this file, in the format of its name if it ends in .csv, .tsv, .html, .json, "
        + ".ndjson, .jsonl, .md or .atom and nothing else sets one; - is standard output.",
      completion: .files, off: ["-"]
    ) { text, written in
      let path = try text.parse(expected: "a file") { $0.isEmpty ? nil : $0 }
      written.outputPath = path == "-" ? nil : path
    },
    .flag(
      "stream", .output, "Print each post as soon as its position is final.",
      isForWatch: false,
      rules: [
        .optionExcludes(
          "output", in: Set(SettingsUse.allCases),
          because:
            "--stream writes to standard output, and --output replaces a file as a whole")
      ], into: \.streams),
    Setting(
      "record", .value("folder"), .output,
      "Write every request and response to this folder, for --replay; secrets are left out.",
      places: .option, isForWatch: false, completion: .folders,
      rules: [
        .excludesDependence {
          "--record cannot record a run with \($0), which depends on earlier runs"
        }
      ]
    ) { text, written in
      written.recordingFolder = try text.parse(expected: "a folder") { $0.isEmpty ? nil : $0 }
    },
    Setting(
      "replay", .value("folder"), .output,
      "Repeat the run that --record wrote to this folder, without network and credentials.",
      places: .option, isForWatch: false, completion: .folders
    ) { _, _ in
      // `RunCommand` has read it: the other settings are in that folder.
    },
    .flag("quiet", short: "q", .output, "Print only errors on standard error.", into: \.isQuiet),
    .flag(
      "verbose", short: "v", .output, "Also print notes and a summary on standard error.",
      into: \.isVerbose),
    .choice("color", "when", .output, "Use color", default: .auto, into: \.color),
    .choice(
      "progress", "when", .output, "Show progress on standard error", default: .auto,
      into: \.progress),
    .flag(
      "stats", .output,
      "Print requests, bytes, waits, retries and times of each search and network on standard error.",
      into: \.showsStatistics),
    Setting(
      "stats-file", .value("file"), .output,
      "Write the statistics of --stats to this file, as JSON.",
      completion: .files, rules: [.isOtherFile]
    ) { text, written in
      written.statisticsPath = try text.parse(expected: "a file") {
        $0.isEmpty || $0 == "-" ? nil : $0
      }
    },
    .choice(
      "fail-on", "which", .output,
      "Report failure when any search, all or none of them failed (see: `searchagg help exit-codes`)",
      default: .any, isAllowedInProject: true, into: \.failOn),
    .flag(
      "fail-on-empty", .output, "Exit with status 1 when no post was found.",
      isAllowedInProject: true, into: \.failsOnEmpty),
  ]

  private static let limits: [Setting] = [
    Setting(
      "max-pages", .value("n"), .limits, "Fetch at most N pages of each search.",
      defaultNote:
        "default: 1000; 10 where a network charges for pages or cannot sort by date"
    ) { text, written in written.limits.pages = try text.number(in: 1...1_000_000) },
    Setting(
      "max-cost", .list("n"), .limits,
      "Spend at most N on each network that charges, in its own unit, or by name: x=500,youtube=80; "
        + "repeatable, in addition to the bounds of the configuration.", isAdditive: true
    ) { text, written in written.limits.costs = try text.costs() },
    Setting(
      "max-time", .value("time"), .limits, "Limit the duration of the whole run.",
      defaultNote: "default: unlimited"
    ) { text, written in written.limits.longest = try text.duration() },
    Setting(
      "max-wait", .value("time"), .limits, "Longest pause that a server may ask for.",
      defaultNote: "default: 60s; no wait if the length is unknown"
    ) { text, written in written.limits.maxWait = try text.duration(isZeroAllowed: true) },
    Setting(
      "timeout", .value("time"), .limits, "Limit the duration of each request.", default: "20s"
    ) { text, written in written.limits.timeout = try text.duration() },
    Setting(
      "retries", .value("n"), .limits,
      "Retries after a temporary failure, such as a connection that fails or a status of 503.",
      default: "2"
    ) { text, written in written.limits.retries = try text.number(in: 0...100) },
  ]

  private static let network: [Setting] = [
    Setting("jobs", .value("n"), .network, "Requests to run at once.", default: "16") {
      text, written in written.jobs = try text.number(in: 1...RunSettings.widestConcurrency)
    },
    Setting(
      "per-host", .value("n"), .network, "Requests to run at once on one server of a source.",
      default: "4"
    ) { text, written in
      written.limits.perLane = try text.number(in: 1...RunSettings.widestConcurrency)
    },
    Setting(
      "proxy", .value("url"), .network,
      "Use this proxy, such as socks5h://127.0.0.1:1080; \"\" for none."
    ) { text, written in
      written.proxy = try AddressSetting.proxy(text.text, from: text.origin)
    },
    Setting(
      "user-agent", .value("text"), .network,
      "Send this user agent; some networks ask for one that names you."
    ) { text, written in
      let agent = text.text
      guard !agent.isEmpty, agent.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
        throw text.origin.refusal(
          of: agent, expected: "printable ASCII, such as 'linux:my-digest:1.0 (by /u/name)'")
      }
      written.userAgent = agent
    },
    Setting(
      "cache", .value("folder"), .network,
      "Keep responses in this folder; on: the default folder, off: nowhere.", default: "off",
      completion: .folders, off: ["false"]
    ) { text, written in written.cacheFolder = try text.cacheFolder() },
    .flag(
      "refresh", .network,
      "On a terminal, show what --cache has at once, and the posts again when the networks have answered, "
        + "with the new ones marked.", places: [.option, .variable], isForWatch: false,
      rules: [
        .needs("cache", because: "--refresh shows what the cache has first: add --cache on"),
        .excludesDependence { "--refresh cannot be combined with \($0)" },
      ], into: \.refreshes),
    .flag(
      "offline", .network, "Ask no network: answer from the cache and the history.",
      places: [.option, .variable], isForWatch: false,
      rules: [
        .excludesDependence(and: "record", "refresh") {
          "\($0) asks the networks, which --offline does not"
        }
      ], into: \.isOffline),
  ]

  private static let history: [Setting] = [
    .flag(
      "new", .history, "Print only posts that no earlier run with --new printed.",
      rules: [newNeedsState], into: \.isNew),
    .flag(
      "new-all", .history,
      "The same, and the first run of a search prints everything, not just a sample.",
      rules: [newNeedsState], into: \.isNewAll),
    .flag(
      "from-now", .history,
      "With --new, the first run of a search prints nothing: only later posts are new.",
      rules: [
        .excludes(
          "new-all",
          because:
            "--from-now and --new-all contradict each other: choose one"),
        .excludes(
          "notify-first",
          because: "--notify-first passes on what a first run prints, and --from-now prints nothing"
        ),
        .needs(
          "new", "new-all", isForOption: true,
          because:
            "--from-now prints posts that are new later: add --new, or use searchagg watch"),
      ], into: \.isFromNow),
    .flag(
      "retry-failed", .history,
      "Repeat only the searches that the last run with these tags, sources, filters and dates did not "
        + "complete, and print their posts together with those that it had.", places: .option,
      isForWatch: false,
      rules: SettingRule.needsHistory("--retry-failed") + [
        .excludes(
          "backfill",
          because: "--retry-failed cannot be used with --backfill, which resumes by itself")
      ], into: \.retriesFailed),
    .flag(
      "backfill", .history,
      "Read everything since --since, in windows of dates where a network limits the posts of a search; "
        + "an interrupted run is resumed by repeating it.", places: .option, isForWatch: false,
      rules: SettingRule.needsHistory("--backfill") + [
        .needs(
          "since",
          because: "--backfill needs --since: the date from which it reads everything")
      ], into: \.isBackfill),
    Setting(
      "expect-within", .value("time"), .history,
      "Raise an alert for each tag without a post for this long since its first run, such as 12h, 2d or 1w.",
      isForWatch: false,
      rules: [
        .optionExcludes(
          "no-state",
          because:
            "--expect-within needs the history of earlier runs, which --no-state does not keep")
      ]
    ) { text, written in
      written.expectWithin = try text.parse(expected: "an age such as 12h, 2d or 1w") {
        ExpectedInterval($0)?.seconds
      }
    },
    Setting(
      "alert-over", .value("factor"), .history,
      "Raise an alert for each tag with more posts in the last hour than this many times the usual "
        + "number; needs 7 days of history and 10 posts.", isForWatch: false,
      rules: [
        .optionExcludes(
          "no-state",
          because: "--alert-over needs the history of earlier runs, which --no-state does not keep"),
        .optionExcludes(
          "no-history",
          because:
            "--alert-over needs the history of earlier runs, which --no-history does not keep"
        ),
      ]
    ) { text, written in
      written.alertOver = try text.parse(expected: "a number above 1, such as 3") {
        Double($0).flatMap { $0 > 1 && $0 <= 1_000_000 ? $0 : nil }
      }
    },
    .flag(
      "append", .history, "Append to the file of --output instead of replacing it.",
      places: [.option, .variable], isForWatch: false, rules: [.needsFile, .needsGrowingFormat],
      into: \.appends),
    Setting(
      "state", .value("file"), .history,
      "Keep the history, and what was printed, in this file, or in a PostgreSQL database that machines share (see: "
        + "`searchagg help state`).",
      defaultNote: "default: history.db in $XDG_STATE_HOME/searchagg", completion: .files
    ) { text, written in
      written.statePath = try HistorySettings.place(text)
    },
    .flag(
      "no-state", .history,
      "Neither read nor write any state; stored logins are still used.",
      isForWatch: false,
      rules: [
        .excludesWatch(
          because: "a watch needs to know what it printed, and --no-state keeps nothing")
      ], into: \.keepsNothing),
    .flag(
      "no-history", .history, "Keep no posts; --new still knows which were printed.",
      into: \.keepsNoPosts),
    Setting(
      "history.keep", .value("time"), .history, "Delete posts that were kept for longer.",
      default: "90d", places: [.variable, .file]
    ) { text, written in
      let keep = try text.parse(expected: "an age such as 90d or 8w, or forever") { text in
        text == "forever"
          ? .some(nil)
          : DurationArgument.parse(text, units: ["h", "d", "w"]).map(Optional.some)
      }
      written.keep = keep.map { Double($0.components.seconds) }
    },
    Setting(
      "exec", .value("command"), .history,
      "With --new, run this command for new posts, which it reads as ndjson (see: `searchagg help "
        + "notifications`).", rules: [passesOnNew("--exec")]
    ) { text, written in
      written.command = try text.parse(expected: "a command for /bin/sh") {
        $0.isEmpty || $0.utf8.contains(0) ? nil : $0
      }
    },
    Setting(
      "notify", .list("name"), .history,
      "With --new, send new posts to this channel; repeatable (see: `searchagg help notifications`).",
      rules: [passesOnNew("--notify")]
    ) { text, written in
      written.channels = try text.parse(expected: "names of channels") { text in
        let names = text.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
        return names.isEmpty ? nil : names
      }
    },
    .flag(
      "notify-first", .history,
      "Also deliver posts from the first run of a search, which are not delivered by default.",
      rules: [passesOnNew("--notify-first")], into: \.notifiesFirst),
  ]

  private static let newNeedsState = SettingRule.excludes(
    "no-state",
    because: "--new needs to know what earlier runs printed, and --no-state keeps nothing")

  private static func passesOnNew(_ option: String) -> SettingRule {
    .needs(
      "new", "new-all", isForOption: true,
      because: "\(option) passes on new posts: add --new, or use searchagg watch")
  }

  private static let watch: [Setting] = [
    Setting(
      "every", .value("time"), .watch,
      "Run each search at this interval; after a day, quiet searches less often.",
      default: "5m"
    ) { text, written in
      written.every = try text.parse(expected: "a length of time such as 5m, 1h or 1d") { text in
        DurationArgument.parse(text, units: ["ms", "s", "m", "h", "d"])
          .flatMap { $0 >= .milliseconds(100) ? $0 : nil }
      }
    },
    .flag(
      "exactly", .watch, "Never lengthen the interval of quiet searches.",
      into: \.isEveryExact),
    Setting(
      "for", .value("time"), .watch, "End after this time.", defaultNote: "default: never"
    ) { text, written in
      written.watchDuration = try text.parse(expected: "a length of time such as 1h or 7d") {
        text in
        DurationArgument.parse(text, units: ["ms", "s", "m", "h", "d", "w"])
          .flatMap { $0 > .zero ? $0 : nil }
      }
    },
    Setting(
      "lease", .value("time"), .watch,
      "With a state that machines share, how long before another machine takes over from a stalled one.",
      default: "1m"
    ) { text, written in
      written.lease = try text.parse(expected: "a length of time from 1s to 1h") { text in
        DurationArgument.parse(text, units: ["s", "m", "h"])
          .flatMap { (.seconds(1) ... .seconds(3600)).contains($0) ? $0 : nil }
      }
    },
  ]
}
