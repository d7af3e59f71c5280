import FoundationEssentials
import TestSupport
import Testing
import TextFormats

/// The form that most networks write is read by code of its own. The same text with a small `z` is read by
/// the code for all other forms, which is the measure here.
@Suite struct RFC3339ReadingTests {
  private func isReadAlike(_ text: String) -> Bool {
    let other = text.hasSuffix("Z") ? text.dropLast() + "z" : text[...]
    return RFC3339.parse(text) == RFC3339.parse(String(other))
  }

  @Test func `Random dates are read as in any other form`() {
    var numbers = SeededRandom(seed: 1)
    func two(_ range: ClosedRange<Int>) -> String {
      let number = Int.random(in: range, using: &numbers)
      return number < 10 ? "0\(number)" : "\(number)"
    }
    var readable = 0
    for _ in 0..<20_000 {
      // Some of them are no date: the 31st of a short month, 24 o'clock, a second too many.
      let day = "\(two(0...99))\(two(0...99))-\(two(0...13))-\(two(0...32))"
      let time = "\(two(0...25)):\(two(0...61)):\(two(0...62))"
      for text in ["\(day)T\(time)Z", "\(day)T\(time).\(two(0...9).suffix(1))\(two(0...99))Z"] {
        #expect(isReadAlike(text), "\(text)")
        if RFC3339.parse(text) != nil { readable += 1 }
      }
    }
    #expect(readable > 20_000)
  }

  @Test func `Texts that are almost dates are read as in any other form`() {
    let bytes: [UInt8] = (0...127) + [0x80, 0xC3, 0xFF]
    for date in ["2026-11-21T09:08:07Z", "2026-11-21T09:08:07.654Z"] {
      for place in 0..<(date.utf8.count - 1) {
        for byte in bytes {
          var text = Array(date.utf8)
          text[place] = byte
          #expect(isReadAlike(text), "\(text)")
        }
        let (before, after) = (date.utf8.prefix(place), date.utf8.dropFirst(place))
        #expect(isReadAlike(Array(before) + after.dropFirst()), "without byte \(place)")
        #expect(isReadAlike(Array(before) + after.prefix(1) + after), "byte \(place) twice")
      }
    }
  }

  private func isReadAlike(_ text: [UInt8]) -> Bool {
    parse(text) == parse(text.dropLast() + [UInt8(ascii: "z")])
  }

  private func parse(_ bytes: [UInt8]) -> Date? {
    bytes.withUnsafeBufferPointer { RFC3339.parse(utf8: $0) }
  }
}
