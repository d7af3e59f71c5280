package import PostHistory
package import Printing

extension HistoryStatistics {
  /// The days, the latest first, and networks and authors, the largest first.
  package var sections: [StatisticsPrinter.Section] {
    func largest(_ counts: [String: Int]) -> [StatisticsPrinter.Row] {
      counts.map { StatisticsPrinter.Row(name: $0.key, posts: $0.value) }
        .sorted { ($1.posts, $0.name) < ($0.posts, $1.name) }
    }
    let days = days.map { StatisticsPrinter.Row(name: $0.key, posts: $0.value) }
    return [
      .init("day", days.sorted { $0.name > $1.name }, usual: 31),
      .init("network", largest(networks), usual: nil),
      .init("author", largest(authors), usual: 10),
    ]
  }
}
