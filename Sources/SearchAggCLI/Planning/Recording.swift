internal import Application
internal import ExchangeRecording
internal import FoundationEssentials
internal import QueuedHTTP
internal import SafeFiles
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TagStorage
internal import TextFormats

/// The folder that `--record` writes and `--replay` reads.
///
/// It holds the exchanges (`exchanges.har`), the settings and declared sources (`config.json`), the
/// queries (`tags.json`), and the rest of what the run depended on (`run.json`): its now, its time zone,
/// the addresses of servers, and which credentials were set. The last three are written before the first
/// request. No file holds a credential.
struct Recording {
  private static let version = 1
  private static let largest = 64 << 20

  private let folder: PrivateFolder

  private var exchanges: String { folder.file("exchanges.har") }
  private var configuration: PrivateFile { PrivateFile(path: folder.file("config.json")) }
  private var tags: PrivateFile { PrivateFile(path: folder.file("tags.json")) }
  private var circumstances: PrivateFile { PrivateFile(path: folder.file("run.json")) }
}

// MARK: - Writing

extension Recording {
  /// Begins the recording of a run.
  init(
    of queries: [RunQuery], _ settings: RunSettings, _ reader: SettingsReader,
    _ directory: SourceDirectory, in path: String
  ) throws {
    let context = reader.context
    do {
      folder = try PrivateFolder(at: context.absolutePath(path))
      guard try !folder.members().contains(where: { $0.name == "exchanges.har" }) else {
        throw CommandFailure(
          .cannotWrite, "\(path): the folder already holds a recording; name another one")
      }
      try configuration.write(Self.configuration(settings, reader).fileBytes)
      try tags.write(Self.tags(queries, settings).fileBytes)
      try circumstances.write(Self.circumstances(settings, directory, context).fileBytes)
    } catch let error as FileWriteError {
      throw CommandFailure(.cannotWrite, "\(error)")
    } catch let error as FileReadError {
      throw CommandFailure(.cannotWrite, "\(error)")
    }
  }

  func recorder(
    over transport: any Transport, credentials: [String: String],
    clock: @escaping @Sendable () -> Date
  ) throws -> ExchangeRecorder {
    do {
      return try ExchangeRecorder(
        over: transport, to: exchanges, creator: ("searchagg", Version.number),
        redacting: Redaction(credentials.values), clock: clock)
    } catch {
      throw CommandFailure(.cannotWrite, "\(exchanges): \(error)")
    }
  }

  /// The settings that decide what is asked and kept, and all sources that files declare or place.
  private static func configuration(_ settings: RunSettings, _ reader: SettingsReader) -> JSONValue
  {
    var members: [JSONMember] = []
    for setting in Setting.all where isRecorded(setting) {
      guard let text = reader.text(of: setting), text.origin != .standard else { continue }
      members.append(JSONMember(setting.name, .string(text.text)))
    }
    // Relative dates have been resolved.
    for (name, date) in [("since", settings.limits.since), ("until", settings.limits.until)] {
      if let date { members.append(JSONMember(name, .string(RFC3339.format(date)))) }
    }
    var sources: [JSONMember] = []
    for file in reader.configuration.files {
      guard case .object(let declared)? = file.sources else { continue }
      sources += declared.filter { member in !sources.contains { $0.key == member.key } }
    }
    return .object(members + [JSONMember("sources", .object(sources))])
  }

  private static func isRecorded(_ setting: Setting) -> Bool {
    guard setting.places.contains(.file) else { return false }
    switch setting.group {
    case .output, .history, .watch: return false
    case .search: return ["source", "raw", "shard"].contains(setting.name)
    case .posts: return setting.name != "since" && setting.name != "until"
    case .limits: return true
    case .network: return setting.name == "jobs" || setting.name == "per-host"
    }
  }

  /// The queries as a tags file. What an option overrides is left out, as a file's setting would not.
  private static func tags(_ queries: [RunQuery], _ settings: RunSettings) -> JSONValue {
    .members([
      "version": .integer(1),
      "tags": .array(
        queries.map { query in
          let sources = settings.search.areSourcesByOption ? nil : query.sources
          let priority: String? =
            switch query.priority {
            case .high: "high"
            case .low: "low"
            default: nil
            }
          return .members([
            "query": .string(query.query.text),
            "sources": sources.map { .array($0.map { .string($0.rawValue) }) },
            "priority": priority.map(JSONValue.string),
            "limit": settings.search.optionCap == nil ? query.limit.map { .integer($0) } : nil,
          ])
        }),
    ])
  }

