package import FoundationEssentials

/// A post, tweet, status, story or comment, with the properties that all networks share.
///
/// Values that a network does not provide are nil or empty. Texts are plain, without markup and with
/// entities decoded; they may contain any control code, which printers for a terminal strip.
///
/// The network's part never changes and is shared by all copies, so that merging and printing a hundred
/// thousand posts does not retain and release a dozen strings for each.
package struct Post: Hashable, Sendable {
  private let content: PostContent
  /// When it was written, truncated to milliseconds; nil if unknown or unreadable.
  package var createdAt: Date?
  /// The queries that found it, in plan order; set by the merge.
  package var tags: [String] = []
  /// The copies that were joined with it because of their link, in the order of the merge.
  package var also: [PostCopy] = []
  /// True if its date is more than five minutes ahead of the run's now; set by the merge.
  package var isFuture = false

  package init(
    id: String, source: SourceName, server: ServerAddress, url: String? = nil, uri: String,
    author: Author = Author(), title: String? = nil, text: String, createdAt: Date? = nil,
    editedAt: Date? = nil, language: String? = nil, furtherLanguages: [String] = [],
    topics: [String] = [], links: [String] = [], attachments: [PostAttachment] = [],
    counts: Counts = Counts(), replyTo: String? = nil, repostOf: String? = nil,
    repostedBy: Author? = nil, isSensitive: Bool? = nil, contentWarning: String? = nil,
    poll: [String] = [], isReply: Bool? = nil, isPinned: Bool = false,
    visibility: Visibility? = nil, firstID: String? = nil
  ) {
    self.createdAt = createdAt
    content = PostContent(
      id: id, source: source, server: server, url: url, uri: uri, author: author, title: title,
      text: text, editedAt: editedAt, language: language, furtherLanguages: furtherLanguages,
      topics: topics, links: links, attachments: attachments, counts: counts, replyTo: replyTo,
      repostOf: repostOf, repostedBy: repostedBy,
      isSensitive: isSensitive, contentWarning: contentWarning, poll: poll,
      isReply: isReply ?? (replyTo != nil), isPinned: isPinned, visibility: visibility,
      firstID: firstID)
  }

  /// A hash of source and `uri`, computed once; seeded, as `Hasher` is.
  package var identityHash: Int { content.identityHash }

  /// The network's identifier of its first version, where edits have identifiers of their own. Some servers
  /// give several posts one `uri`: on one server only posts that agree in both are the same.
  package var firstID: String { content.firstID ?? content.id }

  /// A hash by which posts of one server are told apart.
  package var serverHash: Int {
    var hasher = Hasher()
    hasher.combine(content.identityHash)
    hasher.combine(firstID)
    return hasher.finalize()
  }

  /// The network's own identifier.
  package var id: String { content.id }
  package var source: SourceName { content.source }
  /// The base address that answered, as it was configured.
  package var server: ServerAddress { content.server }
  /// The address of its page.
  package var url: String? { content.url }
  /// The canonical identity across servers, queries and edits: two copies of one post share it.
  package var uri: String { content.uri }
  package var author: Author { content.author }
  package var title: String? { content.title }
  package var text: String { content.text }
  package var editedAt: Date? { content.editedAt }
  /// The BCP 47 tag that the network provides.
  package var language: String? { content.language }
  /// The tags of its other languages, if the network provides several.
  package var furtherLanguages: [String] { content.furtherLanguages }
  /// Its own topics, as its network gives them: tags, labels or categories.
  package var topics: [String] { content.topics }
  /// The addresses that it links to, in order, without duplicates.
  package var links: [String] { content.links }
  /// Its pictures, videos, sound and other files.
  package var attachments: [PostAttachment] { content.attachments }
  /// The addresses of its attachments.
  package var media: [String] { content.attachments.map(\.url) }
  package var counts: Counts { content.counts }
  /// The identifier or address of the post that it replies to.
  package var replyTo: String? { content.replyTo }
  /// The identifier or address of the post that it reposts.
  package var repostOf: String? { content.repostOf }
  /// The account that reposted it; `author` wrote it. Nil unless this is a repost.
  package var repostedBy: Author? { content.repostedBy }
  /// True if it is marked as sensitive; nil if the network does not say.
  package var isSensitive: Bool? { content.isSensitive }
  /// The reason that its author or the network gives for hiding it at first; never empty.
  package var contentWarning: String? { content.contentWarning }
  /// The options of its poll, in order, each on one line.
  package var poll: [String] { content.poll }
  /// True if it is a reply, even if the network does not say to what.
  package var isReply: Bool { content.isReply }

  /// True if its network pins it above newer posts, so that its date says nothing about its position.
  package var isPinned: Bool { content.isPinned }

  /// The circle of people that it was written for; nil if the network does not say.
  package var visibility: Visibility? { content.visibility }

  /// True if everyone may read it, as on networks that do not say.
  package var isOpen: Bool { content.visibility?.isOpen ?? true }

  /// The text without the content warning, with which it begins on networks that show the warning as a
  /// part of the text.
  package var textAfterWarning: String {
    guard let warning = contentWarning, text.hasPrefix(warning) else { return text }
    let rest = text.dropFirst(warning.count)
    if rest.isEmpty { return "" }
    return rest.hasPrefix("\n\n") ? String(rest.dropFirst(2)) : text
  }

  /// The text that searches look at: the title, the text and the options of its poll.
  package var searchableText: String {
    if title == nil, poll.isEmpty { return text }
    return ([title, text].compactMap(\.self) + poll).joined(separator: "\n")
  }

  /// Joins a copy: adds its queries and, up to a number of copies, its location.
  mutating func join(_ copy: Post, atMost count: Int) {
    for tag in copy.tags where !tags.contains(tag) { tags.append(tag) }
    guard also.count < count else { return }
    also.append(PostCopy(source: copy.source, address: copy.url ?? copy.uri))
  }
}

