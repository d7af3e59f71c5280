internal import TextFormats

/// A post in the form of one Mastodon server.
struct MastodonStatus: Sendable {
  let post: CorpusPost
  let id: UInt64
  /// The server that is asked.
  private let domain: String
  /// The server that the author is at home on.
  private let home: String

  private static let domains = [
    "mastodon.example", "fediverse.example", "social.example.org", "photos.example.net",
  ]

  init(_ post: CorpusPost, on domain: String) {
    self.post = post
    self.domain = domain
    home = Self.home(of: post.author)
    id = Self.id(post.milliseconds, post.mark, on: domain)
  }

  private static func home(of author: CorpusAuthor) -> String {
    domains[Int(author.mark % UInt64(domains.count))]
  }

  /// Ids are the time in milliseconds, then 16 bits that differ from server to server.
  private static func id(_ moment: Int, _ mark: UInt64, on domain: String) -> UInt64 {
    UInt64(moment) << 16 | StableHash.of(domain, "\(mark)") & 0xFFFF
  }

  /// The id of the post that it answers or quotes.
  private var earlierID: UInt64 {
    Self.id(post.earlierMilliseconds, post.earlierMark, on: domain)
  }

  var isLocal: Bool { home == domain }

  /// True for the majority of posts that have reached this server.
  var isKnownHere: Bool { isLocal || StableHash.of("known", domain, "\(post.mark)") % 5 != 0 }

  /// The circle that it was written for. The non-public posts are those of the account
  /// that asks, or mention it.
  private var visibility: String {
    if post.has(26, percent: 2) { return "direct" }
    if post.has(27, percent: 3) { return "private" }
    return post.has(22, percent: 5) ? "unlisted" : "public"
  }

  /// True if it may be in a timeline that everyone sees.
  var isOpen: Bool { visibility == "public" || visibility == "unlisted" }

  /// The hashtags of its text.
  var tags: [String] { Self.tags(in: post.pieces) }

  private static func tags(in pieces: [TextPiece]) -> [String] {
    pieces.compactMap { if case .hashtag(let name) = $0 { name } else { nil } }
  }

  var json: JSONValue {
    status(
      id: id, mark: post.mark, account: post.author, moment: post.milliseconds,
      content: content(post.pieces), tags: tags, quote: post.shape == .quote ? quote : nil)
  }

  private func status(
    id: UInt64, mark: UInt64, account author: CorpusAuthor, moment: Int, content: String,
    tags: [String], quote: JSONValue?
  ) -> JSONValue {
    let home = Self.home(of: author)
    // The uri contains the post's id on its home server, so it is the same on all servers.
    let homeID = Self.id(moment, mark, on: home)
    let isOwn = mark == post.mark
    let warning = isOwn && post.has(21, percent: 50) ? post.warning : nil
    let isReply = post.shape == .reply
    return .members([
      "id": .string("\(id)"), "created_at": .string(DateForms.milliseconds(moment)),
      "in_reply_to_id": .text(isReply ? "\(earlierID)" : nil),
      "in_reply_to_account_id": .text(isReply ? Self.accountID(post.other) : nil),
      "sensitive": .bool(post.isSensitive),
      "spoiler_text": .string(warning ?? ""),
      "visibility": .string(visibility),
      // Servers of other makes leave keys out.
      "language": post.has(23, percent: 10) ? nil : .text(post.language),
      "uri": .string("https://\(home)/users/\(author.handle)/statuses/\(homeID)"),
      "url": post.has(24, percent: 5)
        ? .null : .string("https://\(home)/@\(author.handle)/\(homeID)"),
      "replies_count": .integer(post.replies), "reblogs_count": .integer(post.reposts),
      "favourites_count": .integer(post.likes),
      "quotes_count": post.has(23, percent: 10) ? nil : .integer(post.reposts / 4),
      "edited_at": post.has(23, percent: 10)
        ? nil
        : post.shape == .edited ? .string(DateForms.milliseconds(moment + 300_000)) : .null,
      "content": .string(content), "filtered": .emptyArray, "reblog": .null,
      "application": .members(["name": "Web", "website": .null]), "account": account(author),
      "media_attachments": media, "mentions": mentions,
      "tags": .array(
        tags.map { name in
          .members([
            "name": .string(name),
            "url": .string("https://\(domain)/tags/\(PercentDecoding.encode(name))"),
          ])
        }),
      "emojis": .emptyArray, "quote": quote, "card": card,
      "poll": isOwn && !post.poll.isEmpty ? poll : .null,
    ])
  }

  private static func accountID(_ author: CorpusAuthor) -> String {
    "\(109_000_000_000_000_000 + author.mark % 5_000_000_000_000_000)"
  }

  /// Local people go without their server's name.
  private func name(_ author: CorpusAuthor) -> String {
    let home = Self.home(of: author)
    return home == domain ? author.handle : "\(author.handle)@\(home)"
  }

  private static func page(_ author: CorpusAuthor) -> String {
    "https://\(home(of: author))/@\(author.handle)"
  }

