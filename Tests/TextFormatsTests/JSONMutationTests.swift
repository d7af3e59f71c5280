import Testing

@testable import TextFormats

@Suite struct JSONMutationTests {
  /// A generator whose numbers are the same in every run (SplitMix64).
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private let sample = Array(
    #"{"v":1,"t":[{"q":"é😀\n\u00e9\ud83d\ude00","n":[-0.5e+3,0,true,false,null,{}]},[]], "x":12.0}"#
      .utf8)
  private let pieces: [[UInt8]] =
    [
      "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "\\u", "\\ud83d", "1e999", "\n",
      " ",
      "null", "tru",
    ].map { Array($0.utf8) } + [
      [0], [0x1F], [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xEF, 0xBB, 0xBF],
    ]

  private func mutant(_ generator: inout Seeded) -> [UInt8] {
    var text = sample
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let start = Int.random(in: 0...text.count, using: &generator)
      let end = min(text.count, start + Int.random(in: 0...3, using: &generator))
      text.replaceSubrange(start..<end, with: pieces.randomElement(using: &generator) ?? [])
    }
    return text
  }

  /// Returns whether simdjson reads a text.
  private func isReadByParser(_ text: [UInt8]) throws -> Bool {
    let parser = try JSONParser()
    let padded = text + [UInt8](repeating: 0, count: JSON.spareBytes)
    return padded.withUnsafeBytes { buffer in
      (try? parser.parse(UnsafeRawBufferPointer(rebasing: buffer[..<text.count]))) != nil
    }
  }

  @Test func `simdjson and the reader of documents agree on what is JSON`() throws {
    var generator = Seeded(state: 1)
    for _ in 0..<5_000 {
      let text = mutant(&generator)
      guard let value = try? JSONValue(reading: text) else {
        #expect(try !isReadByParser(text), "\(String(decoding: text, as: UTF8.self))")
        continue
      }
      // simdjson refuses numbers that it cannot hold; the reader keeps how they are written.
      let parsed = text.withUnsafeBytes { JSONRepair.mended($0) } ?? text
      #expect(try isReadByParser(parsed), "\(String(decoding: text, as: UTF8.self))")
      #expect(try JSONValue(reading: value.bytes) == value)
    }
  }

  @Test func `What is JSON reads the same with repair, and repair does not invent structure`() {
    var generator = Seeded(state: 2)
    for _ in 0..<5_000 {
      let text = mutant(&generator)
      let padded = text + [UInt8](repeating: 0, count: JSON.spareBytes)
      let isRead = padded.withUnsafeBytes { buffer in
        (try? JSON.read(padded: UnsafeRawBufferPointer(rebasing: buffer[..<text.count])) { $0.kind })
          != nil
      }
      if (try? JSONValue(reading: text)) != nil { #expect(isRead) }
      guard isRead else { continue }
      let mended = text.withUnsafeBytes { JSONRepair.mended($0) } ?? text
      #expect(throws: Never.self, "\(String(decoding: text, as: UTF8.self))") {
        try JSONValue(reading: mended)
      }
    }
  }
}
