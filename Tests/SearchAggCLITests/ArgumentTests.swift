import FoundationEssentials
import Testing
import TextFormats

@testable import SearchAggCLI

@Suite struct ArgumentTests {
  private let now = Date(timeIntervalSince1970: 1_795_000_000)

  @Test(arguments: [
    ("now", 0.0), ("90m", 5400), ("2h", 7200), ("3d", 259_200), ("1w", 604_800), ("1.5h", 5400),
    ("3 days ago", 259_200), ("3days", 259_200), ("1 hour ago", 3600), ("2 Weeks", 1_209_600),
    ("90 min", 5400),
  ])
  func `A date may lie a duration back from now`(text: String, seconds: Double) throws {
    #expect(try DateArgument.parse(text, now: now) == now.addingTimeInterval(-seconds))
  }

  @Test(arguments: [
    "2026-11-20T09:00:00Z", "2026-11-20T10:00:00+01:00", "2026-11-20T04:00:00.000-05:00",
  ])
  func `A date may be written as RFC 3339`(text: String) throws {
    let expected = Date(timeIntervalSince1970: 1_795_165_200)
    #expect(try DateArgument.parse(text, now: now) == expected)
  }

  @Test func `Today, yesterday and a day are midnights here`() throws {
    let day = LocalTime.day(at: now)
    let written = String(RFC3339.format(now).prefix(10))
    #expect(try DateArgument.parse("today", now: now) == LocalTime.midnight(of: day))
    let yesterday = CivilDate(daysSince1970: day.daysSince1970 - 1)
    #expect(try DateArgument.parse("yesterday", now: now) == LocalTime.midnight(of: yesterday))
    #expect(try DateArgument.parse(written, now: now) == LocalTime.midnight(of: day))
  }

  @Test func `A month is its first moment here`() throws {
    let first = LocalTime.midnight(of: CivilDate(year: 2026, month: 10, day: 1))
    #expect(try DateArgument.parse("2026-10", now: now) == first)
  }

  @Test func `The last weekday is before today, never today`() throws {
    let today = LocalTime.day(at: now).daysSince1970
    let names = [
      "thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday",
    ]
    for back in 1...7 {
      let day = CivilDate(daysSince1970: today - back)
      let name = names[(today - back) % 7]
      #expect(
        try DateArgument.parse("last \(name)", now: now) == LocalTime.midnight(of: day), "\(name)")
    }
    #expect(try DateArgument.parse("Last Monday", now: now) < now)
  }

  @Test(arguments: [
    ("2026-13-01", "there is no month 13"), ("2026-00", "there is no month 00"),
    ("2026-02-30", "February 2026 has 28 days"), ("2028-02-30", "February 2028 has 29 days"),
    ("2026-11-0", "months and days have two digits, as in 2026-01-09"),
    ("3", "a unit is missing, as in 3h, 3d or 3w"),
    ("3x", "unknown unit 'x'; use minutes, hours, days or weeks (m, h, d, w)"),
    ("2 months ago", "unknown unit 'months'; use minutes, hours, days or weeks (m, h, d, w)"),
    ("9999999w", "that is more than 100 years ago"), ("1.2.3d", "'1.2.3' is not a number"),
    ("last summer", "'last' must be followed by a weekday, as in 'last monday'"),
  ])
  func `A wrong date says what is wrong with it`(text: String, reason: String) {
    #expect(throws: DateArgument.Fault(reason: reason)) {
      try DateArgument.parse(text, now: now)
    }
  }

  @Test(arguments: ["", "soon", "-3d", "d", "2026-11-20 09:00 o'clock", "20261120T090000Z"])
  func `Any other text is not a date, and the line says what is`(text: String) {
    let fault = #expect(throws: DateArgument.Fault.self) {
      try DateArgument.parse(text, now: now)
    }
    #expect(fault?.reason.hasPrefix("not a date; write 2026-11-20, ") == true)
  }

  @Test(arguments: [
    ("20", Duration.seconds(20)), ("20s", .seconds(20)), ("1.5m", .seconds(90)),
    ("500ms", .milliseconds(500)), ("1h", .seconds(3600)),
  ])
  func `A length of time is a number and a unit`(text: String, expected: Duration) {
    #expect(DurationArgument.parse(text) == expected)
  }

  @Test(arguments: ["", "s", "1d", "-1s", "1 s", "abc", "1.2.3s"])
  func `A malformed length of time is refused`(text: String) {
    #expect(DurationArgument.parse(text) == nil)
  }
}
