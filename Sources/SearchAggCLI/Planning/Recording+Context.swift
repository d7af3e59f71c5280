internal import Application
internal import TextFormats

/// A recording as a command line begins and repeats it.
extension Recording {
  /// Begins the recording of a run.
  init(of run: RunPreparation, in path: String, _ context: Context) throws {
    let written = Setting.all.filter(Self.isRecorded).compactMap { setting in
      run.written.words[setting.name].map { JSONMember(setting.name, .string($0.text)) }
    }
    var sources: [JSONMember] = []
    for file in run.reader.configuration.files {
      guard case .object(let declared)? = file.sources else { continue }
      sources += declared.filter { member in !sources.contains { $0.key == member.key } }
    }
    var environment: [String: String] = [:]
    for name in run.directory.setups.map(\.addressVariable) + ["TZ"] {
      environment[name] = context.variable(name)
    }
    try self.init(
      of: run.queries, run.settings, written: written, sources: sources, environment: environment,
      credentials: run.directory.credentials, in: path, context.surroundings)
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

  /// The world of the recorded run, with this run's streams, and with substitutes for its credentials.
  func world(from context: Context) throws -> (
    context: Context, credentials: [String]
  ) {
    let run = try circumstancesOfRun()
    var world = context
    world.now = { run.now }
    world.environment = context.environment.filter { !$0.key.hasPrefix("SEARCHAGG_") }
    // The recorded run does not depend on this user's own files.
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
      world.environment[name] = nil
    }
    for setting in Setting.all where setting.group == .output {
      world.environment[setting.variable] = context.environment[setting.variable]
    }
    world.environment.merge(run.environment) { $1 }
    if let zone = world.variable("TZ") { context.host.setTimeZone(zone) }
    return (world, run.credentials)
  }

  /// The options that somebody may count on, although they are about earlier and later runs, or about requests.
  private static let aboutOtherRuns = [
    "new", "new-all", "from-now", "retry-failed", "backfill", "expect-within", "alert-over", "exec",
    "notify", "stats", "stats-file",
  ]

  /// The line that names the options which have no effect in a replay; nil where there are none.
  static func note(on texts: [String: String]) -> String? {
    let names = aboutOtherRuns.filter { texts[$0] != nil }.map { "--\($0)" }
    guard !names.isEmpty else { return nil }
    return "\(names.inWords("and")) \(names.count == 1 ? "has" : "have") no effect in a replay"
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
    options["config"] = configurationPath
    options["tags-file"] = tagsPath
    return options
  }
}
