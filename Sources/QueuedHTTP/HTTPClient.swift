public import Dispatch
public import FoundationEssentials

/// A queued HTTP client: limits, priorities, pace and retries in front of libcurl.
///
/// Every request ends exactly once: with a response, an error or a cancellation. A request in progress
/// keeps the client alive, and so does an operation that was created but not started. A client that is
/// no longer referenced ends its thread, and so do all clients when the process calls `exit`.
public final class HTTPClient: Sendable {
  /// The configuration of a client.
  public typealias Configuration = ClientConfiguration

  let core: ClientCore
  private let thread: WorkerThread?

  /// Creates a client and starts its thread.
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

  /// Initializes libcurl, which the first client does otherwise.
  ///
  /// It takes a millisecond or two, as TLS libraries read their configuration: call it on another thread while there
  /// is something else to do. The process must not end before it returns, as those libraries clean up then.
  package static func prepare() { _ = CurlGlobal.isReady }

  /// Sends a request and returns its response, whatever its status.
  ///
  /// Canceling the task cancels the transfer and throws `HTTPError.Code.cancelled`.
  public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let id = core.makeID()
    let core = core
    let end = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        core.submit(request, id, priority: request.priority, .waiter(ResponseWaiter(continuation)))
        // The handler may have run before there was anything to cancel.
        if Task.isCancelled { core.cancel(id) }
      }
    } onCancel: {
      core.cancel(id)
    }
    return try end.result.get()
  }

  /// Sends a request and decodes the body of its response, as JSON unless you pass another decoder.
  ///
  /// Throws `HTTPError.Code.unacceptable` for a status other than 200 to 299, and
  /// `HTTPError.Code.decoding` for a body that cannot be decoded; both errors contain the response.
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

  /// Sends a request and returns the head of its response as soon as it arrives.
  ///
  /// Once the head was returned, the request is not retried. A judge sees only responses with a status
  /// other than 200 to 299.
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

  /// Creates an operation without starting it.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - priority: Its priority; nil means the request's own.
  ///   - progressThreshold: The step in percent at which progress is reported.
  ///   - progress: Called with the progress of the transfer.
  ///   - queue: The queue on which `progress` and `completion` are called and released.
  ///   - completion: Called once, with the result.
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

  /// Creates an operation and starts it.
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

  /// Cancels every request at once, from any thread, without waiting.
  ///
  /// None of the current requests starts any more. Their sockets are closed within moments, and after
  /// that their results are delivered. Requests that are submitted afterwards are sent as usual: to end
  /// a program, also cancel the tasks that submit them, or use `shutdown()`.
  public func beginCancelAll() { core.beginCancelAll(.cancelled) }

  /// Cancels every request of a group, whatever its state.
  ///
  /// None of them starts any more. If there are more than 500, their results are delivered afterwards,
  /// on another thread.
  public func cancel(group: RequestGroup) { core.cancel(group: group) }

  /// Cancels the requests of a group that wait: to be sent, or to be sent again.
  ///
  /// Those that are under way continue to their results, but are not sent again after a failure.
  public func cancelWaiting(group: RequestGroup) { core.cancelWaiting(group: group) }

  /// Cancels every request for which `isMeant` returns true, whatever its state.
  ///
  /// `isMeant` is called for each request that has not ended, before this function returns. None of
  /// those chosen starts any more. If there are more than 500, their results are delivered afterwards,
  /// on another thread.
  public func cancel(where isMeant: (HTTPRequest) -> Bool) { core.cancel(where: isMeant) }

  /// Returns when the bounded queue has room for another request, so that a producer can keep pace.
  ///
  /// It also returns when everything is canceled, and when the task is canceled.
  public func waitForRoom() async { await core.waitForRoom() }

  /// Cancels every request, and returns when no transfer is running.
  ///
  /// Requests that are submitted afterwards are sent as usual.
  public func cancelAll() async { await core.cancelAll() }

  /// Ends every request and the thread; later requests fail with `HTTPError.Code.shutDown`.
  public func shutdown() async {
    core.beginCancelAll(.shutDown, isShutDown: true)
    await thread?.join()
    await core.finishFiling()
    await core.finishCaching()
  }

  /// An executor that runs tasks on the client's own thread, for programs that send many small requests
  /// from tasks that do little else.
  ///
  /// ```swift
  /// try await withTaskExecutorPreference(client.taskExecutor) {
  ///   let response = try await client.send(HTTPRequest(url: "https://example.org/"))
  /// }
  /// ```
  ///
  /// A response then wakes no other thread, which saves 20 to 40 percent of the processor time of a
  /// small request. A preference around each single request saves less or nothing, because the task
  /// leaves the thread again after it. But while such a task computes, none of the client's transfers
  /// makes progress: if a second core is idle, requests per second drop by about 5 percent, and a task
  /// that blocks stops all of them. After the client has ended, tasks run on other threads.
  ///
  /// This is not the default, because a library cannot choose it for its callers: only a task's own
  /// preference decides on which thread it continues. On Swift's default executor each response wakes a
  /// thread of the pool, at least when few requests run at once. A C loop over libcurl that does no more
  /// than resume a continuation for each response takes 1.1 to 1.4 times the processor time of the same
  /// loop without tasks at 64 requests at once, and 1.7 to 1.9 times at 4 (`throughput-continuation` in
  /// the benchmarks).
  public var taskExecutor: any TaskExecutor { core.executor }

  /// The progress of all requests: the current state, then each newer state that the reader keeps up
  /// with.
  ///
  /// The stream ends with the client.
  public var progress: AsyncStream<ClientProgress> { core.observeProgress() }

  /// The number of requests in each state.
  public var counts: QueueCounts { core.counts }

  /// Statistics of the cache: hits, misses and entries.
  public var cacheCounts: CacheCounts { core.cacheInterceptor?.counts ?? CacheCounts() }

  /// Removes what the cache has for the address of a response that turned out to be of no use, so that the next
  /// request asks the server for all of it.
  ///
  /// Only its reader knows: a document that was cut off may arrive with the length that its header states. A request
  /// that is sent later does not find it any more.
  public func removeCached(_ response: HTTPResponse) { core.removeCached(response) }

  /// Changes the maximum number of running requests; a lower limit ends none that is running.
  public func setConcurrency(_ limit: Int) {
    core.change { queue, now in queue.setLimit(limit, now: now) }
  }

  /// Sets a lane's own limit; nil removes it.
  public func setLimit(_ limit: Int?, for lane: Lane) {
    core.change { queue, now in queue.setLimit(limit, for: lane, now: now) }
  }

  /// Changes the limit of all lanes that have no limit of their own.
  public func setLaneLimit(_ limit: Int) {
    core.change { queue, now in queue.setDefaultLaneLimit(limit, now: now) }
  }

  /// Sets a lane's pace; nil removes it.
  public func setPace(_ pace: Pace?, for lane: Lane) {
    core.change { queue, now in queue.setPace(pace, for: lane, now: now) }
  }

  /// Ends a lane's cool-down, so that waiting requests may start at once.
  public func endCoolDown(of lane: Lane) {
    core.change { queue, now in queue.endCoolDown(of: lane, now: now) }
  }
}

