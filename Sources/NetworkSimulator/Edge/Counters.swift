/// What a simulator was asked.
package struct Counters: Sendable, Hashable {
  /// How many requests each source got.
  package internal(set) var totals: [String: Int] = [:]
  /// The latest requests in the order that they came, up to a bound.
  package internal(set) var requests: [ReceivedRequest] = []

  /// How many requests there were.
  package var total: Int { totals.values.reduce(0, +) }

  /// How many requests a source got.
  package func count(of source: String) -> Int { totals[source] ?? 0 }

  /// The query strings that a source got, as they came.
  package func queries(of source: String) -> [String] {
    requests.filter { $0.source == source }.map(\.query)
  }
}
