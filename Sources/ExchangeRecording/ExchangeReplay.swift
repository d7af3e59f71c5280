package import FoundationEssentials
package import QueuedHTTP
internal import SafeFiles
internal import SearchEngine
internal import Synchronization
internal import TextFormats

/// Answers requests from an archive that `ExchangeRecorder` wrote; opens no socket.
///
/// Requests are told apart by method, address and body, with secrets hidden. Responses are delivered in
/// the order in which they were recorded, so that decisions which depend on that order are made again; a
/// request that was canceled waits until it is canceled again.
package final class ExchangeReplay: Transport {
  /// The largest archive that is read.
  private static let largestFile = 1 << 30

  private let exchanges: [RecordedExchange]
  private let redaction: Redaction
  private let patience: Duration
  /// The moments at which responses arrived, by body.
  private let arrivals: [ObjectIdentifier: Date]
  /// The exchanges that were canceled while they were recorded.
  private let cancelled: Set<Int>
  private let state: Mutex<State>
  /// Signals that nothing but a request that was canceled is left to wait for.
  private let standstills: AsyncStream<Void>
  private let standstill: AsyncStream<Void>.Continuation

  private struct State {
    var schedule: ReplaySchedule
    var waiting: [Int: (group: RequestGroup?, continuation: CheckedContinuation<Bool, Never>)] = [:]
    var isOver = false
    /// True if the run ends when its time is up, as the recorded one did.
    var endsByTime = false
    /// The results of the logins on each lane that are still to come.
    var logins: [String: ArraySlice<Bool>] = [:]

    /// Takes out those whose turn has come.
    mutating func due() -> [CheckedContinuation<Bool, Never>] {
      schedule.due().compactMap { waiting.removeValue(forKey: $0)?.continuation }
    }
  }

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
    reading path: String, redacting redaction: Redaction, patience: Duration = .seconds(1)
  ) throws(UnreadableArchive) {
    let exchanges: [RecordedExchange]
    do {
      let bytes = try BoundedRead.bytes(of: path, limit: Self.largestFile)
      do { exchanges = try Self.exchanges(in: bytes) } catch {
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
    (standstills, standstill) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    cancelled = Set(exchanges.indices.filter { exchanges[$0].isCancelled })
    let logins = exchanges.indices.filter { exchanges[$0].isSuccessfulLogin }
    state = Mutex(
      State(
        schedule: ReplaySchedule(exchanges.map(\.request), cancelled: cancelled.union(logins)),
        logins: Self.logins(in: exchanges)))
  }

  private static func exchanges(in bytes: [UInt8]) throws(DocumentError) -> [RecordedExchange] {
    let expected = "an HTTP archive with log.entries"
    let document = try JSONDocument(reading: bytes).root(quotingValues: false)
    let log = try document.object(knowing: ["log"], ignoresUnknown: true, expected: expected)["log"]
    let entries = try log?
      .object(knowing: ["entries"], ignoresUnknown: true, expected: expected)["entries"]
    guard let entries else { throw document.fault(expected: expected) }
    return try entries.elements(expected: expected).map { entry throws(DocumentError) in
      try RecordedExchange(reading: entry)
    }
  }

  /// The results of the logins on each lane, in their order; before the first one, the session of an
  /// earlier run may have been used, which counts as another that succeeded.
  private static func logins(in exchanges: [RecordedExchange]) -> [String: ArraySlice<Bool>] {
    var logins: [String: ArraySlice<Bool>] = [:]
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
    let url = redaction.apply(to: request.url)
    let body = request.cachePolicy == .ignore ? [] : redaction.apply(to: request.body ?? [])
    let key = RecordedExchange.Request(method: request.method.rawValue, url: url, body: body)
    guard let index = state.withLock({ $0.schedule.claim(key) }) else {
      throw HTTPError(
        .notCached, reason: "not in the recording: \(request.method.rawValue) \(url)", address: "")
    }
    guard await turn(of: index, group: request.group) else {
      throw HTTPError(.cancelled, reason: "canceled", address: url)
    }
    let exchange = exchanges[index]
    if let pause = exchange.pause { _ = request.judge?(pause.response, pause.moment) }
    return try exchange.result.get()
  }

  package func arrival(of response: HTTPResponse) -> Date? {
    arrivals[ObjectIdentifier(response.body)]
  }

  /// Where the recorded run was ended by its longest time, waits until nothing is left that could be
  /// answered; there is nothing to wait out otherwise.
  package func waitOut(_ longest: Duration) async throws {
    let begin = exchanges.lazy.map(\.started).min()
    let end = cancelled.lazy.map { self.exchanges[$0].arrived }.max()
    // The first request is not sent at the very beginning of a run.
    if let begin, let end, end.timeIntervalSince(begin) > longest / .seconds(1) / 2 {
      state.withLock { $0.endsByTime = true }
      for await _ in standstills { return }
    }
    while true { try await Task.sleep(for: longest) }
  }

  /// Ends the requests of a group that were canceled in the recorded run, too; the others had been
  /// answered when it canceled the group.
  package func cancel(group: RequestGroup) {
    end(
      state.withLock { state in
        state.waiting.filter { $0.value.group == group && cancelled.contains($0.key) }.map(\.key)
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

  /// Waits until everything that was recorded earlier has been delivered; returns false for a request
  /// that was canceled.
  private func turn(of index: Int, group: RequestGroup?) async -> Bool {
    await withTaskGroup { tasks in
      tasks.addTask { await self.delivery(of: index, group: group) }
      tasks.addTask {
        // A replay never waits for a server: where nothing has moved for that long, a response waits
        // for a request which this run does not make.
        var steps = -1
        while (try? await Task.sleep(for: self.patience)) != nil {
          let now = self.state.withLock { $0.schedule.steps }
          if now == steps { self.giveUpOrder(for: index) }
          steps = now
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
        let due = state.withLock { state -> [CheckedContinuation<Bool, Never>]? in
          guard !state.isOver, !Task.isCancelled else {
            state.schedule.skip(index)
            return nil
          }
          state.waiting[index] = (group, continuation)
          state.schedule.wait(index)
          return state.due()
        }
        guard let due else { return continuation.resume(returning: false) }
        for next in due { next.resume(returning: true) }
      }
    } onCancel: {
      end([index])
    }
  }

  private func giveUpOrder(for index: Int) {
    if cancelled.contains(index) {
      let (endsByTime, isLast) = state.withLock { state in
        (state.endsByTime, state.waiting.keys.allSatisfy(cancelled.contains))
      }
      guard endsByTime else { return end([index]) }
      // A response that waits, too, is about to give up its order.
      if isLast { standstill.yield() }
      return
    }
    let due = state.withLock { state in
      state.schedule.giveUpOrder(for: index)
      return state.due()
    }
    for next in due { next.resume(returning: true) }
  }

  private func end(_ indices: [Int]) {
    let (ended, due) = state.withLock { state in
      let ended = indices.compactMap { state.waiting.removeValue(forKey: $0)?.continuation }
      for index in indices { state.schedule.skip(index) }
      return (ended, state.due())
    }
    for continuation in ended { continuation.resume(returning: false) }
    for continuation in due { continuation.resume(returning: true) }
  }
}

/// Which of the recorded exchanges may be delivered next.
struct ReplaySchedule {
  private enum Stage { case unclaimed, claimed, waiting, passed }

  private var stages: [Stage]
  /// Those that nothing delivers, and that hold nothing back.
  private let cancelled: Set<Int>
  private var indices: [RecordedExchange.Request: ArraySlice<Int>] = [:]
  /// The first exchange that has not been delivered or skipped.
  private var next = 0
  /// Exchanges up to here no longer wait for earlier ones.
  private var unordered = 0
  /// The number of requests and responses so far.
  private(set) var steps = 0

  /// - Parameter cancelled: The places of the requests that were canceled.
  init(_ requests: [RecordedExchange.Request], cancelled: Set<Int> = []) {
    self.cancelled = cancelled
    stages = Array(repeating: .unclaimed, count: requests.count)
    for (index, request) in requests.enumerated() { indices[request, default: []].append(index) }
  }

  /// The earliest exchange with this request that nobody has claimed.
  mutating func claim(_ request: RecordedExchange.Request) -> Int? {
    guard let index = indices[request]?.popFirst() else { return nil }
    stages[index] = .claimed
    steps += 1
    return index
  }

  mutating func wait(_ index: Int) { stages[index] = .waiting }

  /// Lets later exchanges pass one that was canceled.
  mutating func skip(_ index: Int) { stages[index] = .passed }

  /// Lets an exchange that waits pass all earlier ones.
  mutating func giveUpOrder(for index: Int) { unordered = max(unordered, index + 1) }

  /// The exchanges whose turn has come, in order; they count as delivered.
  mutating func due() -> [Int] {
    var due: [Int] = []
    while next < stages.count {
      switch stages[next] {
      case _ where cancelled.contains(next): break
      case .waiting:
        due.append(next)
        stages[next] = .passed
        steps += 1
      case .passed: break
      case .unclaimed, .claimed:
        guard next < unordered else { return due }
        return due + passUnordered()
      }
      next += 1
    }
    return due
  }

  private mutating func passUnordered() -> [Int] {
    let waiting = (next..<unordered).filter { stages[$0] == .waiting && !cancelled.contains($0) }
    for index in waiting { stages[index] = .passed }
    return waiting
  }
}
