internal import SafeFiles
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// One configuration file: an object of settings, and `sources` with the servers of each.
struct ConfigurationFile: Sendable {
  private static let largest = 1 << 20

  let shownPath: String
  private(set) var values: [String: String] = [:]
  private(set) var servers: [String: [ConfiguredServer]] = [:]

  /// Reads a file; nil when there is none.
  init?(at path: String, shownAs shownPath: String) throws(CommandFailure) {
    self.shownPath = shownPath
    let bytes: [UInt8]
    do {
      bytes = try BoundedRead.bytes(of: path, limit: Self.largest)
    } catch .missing {
      return nil
    } catch {
      throw CommandFailure(.badConfiguration, "\(error)")
    }
    let value: JSONValue
    do {
      value = try JSONValue(reading: bytes)
    } catch {
      throw CommandFailure(.badConfiguration, "\(shownPath): \(error)")
    }
    guard case .object(let members) = value else { throw wrong("an object of settings") }
    for member in members { try take(member) }
  }

  /// The text of a setting.
  func text(of name: String) -> String? { values[name] }

  /// Forgets some keys, and returns those that were there.
  mutating func remove(_ keys: Set<String>) -> [String] {
    var removed = values.keys.filter { keys.contains($0) }
    for key in removed { values[key] = nil }
    if keys.contains("sources"), !servers.isEmpty {
      servers = [:]
      removed.append("sources")
    }
    return removed.sorted()
  }

  private mutating func take(_ member: JSONMember) throws(CommandFailure) {
    if member.key == "sources" { return try takeSources(member.value) }
    let name = member.key.replacing("_", with: "-")
    guard Configuration.settings.contains(name) else {
      throw CommandFailure(
        .badConfiguration,
        "\(shownPath): '\(member.key)' is no setting; there are: sources, "
          + Configuration.settings.sorted().joined(separator: ", "))
    }
    switch member.value {
    case .string(let text): values[name] = text
    case .number(let spelling): values[name] = spelling
    case .bool(let isOn): values[name] = isOn ? "true" : "false"
    case .array(let elements):
      values[name] = try elements.map { element throws(CommandFailure) in
        guard case .string(let text) = element else { throw wrong("a list of texts", at: name) }
        return text
      }.joined(separator: ",")
    case .null: break
    case .object: throw wrong("a text, a number or true or false", at: name)
    }
  }

  private mutating func takeSources(_ value: JSONValue) throws(CommandFailure) {
    guard case .object(let members) = value else {
      throw wrong("an object with a source for each key", at: "sources")
    }
    for member in members {
      let place = "sources.\(member.key)"
      guard Sources.named(member.key) != nil else {
        throw CommandFailure(
          .badConfiguration,
          "\(shownPath): \(place): there is no such source; there are: \(Sources.names)")
      }
      guard case .array(let entries) = member.value["servers"] else {
        throw wrong(#"{"servers": ["https://…"]}"#, at: place)
      }
      servers[member.key] = try entries.map { entry throws(CommandFailure) in
        try server(entry, at: "\(place).servers")
      }
    }
  }

  private func server(
    _ entry: JSONValue, at place: String
  ) throws(CommandFailure) -> ConfiguredServer {
    if case .string(let address) = entry { return ConfiguredServer(address: address) }
    guard case .string(let address) = entry["url"] else {
      throw wrong(#"an address or {"url": "https://…", "credentials": ["VARIABLE"]}"#, at: place)
    }
    guard let names = entry["credentials"] else { return ConfiguredServer(address: address) }
    guard case .array(let elements) = names else {
      throw wrong("a list of variables' names", at: "\(place).credentials")
    }
    let variables = try elements.map { element throws(CommandFailure) in
      guard case .string(let name) = element else {
        throw wrong("a list of variables' names", at: "\(place).credentials")
      }
      return name
    }
    return ConfiguredServer(address: address, variables: variables)
  }

  private func wrong(_ expected: String, at place: String? = nil) -> CommandFailure {
    let place = place.map { "\($0): " } ?? ""
    return CommandFailure(.badConfiguration, "\(shownPath): \(place)expected \(expected)")
  }
}
