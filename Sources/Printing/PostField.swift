internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

/// A field of a post, as machine formats, `--fields` and `--template` know it.
package enum PostField: UInt8, CaseIterable, Hashable, Sendable {
  case id, source, server, url, uri
  case authorHandle, authorName, authorURL
  case title, text, createdAt, future, editedAt, language
  case tags, topics, links, media, attachments
  case likes, reposts, replies, views
  case replyTo, repostOf
  case reposterHandle, reposterName, reposterURL
  case sensitive, contentWarning, poll, also
  case visibility

  /// The type of a field's value.
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

  /// A field's value in a post; nil where the network does not say.
  enum Value: Hashable {
    case string(String)
    case date(Date)
    case integer(Int)
    case boolean(Bool)
    case list([String])
  }

  /// The facts about a field: the one table that help, schema, tables and templates read.
  package struct Description: Sendable {
    package let field: PostField
    /// The keys from the post to the value, with dots between them.
    package let path: String
    /// The name of the column in `csv` and `tsv`.
    package let column: String
    package let kind: Kind
    package let summary: String

    fileprivate init(
      _ field: PostField, _ path: String, column: String? = nil, _ kind: Kind, _ summary: String
    ) {
      self.field = field
      self.path = path
      self.column = column ?? path
      self.kind = kind
      self.summary = summary
    }
  }

  /// Every field, in the order of the JSON formats.
  package static let table = [
    Description(.id, "id", .string, "the network's own identifier"),
    Description(.source, "source", .string, "the network, such as mastodon"),
    Description(.server, "server", .string, "the base address that answered"),
    Description(.url, "url", .string, "the page for people"),
    Description(.uri, "uri", .string, "the identity that all copies of the post share"),
    Description(
      .authorHandle, "author.handle", column: "handle", .string, "the author's user name, without @"
    ),
    Description(.authorName, "author.name", column: "name", .string, "the author's display name"),
    Description(.authorURL, "author.url", column: "author_url", .string, "the author's page"),
    Description(.title, "title", .string, "the title, on networks whose posts have one"),
    Description(.text, "text", .string, "the plain text"),
    Description(.createdAt, "created_at", .date, "when it was written; null when unknown"),
    Description(.future, "future", .boolean, "true for a date that has not come yet"),
    Description(.editedAt, "edited_at", .date, "when it was last edited"),
    Description(.language, "language", .string, "the language (BCP 47), as the network reports it"),
    Description(.tags, "tags", .list, "the queries that found it"),
    Description(
      .topics, "topics", .list, "its own topics: tags, labels or categories of its network"),
    Description(.links, "links", .list, "the addresses that it links to"),
    Description(.media, "media", .list, "the addresses of pictures, films and sound"),
    Description(
      .attachments, "attachments", .objects,
      "these files: url, kind, MIME type, description, thumbnail"),
    Description(.likes, "counts.likes", column: "likes", .integer, "likes, or points"),
    Description(.reposts, "counts.reposts", column: "reposts", .integer, "reposts"),
    Description(.replies, "counts.replies", column: "replies", .integer, "replies, or comments"),
    Description(.views, "counts.views", column: "views", .integer, "views"),
    Description(.replyTo, "reply_to", .string, "the identifier of the post that it answers"),
    Description(.repostOf, "repost_of", .string, "the identifier of the post that it repeats"),
    Description(
      .reposterHandle, "reposted_by.handle", column: "reposted_by", .string,
      "the user name of the account that reposted it"),
    Description(
      .reposterName, "reposted_by.name", column: "reposted_by_name", .string,
      "the display name of that account"),
    Description(
      .reposterURL, "reposted_by.url", column: "reposted_by_url", .string,
      "the page of that account"),
    Description(.sensitive, "sensitive", .boolean, "whether it is marked as not for everyone"),
    Description(
      .contentWarning, "content_warning", .string,
      "the warning to show before the post; on Mastodon and Misskey, text begins with it"),
    Description(.poll, "poll", .list, "the options of its poll"),
    Description(.also, "also", .list, "the addresses of its copies, under --dedupe link"),
    Description(
      .visibility, "visibility", .string,
      "public, unlisted, private or direct, as the network reports it"),
  ]

  package var description: Description { Self.table[Int(rawValue)] }

  /// Returns the fields that a name in `--fields` selects: one by its path or its column, or all of a group
  /// such as `author`.
  package static func named(_ name: some StringProtocol) -> [PostField] {
    let byPath = table.filter { $0.path == name || $0.path.hasPrefix("\(name).") }
    return (byPath.isEmpty ? table.filter { $0.column == name } : byPath).map(\.field)
  }

  /// The key of the value, or of the group that it belongs to, in the JSON formats.
  fileprivate var key: Substring { description.path.prefix { $0 != "." } }

  /// Returns the field's value in a post; nil where it is unknown or empty.
  func value(in post: borrowing Post) -> Value? {
    switch self {
    case .id: .string(post.id)
    case .source: .string(post.source.rawValue)
    case .server: .string(post.server.text)
    case .url: post.url.map(Value.string)
    case .uri: .string(post.uri)
    case .authorHandle: post.author.handle.isEmpty ? nil : .string(post.author.handle)
    case .authorName: post.author.name.map(Value.string)
    case .authorURL: post.author.url.map(Value.string)
    case .title: post.title.map(Value.string)
    case .text: .string(post.text)
    case .createdAt: post.createdAt.flatMap(Self.date)
    case .future: post.isFuture ? .boolean(true) : nil
    case .editedAt: post.editedAt.flatMap(Self.date)
    case .language: post.language.map(Value.string)
    case .tags: Self.list(post.tags)
    case .topics: Self.list(post.topics)
    case .links: Self.list(post.links)
    case .media: Self.list(post.media)
    case .attachments: Self.list(post.attachments.map(\.json))
    case .likes: post.counts.likes.map(Value.integer)
    case .reposts: post.counts.reposts.map(Value.integer)
    case .replies: post.counts.replies.map(Value.integer)
    case .views: post.counts.views.map(Value.integer)
    case .replyTo: post.replyTo.map(Value.string)
    case .repostOf: post.repostOf.map(Value.string)
    case .reposterHandle:
      post.repostedBy.flatMap { $0.handle.isEmpty ? nil : .string($0.handle) }
    case .reposterName: post.repostedBy.flatMap { $0.name.map(Value.string) }
    case .reposterURL: post.repostedBy.flatMap { $0.url.map(Value.string) }
    case .sensitive: post.isSensitive.map(Value.boolean)
    case .contentWarning: post.contentWarning.map(Value.string)
    case .poll: Self.list(post.poll)
    case .also: Self.list(post.also.map(\.address))
    case .visibility: post.visibility.map { .string($0.rawValue) }
    }
  }

  private static func date(_ date: Date) -> Value? {
    RFC3339.canWrite(date) ? .date(date) : nil
  }

  private static func list(_ texts: [String]) -> Value? { texts.isEmpty ? nil : .list(texts) }
}

