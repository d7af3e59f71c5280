internal import TextFormats

/// The key of a member, to `switch` over.
///
/// Valid as long as the node that it was made of. It stands here and not beside `JSONNode` so that the
/// comparisons, a dozen for each member, are compiled into the `switch`.
struct MemberKey {
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ key: JSONNode) {
    bytes = key.stringBytes ?? UnsafeBufferPointer(start: nil, count: 0)
  }

  @inline(__always)
  static func ~= (text: StaticString, key: MemberKey) -> Bool {
    guard key.bytes.count == text.utf8CodeUnitCount else { return false }
    for position in key.bytes.indices where key.bytes[position] != text.utf8Start[position] {
      return false
    }
    return true
  }
}
