internal import Synchronization

/// The closures of an operation, called and released on the queue or executor that its maker named.
///
/// They are taken out of here on that place; so what they capture is freed there too, whichever
/// thread lets go of this object last.
final class OperationCallbacks: Sendable {
  typealias Completion = @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  typealias Progress = @Sendable (TransferProgress) -> Void

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
  }

  let progressThreshold: Double?
  private let place: CallbackPlace
  private let content: Mutex<Content>

  init(
    place: CallbackPlace, progressThreshold: Double, progress: Progress?,
    completion: @escaping Completion
  ) {
    self.place = place
    self.progressThreshold = progress == nil ? nil : progressThreshold
    content = Mutex(Content(completion: completion, progress: progress))
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
  func tell(_ progress: TransferProgress) {
    let isScheduled = content.withLock { content in
      defer { content.untold = progress }
      return content.untold != nil
    }
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
    let isFirst = content.withLock { content in
      if case .ended = content.phase { return false }
      var isCancelled = false
      if case .failure(let error) = result, error.code == .cancelled { isCancelled = true }
      content.phase = .ended(isCancelled: isCancelled)
      return true
    }
    guard isFirst else { return }
    place.run { [self] in
      let closures = takeClosures()
      closures.completion?(result)
    }
  }

  /// Releases the closures of an operation that nobody will start any more.
  func abandon() {
    let isUnused = content.withLock { content in
      guard case .made = content.phase else { return false }
      content.phase = .ended(isCancelled: true)
      return true
    }
    guard isUnused else { return }
    place.run { [self] in _ = takeClosures() }
  }

  private func takeClosures() -> (completion: Completion?, progress: Progress?) {
    content.withLock { content in
      defer { (content.completion, content.progress) = (nil, nil) }
      return (content.completion, content.progress)
    }
  }
}
