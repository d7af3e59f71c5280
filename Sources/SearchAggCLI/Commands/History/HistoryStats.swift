internal import Application
internal import ArgumentParser
internal import PostHistory
internal import Printing
internal import TextFormats

/// `searchagg history stats`.
struct HistoryStats: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count the kept posts by day, network and author.",
    discussion: """
      In text, -n sets how many days, networks and authors are shown; the other formats have all of them \
      unless -n is given. With json and ndjson the counts are one object. Days are those of UTC.
      """)

  @Argument(help: ArgumentHelp("Count only the posts that match.", valueName: "query"))
  var query: [String] = []

  @OptionGroup var options: SettingOptions<HistoryCounting>

  func run(in context: Context) async throws -> CommandStatus {
    let history = try OpenHistory(
      options: options.texts, in: context, printing: StatisticsPrinter.formats)
    let settings = history.settings
    let query = try history.query(query)
    let statistics =
      try history.store?.statistics(of: query) { RFC3339.formatDay($0) } ?? HistoryStatistics()
    let columns = settings.output.path == nil ? context.outputScreen?.columns ?? 80 : 80
    let printer = StatisticsPrinter(
      statistics.posts, statistics.sections, most: settings.output.limit,
      as: settings.output.format, columns: columns, cells: settings.output.contents.cells)
    let status = try history.write { try $0.write(RunResult(now: settings.now), by: printer) }
    history.reportLeftOut(statistics.privatePosts)
    return status
  }
}

/// The options of `history stats`.
enum HistoryCounting: SettingSelection {
  static let settings = HistorySelection.settings.filter {
    !["fields", "posts-only", "sort"].contains($0.name)
  }.map {
    $0.explained($0.name == "limit" ? "Show at most N days, networks, authors and tags." : nil)
  }
}