  private func account(_ author: CorpusAuthor) -> JSONValue {
    let picture = "https://\(domain)/avatars/\(author.ordinal).png"
    return .members([
      "id": .string(Self.accountID(author)), "username": .string(author.handle),
      "acct": .string(name(author)),
      "display_name": .string(author.mark % 9 == 0 ? author.name + " :verified:" : author.name),
      "locked": .bool(false), "bot": .bool(author.mark % 11 == 0), "discoverable": .bool(true),
      "group": .bool(false), "created_at": "2022-11-05T00:00:00.000Z",
      "note": "<p>Here for the <b>posts</b></p>", "url": .string(Self.page(author)),
      "uri": .string("https://\(Self.home(of: author))/users/\(author.handle)"),
      "avatar": .string(picture), "avatar_static": .string(picture),
      "followers_count": .integer(author.mark % 9000), "following_count": .integer(40),
      "statuses_count": .integer(author.mark % 7000),
      "last_status_at": .string(DateForms.day(post.milliseconds)),
      "emojis": .emptyArray, "fields": .emptyArray,
    ])
  }

  private var media: JSONValue {
    guard post.hasImage else { return .emptyArray }
    let file = "https://\(domain)/media/\(Alphabet.hexadecimal.random(16, seed: post.mark))"
    return .array([
      .members([
        "id": .string("\(id - 1)"), "type": "image", "url": .string(file + ".png"),
        "preview_url": .string(file + ".small.png"), "remote_url": .null,
        "description": post.has(25, percent: 50) ? "A screen full of code" : .null,
        "blurhash": "UBL_:rOpGG-;~qRPM{oz00IU-;xv",
      ])
    ])
  }

  private var mentions: JSONValue {
    guard post.shape == .reply else { return .emptyArray }
    return .array([
      .members([
        "id": .string(Self.accountID(post.other)), "username": .string(post.other.handle),
        "url": .string(Self.page(post.other)), "acct": .string(name(post.other)),
      ])
    ])
  }

  private var card: JSONValue {
    guard let link = post.link, !post.hasImage else { return .null }
    return .members([
      "url": .string(link), "title": "A page", "description": "What the page says of itself",
      "type": "link", "author_name": "", "provider_name": "", "html": "", "image": .null,
    ])
  }

  private var poll: JSONValue {
    let votes = post.poll.indices.map { post.likes / ($0 + 1) }
    return .members([
      "id": .string("\(post.mark % 900_000)"),
      "expires_at": .string(DateForms.milliseconds(post.milliseconds + 86_400_000)),
      "expired": .bool(false), "multiple": .bool(false),
      "votes_count": .integer(votes.reduce(0, +)), "voters_count": .null, "emojis": .emptyArray,
      "options": .array(
        zip(post.poll, votes).map { option, votes in
          .members(["title": .string(option), "votes_count": .integer(votes)])
        }),
    ])
  }

  private var quote: JSONValue {
    .members([
      "state": "accepted",
      "quoted_status": status(
        id: earlierID, mark: post.earlierMark, account: post.other,
        moment: post.earlierMilliseconds, content: content(post.earlierPieces),
        tags: Self.tags(in: post.earlierPieces), quote: nil),
    ])
  }

  private func content(_ pieces: [TextPiece]) -> String {
    MastodonContent(pieces, domain: domain, page: Self.page).html
  }
}

/// Writes a text as Mastodon's HTML: paragraphs, and links in three spans.
struct MastodonContent {
  private let pieces: [TextPiece]
  private let domain: String
  private let page: (CorpusAuthor) -> String

  init(_ pieces: [TextPiece], domain: String, page: @escaping (CorpusAuthor) -> String) {
    self.pieces = pieces
    self.domain = domain
    self.page = page
  }

  var html: String {
    var html = "<p>"
    var previous: TextPiece?
    for piece in pieces {
      switch piece {
      case .words(let text): html += Markup.escaped(text)
      case .hashtag(let name):
        html +=
          """
          <a href="https://\(domain)/tags/\(PercentDecoding.encode(name))" \
          class="mention hashtag" rel="tag">#<span>\(Markup.escaped(name))</span></a>
          """
      case .mention(let author):
        html +=
          """
          <span class="h-card" translate="no"><a href="\(page(author))" \
          class="u-url mention">@<span>\(author.handle)</span></a></span>
          """
      case .link(let address): html += Self.link(address)
      case .lineBreak where previous == .lineBreak: html += "</p><p>"
      case .lineBreak: break
      }
      previous = piece
    }
    return html + "</p>"
  }

  /// The scheme and what is too long are there, but not to be seen.
  private static func link(_ address: String) -> String {
    let scheme = address.hasPrefix("https://") ? "https://" : ""
    let rest = address.dropFirst(scheme.count)
    let shown = rest.prefix(30)
    let hidden = rest.dropFirst(30)
    let style = hidden.isEmpty ? "" : "ellipsis"
    return
      """
      <a href="\(Markup.escaped(address))" target="_blank" rel="nofollow noopener noreferrer" \
      translate="no"><span class="invisible">\(scheme)</span>\
      <span class="\(style)">\(Markup.escaped(String(shown)))</span>\
      <span class="invisible">\(Markup.escaped(String(hidden)))</span></a>
      """
  }
}
