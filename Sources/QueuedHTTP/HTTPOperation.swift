internal import Synchronization

/// A handle for one request, which is created, started and ended once each.
///
/// It keeps its client alive until it has ended.
public final class HTTPOperation: Sendable {
  /// The state of an operation.
  public typealias State = OperationState

  private let core: ClientCore
  private let id: RequestID
  /// The request.
  public let request: HTTPRequest
  private let currentPriority: Mutex<RequestPriority>
  private let callbacks: OperationCallbacks
  // The last state that was returned, so that an earlier one is never returned after it.
  private let lastState = Mutex(State.ready)

  init(
    client: HTTPClient, request: HTTPRequest, priority: RequestPriority?, place: CallbackPlace,
    progressThreshold: Double?, progress: OperationCallbacks.Progress? = nil,
    completion: OperationCallbacks.Completion? = nil
  ) {
    core = client.core
    self.request = request
    currentPriority = Mutex(priority ?? request.priority)
    callbacks = OperationCallbacks(
      place: place, owner: client, progressThreshold: progressThreshold, progress: progress,
      completion: completion)
    id = core.makeID()
  }

  // It can no longer be started; whatever the closures capture is released on their queue.
  deinit { callbacks.abandon() }

  /// Puts the request into the queue; only the first call has an effect.
  public func start() {
    guard callbacks.start() else { return }
    let submitted = priority
    core.submit(request, id, priority: submitted, .callbacks(callbacks))
    // It may have changed in between.
    let latest = priority
    if latest != submitted { setPriority(latest) }
    // A cancellation from another thread may have come before there was anything to cancel.
    if callbacks.isCancelRequested { core.cancel(id) }
  }

  /// Cancels the request, whatever its state; its completion gets `HTTPError.Code.cancelled`.
  public func cancel() {
    if callbacks.cancel() {
      core.cancel(id)
    } else {
      callbacks.end(.failure(HTTPError(.cancelled, reason: "canceled before it was started")))
    }
  }

  /// The response; starts the operation if necessary, and waits until it has ended.
  ///
  /// Canceling the waiting task cancels the operation. Any number of tasks may wait, at any time.
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

  /// The progress of the transfer from now on; the stream ends with the operation.
  ///
  /// A slow reader sees only the newest state. Read this before you start the operation, or set a
  /// `progressThreshold`: a transfer that began without either reports no progress.
  public var progress: AsyncStream<TransferProgress> { callbacks.follow() }

  /// Its priority, which can be changed until it runs, and while it waits to be sent again.
  public var priority: RequestPriority {
    get { currentPriority.withLock { $0 } }
    set { setPriority(newValue) }
  }

  /// Changes its priority before the start and while it waits.
  public func setPriority(_ priority: RequestPriority) {
    currentPriority.withLock { $0 = priority }
    core.setPriority(priority, of: id)
  }

  /// Its state; it counts as ended a moment before its completion is called.
  public var state: State {
    lastState.withLock { last in
      switch callbacks.phase {
      case .created: last = .ready
      case .ended(let isCanceled): last = isCanceled ? .cancelled : .finished
      case .started: last = core.state(of: id) ?? (last == .ready ? .queued : last)
      }
      return last
    }
  }
}
