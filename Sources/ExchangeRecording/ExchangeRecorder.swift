package import FoundationEssentials
package import QueuedHTTP
package import SearchEngine
internal import Synchronization

/// Passes requests on, and writes each exchange to an HTTP archive (HAR 1.2) when the run has used it.
///
/// The file is its owner's alone (0600) and a complete document after every entry, so that what a run recorded
/// before it was interrupted can be read; a run that is killed may leave a part of its last entry. Exchanges of
/// secrets (`CachePolicy.ignore`) are not recorded, but for the result of each login: its error, without the
/// request's body, or only that it succeeded.
package final class ExchangeRecorder: TransportAdapter {
  package let base: any Transport
  private let log: HARLog
  private let clock: @Sendable () -> Date
  private let pauses = Mutex(Pauses())
  /// The moments that were recorded for responses which nobody has asked about yet, by body.
  private let arrivals = Mutex<[ObjectIdentifier: Date]>([:])

  /// The responses that asked for a pause.
  private struct Pauses: Sendable {
    /// The latest by lane.
    var latest: [Lane: RecordedExchange.Pause] = [:]
    var count = 0
    /// The last step that the run has noted.
    var step = -1

    mutating func add(_ response: HTTPResponse, at moment: Date, on lane: Lane)
      -> RecordedExchange.Pause
    {
      let pause = RecordedExchange.Pause(
        response: response, moment: moment, number: count, after: step)
      count += 1
      latest[lane] = pause
      return pause
    }

    /// The latest of another request.
    func latest(on lane: Lane) -> RecordedExchange.Pause? {
      var pause = latest[lane]
      pause?.number = nil
      return pause
    }
  }

  /// - Parameters:
  ///   - path: The file to create; its folder must exist.
  ///   - creator: The program and its version, for the archive's `creator`.
  ///   - redaction: The values that must not reach the file.
  ///   - clock: The time, for the entries.
  package init(
    over transport: any Transport, to path: String, creator: (name: String, version: String),
    redacting redaction: Redaction, clock: @escaping @Sendable () -> Date
  ) throws {
    base = transport
    self.clock = clock
    log = try HARLog(creating: path, creator: creator, redacting: redaction)
  }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await exchange(request, for: nil)
  }

  package func send(
    _ request: HTTPRequest, for search: Int
  ) async throws(HTTPError) -> HTTPResponse {
    try await exchange(request, for: search)
  }

  private func exchange(
    _ request: HTTPRequest, for search: Int?
  ) async throws(HTTPError) -> HTTPResponse {
    let lane = request.lane
    var watched = request
    // The first pause that this request was asked for itself.
    let own = Mutex<RecordedExchange.Pause?>(nil)
    if let judge = request.judge, let lane {
      watched.judge = { [self] response, now in
        let verdict = judge(response, now)
        if case .coolDown = verdict {
          let pause = pauses.withLock { $0.add(response, at: now, on: lane) }
          own.withLock { $0 = $0 ?? pause }
        }
        return verdict
      }
    }
    let started = clock()
    let result: Result<HTTPResponse, HTTPError>
    do throws(HTTPError) {
      let response =
        if let search {
          try await base.send(watched, for: search)
        } else { try await base.send(watched) }
      result = .success(response)
    } catch {
      result = .failure(error)
    }
    var exchange = RecordedExchange(
      request: .init(
        method: request.method.rawValue, url: request.url, body: request.body ?? []),
      result: result, started: started, arrived: clock())
    exchange.headers = request.headers.fields
    if case .success(let response) = result {
      arrivals.withLock { [arrived = exchange.arrived] in
        $0[ObjectIdentifier(response.body)] = arrived
      }
    }
    exchange.pause = own.withLock { $0 }
    if case .failure(let error) = result, error.code == .coolingDown, let lane {
      exchange.pause = exchange.pause ?? pauses.withLock { $0.latest(on: lane) }
    }
    exchange.search = search
    let isLogin = request.cachePolicy == .ignore
    await log.add(
      UseOrder.Entry(
        exchange: isLogin
          ? exchange.asLogin(on: lane, hiding: request.secretHeaders) : exchange,
        secretHeaders: request.secretHeaders))
    return try result.get()
  }

  package func note(_ step: RunStep) async {
    await log.note(step)
    // Before the run continues, so that a pause never counts as earlier than what its request follows.
    pauses.withLock { $0.step = max($0.step, step.number) }
  }

  package func arrival(of response: HTTPResponse) -> Date? {
    arrivals.withLock { $0.removeValue(forKey: ObjectIdentifier(response.body)) }
  }

  /// Writes what is left; throws the first error that kept an entry from being written.
  package func finish() async throws {
    try await log.close()
  }
}
