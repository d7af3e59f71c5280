public import Dispatch
public import FoundationEssentials

/// A queued HTTP client: limits, priorities, pace and retries in front of libcurl.
///
/// Every request gets exactly one end: a response, an error or a cancellation. A request that is
/// under way keeps the client alive, and so does an operation that was made and not started. A client
/// that nobody holds any more ends its thread, and so do all of them when the process calls `exit`.
public final class HTTPClient: Sendable {
  let core: ClientCore
  private let thread: WorkerThread?

  /// Makes a client and starts its thread.
  public init(configuration: Configuration = Configuration()) {
    core = ClientCore(configuration)
    thread = WorkerThread(
      stop: { [core] in core.beginCancelAll(.shutDown, isShutDown: true) },
      { [core] in ClientLoopDelegate(core) })
    if thread == nil { core.markBroken() }
  }

  deinit {
    core.beginCancelAll(.shutDown, isShutDown: true)
  }

  /// Sends a request and returns its response, whatever its status.
  ///
  /// Cancelling the task cancels the transfer; `HTTPError.Code.cancelled` is thrown then.
  public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let id = core.makeID()
    let core = core
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        core.submit(request, id, priority: request.priority, .waiter(ResponseWaiter(continuation)))
        // The handler may have run before there was anything to cancel.
        if Task.isCancelled { core.cancel(id) }
      }
    } onCancel: {
      core.cancel(id)
    }
    return try result.get()
  }

  /// Sends a request and decodes the body of its response, as JSON unless another decoder is given.
  ///
  /// Throws `HTTPError.Code.unacceptable` for a status other than 200 to 299, and
  /// `HTTPError.Code.decoding` for a body that cannot be decoded; either error holds the response.
  public func send<Value: Decodable>(
    _ request: HTTPRequest, decoding type: Value.Type,
    with decoder: some BodyDecoder = JSONDecoder()
  ) async throws(HTTPError) -> Value {
    let response = try await send(request)
    do throws(HTTPError) {
      if let refusal = response.refusal(by: [.status()]) { throw refusal }
      return try response.decode(type, with: decoder)
    } catch {
      var error = error
      error.address = WebAddress.censored(response.url)
      throw error
    }
  }

  /// Sends a request and returns the head of its response as soon as it is there.
  ///
  /// A request whose head was returned is not tried again. A judge is asked only about responses
  /// that are not of status 200 to 299.
  public func stream(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStreamedResponse {
    let id = core.makeID()
    let core = core
    let stream = BodyStream()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        stream.expectHead(continuation)
        core.submit(request, id, priority: request.priority, .stream(stream))
        // The handler may have run before there was anything to cancel.
        if Task.isCancelled { core.cancel(id) }
      }
    } onCancel: {
      core.cancel(id)
    }
    let head = try result.get()
    return HTTPStreamedResponse(
      status: head.status, headers: head.headers, url: head.url, version: head.version,
      remoteAddress: head.remoteAddress,
      body: HTTPBodyStream(lease: StreamLease(client: self, id: id, stream: stream)))
  }

  /// Makes an operation that is not started yet.
  ///
  /// - Parameters:
  ///   - request: What is to be sent.
  ///   - priority: Its class; nil means the request's own.
  ///   - progressThreshold: The step in percent at which progress is told.
  ///   - progress: Told how far the response has come.
  ///   - queue: Where `progress` and `completion` are called and released.
  ///   - completion: Called once, with the end.
  public func operation(
    _ request: HTTPRequest, priority: RequestPriority? = nil, progressThreshold: Double = 1,
    progress: (@Sendable (TransferProgress) -> Void)? = nil, on queue: DispatchQueue,
    completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  ) -> HTTPOperation {
    HTTPOperation(
      client: self, request: request, priority: priority, place: .queue(queue),
      progressThreshold: progress == nil ? nil : progressThreshold, progress: progress,
      completion: completion)
  }

  /// Makes an operation and starts it.
  @discardableResult
  public func enqueue(
    _ request: HTTPRequest, priority: RequestPriority? = nil, progressThreshold: Double = 1,
    progress: (@Sendable (TransferProgress) -> Void)? = nil, on queue: DispatchQueue,
    completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  ) -> HTTPOperation {
    let operation = operation(
      request, priority: priority, progressThreshold: progressThreshold, progress: progress,
      on: queue, completion: completion)
    operation.start()
    return operation
  }

  /// Ends every request at once, from any thread, without waiting for it.
  ///
  /// Nothing starts any more of what was there; the sockets are closed within the next moments, and
  /// who waits is told then.
  public func beginCancelAll() { core.beginCancelAll(.cancelled) }

  /// Ends every request of a group, wherever it is.
  public func cancel(group: RequestGroup) { core.cancel(group: group) }

  /// Ends every request that `isMeant` says yes to, wherever it is.
  public func cancel(where isMeant: (HTTPRequest) -> Bool) { core.cancel(where: isMeant) }

  /// Returns when the bounded queue has room for one more, so that a producer can keep pace.
  ///
  /// It also returns when everything is cancelled and when the task is.
  public func waitForRoom() async { await core.waitForRoom() }

  /// Ends every request, and returns when no transfer runs.
  public func cancelAll() async { await core.cancelAll() }

  /// Ends every request and the thread; later requests end with `HTTPError.Code.shutDown`.
  public func shutdown() async {
    core.beginCancelAll(.shutDown, isShutDown: true)
    await thread?.join()
    await core.finishFiling()
    await core.finishCaching()
  }

  /// Runs tasks on the client's own thread, for programs that send many small requests from tasks
  /// that do little else.
  ///
  /// ```swift
  /// try await withTaskExecutorPreference(client.taskExecutor) {
  ///   let response = try await client.send(HTTPRequest(url: "https://example.org/"))
  /// }
  /// ```
  ///
  /// A response then wakes no other thread, which saves a tenth to a quarter of the processor time
  /// of a small request. But as long as such a task computes, no transfer of the client moves: where
  /// a second core is idle, requests per second drop by some 5 percent, and a task that blocks stops
  /// them all. Tasks still run, on other threads, when the client has ended.
  public var taskExecutor: any TaskExecutor { core.executor }

  /// How far all requests are: the state as it is, and each newer one that there is time for.
  ///
  /// It ends with the client.
  public var progress: AsyncStream<ClientProgress> { core.observeProgress() }

  /// How many requests are where.
  public var counts: QueueCounts { core.counts }

  /// What became of the requests that the cache was asked for, and of its entries.
  public var cacheCounts: CacheCounts { core.interceptor?.counts ?? CacheCounts() }

  /// Changes how many requests run at once in all; a lower limit ends none that runs.
  public func setConcurrency(_ limit: Int) {
    core.change { queue, now in queue.setLimit(limit, now: now) }
  }

  /// Gives a lane a limit of its own; nil takes it away.
  public func setLimit(_ limit: Int?, for lane: Lane) {
    core.change { queue, now in queue.setLimit(limit, for: lane, now: now) }
  }

  /// Changes the limit of all lanes that have none of their own.
  public func setLaneLimit(_ limit: Int) {
    core.change { queue, now in queue.setDefaultLaneLimit(limit, now: now) }
  }

  /// Gives a lane a pace; nil takes it away.
  public func setPace(_ pace: Pace?, for lane: Lane) {
    core.change { queue, now in queue.setPace(pace, for: lane, now: now) }
  }

  /// Ends a lane's cool-down: requests that wait for its end may start at once.
  public func endCoolDown(of lane: Lane) {
    core.change { queue, now in queue.endCoolDown(of: lane, now: now) }
  }
}

