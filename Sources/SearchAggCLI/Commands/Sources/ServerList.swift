internal import Application
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// The servers of a network in the user's configuration file.
struct ServerList {
  private let file: OwnConfiguration
  private let source: SourceName

  var path: String { file.path }

  init(of source: any Source, in context: Context) throws {
    file = try OwnConfiguration(in: context)
    self.source = source.name
  }

  /// The network of a name, which may be that of a program whose servers have the network's API.
  static func source(named name: String, in context: Context) throws -> any Source {
    let catalogue = try Configuration(named: nil, isPersonal: true, in: context).catalogue
    if let source = catalogue.named(name) { return source }
    if let network = Sources.network(ofProgram: name) {
      return try source(named: network, in: context)
    }
    guard let entry = Catalog.entry(named: name) else {
      throw CommandFailure(
        .usage, Suggestion.refusal(of: name, as: "source", among: catalogue.everyName))
    }
    return try entry.source()
  }

  /// Addresses as they are stored; throws for a text that is not an address.
  static func checked(
    _ addresses: [String], of source: any Source
  ) throws -> [String] {
    try addresses.map { text in
      let address = String(text.trimmed)
      let isWhole = source.traits.takesWholeAddress
      guard (isWhole ? ServerAddress.whole(address) : ServerAddress(address)) != nil else {
        let example = isWhole ? "https://example.org/feed.xml" : "https://social.example"
        throw CommandFailure(
          .usage,
          "<url>: expected an address such as \(example), found '\(AddressSetting.censored(address))'"
        )
      }
      return address
    }
  }

  /// The addresses in their order; empty if the file names none.
  func addresses() throws -> [String] {
    try entries(of: file.document()).compactMap(Self.address)
  }

  /// Adds servers; returns how many are new, or have other credentials now.
  ///
  /// - Parameters:
  ///   - variables: The variables of their credentials; none for those of the network.
  ///   - standard: The server that is asked where the file names none, which stays.
  func add(
    _ addresses: [String], variables: [String] = [], beside standard: String? = nil
  ) throws -> Int {
    try change { entries in
      if entries.isEmpty, let standard, !addresses.contains(standard) {
        entries.append(.string(standard))
      }
      var count = 0
      for address in addresses {
        let entry = Self.entry(address, variables)
        if let index = entries.firstIndex(where: { Self.address($0) == address }) {
          // Without a word about credentials, its own stay.
          guard !variables.isEmpty, entries[index] != entry else { continue }
          entries[index] = entry
        } else {
          entries.append(entry)
        }
        count += 1
      }
      return count
    }
  }

  /// The feeds in their order, with their names.
  func subscriptions() throws -> [Subscription] {
    try entries(of: file.document()).compactMap(Self.subscription)
  }

  /// Adds feeds, and names to feeds that have none; returns how many are new or have a name now.
  func add(_ feeds: [Subscription]) throws -> Int {
    try change { entries in
      var places: [String: Int] = [:]
      for (index, entry) in entries.enumerated() { places[Self.address(entry) ?? ""] = index }
      var count = 0
      for feed in feeds {
        guard let index = places[feed.address] else {
          places[feed.address] = entries.count
          entries.append(Self.entry(feed))
          count += 1
          continue
        }
        let named = Self.entry(entries[index], named: feed)
        guard named != entries[index] else { continue }
        entries[index] = named
        count += 1
      }
      return count
    }
  }

  /// Removes servers; returns how many there were.
  func remove(_ addresses: Set<String>) throws -> Int {
    try change { entries in
      let count = entries.count
      entries.removeAll { Self.address($0).map(addresses.contains) ?? false }
      return count - entries.count
    }
  }

  func warnOfVariable(in context: Context) {
    let variable = SourceDirectory.addressVariable(of: source)
    guard context.variable(variable) != nil else { return }
    context.report(
      "\(variable) is set and takes precedence over the stored "
        + (source == "feed" ? "feeds" : "servers"))
  }

  private func change(_ change: (inout [JSONValue]) -> Int) throws -> Int {
    try file.change { document in
      var entries = try entries(of: document)
      let count = change(&entries)
      guard count != 0 else { return 0 }
      let settings = document["sources"]?[source.rawValue] ?? .object([])
      // A network without servers has its own again; feeds have none.
      let isOver = entries.isEmpty && source != "feed"
      let changed =
        isOver ? settings.removing("servers") : settings.setting("servers", to: .array(entries))
      let sources = document["sources"] ?? .object([])
      document = document.setting(
        "sources",
        to: changed == .object([])
          ? sources.removing(source.rawValue) : sources.setting(source.rawValue, to: changed))
      return count
    }
  }

  private func entries(of document: JSONValue) throws -> [JSONValue] {
    switch document["sources"]?[source.rawValue]?["servers"] {
    case nil: return []
    case .array(let entries): return entries
    case .some:
      throw CommandFailure(.badConfiguration, "\(path): sources.\(source).servers: expected a list")
    }
  }

  private static func entry(_ address: String, _ variables: [String]) -> JSONValue {
    if variables.isEmpty { return .string(address) }
    return .members([
      "url": .string(address), "credentials": .array(variables.map(JSONValue.string)),
    ])
  }

  private static func entry(_ feed: Subscription) -> JSONValue {
    if feed.title == nil, feed.folder == nil { return .string(feed.address) }
    return .members([
      "url": .string(feed.address), "title": feed.title.map { .string($0) },
      "folder": feed.folder.map { .string($0) },
    ])
  }

  /// An entry with the names of a feed, where it has none.
  private static func entry(_ entry: JSONValue, named feed: Subscription) -> JSONValue {
    guard let known = subscription(entry) else { return entry }
    guard case .object = entry else { return self.entry(feed) }
    var entry = entry
    if known.title == nil, let title = feed.title {
      entry = entry.setting("title", to: .string(title))
    }
    if known.folder == nil, let folder = feed.folder {
      entry = entry.setting("folder", to: .string(folder))
    }
    return entry
  }

  private static func subscription(_ entry: JSONValue) -> Subscription? {
    func text(_ key: String) -> String? {
      if case .string(let text) = entry[key] { text } else { nil }
    }
    return address(entry).map {
      Subscription(address: $0, title: text("title"), folder: text("folder"))
    }
  }

  private static func address(_ entry: JSONValue) -> String? {
    switch entry {
    case .string(let address): address
    case _: if case .string(let address) = entry["url"] { address } else { nil }
    }
  }
}
