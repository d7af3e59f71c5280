import FoundationEssentials
import Printing
import SearchModel
import TestSupport
import Testing

/// The posts and outcomes that the printers' tests print.
enum Samples {
  /// 2026-11-20T12:00:00Z.
  static let now = Date(timeIntervalSince1970: 1_795_176_000)

  static func server(_ text: String = "https://mastodon.social") throws -> ServerAddress {
    try #require(ServerAddress(text))
  }

  /// A post with every field.
  static func full(
    title: String? = "On engines",
    text: String = "First line about #swiftlang.\nSecond \"line\".", repostOf: String? = nil,
    repostedBy: Author? = nil
  ) throws -> Post {
    var post = Post(
      id: "10765432100123456789", source: "mastodon", server: try server(),
      url: "https://mastodon.social/@ada/1", uri: "https://mastodon.social/users/ada/statuses/1",
      author: Author(
        handle: "ada@mastodon.social", name: "Ada 日本", url: "https://mastodon.social/@ada"),
      title: title, text: text,
      createdAt: now.addingTimeInterval(-300), editedAt: now.addingTimeInterval(-60.5),
      language: "en", topics: ["Swift Lang", "C++"],
      links: ["https://example.org/a"],
      attachments: [
        PostAttachment(
          "https://example.org/b.png", type: "image/png", description: "A \"parrot\", green",
          thumbnail: "https://example.org/b-small.png"),
        PostAttachment("https://example.org/c"),
      ],
      counts: Counts(likes: 3, reposts: 2, replies: 1, views: 0), replyTo: "7", repostOf: repostOf,
      repostedBy: repostedBy, isSensitive: false)
    post.tags = ["#swiftlang", "swift"]
    return post
  }

  /// A post with what must be there and no more.
  static func bare(
    _ id: String = "1", source: SourceName = "hackernews", text: String = "Just text.",
    url: String? = nil, author: Author = Author(), editedAt: Date? = nil, isSensitive: Bool? = nil,
    poll: [String] = [], title: String? = nil
  ) throws -> Post {
    Post(
      id: id, source: source, server: try server("https://hn.example"), url: url, uri: "hn:\(id)",
      author: author, title: title, text: text, editedAt: editedAt, isSensitive: isSensitive,
      poll: poll)
  }

  /// A post whose every text tries something on the terminal.
  static func hostile() throws -> Post {
    var post = Post(
      id: "\u{1B}[2J1", source: "lemmy", server: try server("https://lemmy.example"),
      url: "https://lemmy.example/\u{1B}]0;owned\u{7}post", uri: "x\u{9B}31m",
      author: Author(handle: "eve\u{202E}", name: "\u{1B}[1;31mEve\u{1B}[0m\u{7F}\nmastodon"),
      title: "\u{1B}]8;;https://evil.example\u{1B}\\click\u{1B}]8;;\u{1B}\\\u{2028}me",
      text: "a\u{1B}[31mred\u{1B}[0m\u{8}\rb\r\nc\u{9D}0;title\u{9C}\u{85}d\u{2066}e\u{2069}\tf"
        + "\u{1B}Pq#0\u{1B}\\g\u{FEFF}h\u{1B}(Bi",
      createdAt: now.addingTimeInterval(-7_200))
    post.tags = ["#a\u{200F}"]
    return post
  }

  static func outcomes() throws -> [SearchOutcome] {
    let mastodon = try server()
    return [
      SearchOutcome(tag: "#a", source: "mastodon", server: mastodon, ending: .completed()),
      SearchOutcome(
        tag: "#a", source: "x", server: try server("https://api.x.com"),
        ending: .completed(notes: ["not found: post 9"])),
      SearchOutcome(
        tag: "#a", source: "reddit", server: nil, ending: .skipped(reason: "needs a credential")),
      SearchOutcome(
        tag: "#b", source: "mastodon", server: mastodon,
        ending: .partial(
          brokenItems: 2, reason: "page 2 is missing",
          failure: Failure(
            .temporary, status: 500, message: "answered 500", advice: "try again later"))),
      SearchOutcome(
        tag: "#c", source: "github", server: try server("https://api.github.com"),
        ending: .rateLimited(
          until: now.addingTimeInterval(90),
          failure: Failure(
            .temporary, status: 403, message: "the quota is spent", advice: "set GITHUB_TOKEN"))),
      SearchOutcome(
        tag: "#d\u{202E}", source: "bluesky", server: nil,
        ending: .failed(Failure(.permanent, status: 400, message: "bad \u{1B}[31mquery"))),
      SearchOutcome(tag: "#e", source: "lemmy", server: nil, ending: .cancelled),
    ]
  }

  /// Returns everything that a printer writes, as one text.
  static func written(
    by printer: any PostPrinter, _ posts: [Post], outcomes: [SearchOutcome] = [],
    isIncomplete: Bool = false, excluded: FilterTally = FilterTally()
  ) -> String {
    var bytes: [UInt8] = []
    let result = RunResult(
      posts: posts[...], outcomes: outcomes, isIncomplete: isIncomplete, excluded: excluded,
      now: now)
    printer.write(result) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
