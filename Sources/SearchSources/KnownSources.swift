package import SearchModel

/// The networks that a run can search: the built-in ones, then those declared in configuration files, and
/// those of the catalog, most of which are off until they are named.
package struct KnownSources: Sendable {
  /// All but those of the catalog that are off.
  package let all: [any Source]

  /// - Parameters:
  ///   - declared: Those of configuration files, which take precedence over the catalog.
  ///   - enabled: Those of the catalog that are on.
  package init(declared: [any Source], enabled: [any Source] = []) {
    let own = Set(declared.map(\.name))
    all = Sources.all + declared + enabled.filter { !own.contains($0.name) }
  }

  /// Returns whether a name is that of a network, on or off.
  package func knows(_ name: String) -> Bool {
    named(name) != nil || Catalog.entry(named: name) != nil
  }

  /// The networks that a name means: the one of that name, or else those of a subject; nil for none.
  package func sources(named name: String) -> [SourceName]? {
    if knows(name) { return [SourceName(rawValue: name)] }
    return Catalog.Subject(rawValue: name).map { Catalog.entries(about: $0).map(\.name) }
  }

  /// The networks of the catalog that are off.
  package var off: [Catalog.Entry] {
    Catalog.entries.filter { named($0.name.rawValue) == nil }
  }

  /// The names of all networks, followed by those of all subjects.
  package var everyName: [String] {
    let names = all.map(\.name.rawValue) + off.map(\.name.rawValue)
    return names + Catalog.Subject.allCases.map(\.rawValue).filter { !names.contains($0) }
  }

  package func named(_ name: String) -> (any Source)? { all.first { $0.name.rawValue == name } }

  package func named(_ name: SourceName) -> (any Source)? { named(name.rawValue) }
}
