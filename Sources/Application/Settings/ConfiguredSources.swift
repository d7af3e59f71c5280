internal import SearchModel
package import SearchSources
package import TextFormats

/// The networks in `sources` of a configuration file.
package struct ConfiguredSources: Sendable {
  package private(set) var servers: [String: [ConfiguredServer]] = [:]
  /// The sources that are declared here.
  package private(set) var declared: [any Source] = []
  /// The networks of the catalog that are enabled here.
  package private(set) var enabled: [any Source] = []

  package init() {}

  /// Reads `sources`: the servers of a known source, or the declaration of another.
  package init(_ sources: JSONEntry) throws(DocumentError) {
    let expected = "an object with a source for each key"
    for (name, entry) in try sources.distinctMembers(expected: expected) {
      guard case .object = entry.value else {
        throw entry.fault(expected: #"an object such as {"servers": ["https://…"]}"#)
      }
      let isDeclared = entry.value["kind"] != nil
      let preset = isDeclared ? nil : Catalog.entry(named: name)
      if isDeclared {
        try declare(name, entry)
      } else if let preset {
        try takeEnabled(entry, of: preset)
      } else if Sources.named(name) == nil {
        throw entry.fault(
          "unknown source (known: \(Sources.names)); "
            + #"to declare one of your own, begin with "kind": "json""#)
      }
      let members = try entry.object(knowing: ["servers"], ignoresUnknown: true)
      guard let list = members["servers"] else {
        if isDeclared || preset != nil { continue }
        throw entry.fault(expected: #"{"servers": ["https://…"]}"#)
      }
      servers[name] = try list.elements(expected: #"a list such as ["https://…"]"#).map {
        entry throws(DocumentError) in try server(entry)
      }
    }
  }

  /// Reads whether a network of the catalog is on.
  private mutating func takeEnabled(
    _ entry: JSONEntry, of preset: Catalog.Entry
  ) throws(DocumentError) {
    let members = try entry.object(knowing: ["servers", "enabled"])
    if try members["enabled"]?.bool() ?? false { enabled.append(try preset.network()) }
  }

  private mutating func declare(_ name: String, _ entry: JSONEntry) throws(DocumentError) {
    guard Self.isName(name) else {
      throw entry.fault(
        expected: "a name of at most 40 lowercase letters, digits and dashes, such as my-forum")
    }
    guard Sources.named(name) == nil else {
      throw entry.fault("\(name) is a built-in source: choose another name")
    }
    guard !declared.contains(where: { $0.name.rawValue == name }) else {
      throw entry.fault("declared twice")
    }
    declared.append(
      try Declaration.source(SourceName(rawValue: name), reading: entry, ignoring: ["servers"]))
  }

  /// True if a name can follow `--source`, and be part of a variable's name.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, (0x61...0x7A).contains(first), name.utf8.count <= 40 else {
      return false
    }
    return !name.hasSuffix("-")
      && name.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || $0.isASCIIDigit || $0 == UInt8(ascii: "-")
      }
  }

  private func server(_ entry: JSONEntry) throws(DocumentError) -> ConfiguredServer {
    if case .string(let address) = entry.value { return ConfiguredServer(address: address) }
    let expected = #"an address or {"url": "https://…", "credentials": ["VARIABLE"]}"#
    let known = try entry.object(
      knowing: ["url", "credentials", "title", "folder"], ignoresUnknown: true, expected: expected)
    guard let url = known["url"] else { throw entry.fault(expected: expected) }
    let variables = try known["credentials"]?.elements(expected: "a list of variable names")
    return ConfiguredServer(
      address: try url.string(expected: "an address", allowsEmpty: true),
      variables: try variables?.map { name throws(DocumentError) in
        try name.string(expected: "the name of a variable", allowsEmpty: true)
      }, title: try known["title"]?.string(expected: "a title"),
      folder: try known["folder"]?.string(expected: "the name of a folder"))
  }
}

/// A server as a configuration file names it.
package struct ConfiguredServer: Hashable, Sendable {
  /// The address as written.
  package var address: String
  /// The variables that hold its credentials; nil for those that the source names.
  package var variables: [String]?
  /// The names of a feed and of its folder, as readers of feeds have them.
  package var title: String?
  package var folder: String?
}
