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
    discussion: "With --format json the counts are one JSON object.")

  @Argument(help: ArgumentHelp("Count only the posts that match.", valueName: "query"))
  var query: [String] = []

  @OptionGroup var options: SettingOptions<HistorySelection>

  func run(in context: Context) async throws -> CommandStatus {
    let history = try OpenHistory(options: options.texts, in: context)
    let query = try history.query(query, limit: nil)
    let statistics = try OpenHistory.stating { () throws(HistoryError) in
      try history.store?.statistics(of: query) { Self.day(at: $0) }
        ?? HistoryStatistics()
    }
    switch history.settings.format {
    case .json, .ndjson:
      try context.output.write(Self.json(statistics).bytes + Array("\n".utf8))
    case _:
      let width = context.outputScreen?.columns ?? 80
      try context.output.write(Array(StatisticsTable(statistics, columns: width).text.utf8))
    }
    history.reportLeftOut(statistics.privatePosts)
    return .success
  }

  /// The local day as RFC 3339 writes it.
  private static func day(at moment: Date) -> String {
    let day = LocalTime.day(at: moment)
    return [day.year, day.month, day.day].map { $0 < 10 ? "0\($0)" : "\($0)" }
      .joined(separator: "-")
  }

  private static func json(_ statistics: HistoryStatistics) -> JSONValue {
    let counts = { (counts: [String: Int]) in
      JSONValue.object(
        counts.sorted { $0.key < $1.key }.map { JSONMember($0.key, .integer($0.value)) })
    }
    return .members([
      "posts": .integer(statistics.posts), "days": counts(statistics.days),
      "networks": counts(statistics.networks), "authors": counts(statistics.authors),
    ])
  }
}

/// Counts with a bar for each, as wide as the terminal allows.
struct StatisticsTable {
  private static let mostAuthors = 10
  private static let mostDays = 31
  private static let longestBar = 40
  private static let columnsBesideBars = 40

  let text: String

  init(_ statistics: HistoryStatistics, columns: Int) {
    let days = statistics.days.sorted { $0.key > $1.key }.prefix(Self.mostDays)
    let sections: [(title: String, rows: [(key: String, value: Int)])] = [
      ("DAY", Array(days)), ("NETWORK", Self.largest(statistics.networks)),
      ("AUTHOR", Array(Self.largest(statistics.authors).prefix(Self.mostAuthors))),
    ]
    var text = statistics.posts == 1 ? "1 post\n" : "\(statistics.posts) posts\n"
    for (title, rows) in sections where !rows.isEmpty {
      let most = rows.map(\.value).max() ?? 1
      let room = max(min(columns - Self.columnsBesideBars, Self.longestBar), 1)
      text += "\n"
      text +=
        TextTable(columns: [
          [title] + rows.map(\.key), ["POSTS"] + rows.map { String($0.value) },
          [""] + rows.map { String(repeating: "█", count: max($0.value * room / most, 1)) },
        ]).text
    }
    self.text = text
  }

  private static func largest(_ counts: [String: Int]) -> [(key: String, value: Int)] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  }
}
