package import FoundationEssentials

/// An account, as a block stores it.
package struct PackedAuthor: Sendable {
  package var handle: TextRange
  package var name: TextRange
  package var url: TextRange

  package init(handle: TextRange = .none, name: TextRange = .none, url: TextRange = .none) {
    self.handle = handle
    self.name = name
    self.url = url
  }

  /// True if nothing is known of the account.
  package var isUnknown: Bool { handle.isEmpty && name.isNone && url.isNone }
}

/// The fields of a post that posts of most networks have: numbers, and the places of its texts.
///
/// `Post` documents each field. It holds no references, so copying one only copies its bytes.
@usableFromInline
package struct PostRecord: Sendable {
  package var id = TextRange.none
  package var uri = TextRange.none
  package var url = TextRange.none
  package var author = PackedAuthor()
  package var title = TextRange.none
  package var text = TextRange.none
  var created = PackedDate()
  package var language = TextRange.none
  package var links = BlockRange<TextRange>.empty
  package var topics = BlockRange<TextRange>.empty
  package var attachments = BlockRange<PostAttachment>.empty
  package var counts = Counts()
  package var replyTo = TextRange.none
  package var isSensitive: Bool?
  /// Nil if it is a reply exactly where the network says to what.
  package var isReply: Bool?
  package var isMarkedAsPinned: Bool?
  package var visibility: Visibility?
  /// The index of the post's rare fields in its block; 0 if it has no rare fields.
  @usableFromInline var rareIndex: UInt32 = 0

  /// The identifier of the post's first version.
  func firstID(_ rare: borrowing RareFields) -> TextRange {
    rare.firstID.isNone ? id : rare.firstID
  }
}

/// The fields of a post that few posts have.
@usableFromInline
package struct RareFields: Sendable {
  package var feed = TextRange.none
  var edited = PackedDate()
  package var furtherLanguages = BlockRange<TextRange>.empty
  package var repostOf = TextRange.none
  /// The account that reposted it. The post is a repost if this has a handle, even an empty one.
  var reposter = PackedAuthor()
  package var contentWarning = TextRange.none
  package var poll = BlockRange<TextRange>.empty
  package var firstID = TextRange.none

  /// The account that reposted it; nil unless this is a repost.
  package var repostedBy: PackedAuthor? { reposter.handle.isNone ? nil : reposter }

  /// True if the post has no rare fields.
  var isEmpty: Bool {
    feed.isNone && edited.isNone && furtherLanguages.isEmpty && repostOf.isNone
      && reposter.handle.isNone && reposter.name.isNone && reposter.url.isNone
      && contentWarning.isNone && poll.isEmpty && firstID.isNone
  }
}

/// A post as an adapter makes it: all fields, as members of this one.
///
/// A block stores the rare ones apart, as they would be a third of its memory.
@usableFromInline
@dynamicMemberLookup
package struct PackedPost: Sendable {
  @usableFromInline var record = PostRecord()
  @usableFromInline var rare = RareFields()

  package init(id: TextRange = .none, uri: TextRange = .none) {
    record.id = id
    record.uri = uri
  }

  @inlinable
  package subscript<Value>(dynamicMember path: WritableKeyPath<PostRecord, Value>) -> Value {
    get { record[keyPath: path] }
    set { record[keyPath: path] = newValue }
  }

  @inlinable
  package subscript<Value>(dynamicMember path: WritableKeyPath<RareFields, Value>) -> Value {
    get { rare[keyPath: path] }
    set { rare[keyPath: path] = newValue }
  }

  package var createdAt: Date? {
    get { record.created.value }
    set { record.created = PackedDate(newValue) }
  }

  package var editedAt: Date? {
    get { rare.edited.value }
    set { rare.edited = PackedDate(newValue) }
  }

  /// The account that reposted it; nil unless this is a repost.
  package var repostedBy: PackedAuthor? {
    get { rare.repostedBy }
    set {
      rare.reposter = newValue ?? PackedAuthor()
      if newValue != nil, rare.reposter.handle.isNone { rare.reposter.handle = .empty }
    }
  }

  /// The identifier of its first version.
  var first: TextRange { record.firstID(rare) }
}
