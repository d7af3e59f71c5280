internal import TextFormats

/// A post in the form of Bluesky: what its author's client wrote, and when the server saw it.
struct BlueskyPost: Sendable {
  let post: CorpusPost
  /// The time that the author's client claims, which may be anything.
  private let createdAt: String
  /// When the server saw it, in milliseconds since 1970, whatever date its author gives it.
  var sortedBy: Int { post.milliseconds }

  private static let day = 86_400_000

  @Sendable init(_ post: CorpusPost) {
    self.post = post
    let typed = post.milliseconds - 200 - Int(post.mark >> 20 % 1500)
    createdAt =
      switch post.mark % 100 {
      case 0...54: DateForms.milliseconds(typed)
      case 55...69: DateForms.microseconds(typed)
      case 70...80: DateForms.offset(typed, hours: -5)
      case 81...87: DateForms.microseconds(typed).dropLast() + "+00:00"
      case 88...90: DateForms.microseconds(typed).dropLast() + "789Z"
      // Wrong clocks, imported posts, and texts that are not dates.
      case 91: DateForms.milliseconds(typed + 3 * Self.day)
      case 92: "2099-12-31T23:59:59.999Z"
      case 93: DateForms.milliseconds(typed - 800 * Self.day)
      case 94: "1970-01-01T00:00:00.000Z"
      case 95: "2026-13-45T99:00:00Z"
      default: DateForms.seconds(typed)
      }
  }

  static func did(_ author: CorpusAuthor) -> String {
    "did:plc:" + Alphabet.base32.random(24, seed: author.mark)
  }

  static func handle(_ author: CorpusAuthor) -> String {
    // An account whose domain no longer points to it.
    if author.ordinal == CorpusAuthor.count - 2 { return "handle.invalid" }
    return author.handle.replacing("_", with: "-") + ".bsky.social"
  }

  var json: JSONValue {
    .members([
      "uri": .string(uri), "cid": .string(cid(post.mark)),
      "author": author(post.author), "record": record, "embed": embedView,
      "replyCount": .integer(post.replies), "repostCount": .integer(post.reposts),
      "likeCount": .integer(post.likes), "quoteCount": .integer(post.reposts / 4),
      "bookmarkCount": post.has(12, percent: 60) ? .integer(post.likes / 8) : nil,
      "indexedAt": .string(DateForms.milliseconds(post.milliseconds)), "labels": labels,
    ])
  }

  // MARK: The parts

  /// The record's key is a time in microseconds followed by ten bits of its own.
  private static func uri(_ author: CorpusAuthor, _ moment: Int, _ mark: UInt64) -> String {
    let key = UInt64(moment) * 1000 << 10 | (mark >> 54)
    return "at://\(did(author))/app.bsky.feed.post/"
      + Alphabet.base32Sortable.spell(key, digits: 13)
  }

  private var uri: String { Self.uri(post.author, post.milliseconds, post.mark) }

  /// The address of the post that this one answers or quotes.
  private var earlierURI: String {
    Self.uri(post.other, post.earlierMilliseconds, post.earlierMark)
  }

  private func cid(_ mark: UInt64) -> String { "bafyrei" + Alphabet.base32.random(52, seed: mark) }

  private func author(_ author: CorpusAuthor) -> JSONValue {
    let did = Self.did(author)
    return .members([
      "did": .string(did), "handle": .string(Self.handle(author)),
      "displayName": author.name.isEmpty && author.mark % 2 == 0 ? nil : .string(author.name),
      "avatar": author.mark % 7 == 0
        ? nil : .string("https://cdn.bsky.app/img/avatar/plain/\(did)/\(cid(author.mark))@jpeg"),
      "associated": .members(["chat": .members(["allowIncoming": "all"])]),
      "labels": .array(asksForSignIn(author) ? [label("!no-unauthenticated", by: author)] : []),
      "createdAt": "2024-11-11T20:02:59.438Z",
    ])
  }

  /// True if the account asks to be hidden from people who are not signed in.
  private func asksForSignIn(_ author: CorpusAuthor) -> Bool { author.mark % 16 == 5 }

  private func label(_ value: String, by author: CorpusAuthor) -> JSONValue {
    .members([
      "src": .string(Self.did(author)),
      "uri": .string("at://\(Self.did(author))/app.bsky.actor.profile/self"),
      "val": .string(value), "cts": "2024-11-11T20:02:59.438Z",
    ])
  }

