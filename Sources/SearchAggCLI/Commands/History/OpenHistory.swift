internal import Application
internal import PostHistory
internal import Printing
internal import SearchEngine
internal import SearchModel

/// The history as a command sees it: its settings, and the store where there is one.
struct OpenHistory {
  let settings: RunSettings
  /// Nil where nothing has been kept yet.
  let store: (any HistoryStore)?
  /// The path of the file, or the address of the database.
  let path: String
  /// True if an option of the command says which history it is.
  private let isNamed: Bool
  private let context: Context

  /// - Parameters:
  ///   - names: The settings that count only as options of the command.
  ///   - formats: The formats that the command can print; nil for all.
  init(
    options: [String: String], only names: Set<String> = [], in context: Context,
    printing formats: [OutputFormat]? = nil
  ) throws {
    let configuration = try Configuration(named: options["config"], in: context)
    self.context = context
    isNamed = options["state"] != nil
    // These commands print posts, so configured counts do not apply.
    let reader = SettingsReader(
      context: context, configuration: configuration, options: options,
      optionsOnly: names.union(["count-by"]))
    let written = try WrittenSettings(from: reader, for: .print)
    try OwnFiles.protect(from: written, configuration, in: context)
    settings = RunSettings(written, for: .print)
    if let formats, !formats.contains(settings.output.format) {
      let names = formats.map(\.rawValue).inWords("or")
      throw CommandFailure(
        .usage, "this command prints \(names), not \(settings.output.format.rawValue)")
    }
    guard let path = settings.history.path(in: context.surroundings) else {
      throw CommandFailure(
        .badConfiguration, "no file for the history: set HOME, or name one with --state")
    }
    self.path = path
    guard HistorySettings.isThere(path) else {
      context.report("\(path): nothing has been kept yet")
      store = nil
      return
    }
    store = try HistorySettings.open(path, in: context.surroundings)
  }

  /// The question that the options ask.
  ///
  /// - Parameter isMuted: Whether the posts of muted authors are left out.
  func query(_ words: [String], isMuted: Bool = true) throws -> HistoryQuery {
    var terms: [QueryTerm] = []
    if !words.isEmpty {
      let text = words.joined(separator: " ")
      terms = try QueryWords.query(text).terms
      // Marks of queries alone find nothing, which would not say what is wrong.
      let isSought = { (term: QueryTerm) in
        !term.isExcluded && !SearchedText(term.value.filter { $0 != "\"" && $0 != "#" }).isEmpty
      }
      guard terms.contains(where: isSought) else {
        throw CommandFailure(
          .usage, "\(text): has nothing to search for; add a word, a tag or an author")
      }
    }
    var query = HistoryQuery(
      terms: terms, sources: settings.search.sources ?? [], since: settings.limits.since,
      until: settings.limits.until, includesPrivate: settings.limits.filter.includesPrivate)
    if isMuted { query.muted = settings.search.muted }
    return query
  }

  /// Prints the posts that match as a run would print them.
  ///
  /// - Parameters:
  ///   - isPaged: Whether people are shown the newest 50, unless they ask for another number.
  ///   - isMuted: Whether the posts of muted authors are left out.
  func print(_ words: [String], isPaged: Bool = true, isMuted: Bool = true) throws -> CommandStatus
  {
    let pageSize = isPaged && settings.output.format.isForReading ? Self.pageSize : nil
    let limit = settings.output.limit ?? pageSize
    let query = try query(words, isMuted: isMuted)
    let page = try HistoryPage(matching: query, limit: limit, of: store, at: settings.now)
    let status = try write { try $0.write(stored: page.posts, of: page.total) }
    reportLeftOut(page.privatePosts)
    if query.terms.contains(where: { $0.kind == .language && !$0.isExcluded }) {
      let unknown = page.posts.count { LanguageTag.all(of: $0).isEmpty }
      if unknown > 0 {
        context.report(
          "included although their language is unknown: \(Plural.count(unknown, "post"))")
      }
    }
    return status
  }

  /// Writes what was found, unless it would replace an earlier output by nothing because the history is missing or
  /// was damaged; returns the status of the command.
  func write(_ body: (RunPrinter) throws -> Void) throws -> CommandStatus {
    let printer = RunPrinter(settings: settings, surroundings: context.surroundings)
    let isDamaged = (store as? SQLiteHistory)?.wasDamaged == true
    if isDamaged || store == nil, try printer.keepsEarlierOutput() { return .unreadableInput }
    try body(printer)
    return isDamaged || store == nil && isNamed ? .unreadableInput : .success
  }

  /// The posts of a page for people.
  private static let pageSize = 50

  /// Counts the posts that are kept but not for everyone, and so were left out.
  func reportLeftOut(_ count: Int) {
    var tally = FilterTally()
    tally.count(.private, times: count)
    if let line = SummaryLines.leftOut(tally) { context.report(line) }
  }
}
