internal import SearchModel
internal import SearchSources
internal import TextFormats

extension ConfigurationFile {
  /// Reads `sources`: the servers of a source that we know, or the declaration of another.
  mutating func takeSources(_ value: JSONValue) throws(CommandFailure) {
    guard case .object(let members) = value else {
      throw wrong("an object with a source for each key", at: "sources")
    }
    for member in members {
      let place = "sources.\(member.key)"
      guard case .object = member.value else {
        throw wrong(#"an object such as {"servers": ["https://…"]}"#, at: place)
      }
      let isDeclared = member.value["kind"] != nil
      if isDeclared {
        try declare(member.key, member.value, at: place)
      } else if Sources.named(member.key) == nil {
        throw CommandFailure(
          .badConfiguration,
          "\(shownPath): \(place): there is no such source; there are: \(Sources.names); "
            + #"to declare one of your own, begin with "kind": "json""#)
      }
      guard case .array(let entries) = member.value["servers"] else {
        if isDeclared, member.value["servers"] == nil { continue }
        throw wrong(#"{"servers": ["https://…"]}"#, at: place)
      }
      servers[member.key] = try entries.map { entry throws(CommandFailure) in
        try server(entry, at: "\(place).servers")
      }
    }
  }

  private mutating func declare(
    _ name: String, _ value: JSONValue, at place: String
  ) throws(CommandFailure) {
    guard Self.isName(name) else {
      throw wrong("a name of lower-case letters, digits and dashes, such as my-forum", at: place)
    }
    guard Sources.named(name) == nil else {
      throw CommandFailure(
        .badConfiguration,
        "\(shownPath): \(place): \(name) is a source of searchagg's own: take another name")
    }
    guard !declared.contains(where: { $0.name.rawValue == name }) else {
      throw CommandFailure(.badConfiguration, "\(shownPath): \(place): is declared twice")
    }
    do throws(DeclarationFault) {
      declared.append(
        try DeclaredJSON(SourceName(rawValue: name), reading: value, ignoring: ["servers"]))
    } catch {
      let key = error.key.isEmpty ? place : "\(place).\(error.key)"
      throw CommandFailure(.badConfiguration, "\(shownPath): \(key): \(error.message)")
    }
  }

  /// Whether a name can stand behind `--source`, and be a part of a variable's name.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, (0x61...0x7A).contains(first), name.utf8.count <= 40 else {
      return false
    }
    return !name.hasSuffix("-")
      && name.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
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
}
