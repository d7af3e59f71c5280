/// A key of our own, which needs no escapes, as an object shows it: in quotation marks, with a colon.
// Three words that are stored at once: an output of posts is half keys.
package struct JSONKey: Sendable {
  /// The most bytes of the words.
  static let most = 24

  let name: StaticString
  /// Its bytes, the first one lowest.
  let words: (UInt64, UInt64, UInt64)
  /// The number of its bytes; 0 if they are too many.
  let count: Int

  package init(_ name: StaticString) {
    self.name = name
    let bytes = Array("\"\(name)\":".utf8)
    count = bytes.count <= Self.most ? bytes.count : 0
    func word(_ start: Int) -> UInt64 {
      bytes.dropFirst(start).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    words = (word(0), word(8), word(16))
  }
}
