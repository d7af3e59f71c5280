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
    own = Set(configuration.files.flatMap(\.declared).map(\.name))
    let catalogue = configuration.catalogue
    let off = try catalogue.off.filter { named.contains($0.name) }.map {
      entry in try entry.source()
    }
    setups = try (catalogue.all + off).map { source in
      let configured = try Self.servers(of: source, configuration: configuration, secrets, context)
      let named = source is Feed ? Self.named(in: configuration) : [:]
      let servers = configured.map { entry in
        var server = Self.server(entry, of: source, isOnlyOne: configured.count == 1, secrets)
        server.title = named[entry.address]?.title
        server.folder = named[entry.address]?.folder
        return server
      }
      return SourceSetup(
        source: source is Feed ? Feed(titles: named.compactMapValues(\.title)) : source,
        servers: servers, addressVariable: Self.addressVariable(of: source.name),
        isOff: catalogue.named(source.name) == nil)
    }
  }

  /// A line for each source that is asked without its credentials although they are set.
  func warnings(for plan: [PlannedSearch]) -> [String] {
    let asked = Set(plan.lazy.map(\.source))
    return setups.filter { asked.contains($0.source.name) }.flatMap(\.warnings)
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

  /// The names of all sources, for messages.
  var names: String { setups.map(\.source.name.rawValue).joined(separator: ", ") }

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
      let addresses = AddressSetting.list(text, areWhole: isWhole)
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

  /// A server with the secrets that are its own and may travel to it.
  private static func server(
    _ entry: (address: ServerAddress, variables: [String]?), of source: any Source,
    isOnlyOne: Bool, _ secrets: Secrets
  ) -> SourceSetup.Server {
    var server = SourceSetup.Server(address: entry.address)
    let known = source.traits.credentialNames
    let names = entry.variables ?? known
    guard !names.isEmpty else { return server }
    if entry.variables != nil {
      server.credentialAdvice = "set \(names.joined(separator: " and "))"
      for (name, own) in zip(known, names) where name != own { server.ownNames[name] = own }
    } else if !isOnlyOne {
      // A token belongs to one server, and must not be sent to the others.
      server.credentialAdvice = "name the variable of each server in the configuration file"
    }
    guard secrets.hold(names) else {
      server.missing = "\(source.name) needs \(names.joined(separator: " and "))"
      if entry.variables == nil, let advice = server.credentialAdvice {
        server.missing? += ": \(advice)"
      }
      return server
    }
    if entry.variables == nil, !isOnlyOne {
      server.missing =
        "several servers are set; name the variable of each in the configuration file"
    } else if !entry.address.isSecure, !entry.address.isLoopback {
      server.missing = "credentials are only sent over https"
      server.credentialAdvice = "use https; credentials are only sent over https"
    } else {
      do throws(Failure) {
        server.credentials = try secrets.credentials(named: names)
      } catch {
        server.badCredential = error
      }
      return server
    }
    server.withheld = names
    return server
  }
}

extension Catalog.Entry {
  /// The network, whose declaration comes with the program.
  func source() throws -> any Source {
    try naming(name.rawValue, failingWith: .badConfiguration) { try network() }
  }
}
