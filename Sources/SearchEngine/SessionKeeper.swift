package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
package import SearchSources

/// Opens sessions: one login for each source, server and account, however many searches need it.
actor SessionKeeper {
  private let transport: any Transport
  private let limits: RunLimits
  private let store: (any SessionStore)?
  private let waits: WaitBoard
  private let clock: @Sendable () -> Date
  /// The last login of each place, finished or in progress; a failed login is not retried.
  private var logins: [SessionPlace: Task<Session, any Error>] = [:]

  init(
    transport: any Transport, limits: RunLimits, store: (any SessionStore)?, waits: WaitBoard,
    clock: @escaping @Sendable () -> Date
  ) {
    self.transport = transport
    self.limits = limits
    self.store = store
    self.waits = waits
    self.clock = clock
  }

  /// The session for a search; nil if its source has no sessions, or there are no credentials.
  ///
  /// - Parameter expired: A session that the server rejected as expired; only the first caller to
  ///   report it triggers a new login.
  func session(
    for search: Search, asking page: PageRequest, insteadOf expired: Session?
  ) async throws -> Session? {
    guard let place = SessionPlace(search), let credentials = search.credentials,
      let request = search.source.loginRequest(to: search.server, with: credentials)
    else { return nil }
    if let login = logins[place] {
      let session = try await login.value
      guard session == expired else { return session }
      // Another search may have started the new login in the meantime.
      if let newer = logins[place], newer != login { return try await newer.value }
    }
    // A separate task, since all callers share it and none may cancel it for the others.
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

  /// The renewal of an expired session; nil if a login is needed.
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
      return nil  // The refresh token has expired, too.
    }
  }

  private func answer(
    to request: HTTPRequest, for search: Search, asking page: PageRequest
  ) async throws -> Session {
    var request = request
    limits.prepare(&request, of: search)
    request.priority = .veryHigh
    request.judge = { [limits, waits] response, now in
      guard RetryPolicy.passingStatuses.contains(response.status) else { return .done }
      let end = RateLimit(response.headers, now: now).retryMoment
      let verdict = limits.bounded(
        response.status == 429 ? .coolDown(until: end) : .retry, on: response, now: now)
      if case .coolDown(let until?) = verdict { waits.note(until, of: search, now: now) }
      return verdict
    }
    // Secrets are kept nowhere but in the store.
    request.cachePolicy = .ignore
    let response = try await transport.send(request)
    var page = page
    page.answered = transport.arrival(of: response) ?? clock()
    return try search.source.session(from: response, to: page)
  }
}

/// The owner of a session: an account of a source on a server.
package struct SessionPlace: Hashable, Sendable {
  package let source: SourceName
  package let server: ServerAddress
  /// The name used to log in; never a secret.
  package let account: String

  /// The lane of its requests.
  package var lane: Lane { Lane(of: source, on: server) }

  package init(source: SourceName, server: ServerAddress, account: String) {
    (self.source, self.server, self.account) = (source, server, account)
  }

  /// The place of a search with an identifier and a password, in this order.
  init?(_ search: Search) {
    guard let values = search.credentials?.values, let account = values.first, values.count > 1
    else { return nil }
    (source, server, self.account) = (search.source.name, search.server, account)
  }
}

/// A store that keeps sessions from one run to the next.
package protocol SessionStore: Sendable {
  func session(at place: SessionPlace) async -> Session?

  /// Stores a session, replacing the one before.
  func keep(_ session: Session, at place: SessionPlace) async
}

/// Logs in to one source on one server now, replacing the stored session.
package struct SessionLogin: Sendable {
  /// The result of a login.
  package enum Ended: Sendable {
    case opened(Session)
    case failed(Ending)
    /// The source has no sessions, or no credentials were given.
    case impossible
  }

  private let search: Search
  private let store: any SessionStore

  /// - Parameter search: A search on the source, with the credentials for the login.
  package init(_ search: Search, store: any SessionStore) {
    self.search = search
    self.store = store
  }

  /// A store that returns no session, so that a login is made.
  private struct NewSessions: SessionStore {
    let store: any SessionStore

    func session(at place: SessionPlace) async -> Session? { nil }

    func keep(_ session: Session, at place: SessionPlace) async {
      await store.keep(session, at: place)
    }
  }

  /// True if the source has sessions at all.
  package static func isKnown(by source: any Source, at server: ServerAddress) -> Bool {
    let count = source.traits.credentialNames.count
    let credentials = Credentials(Array(repeating: "none", count: count))
    return source.loginRequest(to: server, with: credentials) != nil
  }

  /// Logs in, and stores the session.
  package func open(
    over transport: any Transport, limits: RunLimits, clock: @escaping @Sendable () -> Date
  ) async -> Ended {
    let keeper = SessionKeeper(
      transport: transport, limits: limits, store: NewSessions(store: store),
      waits: WaitBoard(), clock: clock)
    let page = PageRequest(
      search.split, server: search.server, credentials: search.credentials, now: clock())
    do {
      let session = try await keeper.session(for: search, asking: page, insteadOf: nil)
      return session.map(Ended.opened) ?? .impossible
    } catch {
      return .failed(Ending(error))
    }
  }
}
