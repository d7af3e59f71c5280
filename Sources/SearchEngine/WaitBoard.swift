internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import SearchSources

/// The waits that servers have asked for, by lane.
struct WaitBoard: Sendable {
  /// What is too short to be worth a word.
  private static let shortest = Duration.seconds(1)

  private struct Wait: Sendable {
    let source: SourceName
    let server: ServerAddress
    var until: Date
  }

  private var waits: [Lane: Wait] = [:]

  /// Notes that the server of a search wants to be asked again at a moment.
  ///
  /// - Returns: The wait, if it is the first one of its lane.
  mutating func note(_ until: Date, of search: Search, now: Date) -> ServerWait? {
    let duration = Duration.seconds(until.timeIntervalSince(now))
    guard duration >= Self.shortest else { return nil }
    let wait = Wait(source: search.source.name, server: search.server, until: until)
    guard waits.updateValue(wait, forKey: search.lane) == nil else { return nil }
    return ServerWait(source: wait.source, server: wait.server, duration: duration)
  }

  /// The waits that are not over, the shortest first.
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
