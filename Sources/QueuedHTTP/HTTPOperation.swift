internal import Synchronization

/// A handle on one request: made, then started, then ended, once each.
///
/// It keeps its client alive until it has ended.
public final class HTTPOperation: Sendable {
  /// Where an operation is.
  public enum State: Sendable, Hashable {
    /// Made and not started.
    case ready
    /// Waiting for its first start.
    case queued
    /// Holding a slot.
    case running
    /// Sent, and waiting to be sent again or to follow a redirect into another lane.
    case waitingToRetry
    /// Ended with a response, or with an error that is no cancellation.
    case finished
    /// Ended by a cancellation.
    case cancelled
  }

  private let core: ClientCore
  private let id: RequestID
  /// What is sent.
  public let request: HTTPRequest
  private let classes: Mutex<RequestPriority>
  private let callbacks: OperationCallbacks
  // The last state that was told, so that none is told that came before it.
  private let told = Mutex(State.ready)

  init(
    client: HTTPClient, request: HTTPRequest, priority: RequestPriority?, place: CallbackPlace,
    progressThreshold: Double?, progress: OperationCallbacks.Progress? = nil,
    completion: OperationCallbacks.Completion? = nil
  ) {
    core = client.core
    self.request = request
    classes = Mutex(priority ?? request.priority)
    callbacks = OperationCallbacks(
      place: place, owner: client, progressThreshold: progressThreshold, progress: progress,
      completion: completion)
    id = core.makeID()
  }

  // Nobody can start it any more; what the closures capture is freed on their queue.
  deinit { callbacks.abandon() }

  /// Puts the request into the queue; only the first call counts.
  public func start() {
    guard callbacks.start() else { return }
    let submitted = priority
    core.submit(request, id, priority: submitted, .callbacks(callbacks))
    // It may have been changed between the two.
    let latest = priority
    if latest != submitted { setPriority(latest) }
    // A cancellation from another thread may have come before there was anything to cancel.
    if callbacks.isCancelAsked { core.cancel(id) }
  }

  /// Ends the request wherever it is; its completion gets `HTTPError.Code.cancelled`.
  public func cancel() {
    if callbacks.cancel() {
      core.cancel(id)
    } else {
      callbacks.end(.failure(HTTPError(.cancelled, reason: "canceled before it was started")))
    }
  }

  /// The response, once the operation has ended with one; an operation that was only made is started.
  ///
  /// Cancelling the task that waits for it cancels the operation. Any number of tasks may ask, at any
  /// time.
  public var value: HTTPResponse {
    get async throws(HTTPError) {
      start()
      let end = await withTaskCancellationHandler {
        await withCheckedContinuation { callbacks.add($0) }
      } onCancel: {
        cancel()
      }
      return try end.get()
    }
  }

  /// The progress of the transfer from now on; it ends with the operation.
  ///
  /// Whoever is slow sees only the newest state. Ask before the operation is started, or give a
  /// `progressThreshold`: a transfer that began when nobody had asked for progress reports none.
  public var progress: AsyncStream<TransferProgress> { callbacks.follow() }

  /// Its class, which can be changed until it runs, and again while it waits to be sent again.
  public var priority: RequestPriority {
    get { classes.withLock { $0 } }
    set { setPriority(newValue) }
  }

  /// Changes its class before the start and while it waits.
  public func setPriority(_ priority: RequestPriority) {
    classes.withLock { $0 = priority }
    core.setPriority(priority, of: id)
  }

  /// Where it is; it counts as ended a moment before its completion is called.
  public var state: State {
    told.withLock { told in
      switch callbacks.phase {
      case .made: told = .ready
      case .ended(let isCancelled): told = isCancelled ? .cancelled : .finished
      case .started: told = core.state(of: id) ?? (told == .ready ? .queued : told)
      }
      return told
    }
  }
}
