package import TextFormats

/// The posts of a page while it is read: an adapter keeps texts, and adds a packed post for each post.
@usableFromInline
package struct PageDraft: ~Copyable {
  /// The size of all texts of a page, far beyond `PageBuilder.mostBytes`; ranges end at twice this.
  private static let mostBytes = 1 << 31

  /// Shared by all pages without rare fields.
  private static let noRareFields = [RareFields()]

  let source: SourceName
  package let server: ServerAddress
  private(set) var bytes: ByteBlock
  @usableFromInline var lists: [TextRange] = []
  private(set) var attachments: [PostAttachment] = []
  private(set) var records: [PostRecord] = []
  /// The rare fields of posts that have some, after those of a post that has none.
  private(set) var rare = noRareFields
  private(set) var keys: [PostKeys] = []
  /// A hasher that has taken the source.
  private(set) var hasher = TextHasher()

  /// The number of posts so far.
  package var count: Int { records.count }

  /// - Parameter count: The expected number of posts.
  package init(source: SourceName, server: ServerAddress, expecting count: Int = 1) {
    self.source = source
    self.server = server
    bytes = ByteBlock(capacity: count * 400)
    records.reserveCapacity(count)
    keys.reserveCapacity(count)
    hasher.combine(source.rawValue)
  }

  /// The posts that were added.
  package consuming func posts() -> [Post] {
    let block = PostBlock(self)
    return block.keys.indices.map { Post(block, at: $0) }
  }

  // MARK: Texts

  /// The size of all texts so far.
  package var size: Int { bytes.count }

  /// Keeps a text; nil is none.
  @usableFromInline
  package mutating func keep(_ text: UnsafeBufferPointer<UInt8>?) -> TextRange {
    guard let text else { return .none }
    return write { $0.append(text) }
  }

  /// Keeps a text; nil is none.
  package mutating func keep(_ text: String?) -> TextRange {
    guard let text else { return .none }
    return write { $0.append(text) }
  }

  /// Keeps a text; if an earlier one ends with it, the two share their bytes. Nil gives `.none`.
  ///
  /// The identifier of a post is often the end of its address.
  package mutating func keep(
    _ text: UnsafeBufferPointer<UInt8>?, endOf other: TextRange
  ) -> TextRange {
    guard let text, let start = text.baseAddress, text.count <= other.count else {
      return keep(text)
    }
    let offset = other.count - text.count
    let isEnd = read(other) { other in
      other.baseAddress.map { ByteSearch.areSame($0 + offset, start, count: text.count) } ?? false
    }
    return isEnd ? other.part(from: offset, count: text.count) : keep(text)
  }

  /// Joins a text with the end of another one and keeps the result; returns `.none` if either is `.none`.
  ///
  /// - Parameter offset: Where that end begins, in bytes.
  package mutating func join(
    _ text: TextRange, _ other: TextRange, from offset: Int
  ) -> TextRange {
    guard !text.isNone, !other.isNone, offset <= other.count else { return .none }
    let end = other.part(from: offset, count: other.count - offset)
    return write { bytes in
      bytes.append(copyOf: text.indices)
      bytes.append(copyOf: end.indices)
    }
  }

  /// Keeps what is written to the end of the texts before it.
  package mutating func write(_ body: (inout ByteBlock) -> Void) -> TextRange {
    let start = bytes.count
    body(&bytes)
    guard bytes.count <= Self.mostBytes else {
      bytes.removeAll(after: start)
      return .none
    }
    return TextRange(start..<bytes.count)
  }

  /// Keeps texts as a list.
  @inlinable
  package mutating func list(
    _ texts: some Sequence<UnsafeBufferPointer<UInt8>>
  ) -> BlockRange<TextRange> {
    let start = lists.count
    for text in texts { append(text) }
    return BlockRange(start..<lists.count)
  }

  @usableFromInline
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) { lists.append(keep(text)) }

  package mutating func list(_ texts: [String]) -> BlockRange<TextRange> {
    if texts.isEmpty { return .empty }
    for text in texts { lists.append(keep(text)) }
    return BlockRange(lists.count - texts.count..<lists.count)
  }

  /// The treatment of the texts of a list.
  package enum ListRule: Hashable, Sendable {
    case plain
    /// Each on one line, as formats of lines separate them by line breaks.
    case lines
    /// Each on one line and once, a bounded number of them.
    case topics
  }

  /// Keeps texts as a list.
  package mutating func list(_ texts: [String], _ rule: ListRule) -> BlockRange<TextRange> {
    switch rule {
    case .plain: list(texts)
    case .lines: list(lines: texts)
    case .topics: list(topics: texts)
    }
  }

  /// Keeps texts as a list, each on one line, as formats of lines separate them by line breaks.
  package mutating func list(lines texts: [String]) -> BlockRange<TextRange> {
    if texts.isEmpty { return .empty }
    return list(texts.map { BoundedText.of(Self.line($0)) })
  }

  private static func line(_ text: String) -> String {
    // As most are.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  @usableFromInline
  package mutating func list(topics: [String]) -> BlockRange<TextRange> {
    list(Topic.bounded(topics))
  }

  /// The same for topics that are given as UTF-8, in a sequence that can be gone through twice.
  @inlinable
  package mutating func list(
    topics: some Sequence<UnsafeBufferPointer<UInt8>>
  ) -> BlockRange<TextRange> {
    let start = lists.count
    for topic in topics where !append(topic: topic, toListFrom: start) {
      lists.removeLast(lists.count - start)
      return list(topics: topics.map { String(decoding: $0, as: UTF8.self) })
    }
    return BlockRange(start..<lists.count)
  }

  /// Keeps a topic as the next one of a list, if `Topic.bounded` would surely do so.
  @usableFromInline
  mutating func append(topic: UnsafeBufferPointer<UInt8>, toListFrom start: Int) -> Bool {
    guard lists.count - start < Topic.most, Topic.isPlain(topic) else { return false }
    for index in start..<lists.count {
      if read(lists[index], { $0.elementsEqual(topic) }) { return false }
    }
    append(topic)
    return true
  }

  /// Keeps attachments as a list.
  package mutating func list(_ attachments: [PostAttachment]) -> BlockRange<PostAttachment> {
    if attachments.isEmpty { return .empty }
    self.attachments += attachments
    let end = self.attachments.count
    return BlockRange(end - attachments.count..<end)
  }

  package mutating func keep(_ author: Author) -> PackedAuthor {
    PackedAuthor(handle: keep(author.handle), name: keep(author.name), url: keep(author.url))
  }

  /// Calls `body` with a text that was kept.
  package func read<Result>(
    _ range: TextRange, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    bytes.read { body(UnsafeBufferPointer(rebasing: $0[range.indices])) }
  }

  // MARK: Posts

  /// Finishes a post and adds it, unless its `serverHash` is among those of other posts; returns whether it did.
  package mutating func add(_ post: inout PackedPost, unlessIn others: inout SeenHashes) -> Bool {
    let identity = finish(&post)
    let isNew = others.insert(read(post.first) { identity.adding($0).value })
    if isNew { append(&post, identity) }
    return isNew
  }

  /// Adds a post.
  package mutating func add(_ post: consuming PackedPost) {
    let identity = finish(&post)
    append(&post, identity)
  }

  private mutating func append(_ post: inout PackedPost, _ identity: TextHasher) {
    if !post.rare.isEmpty {
      post.record.rareIndex = UInt32(truncatingIfNeeded: rare.count)
      rare.append(post.rare)
    }
    records.append(post.record)
    keys.append(
      PostKeys(identityHash: identity.value, idStart: read(post.id) { IdentifierStart($0) }))
  }

  /// Gives equal posts equal values, cuts texts that are too long, and returns the hasher after the `uri`.
  private mutating func finish(_ post: inout PackedPost) -> TextHasher {
    if post.id.isNone { post.id = .empty }
    if post.isReply == !post.replyTo.isNone { post.isReply = nil }
    if post.isMarkedAsPinned == false { post.isMarkedAsPinned = nil }
    // Many servers date the last change of a post that nobody has changed, too: to the moment it was written.
    if let edited = post.editedAt, let created = post.createdAt, edited <= created {
      post.editedAt = nil
    }
    post.title = bounded(post.title)
    post.text = post.text.isNone ? .empty : bounded(post.text)
    post.author.handle = post.author.handle.isEmpty ? .none : bounded(post.author.handle)
    post.author.name = bounded(post.author.name)
    post.feed = post.feed.isEmpty ? .none : bounded(post.feed)
    post.contentWarning = post.contentWarning.isEmpty ? .none : bounded(post.contentWarning)
    return read(post.uri) { hasher.adding($0) }
  }

  private mutating func bounded(_ range: TextRange) -> TextRange {
    guard range.count > BoundedText.longest else { return range }
    return keep(BoundedText.of(read(range) { String(decoding: $0, as: UTF8.self) }))
  }
}
