package import PostHistory
package import Printing

extension HistoryStatistics {
  /// The days, the latest first and posts without a date last, and networks and authors, the largest first.
  package var sections: [StatisticsPrinter.Section] {
    func largest(_ counts: [String: Int]) -> [StatisticsPrinter.Row] {
      counts.map { StatisticsPrinter.Row(name: $0.key, posts: $0.value) }
        .sorted { ($1.posts, $0.name) < ($0.posts, $1.name) }
    }
    func day(_ row: StatisticsPrinter.Row) -> String { row.name == Self.undated ? "" : row.name }
    let days = days.map { StatisticsPrinter.Row(name: $0.key, posts: $0.value) }
    return [
      .init("day", days.sorted { day($0) > day($1) }, usual: 31),
      .init("network", largest(networks), usual: nil),
      .init("author", largest(authors), usual: 10),
    ]
  }
}
