import FoundationEssentials
import Testing

@testable import TextFormats

struct DateTests {
  @Test(arguments: [
    ("2025-07-04T08:16:10.140Z", "2025-07-04T08:16:10.140Z"),
    ("2026-03-25T05:59:37Z", "2026-03-25T05:59:37.000Z"),
    ("2026-08-20T20:31:39.106789Z", "2026-08-20T20:31:39.106Z"),
    ("2025-07-04T08:19:23.271896+00:00", "2025-07-04T08:19:23.271Z"),
    ("2025-07-04T03:02:14-05:00", "2025-07-04T08:02:14.000Z"),
    ("2026-09-27T09:44:53.153-05:00", "2026-09-27T14:44:53.153Z"),
    ("2023-10-17T05:42:03+0000", "2023-10-17T05:42:03.000Z"),
    ("2012-06-01 12:00:00 GMT", "2012-06-01T12:00:00.000Z"),
    ("1985-04-12t23:20:50.123z", "1985-04-12T23:20:50.123Z"),
    ("1985-04-12 23:20:50,5Z", "1985-04-12T23:20:50.500Z"),
    ("1985-04-12T23:20:50.1235678912345678Z", "1985-04-12T23:20:50.123Z"),
    ("1985-04-12T23:20:50.9999999Z", "1985-04-12T23:20:50.999Z"),
    ("1969-12-31T23:59:59.0009Z", "1969-12-31T23:59:59.000Z"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
    ("2024-02-29T12:00:00+13:45", "2024-02-28T22:15:00.000Z"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
    ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
  ])
  func `Every variant of RFC 3339 that networks write is read`(text: String, same: String) throws {
    #expect(RFC3339.format(try #require(RFC3339.parse(text))) == same)
  }

  @Test(arguments: [
    "", "2025", "2025-07-04", "2025-07-04T08:16Z", "2025-07-04T08:16:10", "2025-13-04T08:16:10Z",
    "2025-00-04T08:16:10Z", "2025-02-30T08:16:10Z", "2023-02-29T08:16:10Z", "2025-07-00T08:16:10Z",
    "2025-07-04T24:00:00Z", "2025-07-04T23:60:00Z", "2025-07-04T23:59:61Z", "2025-07-04T23:59:5Z",
    "2025-07-04T23:59:59.Z", "2025-07-04T23:59:59Z ", " 2025-07-04T23:59:59Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "2025-07-04T23:59:59+24:00",
    "2025-07-04T23:59:59+00:60", "2025-07-04T23:59:59+00", "2025-07-04_23:59:59Z", "tomorrow", "🗓",
    "+002025-07-04T23:59:59Z", "20250704T235959Z",
  ])
  func `Text that is not an RFC 3339 date is refused`(text: String) {
    #expect(RFC3339.parse(text) == nil)
  }

  @Test func `A missing zone and short forms are read if the caller allows them`() throws {
    let zoneless = RFC3339.parse("2023-09-23T10:41:41.254290", allowing: .missingZone)
    #expect(RFC3339.format(try #require(zoneless)) == "2023-09-23T10:41:41.254Z")
    for (text, same) in [
      ("2026", "2026-01-01T00:00:00.000Z"), ("2026-11", "2026-11-01T00:00:00.000Z"),
      ("2026-11-21", "2026-11-21T00:00:00.000Z"),
      ("2026-11-21T09:30+01:00", "2026-11-21T08:30:00.000Z"),
    ] {
      let moment = RFC3339.parse(text, allowing: .shortForms)
      #expect(RFC3339.format(try #require(moment)) == same)
    }
    #expect(RFC3339.parse("2026-11-21T09:30", allowing: .shortForms) == nil)
    #expect(RFC3339.parse("2026-13", allowing: [.shortForms, .missingZone]) == nil)
  }

  @Test(arguments: [
    ("Wed, 27 Oct 2010 03:56:39 +0000", "2010-10-27T03:56:39.000Z"),
    ("Mon, 23 Apr 2011 20:20:57 +0000", "2011-04-23T20:20:57.000Z"),
    ("Mon Sep 17 22:41:52 +0000 2012", "2012-09-17T22:41:52.000Z"),
    ("Thu Jan  1 12:34:56 2004", "2004-01-01T12:34:56.000Z"),
    ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37.000Z"),
    ("27 Oct 10 03:56 EST", "2010-10-27T08:56:00.000Z"),
    ("Thur, 4 Sept 49 1:02:03 PDT", "2049-09-04T08:02:03.000Z"),
    ("Fri, 1 January 50 00:00:00 Z", "1950-01-01T00:00:00.000Z"),
    ("Sat, 02 Oct 2010 24:00:00 +02:00", "2010-10-02T22:00:00.000Z"),
    ("02 Oct 2010 10:00:00 -0730 (somewhere (nested))", "2010-10-02T17:30:00.000Z"),
    ("  02 Oct 2010 10:00:00.25  ", "2010-10-02T10:00:00.250Z"),
    ("Wed, 27 Oct 2010", "2010-10-27T00:00:00.000Z"),
    ("Oct 27, 2010 03:56:39 UTC", "2010-10-27T03:56:39.000Z"),
    ("27 Oct 110 03:56:39 +0000", "2010-10-27T03:56:39.000Z"),
    ("Sun, 9 Sep 101 01:46:40 GMT", "2001-09-09T01:46:40.000Z"),
    ("27 Oct 2010 03:56 MST", "2010-10-27T10:56:00.000Z"),
    ("27 Oct 2010 03:56 PST", "2010-10-27T11:56:00.000Z"),
    ("27 Oct 2010 03:56 CST", "2010-10-27T09:56:00.000Z"),
    ("27 Oct 2010 03:56 EDT", "2010-10-27T07:56:00.000Z"),
    ("Wed Oct 27 03:56:39 CEST 2010", "2010-10-27T01:56:39.000Z"),
  ])
  func `Every variant of RFC 822 that networks write is read`(
    text: String, same: String
  ) throws {
    #expect(RFC3339.format(try #require(RFC822.parse(text))) == same)
  }

  @Test(arguments: [
    "", "Wed", "Wed,", "32 Oct 2010 03:56:39 +0000", "30 Feb 2010 03:56:39 +0000", "27 Foo 2010",
    "27 Oct 2010 25:00:00 +0000", "27 Oct 2010 24:00:01 +0000", "27 Oct 2010 03:56:39 +2400",
    "27 Oct 2010 03:56:39 +0000 more", "27 Oct", "Mittwoch, 27 Oct 2010", "12345", "27 Oct 20101",
    "Mon Sep 17 22:41:52 +0000", "Mon Sep 17 2", "(", ")", "27 Oct 2010 3", "Oct",
  ])
  func `Text that is not an RFC 822 date is refused`(text: String) {
    #expect(RFC822.parse(text) == nil)
  }

  @Test func `Epoch times are read from seconds, fractions and milliseconds`() throws {
    let whole = try #require(EpochTime.date(seconds: Int64(1_430_429_108)))
    #expect(RFC3339.format(whole) == "2015-04-30T21:25:08.000Z")
    let fraction = try #require(EpochTime.date(seconds: 1_584_559_093.123))
    #expect(RFC3339.format(fraction) == "2020-03-18T19:18:13.123Z")
    let early = try #require(EpochTime.date(seconds: -0.0004))
    #expect(RFC3339.format(early) == "1969-12-31T23:59:59.999Z")
    let milliseconds = try #require(EpochTime.date(milliseconds: 1_735_707_600_000))
    #expect(RFC3339.format(milliseconds) == "2025-01-01T05:00:00.000Z")
    #expect(EpochTime.date(seconds: Int64.max) == nil)
    #expect(EpochTime.date(seconds: 1e300) == nil)
    #expect(EpochTime.date(seconds: Double.nan) == nil)
    #expect(EpochTime.date(milliseconds: Int64.min) == nil)
  }

  @Test func `Days from year 1 to 9999 read back as written`() throws {
    for day in stride(from: -719_162, through: 2_932_896, by: 97) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 0.001)
      #expect(RFC3339.parse(RFC3339.format(date)) == date)
    }
  }

