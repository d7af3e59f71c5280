internal import SearchModel

/// The networks that searchagg supports, in the order in which they are listed.
package enum Sources {
  package static let all: [any Source] = [
    TwitterClassic(), X(), Bluesky(), Mastodon(), HackerNews.network, GitHub(), Lemmy(),
    StackExchange(), Lobsters.network, Discourse(), Reddit(), Misskey(), YouTube.network,
    DevTo.network, Tumblr(), Threads(), SearXNG(), Feed(),
  ]

  package static func named(_ name: String) -> (any Source)? {
    all.first { $0.name.rawValue == name }
  }

  /// The names of all, for messages.
  package static var names: String { all.map(\.name.rawValue).joined(separator: ", ") }

  /// The networks whose API the servers of other programs have, too.
  private static let programs: [String: String] = [
    "gotosocial": "mastodon", "pixelfed": "mastodon", "pleroma": "mastodon", "akkoma": "mastodon",
    "takahe": "mastodon", "hometown": "mastodon", "sharkey": "misskey", "firefish": "misskey",
    "forgejo": "gitea", "kbin": "mbin",
  ]

  /// The network as which the servers of another program are searched; nil for an unknown one.
  package static func network(ofProgram name: String) -> String? { programs[name.lowercased()] }
}
