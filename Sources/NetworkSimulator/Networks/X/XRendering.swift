internal import TextFormats

/// Writes posts, and what they refer to, with just the fields that a search asked for.
struct XRendering {
  private let search: XSearch
  private var words: XVocabulary { search.vocabulary }

  init(_ search: XSearch) { self.search = search }

  /// Returns a post as an item of `data`.
  func post(_ post: CorpusPost) -> JSONValue {
    let id = TwitterText.snowflake(post)
    let isLong = post.has(1, percent: 4) && post.shape != .repost
    let whole = SpannedText(
      TwitterText.pieces(post) + (isLong ? [.words(Self.longTail)] : []), style: TwitterText.style)
    let text = whole.cut(to: post.shape == .repost ? 140 : 280)
    let reply = post.shape == .reply
    return .members([
      "id": .string("\(id)"), "text": .string(text.text),
      words.editHistory: .texts(
        post.shape == .edited ? ["\(earlierID(post))", "\(id)"] : ["\(id)"]),
      "author_id": ifAsked("author_id", user(post.author)),
      "created_at": ifAsked("created_at", .string(DateForms.wholeMilliseconds(post.milliseconds))),
      "conversation_id": ifAsked("conversation_id", .string("\(reply ? earlierID(post) : id)")),
      "in_reply_to_user_id": reply ? ifAsked("in_reply_to_user_id", user(post.other)) : nil,
      "lang": ifAsked("lang", .string(post.language ?? "und")),
      "possibly_sensitive": ifAsked("possibly_sensitive", .bool(post.isSensitive)),
      "reply_settings": ifAsked("reply_settings", "everyone"),
      "edit_controls": ifAsked("edit_controls", editControls(post)),
      "entities": ifAsked("entities", entities(text)),
      words.note: isLong
        ? ifAsked(words.note, .members(["text": .string(whole.text), "entities": entities(whole)]))
        : nil,
      words.referenced: ifAsked(words.referenced, references(post)),
      "attachments": ifAsked("attachments", attachments(post)),
      "public_metrics": ifAsked("public_metrics", metrics(post)),
    ])
  }

  /// Returns what the expansions ask for; nil when they ask for nothing.
  func includes(for posts: [CorpusPost]) -> JSONValue? {
    var users: [UInt64: CorpusAuthor] = [:]
    var members: [JSONMember] = []
    for post in posts {
      // Some authors were suspended between the index and the answer.
      if search.expansions.contains("author_id"), !isMissing(post.author) {
        users[TwitterText.userID(post.author)] = post.author
      }
      if search.expansions.contains("in_reply_to_user_id"), post.shape == .reply {
        users[TwitterText.userID(post.other)] = post.other
      }
      if expandsReferences, refersToPost(post), !isDeleted(post),
        search.expansions.contains(words.referencedExpansion + ".author_id")
      {
        users[TwitterText.userID(post.other)] = post.other
      }
    }
    if !users.isEmpty {
      let sorted = users.sorted { $0.key < $1.key }.map { userObject($0.value) }
      members.append(JSONMember("users", .array(sorted)))
    }
    let referenced = posts.filter { expandsReferences && refersToPost($0) && !isDeleted($0) }
    if !referenced.isEmpty {
      members.append(JSONMember(words.included, .array(referenced.map(referencedPost))))
    }
    let asking = posts.filter { !$0.poll.isEmpty }
    if search.expansions.contains("attachments.poll_ids"), !asking.isEmpty {
      members.append(JSONMember("polls", .array(asking.map(pollObject))))
    }
    let pictured = posts.filter { $0.hasImage && $0.shape != .repost }
    if search.expansions.contains("attachments.media_keys"), !pictured.isEmpty {
      members.append(JSONMember("media", .array(pictured.map(mediaObject))))
    }
    return members.isEmpty ? nil : .object(members)
  }

  /// Returns the partial errors: referenced posts that are gone, when they were asked for.
  func errors(for posts: [CorpusPost]) -> [JSONValue] {
    guard expandsReferences else { return [] }
    return posts.filter { refersToPost($0) && isDeleted($0) }.map { post in
      let id = JSONValue.string("\(earlierID(post))")
      return .members([
        "value": id, "resource_id": id,
        "resource_type": .string(words == .tweet ? "tweet" : "post"),
        "parameter": .string(words.referencedExpansion), "title": "Not Found Error",
        "detail": .string(
          "Could not find post with \(words.referencedExpansion): [\(earlierID(post))]."),
        "type": "https://api.twitter.com/2/problems/resource-not-found",
      ])
    }
  }

  // MARK: The parts

  private static let longTail = String(
    repeating: " And there is more to be said than fits into the first lines & their margins.",
    count: 4)

  private var expandsReferences: Bool { search.expansions.contains(words.referencedExpansion) }

  private func ifAsked(_ field: String, _ value: JSONValue?) -> JSONValue? {
    search.fields.contains(field) || search.expansions.contains(field) || isExpanded(field)
      ? value : nil
  }

