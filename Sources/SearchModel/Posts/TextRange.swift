/// A text in the buffer of a block; `none` where the network gives none.
@usableFromInline
package struct TextRange: Hashable, Sendable {
  @inlinable package static var none: TextRange { TextRange(start: .max, count: 0) }
  /// An empty text, which is a text nevertheless.
  package static let empty = TextRange(start: 0, count: 0)

  @usableFromInline let start: UInt32
  @usableFromInline let size: UInt32

  @inlinable
  init(start: UInt32, count: UInt32) {
    self.start = start
    size = count
  }

  @inlinable
  init(_ indices: Range<Int>) {
    start = UInt32(truncatingIfNeeded: indices.lowerBound)
    size = UInt32(truncatingIfNeeded: indices.count)
  }

  /// The text of a part of its bytes.
  ///
  /// - Parameter offset: Where the part begins, in bytes.
  func part(from offset: Int, count: Int) -> TextRange {
    let start = indices.lowerBound + offset
    return TextRange(start..<start + count)
  }

  @inlinable package var isNone: Bool { start == .max }
  @inlinable package var isEmpty: Bool { size == 0 }
  @inlinable package var count: Int { Int(size) }

  /// The range of the text's bytes; empty if there is no text.
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
