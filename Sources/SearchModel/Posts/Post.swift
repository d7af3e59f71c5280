package import FoundationEssentials

/// A post, tweet, status, story or comment, with the properties that all networks share.
///
/// Values that a network does not provide are nil or empty. Texts are plain, without markup and with
/// entities decoded; they may contain any control code, which printers for a terminal strip.
///
/// It is a view of one of the posts of a block; texts become strings when they are asked for.
@usableFromInline
package struct Post: Hashable, Sendable {
  // Whatever is read of every post of a page is a stored property: a computed one would copy the post, which costs
  // three retains. In this order they fill one cache line of 64 bytes.
  @usableFromInline let block: PostBlock
  /// When it was written, truncated to milliseconds; nil if unknown or unreadable.
  package var createdAt: Date?
  /// True if its date is more than five minutes ahead of the run's now; set by the merge.
  package var isFuture = false
  /// True if its network pins it above newer posts, so that its date says nothing about its position.
  package let isPinned: Bool
  /// True if everyone may read it, as on networks that do not say.
  package let isOpen: Bool
  @usableFromInline let number: UInt32
  @usableFromInline let keys: PostKeys
  /// The queries that found it, in plan order; set by the merge.
  @usableFromInline package var tags: [String] = []
  /// The copies that were joined with it because of their link, in the order of the merge.
  package var also: [PostCopy] = []

  package init(
    id: String, source: SourceName, server: ServerAddress, url: String? = nil, uri: String,
    author: Author = Author(), feed: String? = nil, title: String? = nil, text: String,
    createdAt: Date? = nil, editedAt: Date? = nil, language: String? = nil,
    furtherLanguages: [String] = [], topics: [String] = [], links: [String] = [],
    attachments: [PostAttachment] = [], counts: Counts = Counts(), replyTo: String? = nil,
    repostOf: String? = nil, repostedBy: Author? = nil, isSensitive: Bool? = nil,
    contentWarning: String? = nil, poll: [String] = [], isReply: Bool? = nil,
    isPinned: Bool = false, visibility: Visibility? = nil, firstID: String? = nil
  ) {
    var draft = PageDraft(source: source, server: server)
    var post = PackedPost()
    post.id = draft.keep(id)
    post.uri = draft.keep(uri)
    post.url = draft.keep(url)
    post.author = draft.keep(author)
    post.feed = draft.keep(feed)
    post.title = draft.keep(title)
    post.text = draft.keep(text)
    post.createdAt = createdAt
    post.editedAt = editedAt
    post.language = draft.keep(language)
    post.furtherLanguages = draft.list(furtherLanguages)
    post.topics = draft.list(topics: topics)
    post.links = draft.list(links)
    post.attachments = draft.list(attachments)
    post.counts = counts
    post.replyTo = draft.keep(replyTo)
    post.repostOf = draft.keep(repostOf)
    post.repostedBy = repostedBy.map { draft.keep($0) }
    post.isSensitive = isSensitive
    post.contentWarning = draft.keep(contentWarning)
    post.poll = draft.list(lines: poll)
    post.isReply = isReply
    post.isMarkedAsPinned = isPinned
    post.visibility = visibility
    post.firstID = draft.keep(firstID)
    draft.add(post)
    self = draft.posts()[0]
  }

  /// Creates a view of a post of a block.
  init(_ block: PostBlock, at index: Int, _ keys: PostKeys) {
    self.block = block
    self.keys = keys
    number = UInt32(truncatingIfNeeded: index)
    (createdAt, isPinned, isOpen) = block.packed(index) {
      ($0.createdAt, $0.isMarkedAsPinned ?? false, $0.visibility?.isOpen ?? true)
    }
  }

  /// Puts a post of a merged list, without copies, into memory.
  ///
  /// - Parameter found: The post as it was found.
  // An initializer would make the post somewhere else, from where it would be copied.
  static func initialize(
    _ place: UnsafeMutablePointer<Post>, to found: UnsafePointer<Post>, tags: [String],
    isFuture: Bool, isDated: Bool
  ) {
    place.initialize(from: found, count: 1)
    place.pointee.tags = tags
    place.pointee.isFuture = isFuture
    if !isDated { place.pointee.createdAt = nil }
  }

  /// Its index in the block.
  @inlinable var index: Int { Int(number) }

  private func value<Value>(_ read: (borrowing PackedPost) -> Value) -> Value {
    block.packed(index, read)
  }

  private func string(_ place: (borrowing PackedPost) -> TextRange) -> String? {
    block.string(block.packed(index, place))
  }

  private func strings(_ place: (borrowing PackedPost) -> BlockRange<TextRange>) -> [String] {
    block.strings(block.packed(index, place))
  }

  /// Calls `body` with what a block stores of the post, and with its texts.
  @inlinable
  package func read<Result>(_ body: (borrowing PackedPost, PostTexts) -> Result) -> Result {
    block.packed(index) { body($0, block.texts) }
  }

  /// A hash of source and `uri`, computed once; seeded, as `Hasher` is.
  @inlinable package var identityHash: Int { keys.identityHash }

  /// The network's identifier of its first version, where edits have identifiers of their own. Some servers
  /// give several posts one `uri`: on one server only posts that agree in both are the same.
  package var firstID: String { string { $0.firstID } ?? id }

  /// A hash by which posts of one server are told apart.
  package var serverHash: Int { value { $0.serverHash } }

  /// The network's own identifier.
  package var id: String { string { $0.id } ?? "" }
  package var source: SourceName { block.source }
  /// The base address that answered, as it was configured.
  package var server: ServerAddress { block.server }
  /// The address of its page.
  package var url: String? { string { $0.url } }
  /// The canonical identity across servers, queries and edits: two copies of one post share it.
  package var uri: String { string { $0.uri } ?? "" }
  package var author: Author { block.author(value { $0.author }) }
  /// The title of the feed that it is an entry of; never empty.
  package var feed: String? { string { $0.feed } }
  package var title: String? { string { $0.title } }
  package var text: String { string { $0.text } ?? "" }
  package var editedAt: Date? { value { $0.editedAt } }
  /// The BCP 47 tag that the network provides.
  package var language: String? { string { $0.language } }
  /// The tags of its other languages, if the network provides several.
  package var furtherLanguages: [String] { strings { $0.furtherLanguages } }
  /// Its own topics, as its network gives them: tags, labels or categories.
  package var topics: [String] { strings { $0.topics } }
  /// The addresses that it links to, in order, without duplicates.
  package var links: [String] { strings { $0.links } }
  /// Its pictures, videos, sound and other files.
  package var attachments: [PostAttachment] { block.attachments(value { $0.attachments }) }
  /// The addresses of its attachments.
  package var media: [String] { attachments.map(\.url) }
  package var counts: Counts { value { $0.counts } }
  /// The identifier or address of the post that it replies to.
  package var replyTo: String? { string { $0.replyTo } }
  /// The identifier or address of the post that it reposts.
  package var repostOf: String? { string { $0.repostOf } }
  /// The account that reposted it; `author` wrote it. Nil unless this is a repost.
  package var repostedBy: Author? { value { $0.repostedBy }.map(block.author) }
  /// True if it is marked as sensitive; nil if the network does not say.
  package var isSensitive: Bool? { value { $0.isSensitive } }
  /// The reason that its author or the network gives for hiding it at first; never empty.
  package var contentWarning: String? { string { $0.contentWarning } }
  /// The options of its poll, in order, each on one line.
  package var poll: [String] { strings { $0.poll } }
  /// True if it is a reply, even if the network does not say to what.
  package var isReply: Bool { value { $0.isReply ?? !$0.replyTo.isNone } }

  /// The circle of people that it was written for; nil if the network does not say.
  package var visibility: Visibility? { value { $0.visibility } }

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
    read { one, texts in
      other.read { two, others in
        texts.isSame(one.uri, as: two.uri, of: others)
          && (!onOneServer || texts[one.first].elementsEqual(others[two.first]))
      }
    }
  }

  /// Returns whether its identifier sorts before another's, byte by byte; nil if they are equal.
  func hasSmallerID(than other: Post) -> Bool? {
    if keys.idStart != other.keys.idStart { return keys.idStart < other.keys.idStart }
    return read { one, texts in
      other.read { two, others in
        let (left, right) = (texts[one.id], others[two.id])
        if left.elementsEqual(right) { return nil }
        return left.lexicographicallyPrecedes(right)
      }
    }
  }

  // Equal posts have equal identities, so nothing else needs to be hashed.
  @usableFromInline
  package func hash(into hasher: inout Hasher) { hasher.combine(identityHash) }
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
@usableFromInline
package struct Counts: Hashable, Sendable {
  @usableFromInline var packedLikes: PackedNumber
  @usableFromInline var packedReposts: PackedNumber
  @usableFromInline var packedReplies: PackedNumber
  var packedViews: PackedNumber

  package init(likes: Int? = nil, reposts: Int? = nil, replies: Int? = nil, views: Int? = nil) {
    packedLikes = PackedNumber(likes)
    packedReposts = PackedNumber(reposts)
    packedReplies = PackedNumber(replies)
    packedViews = PackedNumber(views)
  }

  @inlinable package var likes: Int? {
    get { packedLikes.value }
    set { packedLikes = PackedNumber(newValue) }
  }

  @inlinable package var reposts: Int? {
    get { packedReposts.value }
    set { packedReposts = PackedNumber(newValue) }
  }

  @inlinable package var replies: Int? {
    get { packedReplies.value }
    set { packedReplies = PackedNumber(newValue) }
  }

  package var views: Int? {
    get { packedViews.value }
    set { packedViews = PackedNumber(newValue) }
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
