/// A hash of texts for one process: seeded as `Hasher` is, and several times as fast.
///
/// Eight bytes at a time are multiplied with a secret factor, and both halves of the product joined.
package struct TextHasher: Sendable {
  private static let seed = Hasher.seed(0)
  private static let secret = Hasher.seed(1) | 1

  private var state: UInt64
  private let factor: UInt64

  /// The hash of no text yet, with the numbers of this process.
  package init() { self.init(seed: Self.seed, secret: Self.secret) }

  init(seed: UInt64, secret: UInt64) { (state, factor) = (seed, secret) }

  package mutating func combine(_ text: UnsafeBufferPointer<UInt8>) {
    let bytes = UnsafeRawBufferPointer(text)
    let words = bytes.count / 8
    for word in 0..<words {
      add(bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self))
    }
    // The last eight bytes once more, where there are as many.
    var rest: UInt64 = 0
    if words > 0 {
      rest = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
    } else {
      for byte in bytes { rest = rest << 8 | UInt64(byte) }
    }
    add(rest)
    add(UInt64(bytes.count))
  }

  mutating func combine(_ text: String) {
    var text = text
    text.withUTF8 { combine($0) }
  }

  package var value: Int { Int(truncatingIfNeeded: state) }

  /// A copy that has taken a further text.
  func adding(_ text: UnsafeBufferPointer<UInt8>) -> TextHasher {
    var copy = self
    copy.combine(text)
    return copy
  }

  private mutating func add(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: factor)
    state = product.high ^ product.low
  }
}

extension Hasher {
  /// Returns a number that is different in each process.
  fileprivate static func seed(_ number: Int) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(number)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}
