internal import Dispatch
internal import Synchronization

/// What is asked of the cache and told to it, always on its own queue: neither in the lock nor on the
/// worker.
extension ClientCore {
  /// Answers a request with what the cache has, or puts it into the queue.
  func lookUp(_ ticket: Ticket) {
    caching.async { [self] in
      // Whoever was cancelled meanwhile costs no reading.
      guard let shelf, state.withLock({ $0.lookups.contains(ticket.id) }) else { return }
      switch shelf.find(ticket.request, at: ticket.hop.address, now: configuration.now()) {
      case .answer(let response): settle(ticket, .success(response))
      case .answerAndRefresh(let response):
        settle(ticket, .success(response))
        refresh(ticket.request)
      case .refuse:
        let error = HTTPError(.notCached, reason: "the cache keeps nothing that would do")
        settle(ticket, .failure(error))
      case .fetch: enter(ticket)
      case .validate(let validators): enter(Ticket(ticket, validators: validators))
      }
    }
  }

  /// Asks the server for what the cache has just answered with, once at a time.
  private func refresh(_ request: HTTPRequest) {
    let key = JoinKey(request)
    guard refreshes.withLock({ $0.insert(key).inserted }) else { return }
    var request = request
    request.acceptsStale = false
    let callbacks = OperationCallbacks(place: .queue(caching), progressThreshold: nil) {
      [self] _ in
      refreshes.withLock { _ = $0.remove(key) }
    }
    _ = callbacks.start()
    submit(request, makeID(), priority: request.priority, .callbacks(callbacks))
  }

  /// Ends a request that failed with what the cache has in place of an error; says whether it did.
  func substitute(for ticket: Ticket) -> Bool {
    let stored = shelf?.substitute(
      for: ticket.request, at: ticket.hop.address, now: configuration.now())
    guard let stored else { return false }
    settle(ticket, .success(stored))
    return true
  }

  private func enter(_ ticket: Ticket) {
    let now = now
    carryOut(state.withLock { $0.enter(ticket, now: now) })
  }

  /// Goes on with a request whose stored response the server called unchanged.
  func confirm(_ ticket: Ticket, _ answer: HTTPResponse) {
    caching.async { [self] in
      guard let validators = ticket.validators else { return }
      let response = shelf?.revalidated(
        ticket.request, at: ticket.hop.address, by: validators, answer)
      if let response { return weigh(ticket, response) }
      // It went meanwhile, or another was meant: the whole is asked for in the same slot.
      let now = now
      carryOut(state.withLock { $0.startAgain(Ticket(ticket, validators: nil), now: now) })
    }
  }

  /// Whether a request's end changes what the cache has.
  func isNewsToCache(_ ticket: Ticket, _ result: Result<HTTPResponse, HTTPError>) -> Bool {
    guard shelf != nil else { return false }
    guard case .success = result else { return false }
    return ticket.isCached || CacheRules.invalidates(ticket.request.method)
  }

  /// Whether a request that failed, or was cancelled, may have changed what the cache keeps.
  func mayHaveBeenDone(_ ticket: Ticket, _ error: HTTPError) -> Bool {
    shelf != nil && error.timings.attempts > 0 && CacheRules.invalidates(ticket.request.method)
  }

  /// Keeps a response, or forgets what it supersedes.
  func tellCache(of ticket: Ticket, _ result: Result<HTTPResponse, HTTPError>, isKept: Bool) {
    let address = ticket.hop.address
    if CacheRules.invalidates(ticket.request.method) { shelf?.invalidate(address) }
    guard ticket.isCached, case .success(let response) = result else { return }
    shelf?.countEnd(of: response)
    guard isKept else { return }
    shelf?.keep(response, to: ticket.request, at: address, now: configuration.now())
  }

  /// What the cache has for a request however old it is, unless its policy wants none of it.
  func stored(for request: HTTPRequest) async throws(HTTPError) -> HTTPResponse? {
    var request = request
    guard let shelf, [.useCache, .onlyCached].contains(request.cachePolicy),
      CacheRules.concerns(request)
    else { return nil }
    request.cachePolicy = .onlyCached
    let address = try Hop(request).address
    let now = configuration.now()
    return await withCheckedContinuation { [request] continuation in
      caching.async {
        continuation.resume(returning: shelf.peek(request, at: address, now: now))
      }
    }
  }

  /// Returns when nothing more is written of what came before.
  func finishCaching() async {
    await withCheckedContinuation { waiter in caching.async { waiter.resume() } }
  }

  func setPriority(_ priority: RequestPriority, of id: RequestID) {
    let now = now
    carryOut(state.withLock { $0.setPriority(priority, of: id, now: now) })
  }
}
