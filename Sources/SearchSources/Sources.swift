package import SearchModel

/// The networks that searchagg supports, in the order in which they are listed.
package enum Sources {
  package static let all: [any Source] = [
    TwitterClassic(), X(), Bluesky(), Mastodon(), HackerNews(), GitHub(), Lemmy(), StackExchange(),
    Lobsters(), Discourse(), Reddit(), Misskey(), YouTube(), DevTo(), Tumblr(), Threads(),
    SearXNG(), Feed(),
  ]

  package static func named(_ name: String) -> (any Source)? {
    all.first { $0.name.rawValue == name }
  }

  /// The names of all, for messages.
  package static var names: String { all.map(\.name.rawValue).joined(separator: ", ") }
}

/// The networks that a run can search: the built-in ones, then those declared in configuration files.
package struct SourceCatalogue: Sendable {
  package let all: [any Source]

  package init(declared: [any Source]) { all = Sources.all + declared }

  package func named(_ name: String) -> (any Source)? { all.first { $0.name.rawValue == name } }

  package func named(_ name: SourceName) -> (any Source)? { named(name.rawValue) }

  /// The names of all, for messages.
  package var names: String { all.map(\.name.rawValue).joined(separator: ", ") }
}
