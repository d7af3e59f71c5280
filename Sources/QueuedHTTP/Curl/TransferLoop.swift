internal import CCurl
internal import Glibc

/// The one thread that owns libcurl's multi handle and every easy handle.
///
/// It obeys the commands that the core has written down, lets libcurl work, hands back what ended,
/// and sleeps until the network, a deadline or a wake-up.
struct TransferLoop: ~Copyable {
  /// No sleep is longer: some versions of libcurl can lose a wake-up.
  private static let longestPoll = Duration.seconds(1)
  private static let spareTransfers = 64

  private let core: ClientCore
  private let clock = LoopClock()
  private let traffic = LoopTraffic()
  // The core's, since connections that are closed with the multi handle still use it.
  private let sockets: OpenSockets
  private var lastSweep = Moment.zero
  private let outbox = Outbox()
  private var noted = 0
  private var multi = MultiHandle()
  private var active: [RequestID: Transfer] = [:]
  private var spare: [Transfer] = []
  private var kept = 0
  private var hasNews = false
  // Not later than the first deadline of a transfer.
  private var nextCheck = Moment.distantFuture

  init(core: ClientCore, sockets: OpenSockets) {
    self.core = core
    self.sockets = sockets
  }

  /// Works until the client is shut down; all of libcurl's is freed then.
  consuming func run() {
    core.waker.attach(multi)
    var commands: [WorkerCommand] = []
    while true {
      clock.now = .now
      let work = core.takeWork(at: clock.now, into: &commands, via: outbox)
      keepConnections(work.concurrency)
      for command in commands { obey(command) }
      commands.removeAll(keepingCapacity: true)
      if work.isStopping { break }
      if multi.perform() {
        clock.now = .now
        noteTraffic()
        takeInDone()
        endOverdue()
        sweep()
      } else {
        beginAgain()
      }
      outbox.empty { core.tell($0) }
      if core.executor.runWaiting() { hasNews = true }
      // Whatever was handed back or run may have brought new commands.
      if hasNews { hasNews = false } else { sleep() }
    }
    removeAll()
    core.waker.detach()
    outbox.empty { core.tell($0) }
    core.removals.acknowledgeAll()
    core.executor.close()
  }

  private mutating func noteTraffic() {
    guard traffic.received + traffic.sent != noted else { return }
    noted = traffic.received + traffic.sent
    core.note(received: traffic.received, sent: traffic.sent)
  }

  private func noteConnections(of transfer: Transfer) {
    core.noteConnections(
      opened: transfer.connectionsOpened, reused: transfer.isConnectionReused ? 1 : 0)
  }

  private mutating func obey(_ command: WorkerCommand) {
    switch command {
    case .start(let ticket, let leg): start(ticket, leg)
    case .remove(let id):
      if let transfer = active[id] { release(transfer) }
    case .resume(let id):
      guard let transfer = active[id] else { break }
      do throws(HTTPError) {
        try transfer.resume()
        // Its idle time counts again.
        nextCheck = min(nextCheck, clock.now)
      } catch {
        if let ticket = transfer.ticket { fail(transfer, ticket, error) }
      }
    case .removeAll(let number):
      removeAll()
      core.removals.acknowledge(number)
    }
  }

  private mutating func start(_ ticket: Ticket, _ leg: Leg) {
    let transfer = spare.popLast() ?? makeTransfer()
    do throws(HTTPError) {
      try transfer.begin(ticket, leg)
      guard multi.add(transfer.easy) else {
        throw HTTPError(.transport, reason: "libcurl refused the transfer")
      }
      active[ticket.id] = transfer
      // The retain is libcurl's, which holds the transfer as user data until it is removed.
      _ = unsafe Unmanaged.passRetained(transfer)
      core.noteStart(of: ticket)
      nextCheck = min(nextCheck, (try? transfer.deadline().get()) ?? clock.now)
    } catch {
      handBack(ticket, .fault(error))
    }
  }

  private func makeTransfer() -> Transfer {
    Transfer(
      clock: clock, traffic: traffic, sockets: sockets, settings: core.configuration
    ) { [core] id in core.resume(id) }
  }

