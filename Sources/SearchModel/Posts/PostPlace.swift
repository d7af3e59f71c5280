package import FoundationEssentials

/// The offset of a stored property in the memory of a `PackedPost`: in its record, or after it in its rare fields.
///
/// A key path does the same, but takes a hundred times as long to read, and a post has 35 fields.
@usableFromInline
package struct PostSlot<Value>: Hashable, Sendable {
  @usableFromInline let offset: Int

  init(_ path: KeyPath<PackedPost, Value>) {
    guard let offset = MemoryLayout<PackedPost>.offset(of: path) else {
      preconditionFailure("only stored properties of a packed post have a place")
    }
    self.offset = offset
  }

  /// True if the property is one of the rare fields.
  @inlinable var isRare: Bool { offset >= MemoryLayout<PostRecord>.stride }
}

extension PackedPost {
  /// The value of a stored property.
  package subscript<Value>(slot: PostSlot<Value>) -> Value {
    get { withUnsafeBytes(of: self) { $0.load(fromByteOffset: slot.offset, as: Value.self) } }
    set {
      withUnsafeMutableBytes(of: &self) { memory in
        // The slot was made from a path to a property of this type.
        memory.baseAddress?.advanced(by: slot.offset).assumingMemoryBound(to: Value.self)
          .pointee = newValue
      }
    }
  }
}

extension PackedPost {
  package subscript(slot: PostSlot<PackedNumber>) -> Int? {
    get { self[slot].value }
    set { self[slot] = PackedNumber(newValue) }
  }

  package subscript(slot: PostSlot<PackedDate>) -> Date? {
    get { self[slot].value }
    set { self[slot] = PackedDate(newValue) }
  }
}

/// The location of a field's value in a post, which tells its type, too.
package enum PostPlace: Hashable, Sendable {
  case text(PostSlot<TextRange>)
  /// The name of an account; an empty one is unknown.
  case handle(PostSlot<TextRange>)
  case list(PostSlot<BlockRange<TextRange>>, PageDraft.ListRule)
  /// The date by which posts are sorted.
  case created(PostSlot<PackedDate>)
  case date(PostSlot<PackedDate>)
  case number(PostSlot<PackedNumber>)
  case flag(PostSlot<Bool?>)
  case visibility(PostSlot<Visibility?>)
  /// The addresses of the attachments.
  case addresses(PostSlot<BlockRange<PostAttachment>>)
  case attachments(PostSlot<BlockRange<PostAttachment>>)
  case context(Context)

  /// The facts about a post that a packed post does not hold.
  package enum Context: Hashable, Sendable {
    /// Those of its block.
    case source, server
    /// Those that the merge finds.
    case future, tags, also
  }
}

extension PostPlace {
  /// True if it is among the rare fields, which most posts lack.
  package var isRare: Bool {
    switch self {
    case .text(let slot), .handle(let slot): slot.isRare
    case .list(let slot, _): slot.isRare
    case .created(let slot), .date(let slot): slot.isRare
    case .number(let slot): slot.isRare
    case .flag(let slot): slot.isRare
    case .visibility(let slot): slot.isRare
    case .addresses(let slot), .attachments(let slot): slot.isRare
    case .context: false
    }
  }

  static func text(at path: KeyPath<PackedPost, TextRange>) -> Self { .text(PostSlot(path)) }
  static func handle(at path: KeyPath<PackedPost, TextRange>) -> Self { .handle(PostSlot(path)) }
  static func created(at path: KeyPath<PackedPost, PackedDate>) -> Self { .created(PostSlot(path)) }
  static func date(at path: KeyPath<PackedPost, PackedDate>) -> Self { .date(PostSlot(path)) }
  static func number(at path: KeyPath<PackedPost, PackedNumber>) -> Self { .number(PostSlot(path)) }
  static func flag(at path: KeyPath<PackedPost, Bool?>) -> Self { .flag(PostSlot(path)) }

  static func list(
    at path: KeyPath<PackedPost, BlockRange<TextRange>>, _ rule: PageDraft.ListRule = .plain
  ) -> Self {
    .list(PostSlot(path), rule)
  }

  static func visibility(at path: KeyPath<PackedPost, Visibility?>) -> Self {
    .visibility(PostSlot(path))
  }

  static func addresses(at path: KeyPath<PackedPost, BlockRange<PostAttachment>>) -> Self {
    .addresses(PostSlot(path))
  }

  static func attachments(at path: KeyPath<PackedPost, BlockRange<PostAttachment>>) -> Self {
    .attachments(PostSlot(path))
  }
}
