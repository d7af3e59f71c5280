import Testing
import TextFormats

@Suite struct ByteBlockTests {
  @Test func `Bytes, texts and numbers follow one another`() {
    var block = ByteBlock(capacity: 0)
    #expect(block.read { Array($0) } == [] && block.count == 0)
    block.append(UInt8(ascii: "a"))
    block.append("bc" as StaticString)
    block.append(String("dé"))
    block.append(decimal: -7)
    [1, 2].withUnsafeBufferPointer { block.append($0) }
    [].withUnsafeBufferPointer { block.append($0) }
    let all = Array("abcdé-7".utf8) + [1, 2]
    #expect(block.read { Array($0) } == all && block.count == all.count)
    let bytes = block.bytes
    #expect(bytes == all)
  }

  @Test(arguments: [0, 1, 63, 64, 65, 127, 128, 129, 100_000])
  func `It grows and keeps what it holds`(size: Int) {
    let piece = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    // At once, at the end of a full block, and byte by byte.
    for first in [0, 1, 64] {
      var block = ByteBlock(capacity: 64)
      for byte in 0..<first { block.append(UInt8(byte)) }
      piece.withUnsafeBufferPointer { block.append($0) }
      for byte in piece { block.append(byte) }
      let bytes = block.bytes
      #expect(bytes == (0..<first).map { UInt8($0) } + piece + piece)
    }
  }

  @Test(arguments: 0...40)
  func `Bytes that were written before are appended again`(size: Int) {
    let piece = (0..<size).map { UInt8($0 + 1) }
    // Where it has room, and where it grows and its bytes move.
    for first in [0, 1, 63 - size, 64] {
      var block = ByteBlock(capacity: 64)
      for byte in 0..<max(first, 0) { block.append(UInt8(byte)) }
      let start = block.count
      piece.withUnsafeBufferPointer { block.append($0) }
      for place in 0...size {
        block.append(copyOf: start..<start + place)
        let end = block.count
        block.append(copyOf: end..<end)
      }
      let bytes = block.bytes
      #expect(
        bytes == (0..<max(first, 0)).map { UInt8($0) } + piece
          + (0...size).flatMap { piece.prefix($0) })
    }
  }

  @Test(arguments: [
    0, 1, 9, 10, 99, 100, 12345, Int.max, -1, -9, -10, -99, -100, Int.min, Int.min + 1,
    1_000_000_000_000_000_000, 999_999_999_999_999_999, -1_000_000_000_000_000_000,
  ])
  func `Numbers are written in decimal`(number: Int) {
    var block = ByteBlock(capacity: 0)
    // At the end of its room, too.
    for _ in 0..<60 { block.append(UInt8(ascii: "x")) }
    block.append(decimal: number)
    block.append("." as StaticString)
    let bytes = block.bytes
    #expect(bytes == Array("\(String(repeating: "x", count: 60))\(number).".utf8))
  }
}
