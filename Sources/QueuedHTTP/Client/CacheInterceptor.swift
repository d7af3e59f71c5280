internal import FoundationEssentials
internal import Synchronization

/// Applies the rules of caching to a client's cache; used by one request after another.
///
/// For each URL, the cache has an entry with its variants, and an entry for the response of each variant.
/// A response is found only by way of the variants, so removing those removes all responses.
final class CacheInterceptor: Sendable {
  /// The cache's answer to a request.
  enum Finding: Sendable {
    case answer(HTTPResponse)
    case answerAndRefresh(HTTPResponse)
    case validate(CacheValidators)
    case fetch
    case refuse
  }

  private let cache: any HTTPCache
  private let userAgent: String?
  /// The identity that servers associate with this client, in addition to each request's credentials.
  private let identity: [String]
  private let cookies: CookieStore?
  private let guessesLifetimes: Bool
  private let ownCounts = Mutex(CacheCounts())

  /// Returns nil for a client without a cache.
  init?(_ configuration: ClientConfiguration) {
    guard let cache = configuration.cache else { return nil }
    self.cache = cache
    userAgent = configuration.userAgent
    identity =
      (configuration.clientCertificate.map { [$0.identity] } ?? [])
      + (configuration.unixSocket.map { [$0] } ?? [])
    cookies = configuration.cookies
    guessesLifetimes = configuration.guessesCacheLifetimes
  }

  var counts: CacheCounts {
    var counts = cache.counts
    let own = ownCounts.withLock { $0 }
    (counts.hits, counts.misses, counts.revalidated) = (own.hits, own.misses, own.revalidated)
    return counts
  }

  /// Decides how to answer a request.
  func find(_ request: HTTPRequest, at address: WebAddress, now: Date) -> Finding {
    let finding = look(request, at: address, now: now)
    switch finding {
    case .answer, .answerAndRefresh: ownCounts.withLock { $0.hits += 1 }
    case .validate, .fetch, .refuse: break
    }
    return finding
  }

  /// The stored response to a request, whatever its age; counted as a hit only if it is fresh, because
  /// otherwise the server is asked as well.
  func peek(_ request: HTTPRequest, at address: WebAddress, now: Date) -> HTTPResponse? {
    guard case .answer(let response) = look(request, at: address, now: now) else { return nil }
    if response.origin == .stored { ownCounts.withLock { $0.hits += 1 } }
    return response
  }

  /// The stored response that may replace an error.
  func substitute(for request: HTTPRequest, at address: WebAddress, now: Date) -> HTTPResponse? {
    guard let stored = stored(request, at: address),
      CacheRules.maySubstitute(stored, for: request, guesses: guesses(for: address), now: now),
      isAccepted(answer(stored, address), to: request, now)
    else { return nil }
    ownCounts.withLock { $0.hits += 1 }
    return answer(stored, address, .stale, now)
  }

  /// True if a result changes what the cache has.
  func isChanged(by result: Result<HTTPResponse, HTTPError>, of ticket: Ticket) -> Bool {
    guard case .success = result else { return false }
    return ticket.isCached || CacheRules.invalidates(ticket.request.method)
  }

  /// True if a request that failed, or was canceled, may have changed what the cache has.
  func mayBeOutdated(by error: HTTPError, of ticket: Ticket) -> Bool {
    error.timings.attempts > 0 && CacheRules.invalidates(ticket.request.method)
  }

  /// Stores a response, or removes what it supersedes.
  func update(
    with result: Result<HTTPResponse, HTTPError>, of ticket: Ticket, isKept: Bool, now: Date
  ) {
    let address = ticket.hop.address
    if CacheRules.invalidates(ticket.request.method) { removeAll(at: address) }
    guard ticket.isCached, case .success(let response) = result else { return }
    ownCounts.withLock { counts in
      if response.origin == .revalidated { counts.revalidated += 1 } else { counts.misses += 1 }
    }
    if isKept { store(response, to: ticket.request, at: address, now: now) }
  }

  /// The stored response as updated by a 304; nil if the server meant another one.
  func revalidated(
    _ request: HTTPRequest, at address: WebAddress, by validators: CacheValidators,
    _ answer: HTTPResponse
  ) -> HTTPResponse? {
    guard answer.url == address.text, let stored = stored(request, at: address),
      stored.validators == validators, validators.areConfirmed(by: answer.headers)
    else { return nil }
    var response = answer
    response.status = stored.status
    response.headers = stored.freshened(by: answer.headers)
    response.body = stored.body
    response.origin = .revalidated
    response.timings.fromCache = true
    return response
  }

