package import FoundationEssentials

/// One post, tweet, status, story or comment, in the terms that all networks share.
///
/// What a network does not say is nil or empty. Texts are plain: no markup, entities decoded; they
/// may still hold any control code, which printers for a terminal strip.
///
/// What its network said never changes and is shared by all copies: a hundred thousand posts are
/// merged and printed without a dozen texts to be counted for each step of each.
package struct Post: Hashable, Sendable {
  private let content: PostContent
  /// When it was written, cut to whole milliseconds; nil when that is unknown or unreadable.
  package var createdAt: Date?
  /// The queries that found it, in plan order; the merge fills it in.
  package var tags: [String] = []
  /// Where else it was said, in the order of the merge; filled in where copies are joined by their link.
  package var also: [PostCopy] = []
  /// Whether its date lies more than five minutes ahead of the run's now; the merge decides it.
  package var isFuture = false

  package init(
    id: String, source: SourceName, server: ServerAddress, url: String? = nil, uri: String,
    author: Author = Author(), title: String? = nil, text: String, createdAt: Date? = nil,
    editedAt: Date? = nil, language: String? = nil, links: [String] = [], media: [String] = [],
    counts: Counts = Counts(), replyTo: String? = nil, repostOf: String? = nil,
    repostedBy: Author? = nil, isSensitive: Bool? = nil, isReply: Bool? = nil,
    isPinned: Bool = false
  ) {
    self.createdAt = createdAt
    content = PostContent(
      id: id, source: source, server: server, url: url, uri: uri, author: author, title: title,
      text: text, editedAt: editedAt, language: language, links: links, media: media,
      counts: counts, replyTo: replyTo, repostOf: repostOf, repostedBy: repostedBy,
      isSensitive: isSensitive, isReply: isReply ?? (replyTo != nil), isPinned: isPinned)
  }

  /// A hash of source and `uri`, made when the post was: seeded, as `Hasher` is.
  package var identityHash: Int { content.identityHash }

  /// The network's own identifier.
  package var id: String { content.id }
  package var source: SourceName { content.source }
  /// The base address that answered, as it was configured.
  package var server: ServerAddress { content.server }
  /// The page for people.
  package var url: String? { content.url }
  /// The canonical identity across servers, queries and edits: two copies of one post share it.
  package var uri: String { content.uri }
  package var author: Author { content.author }
  package var title: String? { content.title }
  package var text: String { content.text }
  package var editedAt: Date? { content.editedAt }
  /// BCP 47, as the network says it.
  package var language: String? { content.language }
  /// Addresses that it links to, in order, each once.
  package var links: [String] { content.links }
  /// Addresses of pictures, films and sound.
  package var media: [String] { content.media }
  package var counts: Counts { content.counts }
  /// The identifier or address of the post it answers.
  package var replyTo: String? { content.replyTo }
  /// The identifier or address of the post it passes on.
  package var repostOf: String? { content.repostOf }
  /// The account that passed the post on; `author` wrote it. Nil unless this is a repost.
  package var repostedBy: Author? { content.repostedBy }
  /// Whether it is marked as not for everyone; nil when the network does not say.
  package var isSensitive: Bool? { content.isSensitive }
  /// Whether it answers another post, told or not which.
  package var isReply: Bool { content.isReply }

  /// Whether its network pins it above newer posts, so that its date says nothing about its place.
  package var isPinned: Bool { content.isPinned }

  /// Takes another post in as a copy: its queries and, up to so many, where it is.
  mutating func join(_ copy: Post, atMost count: Int) {
    for tag in copy.tags where !tags.contains(tag) { tags.append(tag) }
    guard also.count < count else { return }
    also.append(PostCopy(source: copy.source, address: copy.url ?? copy.uri))
  }
}
