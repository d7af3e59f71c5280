internal import SearchModel

/// The networks that searchagg speaks, in the order that they are listed in.
package enum Sources {
  package static let all: [any Source] = [
    TwitterClassic(), X(), Bluesky(), Mastodon(), HackerNews(), GitHub(), Lemmy(), StackExchange(),
    Lobsters(), Discourse(), Reddit(), Misskey(), YouTube(), DevTo(), Tumblr(), Threads(),
    SearXNG(), Feed(),
  ]

  package static func named(_ name: String) -> (any Source)? {
    all.first { $0.name.rawValue == name }
  }
}
