internal import Application
internal import ArgumentParser
internal import FoundationEssentials
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
      unless -n is given. With json and ndjson the counts are one object.
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
      try history.store?.statistics(of: query) { Self.day(at: $0) } ?? HistoryStatistics()
    let columns = settings.output.path == nil ? context.outputScreen?.columns ?? 80 : 80
    try RunPrinter(settings: settings, surroundings: context.surroundings).write(
      RunResult(now: settings.now),
      by: StatisticsPrinter(
        statistics.posts, Self.sections(of: statistics), most: settings.output.limit,
        as: settings.output.format, columns: columns, cells: settings.output.contents.cells))
    history.reportLeftOut(statistics.privatePosts)
    return .success
  }

  /// The days, the latest first, and networks and authors, the largest first.
  private static func sections(of statistics: HistoryStatistics) -> [StatisticsPrinter.Section] {
    func largest(_ counts: [String: Int]) -> [StatisticsPrinter.Row] {
      counts.map { StatisticsPrinter.Row(name: $0.key, posts: $0.value) }
        .sorted { ($1.posts, $0.name) < ($0.posts, $1.name) }
    }
    let days = statistics.days.map { StatisticsPrinter.Row(name: $0.key, posts: $0.value) }
    return [
      .init("day", days.sorted { $0.name > $1.name }, usual: 31),
      .init("network", largest(statistics.networks), usual: nil),
      .init("author", largest(statistics.authors), usual: 10),
    ]
  }

  /// The local day as RFC 3339 writes it.
  private static func day(at moment: Date) -> String {
    let day = LocalTime.day(at: moment)
    return [day.year, day.month, day.day].map { $0 < 10 ? "0\($0)" : "\($0)" }
      .joined(separator: "-")
  }
}

/// The options of `history stats`.
enum HistoryCounting: SettingSelection {
  static let settings = HistorySelection.settings.filter {
    !["fields", "posts-only", "sort"].contains($0.name)
  }
}
