package import FoundationEssentials

/// The offset of a stored property in the memory of a `PostRecord`.
///
/// A key path does the same, but takes a hundred times as long to read, and a post has 35 fields.
@usableFromInline
package struct RecordSlot<Value>: Hashable, Sendable {
  @usableFromInline let offset: Int

  init(_ path: KeyPath<PostRecord, Value>) {
    guard let offset = MemoryLayout<PostRecord>.offset(of: path) else {
      preconditionFailure("only stored properties of a record have a place")
    }
    self.offset = offset
  }
}

extension PostRecord {
  /// The value of a stored property.
  package subscript<Value>(slot: RecordSlot<Value>) -> Value {
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

/// The location of a field's value in a post, which tells its type, too.
package enum PostPlace: Hashable, Sendable {
  case text(RecordSlot<TextRange>)
  /// The name of an account; an empty one is unknown.
  case handle(RecordSlot<TextRange>)
  case list(RecordSlot<TextList>, PageDraft.ListRule)
  /// The date by which posts are sorted.
  case created(RecordSlot<Date?>)
  case date(RecordSlot<Date?>)
  case number(RecordSlot<Int?>)
  case flag(RecordSlot<Bool?>)
  case visibility(RecordSlot<Visibility?>)
  /// The addresses of the attachments.
  case addresses(RecordSlot<[PostAttachment]>)
  case attachments(RecordSlot<[PostAttachment]>)
  case context(Context)

  /// The facts about a post that its record does not hold.
  package enum Context: Hashable, Sendable {
    /// Those of its block.
    case source, server
    /// Those that the merge finds.
    case future, tags, also
  }
}

extension PostPlace {
  static func text(at path: KeyPath<PostRecord, TextRange>) -> Self { .text(RecordSlot(path)) }
  static func handle(at path: KeyPath<PostRecord, TextRange>) -> Self { .handle(RecordSlot(path)) }
  static func created(at path: KeyPath<PostRecord, Date?>) -> Self { .created(RecordSlot(path)) }
  static func date(at path: KeyPath<PostRecord, Date?>) -> Self { .date(RecordSlot(path)) }
  static func number(at path: KeyPath<PostRecord, Int?>) -> Self { .number(RecordSlot(path)) }
  static func flag(at path: KeyPath<PostRecord, Bool?>) -> Self { .flag(RecordSlot(path)) }

  static func list(
    at path: KeyPath<PostRecord, TextList>, _ rule: PageDraft.ListRule = .plain
  ) -> Self {
    .list(RecordSlot(path), rule)
  }

  static func visibility(at path: KeyPath<PostRecord, Visibility?>) -> Self {
    .visibility(RecordSlot(path))
  }

  static func addresses(at path: KeyPath<PostRecord, [PostAttachment]>) -> Self {
    .addresses(RecordSlot(path))
  }

  static func attachments(at path: KeyPath<PostRecord, [PostAttachment]>) -> Self {
    .attachments(RecordSlot(path))
  }
}
