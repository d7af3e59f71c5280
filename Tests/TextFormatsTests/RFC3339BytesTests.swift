import FoundationEssentials
import TestSupport
import Testing
import TextFormats

@Suite struct RFC3339BytesTests {
  @Test func `Bytes and text agree for any date that can be written`() {
    var seconds = -62_135_596_800.0
    while seconds < 253_402_300_799 {
      let date = Date(timeIntervalSince1970: (seconds * 1000).rounded() / 1000)
      var bytes: [UInt8] = []
      #expect(RFC3339.append(date, to: &bytes))
      #expect(String(decoding: bytes, as: UTF8.self) == RFC3339.format(date))
      seconds += 98_765_432.123
    }
  }

  @Test func `A day is written alike after the same day and after another one`() {
    var random = SeededRandom(seed: 5)
    var writer = RFC3339Writer()
    // Around midnight, and now and then a date that cannot be written.
    let moments = [0.0, 0.001, 86_399.999, 86_400, -0.001, 43_200, 1e300, 951_782_400, -6e10]
    for _ in 0..<5_000 {
      let date = Date(timeIntervalSince1970: moments.randomElement(using: &random) ?? 0)
      var block = ByteBlock(capacity: 0)
      let isWritten = writer.append(date, to: &block)
      #expect(isWritten == RFC3339.canWrite(date))
      let text = String(decoding: block.bytes, as: UTF8.self)
      #expect(text == (isWritten ? RFC3339.format(date) : ""))
    }
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, -62_135_596_800.001, 253_402_300_799.9999, 1e300,
  ])
  func `A date outside the years 1 to 9999 is not written`(seconds: Double) {
    var bytes: [UInt8] = []
    #expect(!RFC3339.append(Date(timeIntervalSince1970: seconds), to: &bytes))
    #expect(bytes.isEmpty)
  }
}
