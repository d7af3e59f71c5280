package import FoundationEssentials
internal import QueuedHTTP
package import SearchModel
internal import SearchSources
internal import Synchronization

/// Runs a plan: asks pages, judges answers, logs in where that is needed, and keeps what was found.
///
/// It knows no streams and no arguments. `findings` may be asked for at any moment, so that a signal
/// can print what has arrived.
package final class SearchEngine: Sendable {
  private let transport: any Transport
  private let limits: RunLimits
  private let now: Date
  private let clock: @Sendable () -> Date
  private let sessions: SessionKeeper
  private let state: Mutex<RunState>

  /// - Parameters:
  ///   - now: The run's now, which dates are judged by.
  ///   - clock: The real clock, which waits are counted by.
  package init(
    plan: [PlannedSearch], transport: any Transport, limits: RunLimits, now: Date,
    clock: @escaping @Sendable () -> Date, sessionStore: (any SessionStore)? = nil
  ) {
    self.transport = transport
    self.limits = limits
    self.now = now
    self.clock = clock
    sessions = SessionKeeper(
      transport: transport, limits: limits, store: sessionStore, clock: clock)
    state = Mutex(RunState(plan: plan))
  }

  /// What was found so far, in plan order; a search that has not ended counts as cancelled.
  package var findings: Findings { state.withLock { $0.findings } }

  package var progress: RunProgress { state.withLock { $0.progress } }

  /// Ends the run at once: nothing new starts, every transfer is cancelled, and what has no outcome
  /// gets this one.
  package func end(unfinished ending: Ending) {
    state.withLock { $0.end(unfinished: ending) }
    transport.beginCancelAll()
  }

  /// Runs the plan to its end, or to the end of the time it has.
  package func run() async {
    await withTaskGroup { group in
      group.addTask { await self.askAll() }
      if let longest = limits.longest {
        group.addTask { await self.endLate(after: longest) }
      }
      // Whichever comes first; the other is cancelled when the group ends.
      await group.next()
      group.cancelAll()
    }
  }

  private func endLate(after longest: Duration) async {
    do {
      try await Task.sleep(for: longest)
    } catch {
      return  // The run ended in time.
    }
    end(
      unfinished: .failed(
        Failure(
          .temporary, message: "time is up after \(longest.inWords)",
          advice: "give the run more time with --max-time")))
  }

  private func askAll() async {
    let lanes = state.withLock { $0.lanes }
    await withTaskGroup { group in
      for (lane, searches) in lanes {
        // Twice what runs at once: while one answer is read, the next is already on its way.
        for _ in 0..<min(searches, limits.perLane * 2) {
          group.addTask { await self.ask(lane) }
        }
      }
    }
  }

  private func ask(_ lane: Lane) async {
    while let (index, search) = state.withLock({ $0.begin(in: lane) }) {
      do {
        try await conduct(search, at: index)
      } catch {
        state.withLock { $0.fail(index, with: Ending(error)) }
      }
    }
  }

  /// Asks a search's pages in turn.
  private func conduct(_ search: Search, at index: Int) async throws {
    var step = SearchRecord.Step.end
    var cursor: Cursor?
    repeat {
      let wanted = state.withLock { $0.wanted(index, of: search.cap) }
      let page = try await page(of: search, at: cursor, wanted: wanted)
      step = state.withLock { $0.take(page, of: search, at: index, within: limits) }
      if case .ask(let next) = step { cursor = next }
    } while step != .end
  }

  /// Asks one page, with one new login where the session has expired.
  private func page(of search: Search, at cursor: Cursor?, wanted: Int?) async throws -> Page {
    var asked = PageRequest(
      query: search.query, server: search.server, since: limits.since, until: limits.until,
      wanted: wanted, cursor: cursor, credentials: search.credentials, now: now)
    asked.session = try await sessions.session(for: search, asking: asked, insteadOf: nil)
    var response = try await send(asked, of: search)
    if let expired = asked.session, search.source.isExpired(response) {
      asked.session = try await sessions.session(for: search, asking: asked, insteadOf: expired)
      response = try await send(asked, of: search)
    }
    // What comes after the end of the run is not read: a signal has better use for the cores.
    if state.withLock({ $0.isOver }) { throw CancellationError() }
    asked.answered = clock()
    return try search.source.page(from: response, to: asked)
  }

  private func send(_ page: PageRequest, of search: Search) async throws -> HTTPResponse {
    let source = search.source
    var request = try source.request(for: page)
    request.lane = search.lane
    request.priority = search.priority
    limits.apply(to: &request)
    request.judge = { response, now in source.verdict(on: response, now: now) }
    return try await transport.send(request)
  }
}
