internal import TextFormats

/// A post in the form of one version of Lemmy.
struct LemmyPost: Sendable {
  let post: CorpusPost
  private let version: LemmyNetwork.Version
  /// Which server is asked: ids are its own, `ap_id` is everybody's.
  private let server: String

  private static let hosts = ["lemmy.example", "links.example.org", "talk.example.net"]

  init(_ post: CorpusPost, version: LemmyNetwork.Version, server: String) {
    self.post = post
    self.version = version
    self.server = server
  }

  private var home: String { Self.hosts[Int(post.author.mark % 3)] }
  private var id: UInt64 { StableHash.of(server, "\(post.mark)") % 90_000_000 + 1_000_000 }

  /// True if the server's administrators pinned it.
  var isPinned: Bool { post.has(45, percent: 3) }

  private func date(_ moment: Int) -> JSONValue {
    switch version {
    case .early: .string(String(DateForms.microseconds(moment).dropLast()))
    case .present, .later: .string(DateForms.microseconds(moment))
    }
  }

  /// The post itself, which a view wraps together with its author and counts.
  var json: JSONValue {
    let published = date(post.milliseconds)
    let updated = post.shape == .edited ? date(post.milliseconds + 300_000) : nil
    let isLater = version == .later
    let thumbnail = post.hasImage ? "https://\(home)/pictrs/image/\(post.mark).webp" : nil
    return .members([
      "id": .integer(id), "name": .string(post.title), "url": post.link.map { .string($0) },
      "body": post.has(41, percent: 20) ? .string("") : .string(post.plainText),
      "creator_id": .integer(post.author.mark % 900_000), "community_id": .integer(79_185),
      "removed": .bool(false), "locked": .bool(false),
      "published": isLater ? nil : published, "updated": isLater ? nil : updated,
      "published_at": isLater ? published : nil, "updated_at": isLater ? updated : nil,
      "featured_local": .bool(isPinned), "featured_community": .bool(post.has(46, percent: 1)),
      "deleted": .bool(false), "nsfw": .bool(post.isSensitive),
      "thumbnail_url": thumbnail.map { .string($0) },
      "ap_id": .string("https://\(home)/post/\(post.mark % 90_000_000_000)"), "local": .bool(false),
      "language_id": .integer(37), "score": isLater ? .integer(post.likes) : nil,
      "upvotes": isLater ? .integer(post.likes + 3) : nil,
      "comments": isLater ? .integer(post.replies) : nil,
    ])
  }

  /// The view around the post.
  func view(of inner: JSONValue) -> JSONValue {
    let counts = JSONValue.members([
      "post_id": .integer(id), "comments": .integer(post.replies), "score": .integer(post.likes),
      "upvotes": .integer(post.likes + 3), "downvotes": .integer(3),
      "published": date(post.milliseconds),
    ])
    return .members([
      "post": inner, "creator": creator, "community": community,
      "creator_banned_from_community": .bool(false), "counts": version == .later ? nil : counts,
      "subscribed": "NotSubscribed", "saved": .bool(false), "read": .bool(false),
      "creator_blocked": .bool(false), "unread_comments": .integer(post.replies),
    ])
  }

  private var creator: JSONValue {
    let address = JSONValue.string("https://\(home)/u/\(post.author.handle)")
    return .members([
      "id": .integer(post.author.mark % 900_000), "name": .string(post.author.handle),
      "display_name": post.author.name.isEmpty ? nil : .string(post.author.name),
      "banned": .bool(false), "actor_id": version == .later ? nil : address,
      "ap_id": version == .later ? address : nil, "local": .bool(false), "deleted": .bool(false),
      "bot_account": .bool(false), "instance_id": .integer(1),
    ])
  }

  private var community: JSONValue {
    let address = JSONValue.string("https://\(home)/c/programming")
    return .members([
      "id": .integer(79_185), "name": "programming", "title": "Programming",
      "actor_id": version == .later ? nil : address, "ap_id": version == .later ? address : nil,
      "removed": .bool(false), "nsfw": .bool(false),
    ])
  }
}