/// The fields that an output contains.
package struct FieldSelection: Hashable, Sendable {
  private var bits: UInt64
  /// The fields in the order of the output; nil for the order of the format.
  let order: [PostField]?
  /// The selection in parts, each with the fields of one key of a JSON object, in the order of the output;
  /// empty for the order of the format.
  let parts: [FieldSelection]

  /// Every field.
  package static let all = FieldSelection(PostField.allCases)

  /// Creates a selection in the order of the format.
  package init(_ fields: some Sequence<PostField>) {
    bits = fields.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
    order = nil
    parts = []
  }

  /// Reads the value of `--fields`, such as `id,author.handle,url`, and keeps its order; an unknown name is
  /// an error.
  package init(parsing text: String) throws(UnknownField) {
    var fields: [PostField] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = name.drop { $0 == " " }.prefix { $0 != " " }
      let found = PostField.named(name)
      if found.isEmpty { throw UnknownField(path: String(name)) }
      fields += found.filter { !fields.contains($0) }
    }
    bits = FieldSelection(fields).bits
    order = fields
    var keys: [Substring] = []
    for field in fields where !keys.contains(field.key) { keys.append(field.key) }
    parts = keys.map { key in FieldSelection(fields.filter { $0.key == key }) }
  }

  package func contains(_ field: PostField) -> Bool { bits & 1 << UInt64(field.rawValue) != 0 }

  /// The paths of its fields, in the order of the output.
  package var paths: [String] {
    (order ?? PostField.allCases.filter(contains)).map(\.description.path)
  }

  /// True if it contains a field of a group.
  func contains(anyOf fields: PostField...) -> Bool { fields.contains(where: contains) }
}

/// A name that no field has.
package struct UnknownField: Error, Hashable {
  package let path: String
}
