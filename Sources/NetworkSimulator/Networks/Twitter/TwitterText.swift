internal import TextFormats

/// The text format of X and its predecessors: escaped texts, t.co links and snowflake ids.
enum TwitterText {
  /// X escapes just these three (apis of 2010 the double quote too).
  static let style = SpannedText.Style(
    unit: .codePoints, escapes: ["&": "&amp;", "<": "&lt;", ">": "&gt;"], link: shortened)
  static let firstStyle = SpannedText.Style(
    unit: .codePoints, escapes: ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"],
    link: shortened)

  /// The end of an image's link.
  static let imageSuffix = "/photo/1"

  /// Returns the t.co address of a link.
  @Sendable static func shortened(_ address: String) -> String {
    "https://t.co/" + Alphabet.base62.random(10, seed: StableHash.of("t.co", address))
  }

  /// Returns a link as people are shown it.
  static func display(_ address: String) -> String {
    if address.hasSuffix(imageSuffix) { return "pic.twitter.com/" + shortened(address).suffix(10) }
    let schemes = ["https://", "http://"]
    let scheme = schemes.first { address.hasPrefix($0) } ?? ""
    let shown = address.dropFirst(scheme.count)
    return shown.count > 26 ? shown.prefix(26) + "…" : String(shown)
  }

  /// Returns the id of a post: its milliseconds since 2010-11-04, then 22 bits of its own.
  static func snowflake(_ post: CorpusPost) -> UInt64 { snowflake(post.milliseconds, post.mark) }

  static func snowflake(_ moment: Int, _ mark: UInt64) -> UInt64 {
    UInt64(max(0, moment - epoch)) << 22 | (mark >> 42)
  }

  /// Returns when the post of that id was made, in milliseconds since 1970.
  static func moment(of snowflake: UInt64) -> Int { Int(snowflake >> 22) + epoch }

  private static let epoch = 1_288_834_974_657

  static func userID(_ author: CorpusAuthor) -> UInt64 {
    // Accounts from before the snowflakes have short ids.
    author.mark % 3 == 0 ? author.mark % 4_000_000_000 : author.mark % 1_900_000_000_000_000_000
  }

  /// Returns the parts of a post's text, with what a repost and an image add.
  static func pieces(_ post: CorpusPost) -> [TextPiece] {
    var pieces = post.shape == .repost ? post.earlierPieces : post.pieces
    if post.hasImage, post.shape != .repost {
      pieces += [.words(" "), .link(imageAddress(post))]
    }
    if post.shape == .repost {
      pieces = [.words("RT "), .mention(post.other), .words(": ")] + pieces
    }
    return pieces
  }

  static func imageAddress(_ post: CorpusPost) -> String {
    "https://x.com/\(post.author.handle)/status/\(snowflake(post))" + imageSuffix
  }
}

/// The `entities` of API 1.1, with offsets in code points.
struct TwitterEntities {
  private let text: SpannedText

  init(_ text: SpannedText) { self.text = text }

  var json: JSONValue {
    .members([
      "hashtags": .array(
        text.hashtags.map { span, name in
          .members(["text": .string(name), "indices": indices(span)])
        }),
      "urls": .array(
        text.links.map { span, address in
          .members([
            "url": .string(TwitterText.shortened(address)), "expanded_url": .string(address),
            "display_url": .string(TwitterText.display(address)), "indices": indices(span),
          ])
        }),
      "user_mentions": .array(
        text.mentions.map { span, author in
          let id = TwitterText.userID(author)
          return .members([
            "screen_name": .string(author.handle), "name": .string(author.name), "id": .integer(id),
            "id_str": .string("\(id)"), "indices": indices(span),
          ])
        }),
    ])
  }

  private func indices(_ span: SpannedText.Span) -> JSONValue {
    .array([.integer(span.start), .integer(span.end)])
  }
}

/// The parameters that both retired APIs know: which of the found posts are asked for.
struct TwitterRange: Sendable {
  let terms: QueryTerms
  private let maxID: UInt64
  private let sinceID: UInt64
  private let until: Int
  private let language: String?
  private let world: SimulatedWorld

  init(_ query: String, _ parameters: Parameters, world: SimulatedWorld) {
    terms = QueryTerms(query)
    maxID = parameters["max_id"].flatMap { UInt64($0) } ?? .max
    sinceID = parameters["since_id"].flatMap { UInt64($0) } ?? 0
    until = parameters["until"].flatMap { DateReading.day($0) } ?? .max
    language = parameters["lang"]
    self.world = world
  }

  /// The posts in it, newest first; `max_id` is inclusive, `since_id` and `until` are not.
  var posts: [CorpusPost] {
    world.posts(terms, network: "twitter-classic").filter { post in
      let id = TwitterText.snowflake(post)
      return id <= maxID && id > sinceID && post.milliseconds < until
        && (language == nil || language == post.language)
    }
  }
}
