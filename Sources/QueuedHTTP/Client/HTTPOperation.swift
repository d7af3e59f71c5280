/// A handle on one request: made, then started, then ended, once each.
public final class HTTPOperation: Sendable {
  /// Where an operation is.
  public enum State: Sendable, Hashable {
    case ready, queued, running, waitingToRetry, finished, cancelled
  }

  private let core: ClientCore
  private let id: RequestID
  private let request: HTTPRequest
  private let priority: RequestPriority
  private let callbacks: OperationCallbacks

  init(
    core: ClientCore, request: HTTPRequest, priority: RequestPriority,
    callbacks: OperationCallbacks
  ) {
    self.core = core
    self.request = request
    self.priority = priority
    self.callbacks = callbacks
    id = core.makeID()
  }

  // Nobody can start it any more; what the closures capture is freed on their queue.
  deinit { callbacks.abandon() }

  /// Puts the request into the queue; only the first call counts.
  public func start() {
    guard callbacks.start() else { return }
    core.submit(request, id, priority: priority, .callbacks(callbacks))
    // A cancellation from another thread may have come before there was anything to cancel.
    if callbacks.isCancelAsked { core.cancel(id) }
  }

  /// Ends the request wherever it is; its completion gets `HTTPError.Code.cancelled`.
  public func cancel() {
    if callbacks.cancel() {
      core.cancel(id)
    } else {
      callbacks.end(.failure(HTTPError(.cancelled, reason: "cancelled before it was started")))
    }
  }

  /// Changes its class while it waits.
  public func setPriority(_ priority: RequestPriority) {
    core.change { [id] queue, now in
      queue.setPriority(priority, of: id, now: now)
      return []
    }
  }

  /// Where it is; it counts as ended a moment before its completion is called.
  public var state: State {
    switch callbacks.phase {
    case .made: return .ready
    case .ended(let isCancelled): return isCancelled ? .cancelled : .finished
    case .started: break
    }
    switch core.stage(of: id) {
    case .waiting: return .queued
    case .running: return .running
    case .sleeping: return .waitingToRetry
    case nil: return .queued
    }
  }
}
