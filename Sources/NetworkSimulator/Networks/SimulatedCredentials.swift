/// The credentials that the simulated networks accept, determined by the seed.
struct SimulatedCredentials: Sendable, Hashable {
  let xBearerToken: String
  let blueskyIdentifier: String
  let blueskyAppPassword: String
  let mastodonAccessToken: String
  let gitHubToken: String
  let stackExchangeKey: String
  let redditClientID: String
  let redditClientSecret: String
  let misskeyToken: String
  let youTubeKey: String
  let tumblrKey: String
  let threadsAccessToken: String

  init(seed: UInt64) {
    func mark(_ name: String) -> UInt64 { StableHash.of("credential", name, seed: seed) }
    xBearerToken = "AAAAAAAAAAAAAAAAAAAAA" + Alphabet.base62.random(60, seed: mark("x"))
    blueskyIdentifier = "reader\(mark("handle") % 1000).bsky.social"
    let password = Array(Alphabet.base32.random(16, seed: mark("password")))
    blueskyAppPassword = stride(from: 0, to: 16, by: 4).map { String(password[$0..<$0 + 4]) }
      .joined(separator: "-")
    mastodonAccessToken = Alphabet.base62.random(43, seed: mark("mastodon"))
    gitHubToken = "github_pat_" + Alphabet.base62.random(40, seed: mark("github"))
    stackExchangeKey = Alphabet.base62.random(24, seed: mark("stackexchange"))
    redditClientID = Alphabet.base62.random(22, seed: mark("reddit id"))
    redditClientSecret = Alphabet.base62.random(30, seed: mark("reddit secret"))
    misskeyToken = Alphabet.base62.random(32, seed: mark("misskey"))
    youTubeKey = "AIza" + Alphabet.base62.random(35, seed: mark("youtube"))
    tumblrKey = Alphabet.base62.random(50, seed: mark("tumblr"))
    threadsAccessToken = "THAA" + Alphabet.base62.random(60, seed: mark("threads"))
  }

  /// The names and values as the environment has them, in a fixed order.
  var lines: [(name: String, value: String)] {
    [
      ("X_BEARER_TOKEN", xBearerToken), ("BLUESKY_IDENTIFIER", blueskyIdentifier),
      ("BLUESKY_APP_PASSWORD", blueskyAppPassword), ("MASTODON_ACCESS_TOKEN", mastodonAccessToken),
      ("GITHUB_TOKEN", gitHubToken),
      ("STACKEXCHANGE_KEY", stackExchangeKey),
      ("REDDIT_CLIENT_ID", redditClientID),
      ("REDDIT_CLIENT_SECRET", redditClientSecret),
      ("MISSKEY_TOKEN", misskeyToken),
      ("YOUTUBE_API_KEY", youTubeKey),
      ("TUMBLR_API_KEY", tumblrKey),
      ("THREADS_ACCESS_TOKEN", threadsAccessToken),
    ]
  }
}