  /// Returns true if an expansion implies the field that it expands.
  private func isExpanded(_ field: String) -> Bool {
    switch field {
    case words.referenced: expandsReferences
    case "attachments":
      search.expansions.contains("attachments.media_keys")
        || search.expansions.contains("attachments.poll_ids")
    case "entities": search.expansions.contains("entities.mentions.username")
    default: false
    }
  }

  private func user(_ author: CorpusAuthor) -> JSONValue {
    .string("\(TwitterText.userID(author))")
  }

  private func isMissing(_ author: CorpusAuthor) -> Bool {
    author.ordinal == CorpusAuthor.count - 1
  }
  private func isDeleted(_ post: CorpusPost) -> Bool { post.has(2, percent: 10) }

  private func refersToPost(_ post: CorpusPost) -> Bool {
    switch post.shape {
    case .reply, .quote, .repost: true
    case .plain, .edited: false
    }
  }

  /// The id of the post that this one refers to, or of its version before the edit.
  private func earlierID(_ post: CorpusPost) -> UInt64 {
    // What search still finds cannot be one that is gone.
    refersToPost(post) && !isDeleted(post)
      ? TwitterText.snowflake(post.earlierMilliseconds, post.earlierMark)
      : TwitterText.snowflake(post.milliseconds - 1_200_000, post.mark)
  }

  private func references(_ post: CorpusPost) -> JSONValue? {
    let type: JSONValue
    switch post.shape {
    case .reply: type = "replied_to"
    case .quote: type = "quoted"
    case .repost: type = "retweeted"
    case .plain, .edited: return nil
    }
    return .array([.members(["type": type, "id": .string("\(earlierID(post))")])])
  }

  private func referencedPost(_ post: CorpusPost) -> JSONValue {
    let text = SpannedText(
      post.earlierPieces, style: TwitterText.style)
    let id = "\(earlierID(post))"
    return .members([
      "id": .string(id), "text": .string(text.text), words.editHistory: .texts([id]),
      "author_id": ifAsked("author_id", user(post.other)),
      "created_at": ifAsked(
        "created_at", .string(DateForms.wholeMilliseconds(post.earlierMilliseconds))),
      "lang": ifAsked("lang", .string(post.language ?? "und")),
      "entities": ifAsked("entities", entities(text)),
      "public_metrics": ifAsked("public_metrics", metrics(post)),
    ])
  }

  private func editControls(_ post: CorpusPost) -> JSONValue {
    .members([
      "edits_remaining": .integer(post.shape == .edited ? 4 : 5), "is_edit_eligible": .bool(true),
      "editable_until": .string(DateForms.wholeMilliseconds(post.milliseconds + 3_600_000)),
    ])
  }

  private func metrics(_ post: CorpusPost) -> JSONValue {
    .members([
      words.reposts: .integer(post.reposts), "reply_count": .integer(post.replies),
      "like_count": .integer(post.likes), "quote_count": .integer(post.reposts / 4),
      "bookmark_count": .integer(post.likes / 9), "impression_count": .integer(post.likes * 37),
    ])
  }

  private func attachments(_ post: CorpusPost) -> JSONValue? {
    let pictures = post.hasImage && post.shape != .repost ? [mediaKey(post)] : []
    guard !pictures.isEmpty || !post.poll.isEmpty else { return nil }
    return .members([
      "media_keys": pictures.isEmpty ? nil : .texts(pictures),
      "poll_ids": post.poll.isEmpty ? nil : .texts([pollID(post)]),
    ])
  }

  private func pollID(_ post: CorpusPost) -> String { "\(TwitterText.snowflake(post) - 2)" }

  private func pollObject(_ post: CorpusPost) -> JSONValue {
    .members([
      "id": .string(pollID(post)),
      "options": .array(
        post.poll.enumerated().map { index, option in
          .members([
            "position": .integer(index + 1), "label": .string(option),
            "votes": .integer(post.likes / (index + 1)),
          ])
        }),
    ])
  }

  private func mediaKey(_ post: CorpusPost) -> String { "3_\(TwitterText.snowflake(post) - 1)" }

  private func mediaObject(_ post: CorpusPost) -> JSONValue {
    let address = "https://pbs.twimg.com/media/\(Alphabet.base62.random(15, seed: post.mark)).jpg"
    return .members([
      "media_key": .string(mediaKey(post)), "type": "photo",
      "url": search.mediaFields.contains("url") ? .string(address) : nil,
      "alt_text": search.mediaFields.contains("alt_text") ? "A screen full of code" : nil,
      "width": search.mediaFields.contains("width") ? .integer(1200) : nil,
      "height": search.mediaFields.contains("height") ? .integer(675) : nil,
    ])
  }