  @Test(arguments: [
    (-62_135_596_800.001, false), (-62_135_596_800, true), (253_402_300_799.999, true),
    (253_402_300_800, false), (-62_167_219_200, false), (.infinity, false), (.nan, false),
  ])
  func `Epoch times and RFC 3339 agree about the first and the last year`(
    seconds: Double, isInRange: Bool
  ) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect((EpochTime.date(seconds: seconds) != nil) == isInRange)
    #expect(RFC3339.canWrite(date) == isInRange)
    // What is written can be read.
    #expect(RFC3339.parse(RFC3339.format(date)) != nil)
  }

  // The classes of atproto's interoperability tests (interop-test-files/syntax, datetime).

  @Test(arguments: [
    "1985-04-12T23:20:50Z", "1985-04-12T23:20:50.1Z", "1985-04-12T23:20:50.12345678912345Z",
    "1985-04-12T23:20:50.123-07:00", "1985-04-12T23:20:50+01:45", "1985-04-12T23:20:50.123+00:00",
    // Not allowed in atproto, but in RFC 3339 or by other networks.
    "1985-04-12T23:20:50.123z", "1985-04-12t23:20:50.123Z", "1985-04-12 23:20:50.123Z",
    "1985-04-12T23:20:50.123-00:00", "1985-04-12T23:20:50.123+0000",
  ])
  func `Valid atproto dates are read`(text: String) {
    #expect(RFC3339.parse(text) != nil)
  }

  @Test(arguments: [
    // Parts out of range.
    "1985-00-12T23:20:50Z", "1985-04-00T23:20:50Z", "1985-13-12T23:20:50Z", "1985-04-12T25:20:50Z",
    "1985-04-12T23:99:50Z", "1985-04-12T23:20:61Z", "0000-01-01T00:00:00+01:00",
    // Parts of a wrong length.
    "985-04-12T23:20:50Z", "01985-04-12T23:20:50Z", "1985-4-12T23:20:50Z", "1985-004-12T23:20:50Z",
    "1985-04-2T23:20:50Z", "1985-04-012T23:20:50Z", "1985-04-12T3:20:50Z", "1985-04-12T023:20:50Z",
    "1985-04-12T23:0:50Z", "1985-04-12T23:020:50Z", "1985-04-12T23:20:5Z", "1985-04-12T23:20:050Z",
    "1985-04-12T23:20:50.Z", "+001985-04-12T23:20:50Z", "-000001-12-31T23:00:00Z",
    // Missing parts.
    "1985-04-12", "1985-04-12T23:20Z", "1985-04-12T23:20:50", "1985-04-12T23:20:50.123",
    "23:20:50.123Z", "1985-04-12T23:20:50+", "1985-04-12T23:20:50-", "1985-04-12T23:20:50+00",
    "1985-04-12T23:20:50+00:0", "1985-04-12T23:20:50+0:00",
    // Other separators.
    "1985-04-12T23;20:50Z", "1985—04-12T23:20:50Z", "1985–04-12T23:20:50Z", "1985-04-12_23:20:50Z",
    "1985-04-12T 23:20:50Z", " 1985-04-12T23:20:50Z", "1985-04-12T23:20:50Z ",
  ])
  func `Invalid atproto dates are refused`(text: String) {
    #expect(RFC3339.parse(text) == nil)
  }
}
