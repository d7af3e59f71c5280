package import FoundationEssentials

/// A post, tweet, status, story or comment, with the properties that all networks share.
///
/// Values that a network does not provide are nil or empty. Texts are plain, without markup and with
/// entities decoded; they may contain any control code, which printers for a terminal strip.
///
/// It is a view of one of the posts of a block; texts become strings when they are asked for.
@usableFromInline
package struct Post: Hashable, Sendable {
  // What is read of every post of a page is a stored property: 32 bytes, as there may be a million.
  @usableFromInline let block: PostBlock
  @usableFromInline var created: PackedDate
  /// The findings of the merge about the post; nil before the merge.
  @usableFromInline var context: PostContext?
  @usableFromInline let number: UInt32
  /// True if its date is more than five minutes ahead of the run's now; set by the merge.
  package var isFuture = false
  /// True if its network pins it above newer posts, so that its date says nothing about its position.
  package let isPinned: Bool
  /// True if everyone may read it, as on networks that do not say.
  package let isOpen: Bool

  /// Creates a view of a post of a block.
  init(_ block: PostBlock, at index: Int) {
    self.block = block
    number = UInt32(truncatingIfNeeded: index)
    let record = block.place(of: index)
    created = record.pointee.created
    isPinned = record.pointee.isMarkedAsPinned ?? false
    isOpen = record.pointee.visibility?.isOpen ?? true
  }

  /// The post in a merged list.
  ///
  /// - Parameter isDated: False if its date is missing or cannot be sorted by.
  func merged(_ context: PostContext, isFuture: Bool, isDated: Bool) -> Post {
    var post = self
    post.context = context
    post.isFuture = isFuture
    if !isDated { post.created = PackedDate() }
    return post
  }

  /// The date on which it was written, truncated to milliseconds; nil if unknown or unreadable.
  package var createdAt: Date? {
    get { created.value }
    set { created = PackedDate(newValue) }
  }

  /// The same in seconds since 1970.
  @inlinable package var createdSeconds: Double? { created.seconds }

  /// The queries that found it, in plan order; set by the merge.
  @inlinable package var tags: [String] {
    get { context?.tags ?? [] }
    set { context = PostContext(tags: newValue, also: also) }
  }

  /// The copies that were joined with it because of their link, in the order of the merge.
  @usableFromInline package var also: [PostCopy] {
    get { context?.also ?? [] }
    set { context = PostContext(tags: tags, also: newValue) }
  }

  /// True if copies were joined with it.
  var hasCopies: Bool { context?.also.isEmpty == false }

  /// Its index in the block.
  @inlinable var index: Int { Int(number) }

  // Where they are: copying a record takes longer than reading a field of it.
  @inline(__always)
  private func record<Value>(_ read: (borrowing PostRecord) -> Value) -> Value {
    withExtendedLifetime(block) { read(block.place(of: index).pointee) }
  }

  @inline(__always)
  private func rare<Value>(_ read: (borrowing RareFields) -> Value) -> Value {
    withExtendedLifetime(block) {
      read(block.rarePlaces[Int(block.place(of: index).pointee.rareIndex)])
    }
  }

  /// A hash of source and `uri`, computed once; seeded, as `Hasher` is.
  package var identityHash: Int { block.keys[index].identityHash }

  /// The beginning of its identifier.
  var idStart: IdentifierStart { block.keys[index].idStart }

  /// A hash by which posts of one server are told apart.
  package var serverHash: Int {
    readValues { post in
      block.hasher.adding(post.texts[post.record.uri]).adding(post.texts[post.first]).value
    }
  }

  /// The network's identifier of its first version, where edits have identifiers of their own. Some servers
  /// give several posts one `uri`: on one server only posts that agree in both are the same.
  package var firstID: String { block.string(rare { $0.firstID }) ?? id }

  /// The network's own identifier.
  package var id: String { block.string(record { $0.id }) ?? "" }
  package var source: SourceName { block.source }
  /// The base address that answered, as it was configured.
  package var server: ServerAddress { block.server }
  /// The address of its page.
  package var url: String? { block.string(record { $0.url }) }
  /// The canonical identity across servers, queries and edits: two copies of one post share it.
  package var uri: String { block.string(record { $0.uri }) ?? "" }
  package var author: Author { block.author(record { $0.author }) }
  /// The title of the feed that it is an entry of; never empty.
  package var feed: String? { block.string(rare { $0.feed }) }
  package var title: String? { block.string(record { $0.title }) }
  package var text: String { block.string(record { $0.text }) ?? "" }
  package var editedAt: Date? { rare { $0.edited }.value }
  /// The BCP 47 tag that the network provides.
  package var language: String? { block.string(record { $0.language }) }
  /// The tags of its other languages, if the network provides several.
  package var furtherLanguages: [String] { block.strings(rare { $0.furtherLanguages }) }
  /// Its own topics, as its network gives them: tags, labels or categories.
  package var topics: [String] { block.strings(record { $0.topics }) }
  /// The addresses that it links to, in order, without duplicates.
  package var links: [String] { block.strings(record { $0.links }) }
  /// Its pictures, videos, sound and other files.
  package var attachments: [PostAttachment] { block.attachments(record { $0.attachments }) }
  /// The addresses of its attachments.
  package var media: [String] { attachments.map(\.url) }
  package var counts: Counts { record { $0.counts } }
  /// The identifier or address of the post that it replies to.
  package var replyTo: String? { block.string(record { $0.replyTo }) }
  /// The identifier or address of the post that it reposts.
  package var repostOf: String? { block.string(rare { $0.repostOf }) }
  /// The account that reposted it; `author` wrote it. Nil unless this is a repost.
  package var repostedBy: Author? { rare { $0.repostedBy }.map(block.author) }
  /// True if it is marked as sensitive; nil if the network does not say.
  package var isSensitive: Bool? { record { $0.isSensitive } }
  /// The reason that its author or the network gives for hiding it at first; never empty.
  package var contentWarning: String? { block.string(rare { $0.contentWarning }) }
  /// The options of its poll, in order, each on one line.
  package var poll: [String] { block.strings(rare { $0.poll }) }
  /// True if it is a reply, even if the network does not say to what.
  package var isReply: Bool { record { $0.isReply ?? !$0.replyTo.isNone } }

  /// The circle of people that it was written for; nil if the network does not say.
  package var visibility: Visibility? { record { $0.visibility } }

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

extension Post {
  /// The queries that found it, and its own topics that none of them equals.
  package var tagsAndTopics: [String] {
    if topics.isEmpty { return tags }
    let keys = Set(tags.map(Topic.key))
    return tags + topics.filter { !keys.contains(Topic.key($0)) }
  }

  @usableFromInline
  package static func == (one: Post, other: Post) -> Bool {
    one.createdAt == other.createdAt && one.tags == other.tags && one.also == other.also
      && one.isFuture == other.isFuture
      && (one.block === other.block && one.index == other.index || one.hasSameContent(as: other))
  }

  /// Returns whether another post of its network has the same `uri`, and on one server the same `firstID`.
  func hasIdentity(of other: Post, onOneServer: Bool) -> Bool {
    readValues { one in
      other.readValues { two in
        one.texts.isSame(one.record.uri, as: two.record.uri, of: two.texts)
          && (!onOneServer || one.texts[one.first].elementsEqual(two.texts[two.first]))
      }
    }
  }

  /// Returns whether its identifier sorts before another's, byte by byte; nil if they are equal.
  func hasSmallerID(than other: Post) -> Bool? {
    let (start, otherStart) = (idStart, other.idStart)
    if start != otherStart { return start < otherStart }
    return readValues { one in
      other.readValues { two in
        let (left, right) = (one.texts[one.record.id], two.texts[two.record.id])
        if left.elementsEqual(right) { return nil }
        return left.lexicographicallyPrecedes(right)
      }
    }
  }

  // Equal posts have equal identities, so nothing else needs to be hashed.
  @usableFromInline
  package func hash(into hasher: inout Hasher) { hasher.combine(identityHash) }
}

/// The findings of the merge about a post. Posts that the same query found share one of these.
@usableFromInline
final class PostContext: Sendable {
  @usableFromInline let tags: [String]
  let also: [PostCopy]

  @usableFromInline
  init(tags: [String], also: [PostCopy] = []) {
    self.tags = tags
    self.also = also
  }
}

/// The location of another post with the same content.
@usableFromInline
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
