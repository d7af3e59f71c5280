internal import Application
internal import SafeFiles
internal import SearchSources

/// The configuration files of a run, the nearest first: the one that was named, or the project's
/// and the user's.
struct Configuration: Sendable {
  /// The keys that a file found in the current folder cannot set. Otherwise a hostile folder could obtain
  /// the user's tokens, or write to files of its choice.
  private static let personal = Set(
    ["sources", "channels"]
      + Setting.all.filter { $0.places.contains(.file) && !$0.isAllowedInProject }.map(\.name))

  private(set) var files: [ConfigurationFile] = []
  /// A line for each thing that was left out.
  private(set) var warnings: [String] = []

  /// Reads the file that was named, or else the project's and the user's where they are.
  ///
  /// - Parameter isPersonal: Whether the project's file is left out, since it cannot set what is needed.
  init(
    named path: String?, isPersonal: Bool = false, in context: Context
  ) throws {
    if path?.isEmpty == true { throw CommandFailure(.usage, "--config: expected a file") }
    for place in Self.places(named: path, in: context) where !(isPersonal && place.isProject) {
      let file = try ConfigurationFile(
        at: place.path, shownAs: place.shownPath, ignoring: place.isProject ? Self.personal : [])
      guard let file else {
        if !place.isRequired { continue }
        throw CommandFailure(
          .badConfiguration, "\(place.shownPath): no such file; name another with --config")
      }
      for key in file.ignored.sorted() {
        warnings.append(
          "\(place.shownPath): '\(key)' is ignored in a file of the current folder; "
            + "set it in your own configuration, or name this file with --config")
      }
      files.append(file)
    }
  }

  /// The user's own configuration, without the file of the current folder.
  static func personal(in context: Context) throws -> Configuration {
    try Configuration(named: nil, isPersonal: true, in: context)
  }

  /// A path where a configuration file may be.
  struct Place {
    var path: String
    /// As messages show it.
    var shownPath: String
    /// True if it is in the current folder, where somebody else may have written it.
    var isProject = false
    /// True if the file must exist, since it was named.
    var isRequired = false
  }

  /// The places of the configuration files, the nearest first.
  static func places(named path: String?, in context: Context) -> [Place] {
    if let path = path ?? context.variable("SEARCHAGG_CONFIG") {
      return [Place(path: context.absolutePath(path), shownPath: path, isRequired: true)]
    }
    // After `sudo -u` the current folder may be another user's: no file there is meant for this one.
    var places =
      BoundedRead.canLook(into: context.workingDirectory)
      ? [
        Place(
          path: context.absolutePath("searchagg.json"), shownPath: SettingOrigin.projectPath,
          isProject: true)
      ] : []
    if let folder = ConfigurationFolder.path(in: context) {
      let own = "\(folder)/config.json"
      places.append(Place(path: own, shownPath: own))
    }
    return places
  }

  /// The text of a setting in the nearest file that has it.
  func text(of name: String) -> (text: String, origin: SettingOrigin)? {
    for file in files {
      if let text = file.text(of: name) { return (text, .file(path: file.shownPath, key: name)) }
    }
    return nil
  }

  /// The text of a setting in each file that has it, the nearest first.
  func texts(of name: String) -> [(text: String, origin: SettingOrigin)] {
    files.compactMap { file in
      file.text(of: name).map { ($0, .file(path: file.shownPath, key: name)) }
    }
  }

  /// The sources that can be asked: our own, those that the files declare, and those that they enable.
  var knownSources: KnownSources {
    KnownSources(
      declared: files.flatMap(\.networks.declared), enabled: files.flatMap(\.networks.enabled))
  }

  var channels: Channels { Channels(files.flatMap(\.channels)) }

  /// The servers of a source in the nearest file that names some.
  func servers(of source: String) -> (servers: [ConfiguredServer], path: String)? {
    for file in files {
      if let servers = file.networks.servers[source] { return (servers, file.shownPath) }
    }
    return nil
  }
}

extension Configuration {
  /// The variables of all credentials of sources, and of the servers and channels in the user's
  /// configuration.
  static func credentialNames(in context: Context) throws -> [String] {
    let configuration = try Configuration.personal(in: context)
    let sources = configuration.knownSources
    let names =
      sources.all.flatMap(\.traits.credentialNames)
      + (try sources.off.map { entry in try entry.source() })
      .flatMap(\.traits.credentialNames)
      + configuration.files.flatMap {
        $0.networks.servers.values.joined().flatMap { $0.variables ?? [] }
      }
      + configuration.files.flatMap { $0.channels.flatMap(\.credentialNames) }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
