internal import CCurl
internal import Glibc

/// The loop of the one thread that owns libcurl's multi handle and every easy handle.
///
/// It carries out the commands of the client, lets libcurl work, reports attempts that ended, and
/// sleeps until there is network traffic, a deadline or a wake-up.
struct TransferLoop: ~Copyable {
  /// No sleep is longer, because some versions of libcurl can lose a wake-up.
  private static let longestPoll = Duration.seconds(1)
  private static let maximumSpareTransfers = 64

  private let delegate: any TransferLoopDelegate
  private let clock = LoopClock()
  private let traffic = LoopTraffic()
  private let turns = DecodingTurns()
  // Owned by the caller: connections that are closed with the multi handle still use it.
  private let sockets: OpenSockets
  private var lastSweep = Moment.zero
  private var reportedTraffic = 0
  private var multi = MultiHandle()
  private var active: [RequestID: Transfer] = [:]
  private var spare: [Transfer] = []
  private var connectionBound = 0
  private var hasNews = false
  // No transfer has a deadline before this.
  private var nextCheck = Moment.distantFuture

  init(delegate: any TransferLoopDelegate, sockets: OpenSockets) {
    self.delegate = delegate
    self.sockets = sockets
  }

  /// Works until the client is shut down, and then frees all handles of libcurl.
  consuming func run() {
    delegate.waker.attach(multi)
    var commands: [WorkerCommand] = []
    while true {
      clock.now = .now
      let tasks = delegate.takeWork(at: clock.now, into: &commands)
      keepConnections(tasks.concurrency)
      for command in commands { carryOut(command) }
      commands.removeAll(keepingCapacity: true)
      if tasks.isStopping { break }
      for id in turns.beginRound() { continueDecoding(id) }
      if multi.perform() {
        clock.now = .now
        reportTraffic()
        collectDone()
        endOverdue()
        closeDeadConnections()
      } else {
        replaceMultiHandle()
      }
      delegate.roundEnded()
      if delegate.executor.runWaiting() || turns.isAnyWaiting { hasNews = true }
      // Whatever was reported or run may have brought new commands.
      if hasNews { hasNews = false } else { sleep() }
    }
    removeAll()
    delegate.waker.detach()
    delegate.roundEnded()
    delegate.workerEnded()
    delegate.executor.close()
  }

  private mutating func reportTraffic() {
    guard traffic.received + traffic.sent != reportedTraffic else { return }
    reportedTraffic = traffic.received + traffic.sent
    delegate.setTraffic(received: traffic.received, sent: traffic.sent)
  }

  private func countConnections(of transfer: Transfer) {
    let opened = transfer.connectionsOpened
    delegate.countConnections(
      opened: opened, reused: opened == 0 && transfer.isConnected ? 1 : 0)
  }

  private mutating func carryOut(_ command: WorkerCommand) {
    switch command {
    case .start(let ticket, let leg): start(ticket, leg)
    case .remove(let id):
      if let transfer = active[id] { release(transfer) }
    case .resume(let id):
      guard let transfer = active[id] else { break }
      resume(transfer)
      // The idle timeout runs again.
      nextCheck = min(nextCheck, clock.now)
    case .removeAll(let number):
      removeAll()
      delegate.acknowledgeRemoval(number)
    }
  }

  private mutating func resume(_ transfer: Transfer) {
    do throws(HTTPError) { try transfer.resume() } catch {
      if let ticket = transfer.ticket { fail(transfer, ticket, error) }
    }
  }

  private mutating func continueDecoding(_ id: RequestID) {
    if let transfer = active[id], transfer.isDecoding { resume(transfer) }
  }

  private mutating func start(_ ticket: Ticket, _ leg: Leg) {
    let transfer = spare.popLast() ?? makeTransfer()
    do throws(HTTPError) {
      try transfer.begin(ticket, leg)
      try add(transfer)
      active[ticket.id] = transfer
      // libcurl's reference: it holds the transfer as user data until the handle is removed.
      _ = unsafe Unmanaged.passRetained(transfer)
      if leg.hop == nil { delegate.attemptStarted(ticket) }
      nextCheck = min(nextCheck, transfer.firstCheck)
    } catch {
      report(ticket, .fault(error))
    }
  }

  private func add(_ transfer: Transfer) throws(HTTPError) {
    guard multi.add(transfer.easy) else {
      throw HTTPError(.transport, reason: "libcurl refused the transfer")
    }
  }

  private func makeTransfer() -> Transfer {
    Transfer(
      clock: clock, traffic: traffic, turns: turns, sockets: sockets,
      settings: delegate.configuration, responseBegan: { [delegate] in delegate.responseBegan($0) },
      wake: delegate.resume)
  }

  /// Takes a transfer back from libcurl and keeps it for another request.
  private mutating func release(_ transfer: Transfer) {
    guard let ticket = transfer.ticket, active.removeValue(forKey: ticket.id) != nil else { return }
    countConnections(of: transfer)
    let retries = transfer.resends
    let resends = retries + (transfer.hasDroppedExpectation ? 1 : 0)
    if resends > 0 { delegate.countResends(resends, retries: retries, of: ticket.id) }
    multi.remove(transfer.easy)
    unsafe Unmanaged.passUnretained(transfer).release()
    guard transfer.isReusable, spare.count < Self.maximumSpareTransfers else { return }
    transfer.prepareForReuse()
    spare.append(transfer)
  }