extension HTTPClient {
  /// Sends a request, and reports how far it is on the way to its response.
  ///
  /// Cancelling the task cancels the transfer.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - progressThreshold: The step in percent at which progress is reported; where the length is
  ///     unknown, each piece is reported.
  ///   - progress: Called with the progress, one call at a time and in order; never after the return.
  public func send(
    _ request: HTTPRequest, progressThreshold: Double = 1,
    progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(HTTPError) -> HTTPResponse {
    let queue = DispatchQueue(label: "QueuedHTTP.progress")
    let operation = HTTPOperation(
      client: self, request: request, priority: nil, place: .queue(queue),
      progressThreshold: progressThreshold, progress: progress)
    let end: Result<HTTPResponse, HTTPError>
    do throws(HTTPError) { end = .success(try await operation.value) } catch {
      end = .failure(error)
    }
    // What was reported before the end is heard before the return.
    await withCheckedContinuation { waiter in queue.async { waiter.resume() } }
    return try end.get()
  }

  /// Makes an operation that is not started yet, for its `value` and its `progress`.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - priority: Its class; nil means the request's own.
  ///   - progressThreshold: The step in percent at which progress is reported; nil reports none
  ///     unless `progress` is asked for before the start.
  public func operation(
    _ request: HTTPRequest, priority: RequestPriority? = nil, progressThreshold: Double? = nil
  ) -> HTTPOperation {
    HTTPOperation(
      client: self, request: request, priority: priority, place: .queue(.global()),
      progressThreshold: progressThreshold)
  }

  /// Makes an operation for its `value` and its `progress`, and starts it.
  public func enqueue(
    _ request: HTTPRequest, priority: RequestPriority? = nil, progressThreshold: Double? = nil
  ) -> HTTPOperation {
    let operation = operation(
      request, priority: priority, progressThreshold: progressThreshold)
    operation.start()
    return operation
  }
}

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
