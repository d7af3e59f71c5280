import TestSupport
import Testing

@testable import SearchModel

/// The hash reads eight bytes at a time; here it is done byte by byte.
@Suite struct TextHasherTests {
  private static let seed: UInt64 = 0x0123_4567_89AB_CDEF
  private static let secret: UInt64 = 0xFEDC_BA98_7654_3211

  private func value(of texts: [[UInt8]]) -> Int {
    var hasher = TextHasher(seed: Self.seed, secret: Self.secret)
    for text in texts {
      // One byte further in memory, so that words lie anywhere.
      ([0] + text).withUnsafeBufferPointer { hasher.combine(.init(rebasing: $0.dropFirst())) }
    }
    return hasher.value
  }

  private func plainValue(of texts: [[UInt8]]) -> Int {
    var state = Self.seed
    func add(_ word: UInt64) {
      let product = (state ^ word).multipliedFullWidth(by: Self.secret)
      state = product.high ^ product.low
    }
    for text in texts {
      var rest = text[...]
      while rest.count >= 8 {
        add(rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
        rest = rest.dropFirst(8)
      }
      add(
        text.count < 8
          ? rest.reduce(0) { $0 << 8 | UInt64($1) }
          : text.suffix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
      add(UInt64(text.count))
    }
    return Int(truncatingIfNeeded: state)
  }

  @Test func `Texts of any length have the hash of their bytes`() {
    var numbers = SeededRandom(seed: 3)
    for length in 0...100 {
      let text = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      let other = (0..<(100 - length)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      #expect(value(of: [text]) == plainValue(of: [text]))
      #expect(value(of: [text, other]) == plainValue(of: [text, other]))
    }
  }

  @Test func `A changed bit, a moved boundary and zeros at the end change the hash`() {
    let text = (0..<40).map { UInt8($0) }
    var values: Set<Int> = [value(of: [text])]
    for place in text.indices {
      for bit in 0..<8 {
        var changed = text
        changed[place] ^= 1 << UInt8(bit)
        #expect(values.insert(value(of: [changed])).inserted, "\(place), bit \(bit)")
      }
      let parts = [Array(text[..<place]), Array(text[place...])]
      #expect(values.insert(value(of: parts)).inserted, "\(place)")
      let longer = text + [UInt8](repeating: 0, count: place + 1)
      #expect(values.insert(value(of: [longer])).inserted, "\(place)")
    }
  }

  @Test func `A string has the hash of its bytes`() {
    for text in ["", "a", "Zürich 😀", String(repeating: "é", count: 50)] {
      var (one, other) = (TextHasher(), TextHasher())
      one.combine(text)
      Array(text.utf8).withUnsafeBufferPointer { other.combine($0) }
      #expect(one.value == other.value)
    }
  }
}
