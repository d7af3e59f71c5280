internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import SearchSources

/// Opens sessions: one login for each source and server, however many searches wait for it.
actor SessionKeeper {
  private let transport: any Transport
  private let limits: RunLimits
  private let store: (any SessionStore)?
  private let clock: @Sendable () -> Date
  /// The last login of each place, done or under way; a login that failed is not tried again.
  private var logins: [SessionPlace: Task<Session, any Error>] = [:]

  init(
    transport: any Transport, limits: RunLimits, store: (any SessionStore)?,
    clock: @escaping @Sendable () -> Date
  ) {
    self.transport = transport
    self.limits = limits
    self.clock = clock
    self.store = store
  }

  /// The session for a search; nil when its source has none, or it has no credentials.
  ///
  /// With `insteadOf` the session that a server has called expired: a new login is made, but by the
  /// first who says so only.
  func session(
    for search: Search, asking page: PageRequest, insteadOf expired: Session?
  ) async throws -> Session? {
    guard let place = SessionPlace(search), let credentials = search.credentials,
      let request = search.source.loginRequest(to: search.server, with: credentials)
    else { return nil }
    if let login = logins[place] {
      let session = try await login.value
      guard session == expired else { return session }
      // Another search may have begun the new login during the wait.
      if let newer = logins[place], newer != login { return try await newer.value }
    }
    // A task of its own, since all who wait share it and none of them may cancel it for the others.
    let login = Task {
      try await self.open(request, for: search, asking: page, at: place, insteadOf: expired)
    }
    logins[place] = login
    return try await login.value
  }

  private func open(
    _ request: HTTPRequest, for search: Search, asking page: PageRequest,
    at place: SessionPlace, insteadOf expired: Session?
  ) async throws -> Session {
    var ended = expired
    if let kept = await store?.session(at: place), kept != expired {
      guard kept.expires.map({ $0 <= clock() }) ?? false else { return kept }
      ended = kept
    }
    let session: Session
    if let renewed = try await renewed(ended, for: search, asking: page) {
      session = renewed
    } else {
      session = try await answer(to: request, for: search, asking: page)
    }
    await store?.keep(session, at: place)
    return session
  }

  /// The session that one which has ended is renewed to; nil where a login must be made.
  private func renewed(
    _ ended: Session?, for search: Search, asking page: PageRequest
  ) async throws -> Session? {
    guard let ended, let request = search.source.renewalRequest(to: search.server, of: ended) else {
      return nil
    }
    var page = page
    page.session = ended
    do {
      return try await answer(to: request, for: search, asking: page)
    } catch SourceFault.failed(let failure) where failure.kind != .temporary {
      return nil  // What it is renewed with has ended, too.
    }
  }

  private func answer(
    to request: HTTPRequest, for search: Search, asking page: PageRequest
  ) async throws -> Session {
    var request = request
    request.lane = search.lane
    request.group = search.lane.group
    request.priority = .veryHigh
    // An exchange of secrets is kept nowhere but in the store.
    request.cachePolicy = .ignore
    limits.apply(to: &request)
    let response = try await transport.send(request)
    var page = page
    page.answered = clock()
    return try search.source.session(from: response, to: page)
  }
}
