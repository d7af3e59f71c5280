import FoundationEssentials
import Testing
import TextFormats

@testable import Application
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
    #expect(try DateArgument.parse("today", now: now) == LocalTime.moment(of: day, second: 0))
    let yesterday = CivilDate(daysSince1970: day.daysSince1970 - 1)
    #expect(
      try DateArgument.parse("yesterday", now: now) == LocalTime.moment(of: yesterday, second: 0))
    #expect(try DateArgument.parse(written, now: now) == LocalTime.moment(of: day, second: 0))
  }

  @Test func `A month is its first moment here`() throws {
    let first = LocalTime.moment(of: CivilDate(year: 2026, month: 10, day: 1), second: 0)
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
        try DateArgument.parse("last \(name)", now: now) == LocalTime.moment(of: day, second: 0),
        "\(name)")
    }
    #expect(try DateArgument.parse("Last Monday", now: now) < now)
  }

  @Test(arguments: [
    ("2026-11-20T09:00", 32_400), ("2026-11-20 09:00", 32_400), ("2026-11-20 9:05:30", 32_730),
    ("2026-11-20T00:00", 0), ("2026-11-20t23:59:59", 86_399),
  ])
  func `A time without a zone is a time here`(text: String, second: Int) throws {
    let midnight = LocalTime.moment(of: CivilDate(year: 2026, month: 11, day: 20), second: 0)
    #expect(try DateArgument.parse(text, now: now) == midnight?.addingTimeInterval(Double(second)))
  }

  @Test func `A time with a zone needs no seconds`() throws {
    let expected = Date(timeIntervalSince1970: 1_795_165_200)
    #expect(try DateArgument.parse("2026-11-20T09:00Z", now: now) == expected)
    #expect(try DateArgument.parse("2026-11-20T10:00+01:00", now: now) == expected)
  }

  @Test func `A time after a day is on that day, and alone it is the latest that has been`() throws
  {
    // 2026-11-18 11:06:40 where the tests run in UTC.
    let (today, second) = LocalTime.dayAndSecond(at: now)
    let yesterday = CivilDate(daysSince1970: today.daysSince1970 - 1)
    #expect(
      try DateArgument.parse("yesterday 09:00", now: now)
        == LocalTime.moment(of: yesterday, second: 32_400))
    let minute = second / 60
    func clock(_ minute: Int) -> String {
      let (hour, rest) = ((minute + 1440) % 1440 / 60, (minute + 1440) % 60)
      return "\(hour):\(rest < 10 ? "0" : "")\(rest)"
    }
    #expect(
      try DateArgument.parse(clock(minute), now: now)
        == LocalTime.moment(of: today, second: minute * 60))
    #expect(
      try DateArgument.parse(clock(minute + 1), now: now)
        == LocalTime.moment(of: yesterday, second: (minute + 1) * 60))
  }

  @Test(arguments: [
    ("1month", 1), ("last month", 1), ("2 months ago", 2), ("1y", 12), ("1 year ago", 12),
    ("9months", 9),
  ])
  func `Months and years go back by the calendar, to the last day of a short month`(
    text: String, months: Int
  ) throws {
    let end = try #require(
      LocalTime.moment(of: CivilDate(year: 2026, month: 11, day: 30), second: 60))
    let days = [1: 30, 2: 30, 9: 28, 12: 30]
    let (year, month) = months < 11 ? (2026, 11 - months) : (2025, 11)
    let day = CivilDate(year: year, month: month, day: days[months] ?? 30)
    #expect(try DateArgument.parse(text, now: end) == LocalTime.moment(of: day, second: 60))
  }

  @Test func `Last week is seven days ago`() throws {
    #expect(try DateArgument.parse("last week", now: now) == now.addingTimeInterval(-604_800))
  }

  @Test(arguments: [
    ("2026-13-01", "there is no month 13"), ("2026-00", "there is no month 00"),
    ("2026-02-30", "February 2026 has 28 days"), ("2028-02-30", "February 2028 has 29 days"),
    ("2026-11-0", "months and days have two digits, as in 2026-01-09"),
    ("3", "a unit is missing, as in 3h, 3d or 3w"),
    (
      "3x",
      "unknown unit 'x'; use minutes, hours, days, weeks, months or years (m, h, d, w, month, y)"
    ),
    ("1.5 months ago", "'1.5' is not a whole number of months or years"),
    ("101y", "that is more than 100 years ago"),
    ("2026-11-20T", "the time is missing, as in 2026-11-20T09:00"),
    ("2026-11-20 24:00", "there is no time 24:00; a day ends at 23:59:59"),
    ("yesterday 9:75", "there is no time 9:75; a day ends at 23:59:59"),
    ("9999999w", "that is more than 100 years ago"), ("1.2.3d", "'1.2.3' is not a number"),
    ("last summer", "'last' must be followed by a weekday, week or month: 'last monday'"),
  ])
  func `A wrong date says what is wrong with it`(text: String, reason: String) {
    #expect(throws: DateArgument.Fault(reason: reason)) {
      try DateArgument.parse(text, now: now)
    }
  }

  @Test(arguments: [
    "", "soon", "-3d", "d", "2026-11-20 09:00 o'clock", "20261120T090000Z", "soon 09:00",
  ])
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
