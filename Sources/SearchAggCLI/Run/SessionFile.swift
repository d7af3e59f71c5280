internal import FoundationEssentials
internal import SafeFiles
internal import SearchEngine
internal import SearchSources
internal import TextFormats

/// Sessions kept from one run to the next, in a file that only this user can read.
///
/// A file that is damaged, or that others can read, counts as empty: the next login writes it anew.
/// Whatever has ended, or was opened longer ago than sessions last, is dropped then.
actor SessionFile: SessionStore {
  /// A session with the moment that it was opened.
  private struct Kept {
    var session: Session
    var opened: Date
  }

  private static let largest = 1 << 20
  /// Longer than this, in seconds, no network lets one be renewed: 90 days.
  private static let longestAge = 7_776_000.0

  private let file: PrivateFile
  /// What goes wrong with the file costs a login and no more, so it is said and the run goes on.
  private let warn: @Sendable (String) -> Void
  private let now: @Sendable () -> Date
  private var sessions: [String: Kept]?

  init(
    path: String, now: @escaping @Sendable () -> Date, warn: @escaping @Sendable (String) -> Void
  ) {
    file = PrivateFile(path: path)
    self.now = now
    self.warn = warn
  }

  /// The file in the user's folder of state; nil where there is no such folder.
  static func own(in context: Context) -> SessionFile? {
    ConfigurationFolder.state(in: context).map { folder in
      SessionFile(path: "\(folder)/sessions.json", now: context.now, warn: context.report)
    }
  }

  func session(at place: SessionPlace) async -> Session? {
    load()[key(place)].flatMap { isOver($0) ? nil : $0.session }
  }

  func keep(_ session: Session, at place: SessionPlace) async {
    var sessions = load().filter { !isOver($0.value) }
    sessions[key(place)] = Kept(session: session, opened: now())
    self.sessions = sessions
    let members = sessions.sorted { $0.key < $1.key }.map { key, kept in
      JSONMember(
        key,
        .members([
          "access": .string(kept.session.accessToken),
          "refresh": kept.session.refreshToken.map(JSONValue.string),
          "expires": kept.session.expires.map { .string(RFC3339.format($0)) },
          "opened": .string(RFC3339.format(kept.opened)),
        ]))
    }
    do {
      try Directories.create(above: file.path, mode: 0o700)
      try file.write(JSONValue.object(members).bytes)
    } catch {
      warn("the session is not kept: \(error)")
    }
  }

  private func isOver(_ kept: Kept) -> Bool {
    let now = now()
    // What has ended may be renewed, by a token for that.
    let isEnded = kept.session.expires.map { $0 <= now } ?? false
    return isEnded && kept.session.refreshToken == nil
      || now.timeIntervalSince(kept.opened) > Self.longestAge
  }

  private func load() -> [String: Kept] {
    if let sessions { return sessions }
    var loaded: [String: Kept] = [:]
    if let bytes = try? file.read(limit: Self.largest), let value = try? JSONValue(reading: bytes),
      case .object(let members) = value
    {
      for member in members {
        guard case .string(let access) = member.value["access"] else { continue }
        var refresh: String?
        if case .string(let token) = member.value["refresh"] { refresh = token }
        let session = Session(
          accessToken: access, refreshToken: refresh, expires: date(member.value["expires"]))
        // Earlier versions did not say when it was opened.
        loaded[member.key] = Kept(session: session, opened: date(member.value["opened"]) ?? now())
      }
    }
    sessions = loaded
    return loaded
  }

  private func date(_ value: JSONValue?) -> Date? {
    if case .string(let text) = value { RFC3339.parse(text) } else { nil }
  }

  private func key(_ place: SessionPlace) -> String {
    "\(place.source) \(place.server) \(place.account)"
  }
}
