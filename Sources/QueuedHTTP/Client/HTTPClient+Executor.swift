extension HTTPClient {
  /// Makes an operation that is not started yet, whose closures run on an executor.
  ///
  /// They come in order, and one at a time, where the executor runs its jobs so.
  ///
  /// - Parameters:
  ///   - request: What is to be sent.
  ///   - priority: Its class; nil means the request's own.
  ///   - progressThreshold: The step in percent at which progress is told.
  ///   - progress: Told how far the response has come.
  ///   - executor: Where `progress` and `completion` are called and released.
  ///   - completion: Called once, with the end.
  public func operation(
    _ request: HTTPRequest, priority: RequestPriority? = nil, progressThreshold: Double = 1,
    progress: (@Sendable (TransferProgress) -> Void)? = nil, on executor: any TaskExecutor,
    completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  ) -> HTTPOperation {
    HTTPOperation(
      client: self, request: request, priority: priority, place: .executor(executor),
      progressThreshold: progress == nil ? nil : progressThreshold, progress: progress,
      completion: completion)
  }

  /// Makes an operation whose closures run on an executor, and starts it.
  @discardableResult
  public func enqueue(
    _ request: HTTPRequest, priority: RequestPriority? = nil, progressThreshold: Double = 1,
    progress: (@Sendable (TransferProgress) -> Void)? = nil, on executor: any TaskExecutor,
    completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  ) -> HTTPOperation {
    let operation = operation(
      request, priority: priority, progressThreshold: progressThreshold, progress: progress,
      on: executor, completion: completion)
    operation.start()
    return operation
  }
}