/// The immutable part of a post, as its network sent it; `Post` documents each field.
final class PostContent: Hashable, Sendable {
  /// The maximum size of a title, a text or an author's name in UTF-8; longer ones are cut.
  private static let longestText = 256 * 1024

  let id: String
  let source: SourceName
  let server: ServerAddress
  let url: String?
  let uri: String
  let author: Author
  let title: String?
  let text: String
  let editedAt: Date?
  let language: String?
  let furtherLanguages: [String]
  let topics: [String]
  let links: [String]
  let attachments: [PostAttachment]
  let counts: Counts
  let replyTo: String?
  let repostOf: String?
  let repostedBy: Author?
  let isSensitive: Bool?
  let contentWarning: String?
  let poll: [String]
  let isReply: Bool
  let isPinned: Bool
  let visibility: Visibility?
  let firstID: String?
  let identityHash: Int

  init(
    id: String, source: SourceName, server: ServerAddress, url: String?, uri: String,
    author: Author, title: String?, text: String, editedAt: Date?, language: String?,
    furtherLanguages: [String], topics: [String], links: [String], attachments: [PostAttachment],
    counts: Counts, replyTo: String?, repostOf: String?,
    repostedBy: Author?, isSensitive: Bool?, contentWarning: String?, poll: [String],
    isReply: Bool, isPinned: Bool, visibility: Visibility?, firstID: String?
  ) {
    self.id = id
    self.source = source
    self.server = server
    self.url = url
    self.uri = uri
    self.author = Self.bounded(author)
    self.title = title.map(Self.bounded)
    self.text = Self.bounded(text)
    self.editedAt = editedAt
    self.language = language
    self.furtherLanguages = furtherLanguages
    self.topics = Topic.bounded(topics)
    self.links = links
    self.attachments = attachments
    self.counts = counts
    self.replyTo = replyTo
    self.repostOf = repostOf
    self.repostedBy = repostedBy
    self.isSensitive = isSensitive
    self.contentWarning = contentWarning.flatMap { $0.isEmpty ? nil : Self.bounded($0) }
    // One line each, as formats of lines separate them by line breaks.
    self.poll = poll.map { option in
      Self.bounded(option.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
    self.isReply = isReply
    self.isPinned = isPinned
    self.visibility = visibility
    self.firstID = firstID
    var hasher = Hasher()
    hasher.combine(source)
    hasher.combine(uri)
    identityHash = hasher.finalize()
  }

  /// Returns a text within the maximum, with an ellipsis if it was cut.
  static func bounded(_ text: String) -> String {
    let utf8 = text.utf8
    guard utf8.count > longestText else { return text }
    let mark = "…"
    var end = utf8.index(utf8.startIndex, offsetBy: longestText - mark.utf8.count)
    // Not within a character.
    while utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return text[..<end] + mark
  }

  private static func bounded(_ author: Author) -> Author {
    guard author.handle.utf8.count > longestText || (author.name?.utf8.count ?? 0) > longestText
    else { return author }
    return Author(
      handle: bounded(author.handle), name: author.name.map(bounded), url: author.url)
  }

  static func == (one: PostContent, other: PostContent) -> Bool {
    one === other
      || (one.id == other.id && one.source == other.source && one.server == other.server
        && one.url == other.url && one.uri == other.uri && one.author == other.author
        && one.title == other.title && one.text == other.text && one.editedAt == other.editedAt
        && one.language == other.language
        && one.furtherLanguages == other.furtherLanguages && one.topics == other.topics
        && one.links == other.links && one.attachments == other.attachments
        && one.counts == other.counts && one.replyTo == other.replyTo
        && one.repostOf == other.repostOf && one.repostedBy == other.repostedBy
        && one.isSensitive == other.isSensitive && one.contentWarning == other.contentWarning
        && one.poll == other.poll
        && one.isReply == other.isReply && one.isPinned == other.isPinned
        && one.visibility == other.visibility && one.firstID == other.firstID)
  }

  // Equal posts have equal identities, so nothing else needs to be hashed.
  func hash(into hasher: inout Hasher) {
    hasher.combine(identityHash)
  }
}

/// The author of a post.
package struct Author: Hashable, Sendable {
  /// The unique name on the network, without `@`; empty if unknown.
  package var handle: String
  /// The display name.
  package var name: String?
  /// The address of the profile page.
  package var url: String?

  package init(handle: String = "", name: String? = nil, url: String? = nil) {
    self.handle = handle
    self.name = name
    self.url = url
  }
}

/// The numbers of likes, reposts, replies and views of a post; nil if the network does not say.
package struct Counts: Hashable, Sendable {
  package var likes: Int?
  package var reposts: Int?
  package var replies: Int?
  package var views: Int?

  package init(likes: Int? = nil, reposts: Int? = nil, replies: Int? = nil, views: Int? = nil) {
    self.likes = likes
    self.reposts = reposts
    self.replies = replies
    self.views = views
  }
}

/// The location of another post with the same content.
package struct PostCopy: Hashable, Sendable {
  package var source: SourceName
  /// The address of its page, or else its identity.
  package var address: String

  package init(source: SourceName, address: String) {
    self.source = source
    self.address = address
  }
}

/// A network's name as users write it: lower case, with dashes, such as `twitter-classic`.
package struct SourceName: RawRepresentable, Hashable, Sendable, Comparable,
  CustomStringConvertible, ExpressibleByStringLiteral
{
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
  package init(stringLiteral value: String) { rawValue = value }

  package var description: String { rawValue }

  package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
