internal import TextFormats

/// A search of API 1.1, `search/tweets.json`.
struct LaterTwitterSearch {
  private let parameters: Parameters
  private let world: SimulatedWorld

  init(_ parameters: Parameters, world: SimulatedWorld) {
    self.parameters = parameters
    self.world = world
  }

  /// Returns an error as API 1.1 wrote it.
  static func fault(_ code: Int, _ message: String, status: Int) -> SimulatedAnswer {
    let error = JSONValue.members(["code": .integer(code), "message": .string(message)])
    return .json(.members(["errors": .array([error])]), status: status)
  }

  var answer: SimulatedAnswer {
    guard let query = parameters["q"], !query.isEmpty else {
      return Self.fault(25, "Query parameters are missing.", status: 400)
    }
    guard query.unicodeScalars.count <= 500 else {
      return Self.fault(195, "Missing or invalid url parameter.", status: 403)
    }
    let count = min(max(1, parameters.integer("count") ?? 15), 100)
    let found = TwitterRange(query, parameters, world: world).posts
    let page = found.prefix(count)
    let newest = page.first.map(TwitterText.snowflake) ?? 0
    let encoded = PercentDecoding.encode(query)
    let kept = ["lang", "result_type", "include_entities", "tweet_mode", "until"].map { name in
      parameters[name].map { "&\(name)=\(PercentDecoding.encode($0))" } ?? ""
    }.joined()
    let next = page.last.map { post in
      "?max_id=\(TwitterText.snowflake(post) - 1)&q=\(encoded)&count=\(count)\(kept)"
    }
    let items = world.items(
      page.map(tweet), id: "id_str", text: [isExtended ? "full_text" : "text"], date: "created_at")
    return .json(
      .members([
        "statuses": .array(items),
        "search_metadata": .members([
          "completed_in": .number("0.041"), "max_id": .integer(newest),
          "max_id_str": .string("\(newest)"),
          "next_results": page.count < found.count ? next.map { .string($0) } : nil,
          "query": .string(encoded),
          "refresh_url": .string("?since_id=\(newest)&q=\(encoded)\(kept)"),
          "count": .integer(count), "since_id": .integer(0), "since_id_str": "0",
        ]),
      ]))
  }

  private var isExtended: Bool { parameters["tweet_mode"] == "extended" }

  private func tweet(_ post: CorpusPost) -> JSONValue {
    let id = TwitterText.snowflake(post)
    return status(
      id, post.milliseconds, post.author, TwitterText.pieces(post), post,
      original: post.shape == .repost
        ? status(
          earlier(post), post.earlierMilliseconds, post.other, post.earlierPieces, post)
        : nil)
  }

  private func earlier(_ post: CorpusPost) -> UInt64 {
    TwitterText.snowflake(post.earlierMilliseconds, post.earlierMark)
  }

  private func status(
    _ id: UInt64, _ moment: Int, _ author: CorpusAuthor, _ pieces: [TextPiece], _ post: CorpusPost,
    original: JSONValue? = nil
  ) -> JSONValue {
    let limit = original == nil ? 280 : 140
    let text = SpannedText(pieces, style: TwitterText.style).cut(to: limit)
    let reply = post.shape == .reply
    return .members([
      "created_at": .string(DateForms.classic(moment)), "id": .integer(id),
      "id_str": .string("\(id)"), isExtended ? "full_text" : "text": .string(text.text),
      "truncated": .bool(false), "entities": TwitterEntities(text).json,
      "metadata": .members([
        "iso_language_code": .string(post.language ?? "und"), "result_type": "recent",
      ]),
      "source": "<a href=\"http://twitter.com\" rel=\"nofollow\">Twitter Web Client</a>",
      "in_reply_to_status_id_str": .text(reply ? "\(earlier(post))" : nil),
      "in_reply_to_user_id_str": .text(reply ? "\(TwitterText.userID(post.other))" : nil),
      "in_reply_to_screen_name": .text(reply ? post.other.handle : nil),
      "user": user(author), "geo": .null, "coordinates": .null, "place": .null,
      "retweeted_status": original, "is_quote_status": .bool(post.shape == .quote),
      "retweet_count": .integer(post.reposts), "favorite_count": .integer(post.likes),
      "favorited": .bool(false), "retweeted": .bool(false),
      "possibly_sensitive": post.hasLink ? .bool(post.isSensitive) : nil,
      "lang": .string(post.language ?? "und"),
    ])
  }

  private func user(_ author: CorpusAuthor) -> JSONValue {
    let id = TwitterText.userID(author)
    return .members([
      "id": .integer(id), "id_str": .string("\(id)"), "name": .string(author.name),
      "screen_name": .string(author.handle), "location": "", "description": "", "url": .null,
      "protected": .bool(false), "followers_count": .integer(author.mark % 90_000),
      "friends_count": .integer(40), "statuses_count": .integer(author.mark % 7000),
      "created_at": "Wed May 18 19:24:56 +0000 2011", "verified": .bool(author.mark % 5 == 0),
      "profile_image_url_https": .string(
        "https://pbs.twimg.com/profile_images/\(author.ordinal)/n.jpg"),
    ])
  }
}
