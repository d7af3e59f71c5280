internal import Synchronization

/// The client's side of the transfer loop; used only on the worker thread.
final class ClientLoopDelegate: TransferLoopDelegate {
  private let core: ClientCore
  private let outbox = Outbox()
  let resume: @Sendable (RequestID) -> Void

  init(_ core: ClientCore) {
    self.core = core
    resume = { [core] id in core.resume(id) }
  }

  var configuration: ClientConfiguration { core.configuration }
  var waker: Waker { core.waker }
  var executor: WorkerExecutor { core.executor }

  func takeWork(at moment: Moment, into commands: inout [WorkerCommand]) -> WorkerTasks {
    let (tasks, effects) = core.state.withLock { state in
      var effects = ClientState.Effects()
      if let deadline = state.nextDeadline(), deadline <= moment {
        effects = state.advance(
          now: Instant(moment: moment, date: core.configuration.now()))
      }
      return (state.takeWork(into: &commands), effects)
    }
    core.perform(effects, outbox)
    return tasks
  }

  func pendingWork() -> (hasCommands: Bool, deadline: Moment?) {
    core.state.withLock { $0.pendingWork() }
  }

  func attemptStarted(_ ticket: Ticket) {
    guard let observer = core.configuration.observer else { return }
    // A request that was canceled in the meantime has no number of attempts.
    guard let attempts = core.state.withLock({ $0.attempts(of: ticket.id) }) else { return }
    observer.started(ObservedRequest(ticket), attempt: attempts)
  }

  func attemptEnded(_ ticket: Ticket, _ outcome: AttemptOutcome) {
    RequestEnd(core, ticket, outbox).attemptEnded(outcome)
  }

  func attemptMoved(_ ticket: Ticket, _ leg: Leg) {
    let now = core.now
    core.perform(core.state.withLock { $0.move(ticket.id, to: leg, now: now) }, outbox)
  }

  func countResends(_ count: Int, retries: Int, of id: RequestID) {
    core.state.withLock { $0.countResends(count, retries: retries, of: id) }
  }

  func responseBegan(_ id: RequestID) {
    let now = core.now
    core.perform(core.state.withLock { $0.noteSuccess(of: id, now: now) }, outbox)
  }

  func countConnections(opened: Int, reused: Int) {
    core.countConnections(opened: opened, reused: reused)
  }

  func setTraffic(received: Int, sent: Int) { core.setTraffic(received: received, sent: sent) }

  func roundEnded() { outbox.empty { core.deliver($0) } }

  func acknowledgeRemoval(_ number: UInt64) { core.cancellations.acknowledge(number) }

  func workerEnded() { core.cancellations.acknowledgeAll() }
}
