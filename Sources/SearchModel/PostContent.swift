internal import FoundationEssentials

/// The immutable part of a post, as its network sent it; `Post` documents each field.
final class PostContent: Hashable, Sendable {
  /// The most bytes of a title, a text or an author's name, in UTF-8; longer ones are cut.
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
  let links: [String]
  let media: [String]
  let counts: Counts
  let replyTo: String?
  let repostOf: String?
  let repostedBy: Author?
  let isSensitive: Bool?
  let isReply: Bool
  let isPinned: Bool
  let identityHash: Int

  init(
    id: String, source: SourceName, server: ServerAddress, url: String?, uri: String,
    author: Author, title: String?, text: String, editedAt: Date?, language: String?,
    links: [String], media: [String], counts: Counts, replyTo: String?, repostOf: String?,
    repostedBy: Author?, isSensitive: Bool?, isReply: Bool, isPinned: Bool
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
    self.links = links
    self.media = media
    self.counts = counts
    self.replyTo = replyTo
    self.repostOf = repostOf
    self.repostedBy = repostedBy
    self.isSensitive = isSensitive
    self.isReply = isReply
    self.isPinned = isPinned
    var hasher = Hasher()
    hasher.combine(source)
    hasher.combine(uri)
    identityHash = hasher.finalize()
  }

  /// Returns a text within the bound, with an ellipsis where it was cut.
  private static func bounded(_ text: String) -> String {
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
        && one.language == other.language && one.links == other.links && one.media == other.media
        && one.counts == other.counts && one.replyTo == other.replyTo
        && one.repostOf == other.repostOf && one.repostedBy == other.repostedBy
        && one.isSensitive == other.isSensitive
        && one.isReply == other.isReply && one.isPinned == other.isPinned)
  }

  // Equal ones have equal identities; what else they say need not be hashed.
  func hash(into hasher: inout Hasher) {
    hasher.combine(identityHash)
  }
}