  private static func circumstances(
    _ settings: RunSettings, _ directory: SourceDirectory, _ context: Context
  ) -> JSONValue {
    let addresses = directory.setups.map { $0.addressVariable }
    let environment = (addresses + ["TZ"]).compactMap { name in
      context.variable(name).map { JSONMember(name, .string($0)) }
    }
    let credentials = directory.credentials.sorted { $0.key < $1.key }.map { name, value in
      // An unusable credential fails a search before it is sent; so must its replacement.
      let isUsable = !value.utf8.contains { $0 < 0x20 || $0 == 0x7F }
      return JSONMember(name, .bool(isUsable))
    }
    return .members([
      "version": .integer(version), "searchagg": .string(Version.number),
      "now": .number("\(settings.now.timeIntervalSince1970)"),
      // The settings have them in milliseconds.
      "since": settings.limits.since.map { .number("\($0.timeIntervalSince1970)") },
      "until": settings.limits.until.map { .number("\($0.timeIntervalSince1970)") },
      "environment": .object(environment), "credentials": .object(credentials),
    ])
  }
}

// MARK: - Replaying

extension Recording {
  /// Opens a recording for a replay.
  init(reading path: String, in context: Context) throws {
    let absolute = context.absolutePath(path)
    guard BoundedRead.isThere("\(absolute)/run.json") else {
      throw CommandFailure(.unreadableInput, "\(path): not a recording (no run.json); see --record")
    }
    do { folder = try PrivateFolder(at: absolute) } catch {
      throw CommandFailure(.unreadableInput, "\(error)")
    }
  }

  /// What the recorded run depended on.
  private func facts() throws -> JSONValue {
    let path = circumstances.path
    do {
      return try JSONValue(reading: try circumstances.read(limit: Self.largest))
    } catch let error as DocumentError {
      throw CommandFailure(.malformedInput, "\(path): \(error)")
    } catch {
      throw CommandFailure(.unreadableInput, "\(error)")
    }
  }

  /// Gives a replay the exact dates of the recorded run, of which the settings keep milliseconds.
  func apply(to written: inout WrittenSettings) throws {
    let facts = try facts()
    func date(_ name: String) -> Date? {
      guard case .number(let spelling)? = facts[name] else { return nil }
      return Double(spelling).map(Date.init(timeIntervalSince1970:))
    }
    // A recording of an earlier version has only those of the settings.
    written.limits.since = date("since") ?? written.limits.since
    written.limits.until = date("until") ?? written.limits.until
  }

  /// The world of the recorded run, with this run's streams, and with substitutes for its credentials.
  func world(from context: Context) throws -> (
    context: Context, credentials: [String]
  ) {
    let path = circumstances.path
    let value = try facts()
    guard value["version"] == .integer(Self.version) else {
      throw CommandFailure(
        .malformedInput, "\(path): expected version \(Self.version) of a recording")
    }
    guard case .number(let spelling)? = value["now"], let seconds = Double(spelling) else {
      throw CommandFailure(.malformedInput, "\(path): now: expected seconds since 1970")
    }
    let now = Date(timeIntervalSince1970: seconds)
    var world = context
    world.now = { now }
    world.environment = context.environment.filter { !$0.key.hasPrefix("SEARCHAGG_") }
    // Nothing of this user's own belongs to the recorded run.
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
      world.environment[name] = nil
    }
    for setting in Setting.all where setting.group == .output {
      world.environment[setting.variable] = context.environment[setting.variable]
    }
    if case .object(let members)? = value["environment"] {
      for case (let name, .string(let text)) in members.map({ ($0.key, $0.value) }) {
        world.environment[name] = text
      }
    }
    var credentials: [String] = []
    if case .object(let members)? = value["credentials"] {
      for member in members {
        let standIn = "replayed-\(member.key)"
        world.environment[member.key] = member.value == .bool(true) ? standIn : "re\nplayed"
        credentials.append(standIn)
      }
    }
    if let zone = world.variable("TZ") { context.host.setTimeZone(zone) }
    return (world, credentials)
  }

  /// The options of the replay: those of the recorded run, and this run's own of its output.
  func options(_ texts: [String: String]) throws -> [String: String] {
    // A replay has nothing to do with earlier and later runs.
    var options = texts.filter { Setting.named($0.key)?.group != .history }
    for name in options.keys.sorted() {
      guard Setting.named(name)?.group == .output, name != "record" else {
        throw CommandFailure(.usage, "--\(name) cannot be changed in a replay")
      }
    }
    options["config"] = configuration.path
    options["tags-file"] = tags.path
    return options
  }

  func replay(hiding credentials: [String]) throws -> ExchangeReplay {
    do { return try ExchangeReplay(reading: exchanges, redacting: Redaction(credentials)) } catch {
      throw CommandFailure(.malformedInput, "\(error)")
    }
  }
}
