import TestSupport
import Testing

@testable import TextFormats

@Suite struct JSONMutationTests {
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

  private func mutant(_ generator: inout SeededRandom) -> [UInt8] {
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
    var generator = SeededRandom(seed: 1)
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

  @Test func `Repair leaves JSON alone and does not invent structure`() {
    var generator = SeededRandom(seed: 2)
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
