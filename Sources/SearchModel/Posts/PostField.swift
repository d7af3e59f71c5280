/// A field of a post: its names, its place, and everything that formats, the history and declared
/// networks know of it.
///
/// `table` is the only declaration of a field. The JSON formats, tables, templates, feeds, the schema,
/// `--fields`, the help, `searchagg merge`, the history's bodies and declared networks all read it, so a
/// new field is a case and a row here, and its property in `Post` and in `PostRecord` or `RareFields`.
package enum PostField: UInt8, CaseIterable, Hashable, Sendable {
  case id, source, server, url, uri
  case authorHandle, authorName, authorURL, feed
  case title, text, createdAt, future, editedAt, language, furtherLanguages
  case tags, topics, links, media, attachments
  case likes, reposts, replies, views
  case replyTo, repostOf
  case reposterHandle, reposterName, reposterURL
  case sensitive, contentWarning, poll, also
  case visibility
  case isReply, pinned

  /// The type of a field's value in machine formats.
  package enum Kind: String, Sendable {
    case string
    /// RFC 3339 in UTC, with milliseconds.
    case date
    case integer
    case boolean
    /// A list of strings.
    case list = "strings"
    /// A list of objects; each is a JSON text where a single value is needed.
    case objects
  }

  /// The contents of a declared network's field, by which its texts are read.
  package enum Content: Sendable {
    case plain
    /// An identifier or the address of something else, in which inserted values are percent-encoded.
    case identifier
    /// The address of a page or a file, which may be a path on the server.
    case address
    /// Words, which may contain entities or HTML.
    case prose
  }

  /// The facts about a field.
  package struct Description: Sendable {
    package let field: PostField
    /// The key of the object that holds it in JSON, such as `author`; nil if that is the post itself.
    package let group: StaticString?
    /// Its key in JSON.
    package let key: StaticString
    /// The name of the column in `csv` and `tsv`.
    package let column: String
    package let place: PostPlace
    package let summary: String
    /// Its number in the bodies of the history, which must never be used for another field; nil if the
    /// history keeps it elsewhere or not at all.
    package let historyKey: UInt8?
    /// The contents that a declared network may name; nil if it cannot.
    package let content: Content?
    /// Its name in declarations of networks.
    package let declaredName: String
    /// False if only filters and the engine know it.
    package let isPrinted: Bool

    fileprivate init(
      _ field: PostField, of group: StaticString? = nil, _ key: StaticString,
      column: String? = nil, _ place: PostPlace, _ summary: String, kept historyKey: UInt8? = nil,
      declared content: Content? = nil, as declaredName: String? = nil, isPrinted: Bool = true
    ) {
      self.field = field
      self.group = group
      self.key = key
      self.column = column ?? "\(key)"
      self.place = place
      self.summary = summary
      self.historyKey = historyKey
      self.content = content
      self.declaredName = declaredName ?? self.column
      self.isPrinted = isPrinted
    }
  }

  /// Every field, in the order of the JSON formats.
  package static let table: [Description] = [
    Description(
      .id, "id", .text(at: \.record.id), "the network's own identifier", kept: 1,
      declared: .identifier),
    Description(.source, "source", .context(.source), "the network, such as mastodon"),
    Description(.server, "server", .context(.server), "the base address that answered"),
    Description(
      .url, "url", .text(at: \.record.url), "the web page", kept: 3, declared: .address),
    Description(
      .uri, "uri", .text(at: \.record.uri), "the identity that all copies of the post share",
      kept: 2,
      declared: .identifier),
    Description(
      .authorHandle, of: "author", "handle", .handle(at: \.record.author.handle),
      "the author's user name, without @", kept: 4, declared: .plain, as: "author"),
    Description(
      .authorName, of: "author", "name", .text(at: \.record.author.name),
      "the author's display name",
      kept: 5, declared: .prose, as: "author_name"),
    Description(
      .authorURL, of: "author", "url", column: "author_url", .text(at: \.record.author.url),
      "the author's page", kept: 6, declared: .address),
    Description(
      .feed, "feed", .text(at: \.rare.feed), "the title of the feed that it is an entry of",
      kept: 29),
    Description(
      .title, "title", .text(at: \.record.title), "the title, on networks whose posts have one",
      kept: 7,
      declared: .prose),
    Description(
      .text, "text", .text(at: \.record.text), "the plain text", kept: 8, declared: .prose),
    Description(
      .createdAt, "created_at", .created(at: \.record.created),
      "when it was written; null when unknown", declared: .plain),
    Description(
      .future, "future", .context(.future), "true if the date is in the future"),
    Description(
      .editedAt, "edited_at", .date(at: \.rare.edited), "when it was last edited", kept: 9,
      declared: .plain),
    Description(
      .language, "language", .text(at: \.record.language),
      "the language (BCP 47), as the network reports it", kept: 10, declared: .plain),
    Description(
      .furtherLanguages, "further_languages", .list(at: \.rare.furtherLanguages),
      "the other languages that it is in", kept: 30, isPrinted: false),
    Description(.tags, "tags", .context(.tags), "the queries that found it"),
    Description(
      .topics, "topics", .list(at: \.record.topics, .topics),
      "its own topics: tags, labels or categories of its network", kept: 27, declared: .prose),
    Description(
      .links, "links", .list(at: \.record.links), "the addresses that it links to", kept: 11,
      declared: .address),
    Description(
      .media, "media", .addresses(at: \.record.attachments),
      "the addresses of images, video and audio", declared: .address),
    Description(
      .attachments, "attachments", .attachments(at: \.record.attachments),
      "these files: url, kind, MIME type, description, thumbnail", kept: 12),
    Description(
      .likes, of: "counts", "likes", .number(at: \.record.counts.packedLikes), "likes, or points",
      kept: 13, declared: .plain),
    Description(
      .reposts, of: "counts", "reposts", .number(at: \.record.counts.packedReposts), "reposts",
      kept: 14,
      declared: .plain),
    Description(
      .replies, of: "counts", "replies", .number(at: \.record.counts.packedReplies),
      "replies, or comments", kept: 15, declared: .plain),
    Description(
      .views, of: "counts", "views", .number(at: \.record.counts.packedViews), "views", kept: 16,
      declared: .plain),
    Description(
      .replyTo, "reply_to", .text(at: \.record.replyTo),
      "the identifier of the post that it answers",
      kept: 17, declared: .identifier),
    Description(
      .repostOf, "repost_of", .text(at: \.rare.repostOf),
      "the identifier of the post that it repeats",
      kept: 18, declared: .identifier),
    Description(
      .reposterHandle, of: "reposted_by", "handle", column: "reposted_by",
      .handle(at: \.rare.reposter.handle), "the user name of the account that reposted it", kept: 19
    ),
    Description(
      .reposterName, of: "reposted_by", "name", column: "reposted_by_name",
      .text(at: \.rare.reposter.name), "the display name of that account", kept: 20),
    Description(
      .reposterURL, of: "reposted_by", "url", column: "reposted_by_url",
      .text(at: \.rare.reposter.url), "the page of that account", kept: 21),
    Description(
      .sensitive, "sensitive", .flag(at: \.record.isSensitive),
      "whether it is marked as sensitive", kept: 22, declared: .plain),
    Description(
      .contentWarning, "content_warning", .text(at: \.rare.contentWarning),
      "the warning to show before the post; on Mastodon and Misskey, text begins with it",
      kept: 23, declared: .plain),
    Description(
      .poll, "poll", .list(at: \.rare.poll, .lines), "the options of its poll", kept: 24,
      declared: .plain),
    Description(
      .also, "also", .context(.also), "the addresses of its copies, under --dedupe link"),
    Description(
      .visibility, "visibility", .visibility(at: \.record.visibility),
      "public, unlisted, private or direct, as the network reports it", kept: 26,
      declared: .plain),
    Description(
      .isReply, "is_reply", .flag(at: \.record.isReply), "whether it is a reply", kept: 25,
      declared: .plain, isPrinted: false),
    Description(
      .pinned, "pinned", .flag(at: \.record.isMarkedAsPinned),
      "whether it is pinned above newer posts",
      declared: .plain, isPrinted: false),
  ]

  /// The place of each field, by its raw value: small values, for code that reads every post.
  package static let places = table.map(\.place)

  /// The fields that machine formats print, in the order of the JSON formats.
  package static let printed = table.filter(\.isPrinted).map(\.field)

  /// The fields that a network may declare.
  package static let declared = table.filter { $0.content != nil }.map(\.field)

  package var description: Description { Self.table[Int(rawValue)] }
  package var place: PostPlace { Self.places[Int(rawValue)] }
}

extension PostField.Description {
  /// The keys from the post to the value, with dots between them.
  package var path: String { group.map { "\($0).\(key)" } ?? "\(key)" }

  package var kind: PostField.Kind {
    switch place {
    case .text, .handle, .visibility, .context(.source), .context(.server): .string
    case .created, .date: .date
    case .number: .integer
    case .flag, .context(.future): .boolean
    case .list, .addresses, .context(.tags), .context(.also): .list
    case .attachments: .objects
    }
  }
}