  /// Stores a response that may be stored; any other one may supersede what was stored before.
  private func store(
    _ response: HTTPResponse, to request: HTTPRequest, at address: WebAddress, now: Date
  ) {
    guard let names = CacheRules.variantNames(of: response, at: address.text),
      request.mayKeep?(response) ?? true
    else {
      if CacheRules.supersedes(response) { forget(request, at: address) }
      return
    }
    let place = CacheKey(address: address.text, origin: address.origin)
    var variants = variants(at: place)
    if variants?.names != names {
      variants = CacheVariants(number: .random(in: 0 ... .max), names: names)
    }
    guard let variants else { return }
    var headers = response.headers
    // A session belongs only to the request that received it.
    headers["Set-Cookie"] = nil
    headers["Set-Cookie2"] = nil
    let stored = StoredResponse(
      status: response.status, headers: headers, body: response.body,
      requested: now.addingTimeInterval(-response.timings.total.inSeconds), received: now)
    cache.store(.response(stored), for: key(request, address, variants))
    // Last, even if unchanged, so that it is not evicted before the responses that it leads to.
    cache.store(.variants(variants), for: place)
  }

  /// Removes all responses of a URL.
  func removeAll(at address: WebAddress) {
    cache.removeEntry(for: CacheKey(address: address.text, origin: address.origin))
  }

  private func look(_ request: HTTPRequest, at address: WebAddress, now: Date) -> Finding {
    var stored = stored(request, at: address)
    if let found = stored, !isAccepted(answer(found, address), to: request, now) { stored = nil }
    let use = CacheRules.use(of: stored, for: request, guesses: guesses(for: address), now: now)
    switch (use, stored) {
    case (.answer(let origin), let stored?): return .answer(answer(stored, address, origin, now))
    case (.answerAndRefresh, let stored?):
      return .answerAndRefresh(answer(stored, address, .stale, now))
    case (.validate, let stored?): return stored.validators.map { .validate($0) } ?? .fetch
    case (.refuse, _), (.answer, nil), (.answerAndRefresh, nil): return .refuse
    case (.fetch, _), (.validate, nil): return .fetch
    }
  }

  /// True if the request would accept the response if the server sent it.
  private func isAccepted(_ response: HTTPResponse, to request: HTTPRequest, _ now: Date) -> Bool {
    guard response.body.count <= request.bounds.bodyBytes, request.refusal(of: response) == nil
    else { return false }
    guard let judge = request.judge else {
      return RetryRules.plan(for: response, to: request, now: now, longestWait: .zero) == .end
    }
    switch judge(response, now) {
    case .done, .doneThenCoolDown: return true
    case .retry, .retryAfter, .coolDown, .extendCoolDown: return false
    }
  }

  /// True if the lifetime of a URL's responses may be guessed. Those with a query are usually searches, which can
  /// change at any time.
  private func guesses(for address: WebAddress) -> Bool {
    guessesLifetimes && !address.text.prefix { $0 != "#" }.contains("?")
  }

  /// The stored response in the form that callers get.
  private func answer(
    _ stored: StoredResponse, _ address: WebAddress, _ origin: ResponseOrigin, _ now: Date
  ) -> HTTPResponse {
    var response = answer(stored, address)
    response.origin = origin
    response.timings.fromCache = true
    let age = Freshness(stored, guesses: guesses(for: address), now: now).age
    response.headers["Age"] = String(Int(min(age, Double(Int32.max))))
    return response
  }

  private func answer(_ stored: StoredResponse, _ address: WebAddress) -> HTTPResponse {
    HTTPResponse(
      status: stored.status, headers: stored.headers, body: stored.body, url: address.text)
  }

  private func stored(_ request: HTTPRequest, at address: WebAddress) -> StoredResponse? {
    let place = CacheKey(address: address.text, origin: address.origin)
    guard let variants = variants(at: place),
      case .response(let response)? = cache.entry(for: key(request, address, variants))
    else { return nil }
    return response
  }

  private func forget(_ request: HTTPRequest, at address: WebAddress) {
    let place = CacheKey(address: address.text, origin: address.origin)
    guard let variants = variants(at: place) else { return }
    cache.removeEntry(for: key(request, address, variants))
  }

  private func variants(at place: CacheKey) -> CacheVariants? {
    guard case .variants(let variants)? = cache.entry(for: place) else { return nil }
    return variants
  }

  private func key(
    _ request: HTTPRequest, _ address: WebAddress, _ variants: CacheVariants
  ) -> CacheKey {
    CacheKey(
      address: address.text, origin: address.origin, variants: variants, request: request,
      userAgent: userAgent, identity: identity + (cookies?.identity(of: address.host) ?? []))
  }
}

/// The responses that a client with the same configuration has stored, for a run that asks no server: no
/// thread is started, and no socket opened.
package struct CacheReader: Sendable {
  private let interceptor: CacheInterceptor?
  private let configuration: ClientConfiguration

  package init(_ configuration: ClientConfiguration) {
    self.configuration = configuration
    interceptor = CacheInterceptor(configuration)
  }

  /// Returns the stored response to a request, whatever its age, which its field `Age` states.
  ///
  /// Throws `HTTPError.Code.notCached` if there is none.
  package func response(to request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
    var request = request
    let address = try Hop(request).address
    guard let interceptor, request.cachePolicy == .useCache, CacheRules.concerns(request) else {
      throw HTTPError(.notCached, reason: "no cache can answer this request")
    }
    request.cachePolicy = .onlyCached
    guard let response = interceptor.peek(request, at: address, now: configuration.now()) else {
      throw HTTPError(.notCached, reason: "the cache has no usable response")
    }
    return response
  }
}
