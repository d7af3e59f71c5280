package import SearchSources

/// Where sessions are kept from one run to the next: a private file, or a test's memory.
package protocol SessionStore: Sendable {
  func session(at place: SessionPlace) async -> Session?

  /// Keeps a session in place of the one before.
  func keep(_ session: Session, at place: SessionPlace) async
}
