internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

/// The phrases about posts and results that the formats for people share.
enum PostWords {
  /// Returns `reposted by @HANDLE`; nil for a post that is not a repost.
  static func repost(_ post: borrowing Post) -> String? {
    post.readValues { post in
      let rare = post.rare
      guard let reposter = rare.repostedBy else { return rare.repostOf.isNone ? nil : "repost" }
      if reposter.handle.isEmpty, reposter.name.isNone { return "repost" }
      let name = post.texts[reposter.handle.isEmpty ? reposter.name : reposter.handle]
      let mark = reposter.handle.isEmpty ? "" : "@"
      return "reposted by \(mark)\(String(decoding: name, as: UTF8.self))"
    }
  }

  /// Appends the likes, reposts and comments, `3 likes, 1 repost`; nothing when there are none.
  // Straight into bytes: as strings they took longer than the rest of a post.
  static func append(_ counts: Counts, to bytes: inout ByteBlock) {
    var isFirst = true
    @inline(__always)
    func append(_ number: Int?, _ one: StaticString, _ many: StaticString) {
      guard let number, number != 0 else { return }
      if !isFirst { bytes.append(", " as StaticString) }
      isFirst = false
      bytes.append(decimal: number)
      bytes.append(number == 1 ? one : many)
    }
    append(counts.likes, " like", " likes")
    append(counts.reposts, " repost", " reposts")
    append(counts.replies, " comment", " comments")
  }

  /// Returns the same as a text; nil when there are none.
  static func counts(_ counts: Counts) -> String? {
    guard hasCounts(counts) else { return nil }
    var bytes = ByteBlock(capacity: 64)
    append(counts, to: &bytes)
    return String(decoding: bytes.bytes, as: UTF8.self)
  }

  static func hasCounts(_ counts: Counts) -> Bool {
    counts.likes ?? 0 != 0 || counts.reposts ?? 0 != 0 || counts.replies ?? 0 != 0
  }

  /// Returns `in FEED`; nil for a post of no feed, or one whose author has the feed's name.
  static func feed(_ post: borrowing Post) -> String? {
    guard let feed = post.feed, feed != post.author.name else { return nil }
    return "in \(feed)"
  }

  /// Returns `private` or `direct`; nil for a post that everyone may read.
  static func visibility(_ post: borrowing Post) -> String? {
    post.isOpen ? nil : post.visibility?.rawValue
  }

  /// Returns `content warning: WARNING`; nil for a post that has none.
  static func warning(_ post: borrowing Post) -> String? {
    post.contentWarning.map { "content warning: \(ControlCodes.strippedToLine($0))" }
  }

  /// Returns the options of a post's poll, `○ OPTION`, each on one line.
  static func poll(_ post: borrowing Post) -> [String] {
    post.poll.map { "○ \(ControlCodes.strippedToLine($0))" }
  }

  /// Returns the numbers of attachments by kind, `2 pictures, 1 file`.
  static func attachments(_ attachments: [PostAttachment]) -> String {
    var words = ""
    for (kind, word) in kinds {
      let number = attachments.indices.count { attachments[$0].kind == kind }
      if number == 0 { continue }
      if !words.isEmpty { words += ", " }
      words += Plural.count(number, word)
    }
    return words
  }

  private static let kinds: [(PostAttachment.Kind?, String)] = [
    (.image, "picture"), (.video, "video"), (.audio, "sound file"), (.file, "file"),
    (nil, "attachment"),
  ]

  /// Calls `body` with the topics of a post that neither a hashtag in its title or text nor one of its queries
  /// shows.
  static func forEachHiddenTopic(
    of post: PostValues, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    let topics = post.record.topics
    if topics.isEmpty { return }
    let (title, text) = (post.texts[post.record.title], post.texts[post.record.text])
    let hasHashtags = Topic.mayHaveHashtags(text) || Topic.mayHaveHashtags(title)
    // As most topics are hashtags of the text, few texts need to be split and folded.
    lazy var keys = [title, text].flatMap {
      Topic.keys(ofHashtagsIn: String(decoding: $0, as: UTF8.self))
    }
    for topic in post.texts[topics] {
      if hasHashtags, Hashtag.occurs(topic, in: text) { continue }
      if post.tags.contains(where: { isTopic(topic, $0) }) { continue }
      if hasHashtags, keys.contains(Topic.key(String(decoding: topic, as: UTF8.self))) { continue }
      body(topic)
    }
  }

  private static func isTopic(_ topic: UnsafeBufferPointer<UInt8>, _ tag: String) -> Bool {
    let isSame = tag.utf8.withContiguousStorageIfAvailable { Topic.areSame(topic, $0) }
    if let isSame, let isSame { return isSame }
    return Topic.key(String(decoding: topic, as: UTF8.self)) == Topic.key(tag)
  }

  /// Returns a text of a post followed by the options of its poll.
  static func withPoll(_ text: String, of post: borrowing Post) -> String {
    if post.poll.isEmpty { return text }
    return ((text.isEmpty ? [] : [text]) + poll(post)).joined(separator: "\n")
  }
}

/// Texts cut to a width.
enum Ellipsis {
  /// Returns a text on one line that fits a number of columns, with `…` where it was cut.
  static func truncate(_ text: String, to columns: Int) -> String {
    guard DisplayWidth.columns(of: text) > columns else { return text }
    var width = 1
    var end = text.startIndex
    for index in text.indices {
      width += DisplayWidth.columns(of: text[index])
      if width > columns { break }
      end = text.index(after: index)
    }
    return text[..<end] + "…"
  }
}

extension RunResult {
  /// The queries of the run, each once, in plan order.
  var tags: [String] {
    var seen: Set<String> = []
    return outcomes.map(\.tag).filter { seen.insert($0).inserted }
  }

  /// The number of posts and networks, `23 posts from 4 networks`.
  var foundLine: String {
    guard !posts.isEmpty else { return "No posts" }
    let networks = Set(posts.lazy.map(\.source)).count
    let number = total.map { "The newest \(posts.count) of \($0) posts" }
    return "\(number ?? Plural.count(posts.count, "post")) from "
      + Plural.count(networks, "network")
  }

  /// The sentence that says that something is missing; nil when nothing is.
  var missingLine: String? {
    guard isIncomplete else { return nil }
    let number = missing.reduce(0) { count, _ in count + 1 }
    return "Incomplete: \(number) of \(Plural.count(outcomes.count, "search", "searches")) "
      + "\(number == 1 ? "was" : "were") not completed."
  }
}
