internal import FoundationEssentials
internal import QueuedHTTP
package import SearchModel
internal import SearchSources

/// The progress of a run.
package struct RunProgress: Hashable, Sendable {
  package var searches: Int
  package var ended: Int
  package var posts: Int
  /// The servers that have asked the run to wait, the shortest wait first.
  package var waits: [ServerWait]

  package init(searches: Int, ended: Int, posts: Int, waits: [ServerWait] = []) {
    self.searches = searches
    self.ended = ended
    self.posts = posts
    self.waits = waits
  }
}

/// A server that has asked the run to wait.
package struct ServerWait: Hashable, Sendable {
  package var source: SourceName
  package var server: ServerAddress
  package var duration: Duration
}

/// The waits that servers have asked for, by lane.
struct WaitBoard: Sendable {
  /// Shorter waits are not reported.
  private static let shortest = Duration.seconds(1)

  private struct Wait: Sendable {
    let source: SourceName
    let server: ServerAddress
    var until: Date
  }

  private var waits: [Lane: Wait] = [:]

  /// Notes that the server of a search asked for a wait.
  ///
  /// - Returns: The wait if it is the first one of its lane.
  mutating func note(_ until: Date, of search: Search, now: Date) -> ServerWait? {
    let duration = Duration.seconds(until.timeIntervalSince(now))
    guard duration >= Self.shortest else { return nil }
    let wait = Wait(source: search.source.name, server: search.server, until: until)
    guard waits.updateValue(wait, forKey: search.lane) == nil else { return nil }
    return ServerWait(source: wait.source, server: wait.server, duration: duration)
  }

  /// The current waits, the shortest first.
  func waits(at now: Date) -> [ServerWait] {
    waits.values.filter { $0.until > now }
      .map { wait in
        ServerWait(
          source: wait.source, server: wait.server,
          duration: .seconds(wait.until.timeIntervalSince(now)))
      }
      .sorted { ($0.duration, $0.server) < ($1.duration, $1.server) }
  }
}