  private func userObject(_ author: CorpusAuthor) -> JSONValue {
    func asked(_ field: String, _ value: JSONValue) -> JSONValue? {
      search.userFields.contains(field) ? value : nil
    }
    return .members([
      "id": user(author), "name": .string(author.name), "username": .string(author.handle),
      "created_at": asked("created_at", "2011-05-18T19:24:56.000Z"),
      "verified": asked("verified", .bool(author.mark % 5 == 0)),
      "verified_type": asked("verified_type", .string(author.mark % 5 == 0 ? "blue" : "none")),
      "protected": asked("protected", .bool(false)),
      "profile_image_url": asked(
        "profile_image_url", .string("https://pbs.twimg.com/profile_images/\(author.ordinal)/a.jpg")
      ),
      "public_metrics": asked(
        "public_metrics",
        .members([
          "followers_count": .integer(author.mark % 90_000), "following_count": .integer(40),
          words.posted: .integer(author.mark % 7000), "listed_count": .integer(2),
        ])),
    ])
  }

  private func entities(_ text: SpannedText) -> JSONValue? {
    guard !text.spans.isEmpty else { return nil }
    func place(_ span: SpannedText.Span, _ rest: [JSONMember]) -> JSONValue {
      .object(
        [JSONMember("start", .integer(span.start)), JSONMember("end", .integer(span.end))] + rest)
    }
    let urls = text.links.map { span, address in
      place(
        span,
        [
          JSONMember("url", .string(TwitterText.shortened(address))),
          JSONMember("expanded_url", .string(address)),
          JSONMember("display_url", .string(TwitterText.display(address))),
        ])
    }
    let tags = text.hashtags.map { place($0.span, [JSONMember("tag", .string($0.name))]) }
    let mentions = text.mentions.map { span, author in
      place(
        span, [JSONMember("username", .string(author.handle)), JSONMember("id", user(author))])
    }
    return .members([
      "urls": urls.isEmpty ? nil : .array(urls), "hashtags": tags.isEmpty ? nil : .array(tags),
      "mentions": mentions.isEmpty ? nil : .array(mentions),
    ])
  }
}

/// X's words for its own things: those of before August 2026, and those since.
enum XVocabulary: Sendable, Hashable {
  case tweet, post

  var fields: String { self == .tweet ? "tweet.fields" : "post.fields" }
  var editHistory: String { self == .tweet ? "edit_history_tweet_ids" : "edit_history_post_ids" }
  var referenced: String { self == .tweet ? "referenced_tweets" : "referenced_posts" }
  var referencedExpansion: String { self == .tweet ? "referenced_tweets.id" : "referenced_posts" }
  var included: String { self == .tweet ? "tweets" : "posts" }
  var note: String { self == .tweet ? "note_tweet" : "note_post" }
  var reposts: String { self == .tweet ? "retweet_count" : "repost_count" }
  var posted: String { self == .tweet ? "tweet_count" : "post_count" }

  /// The names that the parameter of fields takes.
  var fieldNames: [String] {
    let common = [
      "article", "attachments", "card_uri", "community_id", "context_annotations",
      "conversation_id", "created_at", "display_text_range", "edit_controls", "entities", "geo",
      "id", "lang", "media_metadata", note, "possibly_sensitive", "public_metrics",
      "reply_settings", "scopes", "source", "text", "withheld",
    ]
    // Only their expansions return these of the new fields (openapi.json 2.167).
    return self == .tweet
      ? common + ["author_id", editHistory, "in_reply_to_user_id", referenced] : common
  }

  /// The expansions of the posts that a post refers to.
  private var referencedParts: [String] {
    ["author_id", "attachments.media_keys"].map { "\(referencedExpansion).\($0)" }
  }

  /// The names that `expansions` takes.
  var expansionNames: [String] {
    [
      "author_id", "attachments.media_keys", "attachments.poll_ids", "in_reply_to_user_id",
      "geo.place_id", "entities.mentions.username", editHistory, referencedExpansion,
    ] + (self == .tweet ? referencedParts : [])
  }

  /// The codes that the operator `lang:` takes.
  static let languages = """
    am ar bg bn bo bs ca ckb cs cy da de dv el en es et eu fa fi fr gu he hi hi-Latn hr ht hu hy id is it ja ka km kn ko \
    lo lt lv ml mr my ne nl no or pa pl ps pt ro ru sd si sk sl sr sv ta te th tl tr ug uk und ur vi zh zh-CN zh-TW
    """.split(separator: " ").map(String.init)

  static let userFieldNames = [
    "affiliation", "connection_status", "created_at", "description", "entities", "id",
    "is_identity_verified",
    "location", "most_recent_tweet_id", "most_recent_post_id", "name", "parody",
    "pinned_tweet_id", "pinned_post_id", "profile_banner_url", "profile_image_url", "protected",
    "public_metrics", "receives_your_dm", "subscription", "subscription_type", "url", "username",
    "verified", "verified_followers_count", "verified_type", "withheld",
  ]
  static let mediaFieldNames = [
    "alt_text", "duration_ms", "height", "media_key", "non_public_metrics", "organic_metrics",
    "preview_image_url", "promoted_metrics", "public_metrics", "type", "url", "variants", "width",
  ]
}
