internal import FoundationEssentials
internal import SearchEngine
package import SearchModel
internal import SearchSources
internal import TextFormats

/// The sessions of earlier runs.
package struct SessionFile: SessionStore {
  /// No network renews a session that is older than this, in seconds: 90 days.
  private static let longestAge = 7_776_000.0

  private let file: DatedEntriesFile<Session>

  /// The file in the user's state folder; nil without such a folder.
  package static func own(in surroundings: Surroundings) -> SessionFile? {
    path(in: surroundings).map {
      SessionFile(path: $0, now: surroundings.now, warn: surroundings.report)
    }
  }

  /// The path of that file.
  package static func path(in surroundings: Surroundings) -> String? {
    surroundings.stateFolder.map { "\($0)/sessions.json" }
  }

  /// - Parameter warn: Reports that the file cannot be written, which costs only a login.
  init(
    path: String, now: @escaping @Sendable () -> Date, warn: @escaping @Sendable (String) -> Void
  ) {
    let format = DatedEntriesFile<Session>.Format(
      read: { value, now in
        guard let access = value.text("access") else { return nil }
        let session = Session(
          accessToken: access, refreshToken: value.text("refresh"), expires: value.date("expires"))
        // Earlier versions did not write when it was opened.
        return (session, value.date("opened") ?? now)
      },
      write: { session, opened in
        .members([
          "access": .string(session.accessToken),
          "refresh": session.refreshToken.map(JSONValue.string),
          "expires": session.expires.map { .string(RFC3339.format($0)) },
          "opened": .string(RFC3339.format(opened)),
        ])
      },
      isCurrent: { session, opened, now in
        // An expired session may be renewed with its refresh token.
        let isExpired = session.expires.map { $0 <= now } ?? false
        return (!isExpired || session.refreshToken != nil)
          && now.timeIntervalSince(opened) <= Self.longestAge
      })
    file = DatedEntriesFile(path: path, format: format, now: now) { error in
      warn("cannot save the session: \(error.shown)")
    }
  }

  func session(at place: SessionPlace) async -> Session? { await file.entry(key(place)) }

  func keep(_ session: Session, at place: SessionPlace) async {
    await file.store(session, for: key(place))
  }

  /// Removes the sessions of a source; returns how many there were.
  package func forget(_ source: SourceName) async throws -> Int {
    try await file.remove { $0.hasPrefix("\(source) ") }
  }

  private func key(_ place: SessionPlace) -> String {
    "\(place.source) \(place.server) \(place.account)"
  }
}
