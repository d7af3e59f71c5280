package import FoundationEssentials

/// One post, tweet, status, story or comment, in the terms that all networks share.
///
/// What a network does not say is nil or empty. Texts are plain: no markup, entities decoded; they
/// may still hold any control code, which printers for a terminal strip.
package struct Post: Hashable, Sendable {
  /// The network's own identifier.
  package var id: String
  package var source: SourceName
  /// The base address that answered, as it was configured.
  package var server: ServerAddress
  /// The page for people.
  package var url: String?
  /// The canonical identity across servers, queries and edits: two copies of one post share it.
  package var uri: String
  package var author: Author
  package var title: String?
  package var text: String
  /// When it was written, cut to whole milliseconds; nil when that is unknown or unreadable.
  package var createdAt: Date?
  package var editedAt: Date?
  /// BCP 47, as the network says it.
  package var language: String?
  /// Addresses that it links to, in order, each once.
  package var links: [String]
  /// Addresses of pictures, films and sound.
  package var media: [String]
  package var counts: Counts
  /// The identifier or address of the post it answers.
  package var replyTo: String?
  /// The identifier or address of the post it passes on.
  package var repostOf: String?
  /// Whether it is marked as not for everyone; nil when the network does not say.
  package var isSensitive: Bool?
  /// The queries that found it, in plan order; the merge fills it in.
  package var tags: [String] = []
  /// Whether its date lies more than five minutes ahead of the run's now; the merge decides it.
  package var isFuture = false

  package init(
    id: String, source: SourceName, server: ServerAddress, url: String? = nil, uri: String,
    author: Author = Author(), title: String? = nil, text: String, createdAt: Date? = nil,
    editedAt: Date? = nil, language: String? = nil, links: [String] = [], media: [String] = [],
    counts: Counts = Counts(), replyTo: String? = nil, repostOf: String? = nil,
    isSensitive: Bool? = nil
  ) {
    self.id = id
    self.source = source
    self.server = server
    self.url = url
    self.uri = uri
    self.author = author
    self.title = title
    self.text = text
    self.createdAt = createdAt
    self.editedAt = editedAt
    self.language = language
    self.links = links
    self.media = media
    self.counts = counts
    self.replyTo = replyTo
    self.repostOf = repostOf
    self.isSensitive = isSensitive
  }
}
