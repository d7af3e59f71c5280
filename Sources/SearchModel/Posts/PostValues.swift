package import FoundationEssentials

/// The values of a post by the places of its fields, with texts as UTF-8; valid only within
/// `Post.readValues`.
@usableFromInline
package struct PostValues {
  // One `PackedPost`: a slot is the offset of one of its properties.
  @usableFromInline let packed: UnsafeRawBufferPointer
  @usableFromInline let texts: PostTexts
  /// The rest, of which most readers need little.
  private let post: UnsafePointer<Post>

  fileprivate init(
    of post: UnsafePointer<Post>, _ packed: UnsafeRawBufferPointer, _ texts: PostTexts
  ) {
    self.post = post
    self.packed = packed
    self.texts = texts
  }

  package var source: SourceName { post.pointee.source }
  package var server: ServerAddress { post.pointee.server }
  package var createdAt: Date? { post.pointee.createdAt }
  package var isFuture: Bool { post.pointee.isFuture }
  package var tags: [String] { post.pointee.tags }
  package var also: [PostCopy] { post.pointee.also }

  /// A text; nil if there is none.
  @inlinable
  package func text(_ slot: PostSlot<TextRange>) -> UnsafeBufferPointer<UInt8>? {
    let range = packed.load(fromByteOffset: slot.offset, as: TextRange.self)
    return range.isNone ? nil : texts[range]
  }

  /// The texts of a list; nil if it is empty.
  package func list(_ slot: PostSlot<BlockRange<TextRange>>) -> ListedTexts? {
    let list = packed.load(fromByteOffset: slot.offset, as: BlockRange<TextRange>.self)
    return list.isEmpty ? nil : texts[list]
  }

  package func date(_ slot: PostSlot<Date?>) -> Date? {
    packed.load(fromByteOffset: slot.offset, as: Date?.self)
  }

  @inlinable
  package func number(_ slot: PostSlot<Int?>) -> Int? {
    packed.load(fromByteOffset: slot.offset, as: Int?.self)
  }

  @inlinable
  package func flag(_ slot: PostSlot<Bool?>) -> Bool? {
    packed.load(fromByteOffset: slot.offset, as: Bool?.self)
  }

  package func visibility(_ slot: PostSlot<Visibility?>) -> Visibility? {
    packed.load(fromByteOffset: slot.offset, as: Visibility?.self)
  }

  package func attachments(_ slot: PostSlot<BlockRange<PostAttachment>>) -> [PostAttachment] {
    post.pointee.block.attachments(
      packed.load(fromByteOffset: slot.offset, as: BlockRange<PostAttachment>.self))
  }

  /// Returns whether there is a value at a place, even an empty text.
  package func hasValue(at place: PostPlace) -> Bool {
    switch place {
    case .text(let slot), .handle(let slot): text(slot) != nil
    case .list(let slot, _):
      !packed.load(fromByteOffset: slot.offset, as: BlockRange<TextRange>.self).isEmpty
    case .created: createdAt != nil
    case .date(let slot): date(slot) != nil
    case .number(let slot): number(slot) != nil
    case .flag(let slot): flag(slot) != nil
    case .visibility(let slot): visibility(slot) != nil
    case .addresses(let slot), .attachments(let slot):
      !packed.load(fromByteOffset: slot.offset, as: BlockRange<PostAttachment>.self).isEmpty
    case .context(.source), .context(.server): true
    case .context(.future): isFuture
    case .context(.tags): !tags.isEmpty
    case .context(.also): !also.isEmpty
    }
  }

  /// Returns whether another post has the same value at a place of the packed post, but for the date by which
  /// posts are sorted, which the merge may remove.
  fileprivate func isSame(as other: PostValues, at place: PostPlace) -> Bool {
    switch place {
    case .text(let slot), .handle(let slot):
      switch (text(slot), other.text(slot)) {
      case (nil, nil): true
      case (let one?, let two?): one.elementsEqual(two)
      case _: false
      }
    case .list(let slot, _):
      switch (list(slot), other.list(slot)) {
      case (nil, nil): true
      case (let one?, let two?): one.elementsEqual(two) { $0.elementsEqual($1) }
      case _: false
      }
    case .date(let slot): date(slot) == other.date(slot)
    case .number(let slot): number(slot) == other.number(slot)
    case .flag(let slot): flag(slot) == other.flag(slot)
    case .visibility(let slot): visibility(slot) == other.visibility(slot)
    case .addresses(let slot), .attachments(let slot):
      attachments(slot) == other.attachments(slot)
    case .created, .context: true
    }
  }
}

extension Post {
  /// Calls `body` with the values of the post.
  package func readValues<Result>(_ body: (PostValues) -> Result) -> Result {
    withUnsafePointer(to: self) { post in
      readMemory { packed, texts in body(PostValues(of: post, packed, texts)) }
    }
  }

  /// Returns whether another post has the same values, but for those that the merge sets.
  func hasSameContent(as other: Post) -> Bool {
    guard source == other.source, server == other.server, firstID == other.firstID,
      furtherLanguages == other.furtherLanguages
    else { return false }
    return readValues { one in
      other.readValues { two in PostField.places.allSatisfy { one.isSame(as: two, at: $0) } }
    }
  }
}
