package import FoundationEssentials
internal import TextFormats

/// A text in the buffer of a block; `none` where the network gives none.
@usableFromInline
package struct TextRange: Hashable, Sendable {
  package static let none = TextRange(start: .max, count: 0)
  /// An empty text, which is a text nevertheless.
  package static let empty = TextRange(start: 0, count: 0)

  @usableFromInline let start: UInt32
  @usableFromInline let size: UInt32

  private init(start: UInt32, count: UInt32) {
    self.start = start
    size = count
  }

  @inlinable
  init(_ indices: Range<Int>) {
    start = UInt32(truncatingIfNeeded: indices.lowerBound)
    size = UInt32(truncatingIfNeeded: indices.count)
  }

  @inlinable package var isNone: Bool { start == .max }
  @inlinable package var isEmpty: Bool { size == 0 }
  @inlinable package var count: Int { Int(size) }

  /// The place of its bytes; an empty one if there is none.
  @inlinable var indices: Range<Int> {
    let start = isNone ? 0 : Int(start)
    return start..<start + count
  }
}

/// Consecutive elements of a block: texts, or attachments.
@usableFromInline
package struct BlockRange<Element>: Sendable {
  @inlinable package static var empty: Self { Self(0..<0) }

  @usableFromInline let start: UInt32
  @usableFromInline let count: UInt32

  @inlinable
  init(_ indices: Range<Int>) {
    start = UInt32(truncatingIfNeeded: indices.lowerBound)
    count = UInt32(truncatingIfNeeded: indices.count)
  }

  @inlinable package var isEmpty: Bool { count == 0 }
  @inlinable var indices: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

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

/// A post as its block stores it: numbers, and the places of its texts; `Post` documents each field.
///
/// It holds no references, so copying one only copies its bytes.
@usableFromInline
package struct PackedPost: Sendable {
  package var id: TextRange
  package var uri: TextRange
  package var url = TextRange.none
  package var author = PackedAuthor()
  package var feed = TextRange.none
  package var title = TextRange.none
  package var text = TextRange.none
  var created = PackedDate()
  @usableFromInline var edited = PackedDate()
  package var language = TextRange.none
  package var furtherLanguages = BlockRange<TextRange>.empty
  package var links = BlockRange<TextRange>.empty
  package var topics = BlockRange<TextRange>.empty
  package var attachments = BlockRange<PostAttachment>.empty
  package var counts = Counts()
  package var replyTo = TextRange.none
  package var repostOf = TextRange.none
  /// The account that reposted it; without a handle, not even an empty one, it is no repost.
  var reposter = PackedAuthor()
  package var isSensitive: Bool?
  package var contentWarning = TextRange.none
  package var poll = BlockRange<TextRange>.empty
  /// Nil if it is a reply exactly where the network says to what.
  package var isReply: Bool?
  package var isMarkedAsPinned: Bool?
  package var visibility: Visibility?
  package var firstID = TextRange.none
  /// Set by the draft.
  var serverHash = 0

  package init(id: TextRange = .none, uri: TextRange = .none) {
    self.id = id
    self.uri = uri
  }
}

extension PackedPost {
  package var createdAt: Date? {
    get { created.value }
    set { created = PackedDate(newValue) }
  }

  package var editedAt: Date? {
    get { edited.value }
    set { edited = PackedDate(newValue) }
  }

  @inlinable package var isEdited: Bool { !edited.isNone }

  /// The identifier of its first version.
  var first: TextRange { firstID.isNone ? id : firstID }

  /// The account that reposted it; nil unless this is a repost.
  package var repostedBy: PackedAuthor? {
    get { reposter.handle.isNone ? nil : reposter }
    set {
      reposter = newValue ?? PackedAuthor()
      if newValue != nil, reposter.handle.isNone { reposter.handle = .empty }
    }
  }
}

/// The posts of a page in one piece: their texts one after the other in one buffer, and each post packed.
///
/// A page of a hundred posts is a handful of objects, and not a thousand strings.
// Visible to the code that `Post.read` is compiled into: every printer calls it for every post.
@usableFromInline
final class PostBlock: Sendable {
  let source: SourceName
  let server: ServerAddress
  let count: Int
  private let bytes: ByteBlock
  private let packed: [PackedPost]
  private let lists: [TextRange]
  private let attachments: [PostAttachment]
  // Where they are: nothing changes or moves them as long as the block lives.
  @usableFromInline nonisolated(unsafe) let places: UnsafeBufferPointer<PackedPost>
  @usableFromInline nonisolated(unsafe) let texts: PostTexts

  init(_ draft: consuming PageDraft) {
    source = draft.source
    server = draft.server
    count = draft.packed.count
    packed = draft.packed
    lists = draft.lists
    attachments = draft.attachments
    bytes = draft.bytes.trimmed()
    places = packed.withUnsafeBufferPointer { $0 }
    texts = PostTexts(bytes: bytes.read { $0 }, lists: lists.withUnsafeBufferPointer { $0 })
  }

  func string(_ range: TextRange) -> String? {
    range.isNone ? nil : String(decoding: texts[range], as: UTF8.self)
  }

  func strings(_ list: BlockRange<TextRange>) -> [String] {
    texts[list].map { String(decoding: $0, as: UTF8.self) }
  }

  func attachments(_ range: BlockRange<PostAttachment>) -> [PostAttachment] {
    range.isEmpty ? [] : Array(attachments[range.indices])
  }

  func author(_ packed: PackedAuthor) -> Author {
    Author(handle: string(packed.handle) ?? "", name: string(packed.name), url: string(packed.url))
  }

  /// The memory of a post.
  @inlinable
  func place(of index: Int) -> UnsafePointer<PackedPost> {
    guard places.indices.contains(index), let start = places.baseAddress else {
      preconditionFailure("a post of another block")
    }
    return start + index
  }

  /// Calls `body` with a post where it is: copying one takes longer than reading a field of it.
  @inlinable
  @inline(__always)
  func packed<Result>(_ index: Int, _ body: (borrowing PackedPost) -> Result) -> Result {
    withExtendedLifetime(self) { body(place(of: index).pointee) }
  }
}

/// The texts of a post as UTF-8; valid only within `Post.read`.
@usableFromInline
package struct PostTexts {
  @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
  @usableFromInline let lists: UnsafeBufferPointer<TextRange>

  @inlinable
  init(bytes: UnsafeBufferPointer<UInt8>, lists: UnsafeBufferPointer<TextRange>) {
    self.bytes = bytes
    self.lists = lists
  }

  /// A text; an empty one if there is none.
  @inlinable
  package subscript(_ range: TextRange) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range.indices])
  }

  /// Returns whether both texts are equal, or both are none.
  func isSame(_ range: TextRange, as other: TextRange, of texts: PostTexts) -> Bool {
    range.isNone == other.isNone && range.count == other.count
      && self[range].elementsEqual(texts[other])
  }

  /// The same for texts of one post.
  package func isSame(_ range: TextRange, as other: TextRange) -> Bool {
    isSame(range, as: other, of: self)
  }

  /// The texts of a list.
  @inlinable
  package subscript(_ list: BlockRange<TextRange>) -> ListedTexts {
    ListedTexts(texts: self, rest: list.indices)
  }
}

/// The texts of a list, one after the other; valid only within `Post.read`.
@usableFromInline
package struct ListedTexts: Sequence, IteratorProtocol {
  @usableFromInline let texts: PostTexts
  @usableFromInline var rest: Range<Int>

  @inlinable
  init(texts: PostTexts, rest: Range<Int>) {
    self.texts = texts
    self.rest = rest
  }

  @inlinable
  package mutating func next() -> UnsafeBufferPointer<UInt8>? {
    guard let index = rest.first else { return nil }
    rest = rest.dropFirst()
    return texts[texts.lists[index]]
  }
}
