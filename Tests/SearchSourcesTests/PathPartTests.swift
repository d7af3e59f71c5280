import Testing
import TextFormats

@testable import SearchSources

@Suite struct PathPartTests {
  @Test func `Bytes and text make the same part of a path, wherever a character needs encoding`() {
    for length in 0...20 {
      let plain = String(repeating: "aZ09", count: 5).prefix(length)
      for place in 0...length {
        for character in (0...0x7F).map({ Character(UnicodeScalar(UInt8($0))) }) + ["é", "日", "😀"] {
          let text = "\(plain.prefix(place))\(character)\(plain.dropFirst(place))"
          var block = ByteBlock(capacity: 0)
          Array(text.utf8).withUnsafeBufferPointer { PathPart.append($0, to: &block) }
          let part = String(decoding: block.bytes, as: UTF8.self)
          #expect(part == PathPart.of(text), "\(text)")
        }
      }
    }
  }
}
