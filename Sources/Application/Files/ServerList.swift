package import SearchModel
package import SearchSources
internal import TextFormats

/// The servers of a network in the user's configuration file.
package struct ServerList {
  private let file: OwnConfiguration
  package let source: SourceName

  package var path: String { file.path }

  package init(of source: SourceName, in file: OwnConfiguration) {
    self.file = file
    self.source = source
  }

  /// The addresses in their order; empty if the file names none.
  package func addresses() throws -> [String] {
    try entries(of: file.document()).compactMap(Self.address)
  }

  /// The servers without a credential of their own, which are sent that of the network where they are the only one.
  package func addressesWithoutCredential() throws -> [String] {
    try entries(of: file.document()).filter { $0["credentials"] == nil }.compactMap(Self.address)
  }

  /// Adds servers; returns how many are new, or have other credentials now.
  ///
  /// - Parameters:
  ///   - variables: The variables of their credentials; none for those of the network.
  ///   - defaultServer: The server that is asked where the file names none, which stays.
  package func add(
    _ addresses: [String], variables: [String] = [], beside defaultServer: String? = nil
  ) throws -> Int {
    try change { entries in
      if entries.isEmpty, let defaultServer, !addresses.contains(defaultServer) {
        entries.append(.string(defaultServer))
      }
      var count = 0
      for address in addresses {
        let entry = Self.entry(address, variables)
        let server = server(at: address)
        if let index = entries.firstIndex(where: { Self.address($0).map(self.server) == server }) {
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
  package func subscriptions() throws -> [Subscription] {
    try entries(of: file.document()).compactMap(Self.subscription)
  }

  /// Adds feeds, and names to feeds that have none; returns how many are new or have a name now.
  package func add(_ feeds: [Subscription]) throws -> Int {
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

  /// Returns which of some servers are not on the list.
  package func missing(of addresses: Set<String>) throws -> [String] {
    let known = Set(try self.addresses().map(server))
    return addresses.filter { !known.contains(server(at: $0)) }.sorted()
  }

  /// Removes servers; returns how many there were.
  package func remove(_ addresses: Set<String>) throws -> Int {
    try change { entries in
      let count = entries.count
      let servers = Set(addresses.map(server))
      entries.removeAll { Self.address($0).map { servers.contains(server(at: $0)) } ?? false }
      return count - entries.count
    }
  }

  /// The same text for all forms of a server's address; that of a feed is one document's.
  private func server(at address: String) -> String {
    source == "feed" ? address : ServerAddress(address)?.text ?? address
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
      document = document.setting(source: source.rawValue, to: changed)
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
    address(entry).map {
      Subscription(address: $0, title: entry.text("title"), folder: entry.text("folder"))
    }
  }

  private static func address(_ entry: JSONValue) -> String? {
    switch entry {
    case .string(let address): address
    default: if case .string(let address) = entry["url"] { address } else { nil }
    }
  }
}
