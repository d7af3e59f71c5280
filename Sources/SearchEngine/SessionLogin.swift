package import FoundationEssentials
internal import QueuedHTTP
package import SearchModel
package import SearchSources

/// Opens the session of one source on one server now, in the place of the one that is kept.
package struct SessionLogin: Sendable {
  /// How a login ended.
  package enum Ended: Sendable {
    case opened(Session)
    case failed(Ending)
    /// The source has no sessions, or no credentials were given.
    case impossible
  }

  private let search: Search
  private let store: any SessionStore

  /// - Parameter search: A search on the source; its credentials are what the login is made with.
  package init(_ search: Search, store: any SessionStore) {
    self.search = search
    self.store = store
  }

  /// A store that hands nothing out, so that a login is made.
  private struct NewSessions: SessionStore {
    let store: any SessionStore

    func session(at place: SessionPlace) async -> Session? { nil }

    func keep(_ session: Session, at place: SessionPlace) async {
      await store.keep(session, at: place)
    }
  }

  /// Whether the source has sessions at all.
  package static func isKnown(by source: any Source, at server: ServerAddress) -> Bool {
    let count = source.traits.credentialNames.count
    let credentials = Credentials(Array(repeating: "none", count: count))
    return source.loginRequest(to: server, with: credentials) != nil
  }

  /// Makes the login, and keeps the session.
  package func open(
    over transport: any Transport, limits: RunLimits, clock: @escaping @Sendable () -> Date
  ) async -> Ended {
    let keeper = SessionKeeper(
      transport: transport, limits: limits, store: NewSessions(store: store), clock: clock)
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
