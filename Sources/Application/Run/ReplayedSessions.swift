internal import ExchangeRecording
internal import SearchEngine
internal import SearchModel
internal import SearchSources

/// Replaces the sessions of a recorded run: only the results of its logins were recorded.
actor ReplayedSessions: SessionStore {
  private let replay: ExchangeReplay
  private var count = 0

  init(replay: ExchangeReplay) { self.replay = replay }

  /// A new session, since the one before may have expired. It can be renewed: a recorded renewal that
  /// failed is repeated, and this is the result of one that succeeded.
  func session(at place: SessionPlace) async -> Session? {
    guard replay.nextLoginSucceeds(on: place.lane, at: place.server.text) else { return nil }
    count += 1
    return Session(
      accessToken: "replayed-session-\(count)", refreshToken: "replayed-renewal-\(count)")
  }

  func keep(_ session: Session, at place: SessionPlace) async {}
}
