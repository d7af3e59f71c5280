import FoundationEssentials
import TextFormats

/// Answers in the shapes of X API v2's recent search and of Algolia's Hacker News, made from a seed.
struct SampleAnswers {
  private static let words = [
    "swift", "linux", "curl", "queue", "merge", "search", "release", "kernel", "actor", "network",
    "socket", "latency", "stream", "parser", "café", "naïve", "日本語", "emoji😀", "news", "today",
    "R&amp;D", "https://t.co/abcdefghij",
  ]

  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Returns a response with a number of posts, about 880 bytes each.
  mutating func answer(posts: Int, number: Int) -> [UInt8] {
    let newest = 1_763_700_000 - number
    var data: [JSONValue] = []
    var users: [JSONValue] = []
    for index in 0..<posts {
      let id = String(1_000_000_000_000_000_000 + number * 1000 + index)
      let user = String(1_000_000_000 + next(1_000_000_000))
      let date = Date(timeIntervalSince1970: Double(newest - index * 60))
      data.append(post(id, by: user, at: RFC3339.format(date)))
      users.append(
        .members([
          "id": .string(user), "name": .string("User \(user)"), "username": .string("u\(user)"),
          "created_at": .string("2012-01-01T00:00:00.000Z"), "verified": .bool(false),
        ]))
    }
    return JSONValue.members([
      "data": .array(data), "includes": .members(["users": .array(users)]),
      "meta": .members(["result_count": .integer(posts)]),
    ]).bytes
  }

  /// Returns a response of Algolia with a number of stories and comments, about 700 bytes each.
  mutating func hits(_ count: Int, number: Int) -> [UInt8] {
    let newest = 1_763_700_000 - number
    let hits = (0..<count).map { index in
      hit(number * 1000 + index, at: newest - index * 60, isStory: next(4) == 0)
    }
    return JSONValue.members([
      "hits": .array(hits), "nbHits": .integer(count), "nbPages": .integer(1),
      "page": .integer(0), "hitsPerPage": .integer(count),
    ]).bytes
  }

  private mutating func hit(_ id: Int, at seconds: Int, isStory: Bool) -> JSONValue {
    let date = RFC3339.formatSeconds(Date(timeIntervalSince1970: Double(seconds)))
    let text = JSONValue.string("\(words())<p>I&#x27;d <i>read</i> \(words())")
    let highlight = JSONValue.members([
      "author": .members([
        "matchLevel": .string("none"), "matchedWords": .array([]), "value": .string("u\(id)"),
      ])
    ])
    return .members([
      "author": .string("u\(id)"), "created_at": .string(date), "created_at_i": .integer(seconds),
      "objectID": .string("\(id)"), "title": isStory ? .string(words()) : .null,
      "url": isStory ? .string("https://example.com/\(id)") : .null,
      "story_title": isStory ? .null : .string(words()), "story_id": .integer(id),
      "comment_text": isStory ? .null : text, "story_text": isStory ? text : .null,
      "points": isStory ? .integer(next(1000)) : .null,
      "num_comments": isStory ? .integer(next(100)) : .null,
      "parent_id": isStory ? .null : .integer(id - 1),
      "_tags": .array([.string(isStory ? "story" : "comment"), .string("author_u\(id)")]),
      "_highlightResult": highlight,
    ])
  }

  private mutating func words() -> String {
    let count = 10 + next(30)
    return (0..<count).map { _ in Self.words[next(Self.words.count)] }.joined(separator: " ")
  }

  private mutating func post(_ id: String, by user: String, at date: String) -> JSONValue {
    let text = "#swift \(words())"
    return .members([
      "id": .string(id), "text": .string(text), "author_id": .string(user),
      "created_at": .string(date), "lang": .string("en"),
      "edit_history_tweet_ids": .array([.string(id)]), "possibly_sensitive": .bool(false),
      "conversation_id": .string(id),
      "public_metrics": .members([
        "retweet_count": .integer(next(100)), "reply_count": .integer(3),
        "like_count": .integer(next(1000)), "quote_count": .integer(0),
        "bookmark_count": .integer(0), "impression_count": .integer(next(10_000)),
      ]),
      "entities": .members([
        "hashtags": .array([
          .members(["start": .integer(0), "end": .integer(6), "tag": .string("swift")])
        ]),
        "urls": .array([
          .members([
            "start": .integer(10), "end": .integer(33), "url": .string("https://t.co/abcdefghij"),
            "expanded_url": .string("https://example.com/some/path"),
            "display_url": .string("example.com/some/path"),
          ])
        ]),
      ]),
    ])
  }

  /// A number below a bound, by splitmix64.
  private mutating func next(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
