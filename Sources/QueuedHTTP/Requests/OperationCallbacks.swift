internal import Dispatch
internal import Synchronization

/// The receivers of an operation's result: its closures, called and released on the queue or executor
/// that the caller chose, and the tasks that wait for its value.
///
/// The closures are removed from this object on that queue, so whatever they capture is released there,
/// too, whichever thread releases this object last. It keeps its owner, the client, alive until the operation has ended.
final class OperationCallbacks: Sendable {
  typealias Completion = @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  typealias Progress = @Sendable (TransferProgress) -> Void
  typealias End = Result<HTTPResponse, HTTPError>
  typealias Waiter = CheckedContinuation<End, Never>

  enum Phase: Sendable {
    case created
    case started
    case ended(isCanceled: Bool)
  }

  private struct Content {
    var completion: Completion?
    var progress: Progress?
    var unreported: TransferProgress?
    var phase = Phase.created
    var isCancelRequested = false
    var progressThreshold: Double?
    var followers: [AsyncStream<TransferProgress>.Continuation] = []
    var waiters: [Waiter] = []
    var end: End?
    /// Kept alive until the operation has ended.
    var owner: (any AnyObject & Sendable)?

    /// Removes everything except the closures, which must not be referenced anywhere else.
    mutating func takeOthers() -> Ended {
      defer { (waiters, followers, owner) = ([], [], nil) }
      return Ended(
        waiters: waiters, followers: followers, owner: owner,
        hasClosures: completion != nil || progress != nil)
    }
  }

  /// The other receivers of the result, and the owner that is released.
  private struct Ended {
    let waiters: [Waiter]
    let followers: [AsyncStream<TransferProgress>.Continuation]
    let owner: (any AnyObject & Sendable)?
    let hasClosures: Bool
  }

  private let place: CallbackPlace
  private let content: Mutex<Content>

  /// - Parameter progressThreshold: The step in percent at which progress is reported; nil if nobody
  ///   wants it yet.
  init(
    place: CallbackPlace, owner: (any AnyObject & Sendable)? = nil, progressThreshold: Double?,
    progress: Progress? = nil,
    completion: Completion? = nil
  ) {
    self.place = place
    content = Mutex(
      Content(
        completion: completion, progress: progress, progressThreshold: progressThreshold,
        owner: owner))
  }

  /// The step in percent at which progress is reported; nil if nobody wants it.
  var progressThreshold: Double? { content.withLock { $0.progressThreshold } }

  /// A stream of the progress from now on, which buffers only the newest state.
  func follow() -> AsyncStream<TransferProgress> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
    let isOver = content.withLock { content in
      if case .ended = content.phase { return true }
      content.followers.append(continuation)
      if content.progressThreshold == nil { content.progressThreshold = 1 }
      return false
    }
    if isOver { continuation.finish() }
    return stream
  }

  /// Resumes a task with the result, now or later.
  func add(_ waiter: Waiter) {
    let end = content.withLock { content in
      if content.end == nil { content.waiters.append(waiter) }
      return content.end
    }
    if let end { waiter.resume(returning: end) }
  }

  var phase: Phase { content.withLock { $0.phase } }

  /// Marks the operation as started; returns true only for the first call.
  func start() -> Bool {
    content.withLock { content in
      guard case .created = content.phase else { return false }
      content.phase = .started
      return true
    }
  }

  /// Requests a cancellation; returns whether the operation was started, so that the client must
  /// perform it.
  func cancel() -> Bool {
    content.withLock { content in
      content.isCancelRequested = true
      guard case .started = content.phase else { return false }
      return true
    }
  }

  /// True if it was canceled, perhaps before the request was submitted.
  var isCancelRequested: Bool { content.withLock { $0.isCancelRequested } }

  /// Reports progress; steps that arrive faster than the queue handles them are combined.
  func report(_ progress: TransferProgress) {
    let (isScheduled, followers) = content.withLock { content in
      guard content.progress != nil else { return (true, content.followers) }
      defer { content.unreported = progress }
      return (content.unreported != nil, content.followers)
    }
    for follower in followers { follower.yield(progress) }
    guard !isScheduled else { return }
    place.run { [self] in
      let (report, unreported) = content.withLock { content in
        defer { content.unreported = nil }
        return (content.progress, content.unreported)
      }
      if let report, let unreported { report(unreported) }
    }
  }

  /// Calls the completion; only the first result counts.
  func end(_ result: Result<HTTPResponse, HTTPError>) {
    let ended = content.withLock { content -> Ended? in
      if case .ended = content.phase { return nil }
      var isCanceled = false
      if case .failure(let error) = result, error.code == .cancelled { isCanceled = true }
      content.phase = .ended(isCanceled: isCanceled)
      content.end = result
      return content.takeOthers()
    }
    guard let ended else { return }
    for waiter in ended.waiters { waiter.resume(returning: result) }
    for follower in ended.followers { follower.finish() }
    guard ended.hasClosures else { return }
    place.run { [self] in
      let closures = takeClosures()
      closures.completion?(result)
    }
  }

  /// Releases the closures of an operation that can no longer be started.
  func abandon() {
    let unused = content.withLock { content -> Ended? in
      guard case .created = content.phase else { return nil }
      content.phase = .ended(isCanceled: true)
      return content.takeOthers()
    }
    guard let unused else { return }
    for follower in unused.followers { follower.finish() }
    guard unused.hasClosures else { return }
    place.run { [self] in _ = takeClosures() }
  }

  private func takeClosures() -> (completion: Completion?, progress: Progress?) {
    content.withLock { content in
      defer { (content.completion, content.progress) = (nil, nil) }
      return (content.completion, content.progress)
    }
  }
}

/// The queue or executor on which the closures of an operation are called and released.
enum CallbackPlace: Sendable {
  case queue(DispatchQueue)
  case executor(any TaskExecutor)

  /// Runs work there, after earlier work if the place is serial.
  func run(_ work: @escaping @Sendable () -> Void) {
    switch self {
    case .queue(let queue): queue.async(execute: work)
    // An executor accepts only tasks.
    case .executor(let executor): Task(executorPreference: executor) { work() }
    }
  }
}