  private mutating func removeAll() {
    for transfer in active.values { release(transfer) }
  }

  /// Reports the transfers that are done, and follows redirects.
  private mutating func collectDone() {
    while let (user, code) = unsafe multi.nextDone() {
      hasNews = true
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
      guard let ticket = transfer.ticket else { continue }
      conclude(transfer, ticket, code)
    }
  }

  /// Reports a transfer that is done, or follows its redirect.
  private mutating func conclude(_ transfer: Transfer, _ ticket: Ticket, _ code: CURLcode) {
    do throws(HTTPError) {
      if transfer.connection.hasStrayBytes, let hop = transfer.hop {
        // libcurl has closed that connection.
        multi.remove(transfer.easy)
        try transfer.begin(hop, isAgain: true)
        return try add(transfer)
      }
      // libcurl may report success for a transfer whose bytes were refused.
      if let failure = transfer.failure { throw failure }
      guard code == CURLE_OK || transfer.leadsOn else { throw transfer.error(code) }
      guard transfer.hasWholeHead else { throw transfer.error(CURLE_PARTIAL_FILE) }
      if let hop = transfer.nextHop() {
        if ticket.lane(of: hop) == ticket.lane(of: transfer.hop ?? ticket.hop) {
          try follow(hop, transfer)
        } else {
          let leg = Leg(hop: hop, elapsed: transfer.elapsed)
          release(transfer)
          delegate.attemptMoved(ticket, leg)
        }
      } else {
        let file = try transfer.finishedFile()
        let response = transfer.response()
        release(transfer)
        report(ticket, file.map { .file(response, $0) } ?? .response(response))
      }
    } catch {
      fail(transfer, ticket, error)
    }
  }

  private mutating func report(_ ticket: Ticket, _ outcome: AttemptOutcome) {
    hasNews = true
    delegate.attemptEnded(ticket, outcome)
  }

  /// Follows a redirect in the same slot.
  private mutating func follow(_ hop: Hop, _ transfer: Transfer) throws(HTTPError) {
    countConnections(of: transfer)
    multi.remove(transfer.easy)
    try transfer.begin(hop)
    try add(transfer)
  }

  private mutating func fail(_ transfer: Transfer, _ ticket: Ticket, _ error: HTTPError) {
    var error = error
    error.timings = transfer.timings()
    release(transfer)
    report(ticket, .fault(error))
  }

  private mutating func endOverdue() {
    nextCheck = min(nextCheck, clock.alarm)
    clock.alarm = .distantFuture
    guard nextCheck <= clock.now else { return }
    nextCheck = .distantFuture
    for transfer in active.values {
      if transfer.isRedirectDue, let ticket = transfer.ticket {
        hasNews = true
        conclude(transfer, ticket, CURLE_OK)
        continue
      }
      switch transfer.deadline() {
      case .success(let moment): nextCheck = min(nextCheck, moment)
      case .failure(let error):
        if let ticket = transfer.ticket { fail(transfer, ticket, error) }
      }
    }
  }

  /// Closes the connections that servers have ended, at most once a second.
  private mutating func closeDeadConnections() {
    guard clock.now >= lastSweep + Self.longestPoll else { return }
    lastSweep = clock.now
    guard sockets.hasDead() else { return }
    DeadConnectionSweep().run(multi)
    // A transfer may have ended in there.
    hasNews = true
  }

  private func sleep() {
    delegate.waker.prepareToSleep()
    defer { delegate.waker.endSleep() }
    let pending = delegate.pendingWork()
    guard !pending.hasCommands, !delegate.executor.hasJobs else { return }
    let now = Moment.now
    let end = min(pending.deadline ?? .distantFuture, nextCheck, now + Self.longestPoll)
    // Rounded up: a sleep that ends before the deadline would only be followed by another.
    let milliseconds = max(0, (end - now).wholeNanoseconds + 999_999) / 1_000_000
    if !multi.poll(milliseconds: Int32(milliseconds)) {
      // Without memory for a multi handle there is nothing to wait on; do not spin.
      usleep(10_000)
    }
  }

  /// Ends all transfers and creates a new multi handle: after an error of the old one, the state of
  /// all its transfers is undefined.
  private mutating func replaceMultiHandle() {
    let lost = active.values.compactMap(\.ticket)
    removeAll()
    spare = []
    delegate.waker.detach()
    multi = MultiHandle()
    connectionBound = 0
    delegate.waker.attach(multi)
    // A wake-up may have come while there was no handle to take it.
    hasNews = true
    // Without memory the new one fails at once, too; do not spin.
    usleep(1_000)
    for ticket in lost {
      report(ticket, .fault(HTTPError(.transport, reason: "libcurl lost all its transfers")))
    }
  }

  private mutating func keepConnections(_ concurrency: Int) {
    let bound = max(8, concurrency)
    guard bound != connectionBound else { return }
    connectionBound = bound
    multi.keepConnections(bound)
  }
}
