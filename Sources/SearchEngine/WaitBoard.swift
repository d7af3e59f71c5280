internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import SearchSources
internal import Synchronization

/// The waits that servers have asked a run for, by lane, whether a search or a login met them.
final class WaitBoard: Sendable {
  /// Shorter waits are not reported.
  private static let shortest = Duration.seconds(1)

  private struct Wait: Sendable {
    let source: SourceName
    let server: ServerAddress
    let until: Date
  }

  private let lanes = Mutex<[Lane: Wait]>([:])
  /// The first wait of each lane.
  let news: AsyncStream<ServerWait>
  private let announcement: AsyncStream<ServerWait>.Continuation

  init() { (news, announcement) = AsyncStream.makeStream() }

  /// Notes that the server of a search asked for a wait.
  func note(_ until: Date, of search: Search, now: Date) {
    let duration = Duration.seconds(until.timeIntervalSince(now))
    guard duration >= Self.shortest else { return }
    let wait = Wait(source: search.source.name, server: search.server, until: until)
    let isFirst = lanes.withLock { $0.updateValue(wait, forKey: search.lane) == nil }
    if isFirst {
      announcement.yield(
        ServerWait(source: wait.source, server: wait.server, duration: duration))
    }
  }

  /// Ends the news, as the run is over.
  func close() { announcement.finish() }

  /// The current waits, the shortest first.
  func waits(at now: Date) -> [ServerWait] {
    lanes.withLock { Array($0.values) }.filter { $0.until > now }
      .map { wait in
        ServerWait(
          source: wait.source, server: wait.server,
          duration: .seconds(wait.until.timeIntervalSince(now)))
      }
      .sorted { ($0.duration, $0.server) < ($1.duration, $1.server) }
  }
}
