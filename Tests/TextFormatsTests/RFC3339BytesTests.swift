import FoundationEssentials
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

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, -62_135_596_800.001, 253_402_300_799.9999, 1e300,
  ])
  func `A date outside the years 1 to 9999 is not written`(seconds: Double) {
    var bytes: [UInt8] = []
    #expect(!RFC3339.append(Date(timeIntervalSince1970: seconds), to: &bytes))
    #expect(bytes.isEmpty)
  }
}