  /// Takes a transfer away from libcurl and keeps it for another request.
  private mutating func release(_ transfer: Transfer) {
    guard let ticket = transfer.ticket, active.removeValue(forKey: ticket.id) != nil else { return }
    noteConnections(of: transfer)
    if transfer.repetitions > 0 { core.noteRepetitions(transfer.repetitions, of: ticket.id) }
    multi.remove(transfer.easy)
    unsafe Unmanaged.passUnretained(transfer).release()
    transfer.rest()
    if spare.count < Self.spareTransfers { spare.append(transfer) }
  }

  private mutating func removeAll() {
    for transfer in active.values { release(transfer) }
  }

  /// Hands back what is done, and follows redirects.
  private mutating func takeInDone() {
    while let (user, code) = unsafe multi.nextDone() {
      hasNews = true
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
      guard let ticket = transfer.ticket else { continue }
      do throws(HTTPError) {
        // libcurl may call a transfer well whose bytes were refused.
        if let failure = transfer.failure { throw failure }
        guard code == CURLE_OK else { throw transfer.error(code) }
        if let hop = try transfer.nextHop() {
          if ticket.lane(of: hop) == ticket.lane(of: transfer.hop ?? ticket.hop) {
            try follow(hop, transfer)
          } else {
            let leg = Leg(hop: hop, elapsed: transfer.elapsed)
            release(transfer)
            hasNews = true
            core.moved(ticket, leg, via: outbox)
          }
        } else {
          let file = try transfer.finishedFile()
          let response = transfer.response()
          release(transfer)
          handBack(ticket, file.map { .file(response, $0) } ?? .response(response))
        }
      } catch {
        fail(transfer, ticket, error)
      }
    }
  }

  private mutating func handBack(_ ticket: Ticket, _ outcome: ClientCore.Outcome) {
    hasNews = true
    core.finished(ticket, outcome, via: outbox)
  }

  /// Sends the same request elsewhere, in the same slot.
  private mutating func follow(_ hop: Hop, _ transfer: Transfer) throws(HTTPError) {
    noteConnections(of: transfer)
    multi.remove(transfer.easy)
    try transfer.begin(hop)
    guard multi.add(transfer.easy) else {
      throw HTTPError(.transport, reason: "libcurl refused the transfer")
    }
  }

  private mutating func fail(_ transfer: Transfer, _ ticket: Ticket, _ error: HTTPError) {
    var error = error
    error.timings = transfer.timings()
    release(transfer)
    handBack(ticket, .fault(error))
  }

  private mutating func endOverdue() {
    guard nextCheck <= clock.now else { return }
    nextCheck = .distantFuture
    for transfer in active.values {
      switch transfer.deadline() {
      case .success(let moment): nextCheck = min(nextCheck, moment)
      case .failure(let error):
        if let ticket = transfer.ticket { fail(transfer, ticket, error) }
      }
    }
  }

  /// Closes the connections that servers have ended, at most once a second.
  private mutating func sweep() {
    guard clock.now >= lastSweep + Self.longestPoll else { return }
    lastSweep = clock.now
    if sockets.hasDead() { DeadConnectionSweep().run(multi) }
  }

  private func sleep() {
    core.waker.prepareToSleep()
    defer { core.waker.endSleep() }
    let pending = core.pendingWork()
    guard !pending.hasCommands, !core.executor.hasJobs else { return }
    let now = Moment.now
    let end = min(pending.deadline ?? .distantFuture, nextCheck, now + Self.longestPoll)
    // Rounded up: a sleep that ends before the deadline would only be followed by another.
    let milliseconds = max(0, (end - now).wholeNanoseconds + 999_999) / 1_000_000
    if !multi.poll(milliseconds: Int32(milliseconds)) {
      // Without memory for a multi handle there is nothing to wait on; do not spin.
      usleep(10_000)
    }
  }

  /// After an error of the multi handle the state of all transfers is undefined: all end, and a
  /// fresh handle takes over.
  private mutating func beginAgain() {
    let lost = active.values.compactMap(\.ticket)
    removeAll()
    spare = []
    core.waker.detach()
    multi = MultiHandle()
    kept = 0
    core.waker.attach(multi)
    // A wake-up may have come while there was none to take it.
    hasNews = true
    // With no memory for the fresh one it fails again at once; do not spin.
    usleep(1_000)
    for ticket in lost {
      handBack(
        ticket, .fault(HTTPError(.transport, reason: "libcurl lost all its transfers")))
    }
  }

  private mutating func keepConnections(_ concurrency: Int) {
    let bound = max(8, concurrency)
    guard bound != kept else { return }
    kept = bound
    multi.keepConnections(bound)
  }
}
