internal import Application
internal import FoundationEssentials
internal import Printing
internal import SearchEngine
internal import SearchModel

extension RunSettings {
  /// The settings as options, variables and files have them.
  init(from reader: SettingsReader) throws {
    self.init(now: reader.context.now())
    for setting in Setting.all {
      if let text = reader.text(of: setting) { try setting.apply(text, &self) }
    }
    if !includesMuted { limits.filter.exclusions.add(muted) }
    chooseFormat(reader)
    if outputPath != nil {
      guard !streamsByFlag else {
        throw CommandFailure(
          .usage, "--stream writes to standard output, and --output replaces a file as a whole")
      }
      streams = false
    }
    // Copies can turn up until the last answer, and some formats begin with totals.
    if dedupe == .link || !format.canStream || countBy != nil || order != .newest {
      streams = false
    }
    if history.isOff, history.isNew || history.isNewAll {
      throw CommandFailure(
        .usage, "--new needs to know what earlier runs printed, and --no-state keeps nothing")
    }
    if history.isFromNow {
      guard !history.isNewAll else {
        throw CommandFailure(
          .usage, "--from-now prints nothing of a first run, and --new-all everything: choose one")
      }
      guard !telling.includesFirst else {
        throw CommandFailure(
          .usage, "--notify-first passes on what a first run prints, and --from-now prints nothing")
      }
    }
    if appends, outputPath != nil,
      let fault = appendingFault("--append cannot continue a file in the format")
    {
      throw CommandFailure(.usage, fault)
    }
    if shard != nil, dedupe == .link {
      throw CommandFailure(
        .usage, "--shard: copies are joined when all parts are: searchagg merge --dedupe link")
    }
    limits.newest = limit
    limits.joinsByLink = dedupe == .link
    limits.keepsUndated = undated == .keep
    if let since = limits.since, let until = limits.until, since >= until {
      let isOption = reader.options["since"] != nil || reader.options["until"] != nil
      throw CommandFailure(
        isOption ? .usage : .badConfiguration,
        "--since must be earlier than --until: no post can be between them")
    }
  }

  /// Takes the format that the name of the output file ends in, where nothing else sets one.
  private mutating func chooseFormat(_ reader: SettingsReader) {
    let isSet = ["format", "json", "template"].contains { name in
      Setting.named(name).flatMap(reader.text).map { $0.origin != .standard } ?? false
    }
    // What a dry run shows is not the output.
    guard !isSet, !isDryRun, let outputPath,
      let format = OutputFormat(nameOfFile: outputPath)
    else { return }
    self.format = format
  }

  /// A line for each setting whose text is wrong, and for those that contradict each other.
  static func faults(in reader: SettingsReader) -> [String] {
    func message(_ check: () throws -> Void) -> String? {
      do {
        try check()
        return nil
      } catch {
        return (error as? CommandFailure)?.message ?? "\(error)"
      }
    }
    let faults = Setting.all.compactMap { setting in
      message {
        var settings = RunSettings(now: reader.context.now())
        if let text = reader.text(of: setting) { try setting.apply(text, &settings) }
      }
    }
    return faults.isEmpty
      ? [message { _ = try RunSettings(from: reader) }].compactMap(\.self) : faults
  }

  /// Refuses options that the format has no use for.
  ///
  /// - Parameter options: The options that were given; what is set elsewhere may be for other formats.
  func checkFormat(_ options: [String: String]) throws(CommandFailure) {
    for name in ["fields", "posts-only"]
    where options[name] != nil && (!format.hasFields || template != nil || countBy != nil) {
      let names = OutputFormat.allCases.filter(\.hasFields).map(\.rawValue).inWords("or")
      throw CommandFailure(.usage, "--\(name) needs --format \(names)")
    }
    if options["append"] != nil, outputPath == nil {
      throw CommandFailure(.usage, "--append needs a file: name it with --output")
    }
    if options["template"] != nil, format != .text || countBy != nil {
      throw CommandFailure(.usage, "--template is a format of its own: leave out the other one")
    }
    if countBy != nil, !CountPrinter.formats.contains(format) {
      let names = CountPrinter.formats.map(\.rawValue).inWords("or")
      throw CommandFailure(.usage, "--count-by prints \(names), not \(format.rawValue)")
    }
  }

  /// Checks the options that depend on earlier runs, and makes a backfill read and print everything.
  mutating func prepareHistory(_ options: [String: String]) throws(CommandFailure) {
    try history.check()
    for name in ["expect-within", "alert-over"] where options[name] != nil {
      guard !history.isOff, history.keepsPosts || name == "expect-within" else {
        throw CommandFailure(
          .usage,
          "--\(name) compares with earlier runs, and \(history.isOff ? "--no-state" : "--no-history") "
            + "keeps nothing of them")
      }
    }
    guard !refreshes || cacheFolder != nil else {
      throw CommandFailure(.usage, "--refresh shows what the cache has first: add --cache on")
    }
    if refreshes, let option = history.dependence {
      throw CommandFailure(.usage, "--refresh shows stored posts first, and cannot with \(option)")
    }
    guard history.isBackfill else { return }
    guard limits.since != nil else {
      throw CommandFailure(
        .usage, "--backfill needs --since: the date from which it reads everything")
    }
    for name in ["limit", "per-search"] where options[name] != nil {
      throw CommandFailure(.usage, "--backfill reads everything: leave out --\(name)")
    }
    (limit, limits.newest, streams, showsAll) = (nil, nil, false, true)
  }

  /// Refuses options that need `--new`; what is set elsewhere is for the runs that have it.
  ///
  /// - Parameter options: The options that were given.
  func checkTelling(_ options: [String: String]) throws(CommandFailure) {
    for name in ["exec", "notify", "notify-first"]
    where options[name] != nil && !history.printsNewOnly {
      throw CommandFailure(
        .usage, "--\(name) passes on new posts: add --new, or use searchagg watch")
    }
    guard options["from-now"] == nil || history.printsNewOnly else {
      throw CommandFailure(
        .usage, "--from-now prints posts that are new later: add --new, or use searchagg watch")
    }
  }

  /// Refuses options that contradict the choice of who answers.
  func checkAnswers() throws(CommandFailure) {
    if let option = history.dependence, recordingFolder != nil {
      throw CommandFailure(
        .usage, "--record cannot record a run with \(option), which depends on earlier runs")
    }
    if isOffline, let option = onlineOption {
      throw CommandFailure(.usage, "\(option) asks the networks, which --offline does not")
    }
  }

  /// An option that has no use where no server is asked; nil for none.
  private var onlineOption: String? {
    if let option = history.dependence { return option }
    if recordingFolder != nil { return "--record" }
    return refreshes ? "--refresh" : nil
  }
}
