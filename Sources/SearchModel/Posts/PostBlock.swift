internal import TextFormats

/// The posts of a page in one piece: their texts one after the other in one buffer, and each post packed.
///
/// A page of a hundred posts is a handful of objects, and not a thousand strings.
// Visible to the code that `Post.readValues` is compiled into: every printer calls it for every post.
@usableFromInline
final class PostBlock: Sendable {
  let source: SourceName
  let server: ServerAddress
  private let bytes: ByteBlock
  private let records: [PostRecord]
  private let rare: [RareFields]
  private let lists: [TextRange]
  private let attachments: [PostAttachment]
  /// The keys of each post.
  let keys: [PostKeys]
  /// A hasher that has taken the source.
  let hasher: TextHasher
  // Where they are: nothing changes or moves them as long as the block lives.
  @usableFromInline nonisolated(unsafe) let places: UnsafeBufferPointer<PostRecord>
  @usableFromInline nonisolated(unsafe) let rarePlaces: UnsafePointer<RareFields>
  @usableFromInline nonisolated(unsafe) let texts: PostTexts

  init(_ draft: consuming PageDraft) {
    source = draft.source
    server = draft.server
    records = draft.records
    rare = draft.rare
    keys = draft.keys
    hasher = draft.hasher
    lists = draft.lists
    attachments = draft.attachments
    bytes = draft.bytes.trimmed()
    places = records.withUnsafeBufferPointer { $0 }
    guard let rarePlaces = rare.withUnsafeBufferPointer(\.baseAddress) else {
      preconditionFailure("a draft begins with the rare fields of a post without any")
    }
    self.rarePlaces = rarePlaces
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
  func place(of index: Int) -> UnsafePointer<PostRecord> {
    guard places.indices.contains(index), let start = places.baseAddress else {
      preconditionFailure("a post of another block")
    }
    return start + index
  }
}

/// The texts of a post as UTF-8; valid only within `Post.readValues`.
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

/// The texts of a list, one after the other; valid only within `Post.readValues`.
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
