import Testing
import TextFormats

@testable import SearchSources

@Suite struct IdentifierKeyTests {
  private func key(_ json: String) throws -> IdentifierKey {
    let text = Array("[\(json)]".utf8)
    return try (text + Array(repeating: 0, count: JSON.spareBytes)).withUnsafeBytes { buffer in
      try JSON.read(padded: UnsafeRawBufferPointer(rebasing: buffer[..<text.count])) { root in
        IdentifierKey(root.elements.first { _ in true })
      }
    }
  }

  @Test(
    arguments: [
      ("12", 12), (#""12""#, 12), (#""9""#, 9), (#""123456789012345678""#, 123_456_789_012_345_678),
      (#""1234567890123456789""#, 1_234_567_890_123_456_789), ("18446744073709551615", .max),
      (#""18446744073709551615""#, .max), ("12.0", 12),
    ] as [(String, UInt64)])
  func `A number and its digits are one identifier`(json: String, number: UInt64) throws {
    #expect(try key(json) == .number(number))
  }

  @Test(arguments: [
    "007", "0", "+1", "-1", "1a", "18446744073709551616", "a", " 1", "1.0", "１",
  ])
  func `Any other text is an identifier of its own`(text: String) throws {
    #expect(try key(#""\#(text)""#) == .text(text))
  }

  @Test(arguments: ["\"\"", "null", "true", "1.5", "[1]", #"{"id": 1}"#])
  func `Anything else is none`(json: String) throws {
    #expect(try key(json) == .none)
  }

  @Test func `A missing value is none`() {
    #expect(IdentifierKey(nil) == .none)
  }
}
