package import Printing
internal import SafeFiles
package import SearchModel

/// Writes the result of a run: the posts to their destination, then the report to standard error.
package struct RunPrinter {
  let settings: RunSettings
  let surroundings: Surroundings
  /// True if the process is about to end: it waits neither for a disk nor for a reader.
  private let isHurried: Bool
  /// True if the output stays on the screen, where times relative to now would soon be wrong.
  private let isFollowing: Bool
  /// The posts that a terminal has shown already, by `Post.identityHash`; nil to mark none as new.
  private let shown: Set<Int>?
  private let usesPager: Bool
  /// Returns whether another thread is writing the history, which takes longer than printing.
  private let isBesideHistory: @Sendable () -> Bool

  package init(
    settings: RunSettings, surroundings: Surroundings, isHurried: Bool = false,
    isFollowing: Bool = false, isBesideHistory: @escaping @Sendable () -> Bool = { false },
    shown: Set<Int>? = nil, usesPager: Bool = true
  ) {
    self.settings = settings
    self.surroundings = surroundings
    self.isHurried = isHurried
    self.isFollowing = isFollowing
    self.isBesideHistory = isBesideHistory
    self.shown = shown
    self.usesPager = usesPager && !settings.output.skipsPager
  }

  /// Writes the first posts of a result before it is complete, except for those written earlier.
  func write(_ posts: ArraySlice<Post>, skipping written: Int) throws {
    let printer = printer()
    let previous = written > 0 ? posts[posts.startIndex + written - 1] : nil
    let beginning =
      previous == nil ? printer.beginning(of: RunResult(now: settings.now)) : []
    try sink().write { write in
      try write(beginning + printer.bytes(of: posts.dropFirst(written), after: previous))
    }
  }

  /// Writes the result of a run whose posts are there at once, newest first.
  ///
  /// - Parameters:
  ///   - written: The number of posts that were written before.
  ///   - hasOnlyNews: Whether the posts that earlier runs wrote are left out.
  ///   - isKnown: Returns whether an earlier run has asked a search, so that it often has no new post: its
  ///     notes were reported then.
  func write(
    _ found: RunResult, written: Int = 0, hasOnlyNews: Bool = false,
    isKnown: (SearchOutcome) -> Bool = { _ in false }
  ) throws {
    let posts = found.posts
    // A post that the screen has no room for would count as printed, and never be shown.
    let isShortened = !hasOnlyNews && settings.output.isShortened(in: surroundings)
    let selection = isShortened ? ScreenSelection(Array(posts)) : nil
    var result = found
    result.posts = settings.output.order.sorted(selection?.posts ?? posts)
    // `merge` needs every part, even an empty one.
    let isAnswered =
      !posts.isEmpty || found.outcomes.contains(where: \.ending.isAnswered) || found.part != nil
    let sink = try sink()
    if let shown, posts.allSatisfy({ shown.contains($0.identityHash) }) {
      // The same posts would follow the cached ones.
      surroundings.report("no new posts")
    } else if let path = settings.output.path, !isAnswered, sink.isFile {
      // The output of an earlier run is worth more than nothing.
      let fate = sink.isExistingFile ? "changed" : "written"
      surroundings.report("\(path) was not \(fate): no search was answered")
    } else if hasOnlyNews, posts.isEmpty, sink.isExistingFile {
      // The file holds the last posts that were new.
    } else if settings.output.appends, sink.isFile {
      try append(result, to: sink)
    } else {
      try write(result, by: printer(closing: selection?.closing ?? []), to: sink, skipping: written)
    }
    try writeSummary(of: result)
    report(found, isKnown, printed: PrintedSearches(of: posts)) {
      SummaryLines.closing(posts, outcomes: $0)
    }
  }

  /// True if the posts may come in batches: from the newest to the oldest, to no screen, and in a format that
  /// can stream.
  var canWriteBatches: Bool {
    let output = settings.output
    return output.format.canStream && output.order == .newest && output.countBy == nil
      && !output.appends && shown == nil && !output.isForReader(in: surroundings)
  }

  /// Writes the result of a run whose posts come in batches, and returns their number.
  ///
  /// - Parameters:
  ///   - result: The result, without posts.
  ///   - next: Returns the next posts; none after the last ones.
  func write(_ result: RunResult, batches next: () throws -> [Post]) throws -> Int {
    var batch = try next()
    guard !batch.isEmpty else {
      try write(result)
      return 0
    }
    var count = 0
    var networks: Set<SourceName> = []
    var searches = PrintedSearches()
    try sink().write(isSynced: !isHurried) { write in
      try printer().write(result) {
        let posts = batch
        count += posts.count
        networks.formUnion(posts.lazy.map(\.source))
        searches.add(posts)
        batch = posts.isEmpty ? [] : try next()
        return posts
      } to: {
        try write($0)
      }
    }
    report(result, { _ in false }, printed: searches) {
      SummaryLines.closing(count, from: networks, outcomes: $0)
    }
    return count
  }

  /// Writes posts that earlier runs kept.
  ///
  /// - Parameter total: The number of posts that these are the newest of; nil for all.
  package func write(stored posts: [Post], of total: Int? = nil) throws {
    var result = RunResult(posts: settings.output.order.sorted(posts[...]), now: settings.now)
    result.total = total
    let more = total.map { "the newest \(posts.count) of \($0) posts; -n \($0) shows all" }
    let isTold = settings.output.format == .text && more != nil
    try write(result, by: printer(closing: isTold ? ["… \(more ?? "")"] : []))
    try writeSummary(of: result)
    if let more, !isTold { surroundings.report(more) }
  }

  /// Returns whether there is an earlier output, which is worth more than nothing, and says that it stays.
  package func keepsEarlierOutput() throws -> Bool {
    guard let path = settings.output.path, try sink().isExistingFile else { return false }
    surroundings.report("\(path) was not changed: no history was read")
    return true
  }

  /// Writes a result to its destination.
  package func write(_ result: RunResult, by printer: any PostPrinter) throws {
    try write(result, by: printer, to: sink())
  }

  private func write(
    _ result: RunResult, by printer: any PostPrinter, to sink: OutputSink, skipping written: Int = 0
  ) throws {
    try sink.write(isSynced: !isHurried) { write in
      // Two threads write the history, which takes longer than printing.
      let hasFewCores = surroundings.host.coreCount < 4
      try printer.write(
        result, skipping: written, isPatient: { hasFewCores && isBesideHistory() }
      ) { piece in try write(piece) }
    }
  }

  /// Appends a result, with the names of the columns only where they are not there yet.
  private func append(_ result: RunResult, to sink: OutputSink) throws {
    let printer = printer()
    let heading = printer.beginning(of: result)
    var bytes: [UInt8] = []
    printer.write(result) { piece throws(Never) in bytes += piece }
    try sink.append(
      Array(bytes.dropFirst(heading.count)), after: heading, isSynced: !isHurried)
  }

  /// Refuses an output file that cannot be written or continued, before any request is sent.
  package func checkOutput() throws {
    try checkBeginning(of: sink())
    if let path = settings.reports.statisticsPath {
      try naming(path) { _ = try FileReplacement(of: surroundings.absolutePath(path)) }
    }
  }

  /// Refuses to continue a file that does not begin as the output would.
  func checkBeginning(of sink: OutputSink) throws {
    guard settings.output.appends, let path = settings.output.path, sink.isExistingFile else {
      return
    }
    try checkProse(of: path)
    let heading = printer().beginning(of: RunResult(now: settings.now))
    // An object has no heading, but a beginning.
    let expected =
      heading.isEmpty && settings.output.format == .ndjson ? [UInt8(ascii: "{")] : heading
    let beginning: [UInt8]
    do throws(FileReadError) {
      beginning = try BoundedRead.beginning(
        of: surroundings.absolutePath(path), count: expected.count)
    } catch {
      throw CommandFailure(of: error, about: path)
    }
    guard !beginning.isEmpty, beginning != expected else { return }
    throw Self.otherFormat(of: path)
  }

  private static func otherFormat(of path: String) -> CommandFailure {
    CommandFailure(
      .usage,
      "\(path) was written in another format or with other fields; use the same --format and --fields, or "
        + "another file")
  }

  /// Refuses to continue records for programs with text for people.
  private func checkProse(of path: String) throws {
    guard [.text, .plain].contains(settings.output.format), settings.output.template == nil else {
      return
    }
    let records = ["{\"", "record,", "record\t"]
    do throws(FileReadError) {
      let beginning = try BoundedRead.beginning(of: surroundings.absolutePath(path), count: 7)
      guard records.contains(where: { beginning.starts(with: $0.utf8) }) else { return }
    } catch {
      throw CommandFailure(of: error, about: path)
    }
    throw Self.otherFormat(of: path)
  }

  /// The destination that the settings name.
  func sink() throws -> OutputSink {
    let isPaged = !isHurried && usesPager && settings.output.isForReader(in: surroundings)
    return try OutputSink(to: settings.output.path, isPaged: isPaged, in: surroundings)
  }

  func printer(closing: [String] = []) -> any PostPrinter {
    if let keys = settings.output.countBy {
      return CountPrinter(keys, as: settings.output.format, style: style)
    }
    if let template = settings.output.template { return TemplatePrinter(template) }
    if settings.output.format == .text { return TextPrinter(style: style, closing: closing) }
    return settings.output.format.printer(style: style, contents: settings.output.contents)
  }

  /// Appends the digest to the job summary of GitHub Actions, in the format that has one.
  private func writeSummary(of result: RunResult) throws {
    guard settings.output.format == .github, settings.output.countBy == nil else { return }
    guard let path = surroundings.summaryPath else {
      surroundings.report("GITHUB_STEP_SUMMARY is not set: the digest was not written")
      return
    }
    let file = try FileExtension(of: path)
    let room = max(GitHubPrinter.longestSummary - file.length, 0)
    try file.append(GitHubPrinter.summary(of: result, limit: room), isSynced: false)
  }

  /// The layout of text on standard output, or in a file.
  private var style: TextStyle {
    let screen = settings.output.path == nil ? surroundings.outputScreen : nil
    let isColored = settings.output.color.isOn(for: screen, in: surroundings)
    return TextStyle(
      columns: screen?.columns, usesColor: isColored,
      usesLinks: isColored && screen?.isCapable == true
        && (surroundings.isPagerCapable || !usesPager),
      relativeTimes: screen != nil && !isFollowing,
      isFull: settings.output.isFull, shown: shown, now: settings.now,
      zoneOffset: LocalTime.offset(at:))
  }

  /// Names every search that was not completed, and reports the alerts; on a terminal a closing line says it all.
  private func report(
    _ result: RunResult, _ isKnown: (SearchOutcome) -> Bool,
    printed searches: PrintedSearches, closing: ([SearchOutcome]) -> String
  ) {
    defer {
      for alert in result.alerts { surroundings.report(alert.line(surroundings.reportClock)) }
    }
    let isVerbose = settings.reports.isVerbose
    let outcomes =
      isVerbose
      ? result.outcomes
      : SummaryLines.worthNaming(result.outcomes, named: settings.search.namedSources)
    // Even with --quiet, failures are named, and the reason why no search was answered.
    let isReduced = settings.reports.isQuiet && outcomes.contains(where: \.ending.isAnswered)
    let unasked = Set(isReduced ? outcomes.unaskedTags.map(\.tag) : [])
    let told =
      isReduced
      ? outcomes.filter { $0.ending.isFailure || unasked.contains($0.tag) } : outcomes
    let isEmpty = searches.isEmpty
    var searches = searches
    let lines = SummaryLines.lines(
      for: told, isVerbose: isVerbose, clock: surroundings.reportClock,
      isEmpty: { outcome in
        guard !settings.reports.isQuiet, !isKnown(outcome) else { return false }
        return !searches.contains(outcome)
      })
    for line in lines { surroundings.report(line) }
    guard !settings.reports.isQuiet else { return }
    let isTold = surroundings.errorScreen != nil || settings.reports.isVerbose
    // Otherwise nothing would explain why no post is shown.
    // A run that prints only new posts would say so each time.
    let isNew = !outcomes.allSatisfy(isKnown)
    if isTold
      || isEmpty && (result.excluded.hasUnknown || isNew && result.excluded.hasPrivate),
      let line = SummaryLines.leftOut(result.excluded)
    {
      surroundings.report(line)
    }
    if isTold { surroundings.report(closing(outcomes)) }
  }
}
