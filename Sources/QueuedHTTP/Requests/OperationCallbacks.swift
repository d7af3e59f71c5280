internal import Dispatch
internal import Synchronization

/// Those who are told about an operation: its closures, called and released on the queue or executor
/// that its maker named, and the tasks that wait for its value.
///
/// The closures are taken out of here on that place; so what they capture is freed there too,
/// whichever thread lets go of this object last. It keeps its owner, the client, alive until the operation has ended.
final class OperationCallbacks: Sendable {
  typealias Completion = @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  typealias Progress = @Sendable (TransferProgress) -> Void
  typealias End = Result<HTTPResponse, HTTPError>
  typealias Waiter = CheckedContinuation<End, Never>

  enum Phase: Sendable {
    case made
    case started
    case ended(isCancelled: Bool)
  }

  private struct Content {
    var completion: Completion?
    var progress: Progress?
    var untold: TransferProgress?
    var phase = Phase.made
    var isCancelAsked = false
    var progressThreshold: Double?
    var followers: [AsyncStream<TransferProgress>.Continuation] = []
    var waiters: [Waiter] = []
    var end: End?
    /// Kept alive until the operation has ended.
    var owner: (any AnyObject & Sendable)?

    /// Hands out all but the closures, which must not be held anywhere else.
    mutating func takeOthers() -> Ended {
      defer { (waiters, followers, owner) = ([], [], nil) }
      return Ended(
        waiters: waiters, followers: followers, owner: owner,
        hasClosures: completion != nil || progress != nil)
    }
  }

  /// Who learns of an end beside the closures, and the client that is let go of.
  private struct Ended {
    let waiters: [Waiter]
    let followers: [AsyncStream<TransferProgress>.Continuation]
    let owner: (any AnyObject & Sendable)?
    let hasClosures: Bool
  }

  private let place: CallbackPlace
  private let content: Mutex<Content>

  /// - Parameter progressThreshold: The step in percent at which progress is reported; nil where
  ///   nobody asked for it yet.
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

  /// The step in percent at which progress is reported; nil where nobody asked for it.
  var progressThreshold: Double? { content.withLock { $0.progressThreshold } }

  /// A stream of the progress from now on, which keeps only the newest where nobody takes them.
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

  /// Resumes a task with the end, now or later.
  func add(_ waiter: Waiter) {
    let end = content.withLock { content in
      if content.end == nil { content.waiters.append(waiter) }
      return content.end
    }
    if let end { waiter.resume(returning: end) }
  }

  var phase: Phase { content.withLock { $0.phase } }

  /// Whether the operation is to be started now: only the first call says yes.
  func start() -> Bool {
    content.withLock { content in
      guard case .made = content.phase else { return false }
      content.phase = .started
      return true
    }
  }

  /// Asks for the end; says whether the operation had been started, so that others must bring it.
  func cancel() -> Bool {
    content.withLock { content in
      content.isCancelAsked = true
      guard case .started = content.phase else { return false }
      return true
    }
  }

  /// Whether it was cancelled, perhaps before the request had been taken in.
  var isCancelAsked: Bool { content.withLock { $0.isCancelAsked } }

  /// Tells how far it is; steps that the place has no time for are told as one.
  func report(_ progress: TransferProgress) {
    let (isScheduled, followers) = content.withLock { content in
      guard content.progress != nil else { return (true, content.followers) }
      defer { content.untold = progress }
      return (content.untold != nil, content.followers)
    }
    for follower in followers { follower.yield(progress) }
    guard !isScheduled else { return }
    place.run { [self] in
      let (report, untold) = content.withLock { content in
        defer { content.untold = nil }
        return (content.progress, content.untold)
      }
      if let report, let untold { report(untold) }
    }
  }

  /// Calls the completion; only the first end counts.
  func end(_ result: Result<HTTPResponse, HTTPError>) {
    let ended = content.withLock { content -> Ended? in
      if case .ended = content.phase { return nil }
      var isCancelled = false
      if case .failure(let error) = result, error.code == .cancelled { isCancelled = true }
      content.phase = .ended(isCancelled: isCancelled)
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

  /// Releases the closures of an operation that nobody will start any more.
  func abandon() {
    let unused = content.withLock { content -> Ended? in
      guard case .made = content.phase else { return nil }
      content.phase = .ended(isCancelled: true)
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

/// Where the closures of an operation are called and released.
enum CallbackPlace: Sendable {
  case queue(DispatchQueue)
  case executor(any TaskExecutor)

  /// Has a piece of work done there, after what was handed over before where the place keeps order.
  func run(_ work: @escaping @Sendable () -> Void) {
    switch self {
    case .queue(let queue): queue.async(execute: work)
    // A task is the only piece of work that an executor takes.
    case .executor(let executor): Task(executorPreference: executor) { work() }
    }
  }
}
