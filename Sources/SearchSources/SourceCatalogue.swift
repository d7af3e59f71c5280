package import SearchModel

/// The networks that can be asked: those that searchagg speaks, and behind them the declared ones.
package struct SourceCatalogue: Sendable {
  /// Without any that is declared.
  package static let builtIn = SourceCatalogue(declared: [])

  package let all: [any Source]

  package init(declared: [any Source]) { all = Sources.all + declared }

  package func named(_ name: String) -> (any Source)? { all.first { $0.name.rawValue == name } }

  package func named(_ name: SourceName) -> (any Source)? { named(name.rawValue) }

  /// The names of all, for messages.
  package var names: String { all.map(\.name.rawValue).joined(separator: ", ") }
}
