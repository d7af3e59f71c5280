package import FoundationEssentials

/// The values of a post that is read where it is, with texts as UTF-8; valid only within `readEach` and
/// `Post.readValues`.
// Pointers, as copying a post takes two retains, for which threads that read one page wait for each other.
@usableFromInline
package struct PostValues {
  @usableFromInline let place: UnsafePointer<PostRecord>
  @usableFromInline let rarePlaces: UnsafePointer<RareFields>
  @usableFromInline package let texts: PostTexts
  /// The rest, of which most readers need little.
  @usableFromInline let post: UnsafePointer<Post>

  init(of post: UnsafePointer<Post>) {
    self.post = post
    // The array that holds the post retains its block.
    (place, rarePlaces, texts) = Unmanaged.passUnretained(post.pointee.block)
      ._withUnsafeGuaranteedRef { ($0.place(of: post.pointee.index), $0.rarePlaces, $0.texts) }
  }

  @inlinable
  func load<Value>(_ slot: PostSlot<Value>) -> Value {
    if !slot.isRare {
      return UnsafeRawPointer(place).load(fromByteOffset: slot.offset, as: Value.self)
    }
    return UnsafeRawPointer(rarePlaces + Int(place.pointee.rareIndex))
      .load(fromByteOffset: slot.offset - MemoryLayout<PostRecord>.stride, as: Value.self)
  }

  /// A copy of the post.
  package var whole: Post { post.pointee }
  /// The fields that most posts have.
  @inlinable package var record: PostRecord { place.pointee }
  /// True if it has any of the fields that few posts have.
  @inlinable package var hasRareFields: Bool { place.pointee.rareIndex > 0 }
  /// The fields that few posts have.
  @inlinable package var rare: RareFields { rarePlaces[Int(place.pointee.rareIndex)] }
  /// Identifies its page, whose posts are of one network and server, as long as one of them lives.
  package var page: ObjectIdentifier { ObjectIdentifier(post.pointee.block) }
  /// The bytes of all texts of its page.
  package var pageSize: Int { texts.bytes.count }
  package var source: SourceName { post.pointee.source }
  package var server: ServerAddress { post.pointee.server }
  package var createdAt: Date? { post.pointee.createdAt }
  package var isFuture: Bool { post.pointee.isFuture }
  var identityHash: Int { post.pointee.identityHash }
  @inlinable package var tags: [String] { post.pointee.tags }
  package var also: [PostCopy] { post.pointee.also }
  /// True if it lists copies; few do, and reading the list takes a retain.
  package var hasCopies: Bool { post.pointee.hasCopies }

  /// The identifier of its first version.
  var first: TextRange { place.pointee.firstID(rare) }

  /// A text; nil if there is none.
  @inlinable
  package func text(_ slot: PostSlot<TextRange>) -> UnsafeBufferPointer<UInt8>? {
    let range = load(slot)
    return range.isNone ? nil : texts[range]
  }

  /// The texts of a list; nil if it is empty.
  package func list(_ slot: PostSlot<BlockRange<TextRange>>) -> ListedTexts? {
    let list = load(slot)
    return list.isEmpty ? nil : texts[list]
  }

  package func date(_ slot: PostSlot<PackedDate>) -> Date? { load(slot).value }

  @inlinable
  package func number(_ slot: PostSlot<PackedNumber>) -> Int? { load(slot).value }

  @inlinable
  package func flag(_ slot: PostSlot<Bool?>) -> Bool? { load(slot) }

  package func visibility(_ slot: PostSlot<Visibility?>) -> Visibility? { load(slot) }

  package func attachments(_ slot: PostSlot<BlockRange<PostAttachment>>) -> [PostAttachment] {
    // Before the block is touched, which takes a retain; most posts have none.
    let range = load(slot)
    return range.isEmpty ? [] : post.pointee.block.attachments(range)
  }

  /// Returns whether there is a value at a place, even an empty text.
  package func hasValue(at place: PostPlace) -> Bool {
    switch place {
    case .text(let slot), .handle(let slot): text(slot) != nil
    case .list(let slot, _): !load(slot).isEmpty
    case .created: createdAt != nil
    case .date(let slot): date(slot) != nil
    case .number(let slot): number(slot) != nil
    case .flag(let slot): flag(slot) != nil
    case .visibility(let slot): visibility(slot) != nil
    case .addresses(let slot), .attachments(let slot): !load(slot).isEmpty
    case .context(.source), .context(.server): true
    case .context(.future): isFuture
    case .context(.tags): !tags.isEmpty
    case .context(.also): hasCopies
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
      default: false
      }
    case .list(let slot, _):
      switch (list(slot), other.list(slot)) {
      case (nil, nil): true
      case (let one?, let two?): one.elementsEqual(two) { $0.elementsEqual($1) }
      default: false
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
    withUnsafePointer(to: self) { body(PostValues(of: $0)) }
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
