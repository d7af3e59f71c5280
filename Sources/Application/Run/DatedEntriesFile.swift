internal import FoundationEssentials
internal import SafeFiles
internal import SearchEngine
package import SearchModel
internal import SearchSources
internal import TextFormats

/// A small JSON file of dated entries by key, kept from one run to the next and readable only by this
/// user.
///
/// A file that is damaged, or that others can read, counts as empty; the next entry replaces it.
/// Outdated entries are dropped then.
actor DatedEntriesFile<Entry: Sendable> {
  /// The representation of entries in the file.
  struct Format: Sendable {
    let read: @Sendable (_ value: JSONValue, _ now: Date) -> (entry: Entry, stored: Date)?
    let write: @Sendable (_ entry: Entry, _ stored: Date) -> JSONValue
    let isCurrent: @Sendable (_ entry: Entry, _ stored: Date, _ now: Date) -> Bool
  }

  private typealias Entries = [String: (entry: Entry, stored: Date)]

  private let file: SharedFile
  private let format: Format
  private let now: @Sendable () -> Date
  private let onWriteFailure: @Sendable (any Error) -> Void
  /// The entries that were read or written last; nil before the first look.
  private var known: Entries?
  /// The entries that could not be written yet.
  private var unsaved: Entries = [:]

  init(
    path: String, format: Format, now: @escaping @Sendable () -> Date,
    onWriteFailure: @escaping @Sendable (any Error) -> Void
  ) {
    file = SharedFile(path: path, limit: 1 << 20, access: .ownerOnly, isDisposable: true)
    self.format = format
    self.now = now
    self.onWriteFailure = onWriteFailure
  }

  /// The entry of a key; nil if there is none or it is outdated.
  func entry(_ key: String) -> Entry? {
    let known = known ?? decoded(try? file.read())
    self.known = known
    return (unsaved[key] ?? known[key]).flatMap {
      format.isCurrent($0.entry, $0.stored, now()) ? $0.entry : nil
    }
  }

  /// Stores an entry, replacing the one before.
  func store(_ entry: Entry, for key: String) {
    unsaved[key] = (entry, now())
    do { try change { _ in } } catch { onWriteFailure(error) }
  }

  /// Removes the entries of some keys; returns how many there were.
  func remove(where isRemoved: @Sendable (String) -> Bool) throws -> Int {
    try change { entries in
      let count = entries.count
      entries = entries.filter { !isRemoved($0.key) }
      return count - entries.count
    }
  }

  /// Changes the entries that the file has now.
  private func change<Value>(_ change: (inout Entries) -> Value) throws -> Value {
    let value = try file.change { read in
      let old = try read()
      var entries = decoded(old)
        .filter { format.isCurrent($0.value.entry, $0.value.stored, now()) }
        .merging(unsaved) { $1 }
      let value = change(&entries)
      known = entries
      let members = entries.sorted { $0.key < $1.key }.map { key, kept in
        JSONMember(key, format.write(kept.entry, kept.stored))
      }
      let new = JSONValue.object(members).bytes
      return (new == old || entries.isEmpty && old == nil ? nil : new, value)
    }
    unsaved = [:]
    return value
  }

  private func decoded(_ bytes: [UInt8]?) -> Entries {
    guard let bytes, let value = try? JSONValue(reading: bytes), case .object(let members) = value
    else { return [:] }
    var entries: Entries = [:]
    for member in members { entries[member.key] = format.read(member.value, now()) }
    return entries
  }
}

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

/// The software of servers, remembered for a week.
struct SoftwareFile: SoftwareStore {
  /// A week, in seconds: servers are updated, or switch to other software.
  private static let longestAge = 604_800.0

  private let file: DatedEntriesFile<ServerSoftware>

  /// The file in the user's cache folder; nil without such a folder.
  static func own(in surroundings: Surroundings) -> SoftwareFile? {
    guard let folder = surroundings.cacheFolder else { return nil }
    return SoftwareFile(path: "\(folder)/servers.json", now: surroundings.now)
  }

  init(path: String, now: @escaping @Sendable () -> Date) {
    let format = DatedEntriesFile<ServerSoftware>.Format(
      read: { value, _ in
        guard let name = value.text("name"), let found = value.date("found") else { return nil }
        return (ServerSoftware(name: name, version: value.text("version")), found)
      },
      write: { software, found in
        .members([
          "name": .string(software.name), "version": software.version.map(JSONValue.string),
          "found": .string(RFC3339.format(found)),
        ])
      },
      isCurrent: { _, found, now in
        (0...Self.longestAge).contains(now.timeIntervalSince(found))
      })
    // A failure costs only a request in the next run.
    file = DatedEntriesFile(path: path, format: format, now: now) { _ in }
  }

  func software(of server: ServerAddress) async -> ServerSoftware? {
    await file.entry(server.text)
  }

  func keep(_ software: ServerSoftware, of server: ServerAddress) async {
    await file.store(software, for: server.text)
  }
}

extension JSONValue {
  /// The date of a key; nil for anything else.
  fileprivate func date(_ key: String) -> Date? { text(key).flatMap { RFC3339.parse($0) } }
}
