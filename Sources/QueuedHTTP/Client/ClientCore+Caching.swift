internal import Dispatch
internal import Synchronization

extension ClientCore {
  /// Answers a request from the cache, or puts it into the queue.
  func lookUp(_ ticket: Ticket) {
    guard ticket.isIntercepted else { return lookUp(ticket, as: ticket) }
    adaptForCache(ticket) { [self] adapted in lookUp(ticket, as: adapted) }
  }

  /// - Parameter adapted: The request with the changes of the client's interceptor.
  private func lookUp(_ ticket: Ticket, as adapted: Ticket) {
    caching.async { [self] in
      // A request that was canceled in the meantime costs no reading.
      guard let cacheInterceptor, state.withLock({ $0.isLookedUp(ticket.id) }) else { return }
      let end = RequestEnd(self, ticket)
      switch cacheInterceptor.find(
        adapted.request, at: adapted.hop.address, now: configuration.now())
      {
      case .answer(let response): end.complete(.success(response))
      case .answerAndRefresh(let response):
        end.complete(.success(response))
        refresh(ticket.request)
      case .refuse:
        end.complete(.failure(HTTPError(.notCached, reason: "the cache has no usable response")))
      case .fetch: enqueue(ticket)
      case .validate(let validators): enqueue(Ticket(ticket, validators: validators))
      }
    }
  }

  private func enqueue(_ ticket: Ticket) {
    let now = now
    perform(state.withLock { $0.enqueueAfterLookup(ticket, now: now) })
  }

  /// Requests a fresh response in place of a stale one, unless such a request is already running.
  private func refresh(_ request: HTTPRequest) {
    let key = JoinKey(request)
    guard refreshes.begin(key) else { return }
    var request = request
    request.acceptsStale = false
    let callbacks = OperationCallbacks(place: .queue(caching), progressThreshold: nil) {
      [refreshes] _ in refreshes.end(key)
    }
    _ = callbacks.start()
    submit(request, makeID(), priority: request.priority, .callbacks(callbacks))
  }

  /// Removes what is stored for the address of a response.
  func removeCached(_ response: HTTPResponse) {
    guard let cacheInterceptor, let address = try? WebAddress(response.url) else { return }
    caching.async { cacheInterceptor.removeAll(at: address) }
  }

  /// The stored response for a request, even a stale one, if its policy allows that.
  func stored(for request: HTTPRequest) async throws(HTTPError) -> HTTPResponse? {
    guard let cacheInterceptor, [.useCache, .onlyCached].contains(request.cachePolicy),
      CacheRules.concerns(request)
    else { return nil }
    var request = try await adaptedForCache(request)
    request.cachePolicy = .onlyCached
    let address = try Hop(request).address
    let now = configuration.now()
    return await withCheckedContinuation { [request] continuation in
      caching.async {
        continuation.resume(returning: cacheInterceptor.peek(request, at: address, now: now))
      }
    }
  }
}
