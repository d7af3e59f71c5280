import FoundationEssentials
import Testing
import TextFormats

@testable import SearchAggCLI

@Suite struct ArgumentTests {
  private let now = Date(timeIntervalSince1970: 1_795_000_000)

  @Test(arguments: [
    ("now", 0.0), ("90m", 5400), ("2h", 7200), ("3d", 259_200), ("1w", 604_800), ("1.5h", 5400),
  ])
  func `A date may lie a duration back from now`(text: String, seconds: Double) {
    #expect(DateArgument.parse(text, now: now) == now.addingTimeInterval(-seconds))
  }

  @Test(arguments: [
    "2026-11-20T09:00:00Z", "2026-11-20T10:00:00+01:00", "2026-11-20T04:00:00.000-05:00",
  ])
  func `A date may be written as RFC 3339`(text: String) {
    let expected = Date(timeIntervalSince1970: 1_795_165_200)
    #expect(DateArgument.parse(text, now: now) == expected)
  }

  @Test func `Today, yesterday and a day are midnights here`() throws {
    let day = LocalTime.day(at: now)
    let written = String(RFC3339.format(now).prefix(10))
    #expect(DateArgument.parse("today", now: now) == LocalTime.midnight(of: day))
    let yesterday = CivilDate(daysSince1970: day.daysSince1970 - 1)
    #expect(DateArgument.parse("yesterday", now: now) == LocalTime.midnight(of: yesterday))
    #expect(DateArgument.parse(written, now: now) != nil)
  }

  @Test(arguments: [
    "", "soon", "2026-13-01", "2026-02-30", "2026-11", "-3d", "3x", "d", "3", "1e3d", "9999999w",
    "2026-11-20 09:00 o'clock",
  ])
  func `What is no date is refused`(text: String) {
    #expect(DateArgument.parse(text, now: now) == nil)
  }

  @Test(arguments: [
    ("20", Duration.seconds(20)), ("20s", .seconds(20)), ("1.5m", .seconds(90)),
    ("500ms", .milliseconds(500)), ("1h", .seconds(3600)),
  ])
  func `A length of time is a number and a unit`(text: String, expected: Duration) {
    #expect(DurationArgument.parse(text) == expected)
  }

  @Test(arguments: ["", "s", "1d", "-1s", "1 s", "abc", "1.2.3s"])
  func `What is no length of time is refused`(text: String) {
    #expect(DurationArgument.parse(text) == nil)
  }
}
