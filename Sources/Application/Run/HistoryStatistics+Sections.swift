package import PostHistory
package import Printing

extension HistoryStatistics {
  /// The days, the latest first and posts without a date last, and networks and authors, the largest first.
  package var sections: [StatisticsPrinter.Section] {
    func largest(_ counts: [String: Int]) -> [StatisticsPrinter.Row] {
      counts.map { StatisticsPrinter.Row(name: $0.key, posts: $0.value) }
        .sorted { ($1.posts, $0.name) < ($0.posts, $1.name) }
    }
    var dated = days.map { StatisticsPrinter.Row(name: $0.key, posts: $0.value) }
    let end = dated.partition { $0.name == Self.undated }
    let undated = Array(dated[end...])
    dated.removeSubrange(end...)
    return [
      .init("day", dated.sorted { $0.name > $1.name } + undated, usual: 31),
      .init("network", largest(networks), usual: nil),
      .init("author", largest(authors), usual: 10),
    ]
  }
}
