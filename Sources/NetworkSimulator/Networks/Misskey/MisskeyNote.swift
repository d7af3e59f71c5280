internal import TextFormats

/// A post in the form of Misskey.
struct MisskeyNote: Sendable {
  let id: String
  var milliseconds: Int64 { Int64(post.milliseconds) }
  private let post: CorpusPost

  init(_ post: CorpusPost) {
    self.post = post
    id = Self.id(post.milliseconds, post.mark)
  }

  /// Ids are the time since 2000 in milliseconds and some noise, so that they sort by time.
  private static func id(_ moment: Int, _ mark: UInt64) -> String {
    let digits = String(moment - 946_684_800_000, radix: 36)
    return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
      + Alphabet.base32.random(8, seed: mark)
  }

  private var host: String? {
    let hosts = [nil, "fediverse.example", "notes.example.net"]
    return hosts[Int(post.author.mark % 3)]
  }

  var json: JSONValue {
    let isPassedOn = post.shape == .repost
    let isQuote = post.shape == .quote
    return .members([
      "id": .string(id), "createdAt": .string(DateForms.milliseconds(post.milliseconds)),
      "userId": .string(userID(post.author)), "user": user(post.author, host: host),
      "text": isPassedOn ? .null : .string(post.plainText),
      "cw": .text(isPassedOn ? nil : post.warning),
      "visibility": .string(visibility), "localOnly": .bool(false), "reactionAcceptance": .null,
      "renoteCount": .integer(post.reposts), "repliesCount": .integer(post.replies),
      "reactionCount": post.has(71, percent: 50) ? .integer(post.likes) : nil,
      "poll": post.poll.isEmpty ? nil : poll,
      "reactions": .members(["❤": .integer(post.likes), ":blob@.:": .integer(0)]),
      "fileIds": .emptyArray, "files": isPassedOn ? .emptyArray : files,
      "replyId": .text(
        post.shape == .reply ? earlierID : nil),
      "renoteId": .text(
        isPassedOn || isQuote ? earlierID : nil),
      "renote": isPassedOn || isQuote ? renote : nil,
      "tags": .texts(tags), "uri": uri, "url": uri,
    ])
  }

  private var visibility: String {
    if post.has(46, percent: 2) { return "specified" }
    if post.has(47, percent: 3) { return "followers" }
    return post.has(48, percent: 5) ? "home" : "public"
  }

  /// True if everyone may see it.
  var isOpen: Bool { visibility == "public" || visibility == "home" }

  /// Notes of the server asked have none.
  private var uri: JSONValue? { host.map { .string("https://\($0)/notes/\(id)") } }

  private var tags: [String] {
    post.hashtags.map { $0.lowercased() }
  }

  private func userID(_ author: CorpusAuthor) -> String {
    Alphabet.base32.random(10, seed: author.mark)
  }

  private func user(_ author: CorpusAuthor, host: String?) -> JSONValue {
    .members([
      "id": .string(userID(author)), "name": .text(author.name.isEmpty ? nil : author.name),
      "username": .string(author.handle), "host": .text(host), "avatarUrl": .null,
      "isBot": .bool(false), "isCat": .bool(author.mark % 5 == 0), "emojis": .object([]),
      "onlineStatus": "unknown",
    ])
  }

  private var earlierID: String { Self.id(post.earlierMilliseconds, post.earlierMark) }

  private var poll: JSONValue {
    .members([
      "multiple": .bool(false),
      "expiresAt": .string(DateForms.milliseconds(post.milliseconds + 86_400_000)),
      "choices": .array(
        post.poll.enumerated().map { index, option in
          .members([
            "text": .string(option), "votes": .integer(post.likes / (index + 1)),
            "isVoted": .bool(false),
          ])
        }),
    ])
  }

  private var renote: JSONValue {
    .members([
      "id": .string(earlierID),
      "createdAt": .string(DateForms.milliseconds(post.earlierMilliseconds)),
      "text": .string(post.earlierPieces.map(\.plain).joined()), "cw": .null,
      "user": user(post.other, host: nil), "files": .emptyArray,
      "reactions": .members(["❤": .integer(3)]), "renoteCount": .integer(1),
      "repliesCount": .integer(0),
    ])
  }

  private var files: JSONValue {
    guard post.hasImage else { return .emptyArray }
    let name = Alphabet.hexadecimal.random(16, seed: post.mark)
    return .array([
      .members([
        "id": .string(name), "type": "image/png",
        "comment": post.has(72, percent: 50) ? "A screen full of code" : .null,
        "thumbnailUrl": .string("https://files.example/thumbnail-\(name).webp"),
        "url": .string("https://files.example/\(name).png"), "isSensitive": .bool(post.isSensitive),
      ])
    ])
  }
}
