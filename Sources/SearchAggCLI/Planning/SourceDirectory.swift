internal import Application
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// Finds the servers of each source, and the secrets that may be sent there.
struct SourceDirectory: Sendable {
  let setups: [SourceSetup]
  private let secrets: Secrets
  /// The sources that the user declares.
  private let own: Set<SourceName>

  /// - Parameter named: The sources that were named, which may be off.
  init(
    configuration: Configuration, naming named: Set<SourceName> = [], in context: Context
  ) throws {
    let secrets = try Secrets(in: context)
    self.secrets = secrets
    own = Set(configuration.files.flatMap(\.networks.declared).map(\.name))
    let knownSources = configuration.knownSources
    let off = try knownSources.off.filter { named.contains($0.name) }.map {
      entry in try entry.source()
    }
    setups = try (knownSources.all + off).map { source in
      let configured = try Self.servers(of: source, configuration: configuration, secrets, context)
      let named = source is Feed ? Self.named(in: configuration) : [:]
      let servers = configured.map { entry in
        var server = SourceSetup.Server(
          at: entry.address, named: entry.variables, of: source, isOnlyOne: configured.count == 1,
          holding: secrets)
        server.title = named[entry.address]?.title
        server.folder = named[entry.address]?.folder
        return server
      }
      return SourceSetup(
        source: source is Feed ? Feed(titles: named.compactMapValues(\.title)) : source,
        servers: servers, addressVariable: Self.addressVariable(of: source.name),
        isOff: knownSources.named(source.name) == nil)
    }
  }

  /// A line for each source that is asked without its credentials although they are set.
  func warnings(for plan: [PlannedSearch]) -> [String] {
    let warned = setups.map { (source: $0.source.name, lines: $0.warnings) }
      .filter { !$0.lines.isEmpty }
    // Most runs have nothing to warn about, and a plan may hold millions of searches.
    guard !warned.isEmpty else { return [] }
    let asked = Set(plan.lazy.map(\.source))
    return warned.filter { asked.contains($0.source) }.flatMap(\.lines)
  }

  /// The credentials that are set for any of the sources, by variable.
  var credentials: [String: String] { secrets.values(of: credentialNames) }

  /// The variables of all credentials of the sources, set or not.
  var credentialNames: Set<String> {
    Set(
      setups.flatMap { setup in
        setup.source.traits.credentialNames
          + setup.servers.flatMap {
            ($0.credentials?.names ?? []) + $0.withheld + $0.ownNames.values
          }
      })
  }

  /// Returns whether a source is one that the user declares.
  func isOwn(_ name: SourceName) -> Bool { own.contains(name) }

  func setup(of name: SourceName) -> SourceSetup? { setups.first { $0.source.name == name } }

  /// The addresses of a source: its variable, else a configuration file, else the network's own.
  private static func servers(
    of source: any Source, configuration: Configuration, _ secrets: Secrets, _ context: Context
  ) throws -> [(address: ServerAddress, variables: [String]?)] {
    let variable = addressVariable(of: source.name)
    let isWhole = source.traits.takesWholeAddress
    if let text = context.variable(variable) {
      let addresses = AddressText.list(text, areWhole: isWhole)
      guard !addresses.isEmpty else {
        throw SettingOrigin.variable(variable).refusal(of: text, expected: "an address")
      }
      let known = configuration.servers(of: source.name.rawValue)?.servers ?? []
      return try distinct(
        addresses.map { text in
          let address = try AddressSetting.server(
            text, isWhole: isWhole, from: .variable(variable))
          // The configuration may name credentials for the same server.
          let entry = known.first { entry in
            (isWhole ? ServerAddress.whole(entry.address) : ServerAddress(entry.address)) == address
          }
          return (address, entry?.variables)
        })
    }
    if let (servers, path) = configuration.servers(of: source.name.rawValue) {
      return try distinct(
        servers.map { server in
          let origin = SettingOrigin.file(path: path, key: "sources.\(source.name)")
          let address = try AddressSetting.server(server.address, isWhole: isWhole, from: origin)
          return (address, server.variables)
        })
    }
    let traits = source.traits
    let hasCredentials = secrets.hold(traits.credentialNames)
    let own = (hasCredentials ? traits.serverWithCredentials : nil) ?? traits.defaultServer
    return own.flatMap(ServerAddress.init).map { [($0, nil)] } ?? []
  }

  /// The feeds of the configuration that have names.
  private static func named(in configuration: Configuration) -> [ServerAddress: ConfiguredServer] {
    let feeds = configuration.servers(of: "feed")?.servers ?? []
    return Dictionary(
      feeds.compactMap { feed in
        guard feed.title != nil || feed.folder != nil else { return nil }
        return ServerAddress.whole(feed.address).map { ($0, feed) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The variable that holds a source's addresses.
  static func addressVariable(of source: SourceName) -> String {
    Setting.variable(of: "\(source)-url")
  }

  /// The servers without duplicates.
  private static func distinct(
    _ servers: [(address: ServerAddress, variables: [String]?)]
  ) -> [(address: ServerAddress, variables: [String]?)] {
    var seen: Set<ServerAddress> = []
    return servers.filter { seen.insert($0.address).inserted }
  }
}

extension Catalog.Entry {
  /// The network, whose declaration comes with the program.
  func source() throws -> any Source {
    try naming(name.rawValue, failingWith: .badConfiguration) { try network() }
  }
}