  private var text: SpannedText {
    SpannedText(
      post.pieces, style: SpannedText.Style(unit: .bytes, escapes: [:], link: Self.shortened))
  }

  /// Clients shorten addresses in the text; the whole address is in the facet.
  @Sendable private static func shortened(_ address: String) -> String {
    let bare = address.replacing("https://", with: "")
    return bare.count > 27 ? bare.prefix(24) + "..." : bare
  }

  private var record: JSONValue {
    let text = text
    let facets = facets(text)
    return .members([
      "$type": "app.bsky.feed.post", "createdAt": .string(createdAt), "embed": embedRecord,
      "facets": facets.isEmpty ? nil : .array(facets),
      "langs": post.language.map { .texts([$0]) },
      "reply": post.shape == .reply
        ? .members(["root": reference, "parent": reference]) : nil,
      "text": .string(text.text),
    ])
  }

  private func facets(_ text: SpannedText) -> [JSONValue] {
    text.spans.compactMap { span in
      let feature: JSONValue
      switch span.piece {
      case .hashtag(let name):
        feature = .members(["$type": "app.bsky.richtext.facet#tag", "tag": .string(name)])
      case .mention(let author):
        feature = .members([
          "$type": "app.bsky.richtext.facet#mention", "did": .string(Self.did(author)),
        ])
      case .link(let address):
        feature = .members(["$type": "app.bsky.richtext.facet#link", "uri": .string(address)])
      case .words, .lineBreak: return nil
      }
      return .members([
        "features": .array([feature]),
        "index": .members(["byteStart": .integer(span.start), "byteEnd": .integer(span.end)]),
      ])
    }
  }

  /// The post that this one answers or quotes.
  private var reference: JSONValue {
    .members(["cid": .string(cid(post.earlierMark)), "uri": .string(earlierURI)])
  }

  private var embedRecord: JSONValue? {
    if post.shape == .quote {
      return .members(["$type": "app.bsky.embed.record", "record": reference])
    }
    guard !post.hasImage, let link = post.link else { return nil }
    return .members([
      "$type": "app.bsky.embed.external",
      "external": .members([
        "uri": .string(link), "title": "A page", "description": "What the page says of itself",
      ]),
    ])
  }

  private var embedView: JSONValue? {
    if post.shape == .quote { return quoteView }
    if post.hasImage {
      let base = "https://cdn.bsky.app/img"
      let file = "\(Self.did(post.author))/\(cid(post.mark &+ 2))@jpeg"
      return .members([
        "$type": "app.bsky.embed.images#view",
        "images": .array([
          .members([
            "thumb": .string("\(base)/feed_thumbnail/plain/\(file)"),
            "fullsize": .string("\(base)/feed_fullsize/plain/\(file)"),
            "alt": post.has(13, percent: 50) ? "A screen full of code" : "",
            "aspectRatio": .members(["height": .integer(900), "width": .integer(1600)]),
          ])
        ]),
      ])
    }
    guard let link = post.link else { return nil }
    return .members([
      "$type": "app.bsky.embed.external#view",
      "external": .members([
        "uri": .string(link), "title": "A page", "description": "What the page says of itself",
      ]),
    ])
  }

  private var quoteView: JSONValue {
    .members([
      "$type": "app.bsky.embed.record#view",
      "record": .members([
        "$type": "app.bsky.embed.record#viewRecord",
        "uri": .string(earlierURI), "cid": .string(cid(post.earlierMark)),
        "author": author(post.other),
        "value": .members([
          "$type": "app.bsky.feed.post",
          "createdAt": .string(DateForms.milliseconds(post.earlierMilliseconds - 1000)),
          "text": .string(post.earlierPieces.map(\.plain).joined()),
        ]),
        "indexedAt": .string(DateForms.milliseconds(post.earlierMilliseconds)),
      ]),
    ])
  }

  private var labels: JSONValue {
    guard post.isSensitive else { return .emptyArray }
    return .array([
      .members([
        "src": .string(Self.did(post.author)), "uri": .string(uri),
        "val": "graphic-media", "cts": .string(DateForms.milliseconds(post.milliseconds)),
      ])
    ])
  }
}
