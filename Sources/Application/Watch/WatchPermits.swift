internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchEngine
internal import SharedHistory
internal import Synchronization

/// Permits the requests of a worker, one by one: only to lanes that are leased to it, and no faster than
/// all workers together may ask.
///
/// Each attempt is checked just before it is sent, so that a worker that was suspended beyond its lease
/// sends at most the one request that had been permitted before.
final class WatchPermits: RequestInterceptor, Sendable {
  /// The reason a request was not sent.
  private enum Refusal: String, Error, CustomStringConvertible {
    case takenOver = "another worker has taken over"
    case ended = "the lease ended before it could be renewed"

    var description: String { rawValue }
  }

  /// A lane that is leased to this worker.
  struct Held: Sendable {
    let lease: LaneLease
    /// Notes in the state what was asked of the lane so far; returns false when another worker has taken over.
    ///
    /// It reads the lane once no other request is being noted, so that a later state of it is never replaced.
    let count: @Sendable (_ lane: () -> WatchLane) throws -> Bool
    var lane: WatchLane
    /// The requests that were counted when the lane was taken, and not sent yet.
    var reserved: Int
    /// The moment on this machine's clock until which the lease is sure to last.
    var deadline: Duration
    /// The lead of the database's clock over this machine's.
    let ahead: Duration
  }

  private enum Decision {
    case pass
    /// Once the request is counted.
    case count(Lane, Held)
    case wait(Duration)
    case refuse(Refusal)
  }

  private let clock: SteadyClock
  private let state = Mutex<(held: [Lane: Held], names: [Lane: Lane])>(([:], [:]))
  /// The longest wait before the lease is looked at again.
  private static let pollInterval = Duration.seconds(1)

  init(clock: SteadyClock) { self.clock = clock }

  /// Sets the lanes in which the requests of each lane of the client count.
  func use(_ names: [Lane: Lane]) { state.withLock { $0.names = names } }

  func hold(_ name: Lane, _ held: Held) { state.withLock { $0.held[name] = held } }

  /// The leases of this worker.
  var leases: [LaneLease] { state.withLock { $0.held.values.map(\.lease) } }

  /// Extends leases until a later moment, and ends all others.
  func renew(_ leases: Set<LaneLease>, among asked: [LaneLease], until deadline: Duration) {
    state.withLock { state in
      for (name, held) in state.held where asked.contains(held.lease) {
        if leases.contains(held.lease) {
          state.held[name]?.deadline = deadline
        } else {
          state.held[name] = nil
        }
      }
    }
  }

  /// Takes back a lane; nil when its lease has ended.
  func release(_ name: Lane, of lease: LaneLease) -> Held? {
    state.withLock { state in
      guard state.held[name]?.lease == lease else { return nil }
      return state.held.removeValue(forKey: name)
    }
  }

  /// A lane as it is now; nil when its lease has ended.
  func held(_ name: Lane, of lease: LaneLease) -> Held? {
    state.withLock { $0.held[name].flatMap { $0.lease == lease ? $0 : nil } }
  }

  func adapt(
    _ request: HTTPRequest, for attempt: InterceptedAttempt
  ) async throws -> HTTPRequest {
    // Asking the cache burdens nobody.
    if attempt.number > 0 { try await admit(request.lane) }
    return request
  }

  /// Waits until a request of a lane may be sent; throws when it may not.
  func admit(_ lane: Lane?) async throws(HTTPError) {
    guard let lane else { return }
    do {
      try await waitForTurn(on: lane)
    } catch {
      throw HTTPError(.interceptor, reason: "\(error)")
    }
  }

  private func waitForTurn(on lane: Lane) async throws {
    while true {
      switch state.withLock({ decide(lane, &$0) }) {
      case .pass: return
      case .refuse(let reason): throw reason
      case .count(let name, let held):
        let isNoted = try held.count { self.held(name, of: held.lease)?.lane ?? held.lane }
        guard isNoted else { throw Refusal.takenOver }
        return
      case .wait(let moment):
        await clock.sleep(min(moment, Self.pollInterval))
        try Task.checkCancellation()
      }
    }
  }

  private func decide(_ lane: Lane, _ state: inout (held: [Lane: Held], names: [Lane: Lane]))
    -> Decision
  {
    guard let name = state.names[lane] else { return .pass }
    let now = clock.now()
    guard var held = state.held[name] else { return .refuse(.takenOver) }
    guard now < held.deadline else { return .refuse(.ended) }
    defer { state.held[name] = held }
    if held.reserved > 0 {
      held.reserved -= 1
      return .pass
    }
    guard !held.lane.buckets.isEmpty else { return .pass }
    held.lane.refill(until: now + held.ahead)
    let opens = held.lane.paced
    if opens > now + held.ahead { return .wait(opens - now - held.ahead) }
    held.lane.take(1)
    return .count(name, held)
  }
}

/// Sends requests when they may pass, for a transport that has no interceptors.
struct PermittedTransport: TransportAdapter {
  let base: any Transport
  let permits: WatchPermits

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await permits.admit(request.lane)
    return try await base.send(request)
  }

  func send(_ request: HTTPRequest, for search: Int) async throws(HTTPError) -> HTTPResponse {
    try await permits.admit(request.lane)
    return try await base.send(request, for: search)
  }
}
