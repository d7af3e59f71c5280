package import FoundationEssentials
package import QueuedHTTP
internal import SafeFiles
package import SearchEngine
internal import Synchronization
internal import TextFormats

/// Answers requests from an archive that `ExchangeRecorder` wrote; opens no socket.
///
/// Requests are told apart by method, address and body, with secrets hidden. Responses are delivered in
/// the order in which the run used them, each after the run has used the earlier ones, so that decisions
/// which depend on that order are made again; a request that was canceled waits until it is canceled again.
package final class ExchangeReplay: Transport {
  /// The largest archive that is read, and written.
  static let largestFile = 1 << 30

  private let exchanges: [RecordedExchange]
  private let redaction: Redaction
  private let patience: Duration
  /// The moments at which responses arrived, by body.
  private let arrivals: [ObjectIdentifier: Date]
  private let state: Mutex<State>

  private struct State {
    var schedule: ReplaySchedule
    var waiting: [Int: (group: RequestGroup?, continuation: CheckedContinuation<Bool, Never>)] = [:]
    var isOver = false
    /// Those who wait for an event, and the events that nobody waited for yet.
    var watchers: [RunEvent: CheckedContinuation<Void, any Error>] = [:]
    var past: Set<RunEvent> = []
    /// The judges of requests whose responses asked for a pause.
    var judges: [Int: Judge] = [:]
    /// The results of the logins on each lane that are still to come.
    var logins: [String: ArraySlice<Bool>] = [:]
  }

  private typealias Judge = @Sendable (HTTPResponse, Date) -> Void

  /// An archive that cannot be read; the description names the file and the place in it.
  package struct UnreadableArchive: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Reads an archive.
  ///
  /// - Parameters:
  ///   - redaction: Hides the stand-ins for the recorded run's credentials.
  ///   - patience: The interval between two looks for progress; a request that has waited for an
  ///     interval without any stops waiting for earlier ones.
  package init(
    reading path: String, redacting redaction: Redaction, patience: Duration = .seconds(2)
  ) throws(UnreadableArchive) {
    let exchanges: [RecordedExchange]
    let lastEvents: [RunEvent]
    do {
      let bytes = try BoundedRead.bytes(of: path, limit: Self.largestFile)
      do { (exchanges, lastEvents) = try Self.content(of: bytes) } catch {
        throw UnreadableArchive(description: "\(path): \(error)")
      }
    } catch let error as UnreadableArchive {
      throw error
    } catch {
      throw UnreadableArchive(description: "\(error)")
    }
    self.exchanges = exchanges
    var arrivals: [ObjectIdentifier: Date] = [:]
    for exchange in exchanges {
      guard case .success(let response) = exchange.result else { continue }
      arrivals[ObjectIdentifier(response.body)] = exchange.arrived
    }
    self.arrivals = arrivals
    self.redaction = redaction
    self.patience = patience
    state = Mutex(
      State(
        schedule: ReplaySchedule(exchanges, lastEvents: lastEvents),
        logins: Self.logins(in: exchanges)))
  }

  /// The exchanges of an archive, and what happened after the last one.
  ///
  /// A run that was killed may have written a part of its last entry, a line by itself.
  private static func content(
    of bytes: [UInt8]
  ) throws(DocumentError) -> ([RecordedExchange], [RunEvent]) {
    do throws(DocumentError) { return try wholeContent(of: bytes) } catch {
      guard JSON.endsEarly(bytes), let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
        throw error
      }
      let isBetween = bytes[..<end].last == UInt8(ascii: ",")
      let entries = bytes[..<(isBetween ? end - 1 : end)]
      return try wholeContent(of: Array(entries) + Array("\n]}}\n".utf8))
    }
  }

  private static func wholeContent(
    of bytes: [UInt8]
  ) throws(DocumentError) -> ([RecordedExchange], [RunEvent]) {
    let expected = "an HTTP archive with log.entries"
    let document = try JSONDocument(reading: bytes).root(quotingValues: false)
    let log = try document.object(knowing: ["log"], ignoresUnknown: true, expected: expected)["log"]
    let members = try log?
      .object(knowing: ["entries", "_searchagg"], ignoresUnknown: true, expected: expected)
    guard let members, let entries = members["entries"] else {
      throw document.fault(expected: expected)
    }
    let exchanges = try entries.elements(expected: expected).map { entry throws(DocumentError) in
      try RecordedExchange(reading: entry)
    }
    let own = try members["_searchagg"]?.object(knowing: ["after"], ignoresUnknown: true)
    return (exchanges, try own?["after"].map(RunEvent.list) ?? [])
  }

  /// The results of the logins on each lane, in their order; before the first one, the session of an
  /// earlier run may have been used, which counts as another that succeeded.
  private static func logins(in exchanges: [RecordedExchange]) -> [String: ArraySlice<Bool>] {
    var logins: [String: ArraySlice<Bool>] = [:]
    let exchanges = exchanges.enumerated()
      .sorted { ($0.element.number ?? $0.offset) < ($1.element.number ?? $1.offset) }
      .map(\.element)
    for (index, exchange) in exchanges.enumerated() {
      guard let lane = exchange.loginLane else { continue }
      if logins[lane] == nil {
        let server = lane.split(separator: " ").last.map(String.init) ?? ""
        let isUsed = exchanges[..<index].contains {
          $0.loginLane == nil && $0.request.url.hasPrefix(server)
        }
        logins[lane] = isUsed ? [true] : []
      }
      // Where a renewal fails, a login follows, and its result counts.
      if exchange.isSuccessfulLogin, logins[lane]?.last == false { logins[lane]?.removeLast() }
      logins[lane]?.append(exchange.isSuccessfulLogin)
    }
    return logins
  }

  /// Returns whether the next login of an account succeeds, so that a session can be made up for it; a
  /// login that failed is repeated.
  package func nextLoginSucceeds(on lane: Lane, at server: String) -> Bool {
    if exchanges.contains(where: { $0.loginLane != nil }) {
      return state.withLock { $0.logins[lane.rawValue]?.popFirst() ?? true }
    }
    return !hasFailedLogin(at: server)
  }

  /// The same for a recording of an earlier version, which names no logins.
  private func hasFailedLogin(at server: String) -> Bool {
    exchanges.contains { exchange in
      guard exchange.request.method == "POST", exchange.request.url.hasPrefix(server) else {
        return false
      }
      switch exchange.result {
      case .success(let response): return !response.isSuccess && exchange.request.body.isEmpty
      case .failure: return exchange.request.body.isEmpty
      }
    }
  }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await response(to: request, for: nil)
  }

  package func send(
    _ request: HTTPRequest, for search: Int
  ) async throws(HTTPError) -> HTTPResponse {
    try await response(to: request, for: search)
  }

  private func response(
    to request: HTTPRequest, for search: Int?
  ) async throws(HTTPError) -> HTTPResponse {
    let url = redaction.apply(to: request.url)
    let body = request.cachePolicy == .ignore ? [] : redaction.apply(to: request.body ?? [])
    let key = RecordedExchange.Request(method: request.method.rawValue, url: url, body: body)
    let judge = request.judge.map { judge -> Judge in { _ = judge($0, $1) } }
    let index = state.withLock { state in
      let index = state.schedule.claim(key, for: search)
      if let index { state.judges[index] = judge }
      return index
    }
    guard let index else {
      throw HTTPError(
        .notCached, reason: "not in the recording: \(request.method.rawValue) \(url)", address: "")
    }
    guard await turn(of: index, group: request.group) else {
      throw HTTPError(.cancelled, reason: "canceled", address: url)
    }
    let exchange = exchanges[index]
    if let pause = exchange.pause { judge?(pause.response, pause.moment) }
    return try exchange.result.get()
  }

  package func arrival(of response: HTTPResponse) -> Date? {
    arrivals[ObjectIdentifier(response.body)]
  }

  /// Waits until the time of the recorded run was up; forever if it never was.
  package func waitOut(_ longest: Duration) async throws { try await happening(of: .timeUp) }

  package func waitOut(patience: Duration) async throws { try await happening(of: .patienceLost) }

  package func note(_ step: RunStep) async {
    move { state in
      switch step.kind {
      case .pages(let searches), .ignored(let searches): state.schedule.use(by: searches)
      case .patienceLost: state.schedule.happened(.patienceLost)
      case .timeUp: state.schedule.happened(.timeUp)
      }
    }
  }

  /// Waits until an event has happened in the recorded run; throws `CancellationError`.
  private func happening(of event: RunEvent) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (watcher: CheckedContinuation<Void, any Error>) in
        let result: Result<Void, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.past.remove(event) != nil { return .success(()) }
          state.watchers[event] = watcher
          return nil
        }
        if let result { watcher.resume(with: result) }
      }
    } onCancel: {
      let watcher = state.withLock { $0.watchers.removeValue(forKey: event) }
      watcher?.resume(throwing: CancellationError())
    }
  }

  /// Ends the requests of a group that were canceled in the recorded run, too; the others had been
  /// answered when it canceled the group.
  package func cancel(group: RequestGroup) {
    end(
      state.withLock { state in
        state.waiting.filter { $0.value.group == group && exchanges[$0.key].isCancelled }.map(\.key)
      })
  }

  package func cancelWaiting(group: RequestGroup) { cancel(group: group) }

  package func beginCancelAll() {
    end(
      state.withLock { state in
        state.isOver = true
        return Array(state.waiting.keys)
      })
  }

  /// Waits until everything that was recorded earlier has been delivered and used; returns false for a
  /// request that was canceled.
  private func turn(of index: Int, group: RequestGroup?) async -> Bool {
    await withTaskGroup { tasks in
      tasks.addTask { await self.delivery(of: index, group: group) }
      tasks.addTask {
        // A replay never waits for a server: where nothing has moved for that long, a response waits
        // for a request which this run does not make.
        var last = -1
        while (try? await Task.sleep(for: self.patience)) != nil {
          let (movements, isBusy) = self.state.withLock { state in
            (state.schedule.movements, state.schedule.isBusy)
          }
          // A response without a turn never comes, and the run may be waiting for this one.
          if movements == last, !isBusy || !self.exchanges[index].hasTurn {
            self.giveUpOrder(for: index)
          }
          last = movements
        }
        return false
      }
      defer { tasks.cancelAll() }
      return await tasks.next() ?? false
    }
  }

  private func delivery(of index: Int, group: RequestGroup?) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        var isOver = false
        move { state in
          isOver = state.isOver || Task.isCancelled
          guard !isOver else { return state.schedule.skip(index) }
          state.waiting[index] = (group, continuation)
          state.schedule.wait(index)
        }
        if isOver { continuation.resume(returning: false) }
      }
    } onCancel: {
      end([index])
    }
  }

  private func giveUpOrder(for index: Int) {
    guard exchanges[index].hasTurn else { return end([index]) }
    move { $0.schedule.giveUpOrder(for: index) }
  }

  private func end(_ indices: [Int]) {
    var ended: [CheckedContinuation<Bool, Never>] = []
    move { state in
      ended = indices.compactMap { state.waiting.removeValue(forKey: $0)?.continuation }
      for index in indices { state.schedule.skip(index) }
    }
    for continuation in ended { continuation.resume(returning: false) }
  }

  // MARK: Moving on

  /// An action of the schedule, and the request that it concerns.
  private enum Act {
    case deliver(CheckedContinuation<Bool, Never>?)
    case judge(Judge?, RecordedExchange.Pause?)
    case happen(CheckedContinuation<Void, any Error>?)
  }

  /// Changes the state, and does what is due then.
  private func move(_ change: (inout State) -> Void) {
    var acts = state.withLock { state in
      change(&state)
      return self.acts(&state)
    }
    while !acts.isEmpty {
      var hasJudged = false
      for act in acts {
        switch act {
        case .deliver(let continuation): continuation?.resume(returning: true)
        case .happen(let watcher): watcher?.resume()
        case .judge(let judge, let pause):
          if let pause { judge?(pause.response, pause.moment) }
          hasJudged = true
        }
      }
      guard hasJudged else { return }
      acts = state.withLock { state in
        state.schedule.judged()
        return self.acts(&state)
      }
    }
  }

  private func acts(_ state: inout State) -> [Act] {
    state.schedule.due().map { action in
      switch action {
      case .deliver(let index):
        return .deliver(state.waiting.removeValue(forKey: index)?.continuation)
      case .judge(let index): return .judge(state.judges[index], exchanges[index].pause)
      case .happen(let event):
        let watcher = state.watchers.removeValue(forKey: event)
        if watcher == nil { state.past.insert(event) }
        return .happen(watcher)
      }
    }
  }
}