extension HTTPClient {
  /// Sends a request and reports its progress.
  ///
  /// Canceling the task cancels the transfer.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - progressThreshold: The step in percent at which progress is reported; if the length is
  ///     unknown, every piece is reported.
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
    // Progress that was reported before the end is delivered before the return.
    await withCheckedContinuation { waiter in queue.async { waiter.resume() } }
    return try end.get()
  }

  /// Creates an operation without starting it, for its `value` and its `progress`.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - priority: Its priority; nil means the request's own.
  ///   - progressThreshold: The step in percent at which progress is reported; nil reports none
  ///     unless `progress` is read before the start.
  public func operation(
    _ request: HTTPRequest, priority: RequestPriority? = nil, progressThreshold: Double? = nil
  ) -> HTTPOperation {
    HTTPOperation(
      client: self, request: request, priority: priority, place: .queue(.global()),
      progressThreshold: progressThreshold)
  }

  /// Creates an operation for its `value` and its `progress`, and starts it.
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
  /// Creates an operation without starting it; its closures run on an executor.
  ///
  /// They run in order and one at a time if the executor is serial.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - priority: Its priority; nil means the request's own.
  ///   - progressThreshold: The step in percent at which progress is reported.
  ///   - progress: Called with the progress of the transfer.
  ///   - executor: The executor on which `progress` and `completion` are called and released.
  ///   - completion: Called once, with the result.
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

  /// Creates an operation whose closures run on an executor, and starts it.
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
