package import ExchangeRecording
package import FoundationEssentials
internal import QueuedHTTP
internal import SafeFiles
package import SearchEngine
internal import SearchModel
internal import SearchSources
package import TextFormats

/// The folder that `--record` writes and `--replay` reads.
///
/// It holds the exchanges (`exchanges.har`), the settings and declared sources (`config.json`), the
/// queries (`tags.json`), and the rest of what the run depended on (`run.json`): its now, its time zone,
/// the addresses of servers, and which credentials were set. The last three are written before the first
/// request. No file holds a credential.
package struct Recording: Sendable {
  private static let version = 1
  private static let largest = 64 << 20

  private static let fileNames = ["exchanges.har", "config.json", "tags.json", "run.json"]

  private let folder: PrivateFolder
  /// Hides the secrets of a run that is recorded, those in the addresses of feeds, too.
  private let redaction: Redaction

  private var exchanges: String { folder.file("exchanges.har") }
  private var configuration: PrivateFile { PrivateFile(path: folder.file("config.json")) }
  private var tags: PrivateFile { PrivateFile(path: folder.file("tags.json")) }
  private var circumstances: PrivateFile { PrivateFile(path: folder.file("run.json")) }

  /// The paths of all its files.
  package var paths: [String] { Self.fileNames.map(folder.file) }

  /// The files that the settings of a replay are read from.
  package var configurationPath: String { configuration.path }
  package var tagsPath: String { tags.path }
}

// MARK: - Writing

extension Recording {
  /// Begins the recording of a run.
  ///
  /// - Parameters:
  ///   - written: The settings that decide what is asked and kept, as they were written, without dates.
  ///   - sources: The sources that configuration files declare or place.
  ///   - environment: The variables with the addresses of servers, and the time zone.
  ///   - credentials: The credentials that are set, by variable.
  package init(
    of queries: [RunQuery], _ settings: RunSettings, written: [JSONMember], sources: [JSONMember],
    environment: [String: String], credentials: [String: String], in path: String,
    _ surroundings: Surroundings
  ) throws {
    // Relative dates have been resolved.
    let dates = [("since", settings.limits.since), ("until", settings.limits.until)]
      .compactMap { name, date in
        date.map { JSONMember(name, .string(RFC3339.format($0))) }
      }
    let members = written + dates + [JSONMember("sources", .object(sources))]
    let addresses = environment.values.flatMap { $0.split(separator: ",").map(String.init) }
    redaction = Redaction(
      Array(credentials.values)
        + (addresses + JSONValue.object(sources).strings).flatMap(AddressSecrets.values))
    folder = try PrivateFolder(at: surroundings.absolutePath(path))
    // Its files have names that those of a user have, too.
    let names = Set(try folder.members().map(\.name))
    if let name = Self.fileNames.first(where: names.contains) {
      throw CommandFailure(
        .cannotWrite, "\(path): the folder already has the file \(name); name another one")
    }
    try configuration.write(redaction.apply(to: JSONValue.object(members).fileBytes))
    try tags.write(Self.tags(queries, settings).fileBytes)
    try circumstances.write(
      redaction.apply(to: Self.circumstances(settings, environment, credentials).fileBytes))
  }

  /// Records the exchanges of a client.
  package func recorder(
    over transport: any Transport, clock: @escaping @Sendable () -> Date
  ) throws -> ExchangeRecorder {
    do {
      return try ExchangeRecorder(
        over: transport, to: exchanges, creator: ("searchagg", Version.number),
        redacting: redaction, clock: clock)
    } catch {
      throw CommandFailure(.cannotWrite, "\(exchanges): \(error)")
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
    _ settings: RunSettings, _ environment: [String: String], _ credentials: [String: String]
  ) -> JSONValue {
    let variables = environment.sorted { $0.key < $1.key }
      .map { JSONMember($0.key, .string($0.value)) }
    let known = credentials.sorted { $0.key < $1.key }.map { name, value in
      // An unusable credential fails a search before it is sent; so must its replacement.
      return JSONMember(name, .bool(Secrets.isUsable(value)))
    }
    return .members([
      "version": .integer(version), "searchagg": .string(Version.number),
      "now": .number("\(settings.now.timeIntervalSince1970)"),
      // The settings have them in milliseconds.
      "since": settings.limits.since.map { .number("\($0.timeIntervalSince1970)") },
      "until": settings.limits.until.map { .number("\($0.timeIntervalSince1970)") },
      "environment": .object(variables), "credentials": .object(known),
    ])
  }
}

// MARK: - Replaying

extension Recording {
  /// The circumstances of a recorded run, for its replay.
  package struct Circumstances: Sendable {
    package let now: Date
    /// The variables of the run, with substitutes for its credentials.
    package var environment: [String: String] = [:]
    /// The substitutes.
    package var credentials: [String] = []
  }

  /// Opens a recording for a replay.
  package init(reading path: String, in surroundings: Surroundings) throws {
    let absolute = surroundings.absolutePath(path)
    guard BoundedRead.isThere("\(absolute)/run.json") else {
      throw CommandFailure(.unreadableInput, "\(path): not a recording (no run.json); see --record")
    }
    folder = try naming(path, failingWith: .unreadableInput) { try PrivateFolder(at: absolute) }
    redaction = Redaction([])
  }

  /// The circumstances that the recorded run depended on.
  private func facts() throws -> JSONValue {
    try naming(circumstances.path) {
      try JSONValue(reading: try circumstances.read(limit: Self.largest))
    }
  }

  /// Gives a replay the exact dates of the recorded run, of which the settings keep milliseconds.
  package func apply(to written: inout WrittenSettings) throws {
    let facts = try facts()
    // A recording of an earlier version has only those of the settings.
    written.limits.since = try facts["since"].map { try date("since", $0) } ?? written.limits.since
    written.limits.until = try facts["until"].map { try date("until", $0) } ?? written.limits.until
  }

  private func date(_ name: String, _ value: JSONValue) throws -> Date {
    guard case .number(let spelling) = value,
      let date = Double(spelling).flatMap(EpochTime.exactDate)
    else {
      throw CommandFailure(
        .malformedInput, "\(circumstances.path): \(name): expected seconds since 1970")
    }
    return date
  }

  /// The circumstances of the recorded run.
  package func circumstancesOfRun() throws -> Circumstances {
    let path = circumstances.path
    let value = try facts()
    guard value["version"] == .integer(Self.version) else {
      throw CommandFailure(
        .malformedInput, "\(path): expected version \(Self.version) of a recording")
    }
    var run = Circumstances(now: try date("now", value["now"] ?? .null))
    if case .object(let members)? = value["environment"] {
      for case (let name, .string(let text)) in members.map({ ($0.key, $0.value) }) {
        run.environment[name] = text
      }
    }
    if case .object(let members)? = value["credentials"] {
      for member in members {
        let standIn = "replayed-\(member.key)"
        run.environment[member.key] = member.value == .bool(true) ? standIn : "re\nplayed"
        run.credentials.append(standIn)
      }
    }
    return run
  }

  /// The recorded exchanges.
  package func replay(hiding credentials: [String]) throws -> ExchangeReplay {
    try ExchangeReplay(reading: exchanges, redacting: Redaction(credentials))
  }
}

extension JSONValue {
  /// All texts in it, at any depth.
  fileprivate var strings: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.strings)
    case .object(let members): members.flatMap(\.value.strings)
    case .null, .bool, .number: []
    }
  }
}
