import Testing

@testable import PostHistory

@Suite struct PackedWriterTests {
  @Test(arguments: [0, 1, 127, 128, 129, 16_383, 16_384, 16_385, 2_097_152])
  func `A part that is written in place is one that was there before`(size: Int) {
    let part = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    func written(_ write: (inout PackedWriter) -> Void) -> [UInt8] {
      var writer = PackedWriter()
      writer.write("before")
      write(&writer)
      writer.write("after")
      return writer.bytes
    }
    let inPlace = written { $0.writePart { writer in for byte in part { writer.append(byte) } } }
    let atOnce = written { writer in part.withUnsafeBufferPointer { writer.write($0) } }
    #expect(inPlace == atOnce)

    var reader = PackedReader(inPlace[...])
    #expect(reader.text() == "before")
    #expect(reader.part().map(Array.init) == part)
    #expect(reader.text() == "after")
    #expect(reader.isAtEnd)
  }
}
