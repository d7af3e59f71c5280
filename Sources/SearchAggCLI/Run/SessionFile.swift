internal import SafeFiles
internal import SearchEngine
internal import SearchSources
internal import TextFormats

/// Sessions kept from one run to the next, in a file that only this user can read.
///
/// A file that is damaged, or that others can read, counts as empty: the next login writes it anew.
actor SessionFile: SessionStore {
  private static let largest = 1 << 20

  private let file: PrivateFile
  /// What goes wrong with the file costs a login and no more, so it is said and the run goes on.
  private let warn: @Sendable (String) -> Void
  private var sessions: [String: Session]?

  init(path: String, warn: @escaping @Sendable (String) -> Void) {
    file = PrivateFile(path: path)
    self.warn = warn
  }

  func session(at place: SessionPlace) async -> Session? { load()[key(place)] }

  func keep(_ session: Session, at place: SessionPlace) async {
    var sessions = load()
    sessions[key(place)] = session
    self.sessions = sessions
    let members = sessions.sorted { $0.key < $1.key }.map { key, session in
      JSONMember(
        key,
        .members([
          "access": .string(session.accessToken),
          "refresh": session.refreshToken.map(JSONValue.string),
        ]))
    }
    do {
      try Directories.create(above: file.path, mode: 0o700)
      try file.write(JSONValue.object(members).bytes)
    } catch {
      warn("the session is not kept: \(error)")
    }
  }

  private func load() -> [String: Session] {
    if let sessions { return sessions }
    var loaded: [String: Session] = [:]
    if let bytes = try? file.read(limit: Self.largest), let value = try? JSONValue(reading: bytes),
      case .object(let members) = value
    {
      for member in members {
        guard case .string(let access) = member.value["access"] else { continue }
        var refresh: String?
        if case .string(let token) = member.value["refresh"] { refresh = token }
        loaded[member.key] = Session(accessToken: access, refreshToken: refresh)
      }
    }
    sessions = loaded
    return loaded
  }

  private func key(_ place: SessionPlace) -> String {
    "\(place.source) \(place.server) \(place.account)"
  }
}
