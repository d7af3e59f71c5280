import FoundationEssentials
import Testing

@testable import TextFormats

@Suite struct LooseDateTests {
  @Test(arguments: [
    ("Thu, 01 Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21.000Z"),
    (" Thu, 1 Jan 04 19:48 EST\n", "2004-01-02T00:48:00.000Z"),
    ("31 Dec 99 23:59:59 +0000", "1999-12-31T23:59:59.000Z"),
    ("Sat,29 Jul 2006 00:03:02 +0000", "2006-07-29T00:03:02.000Z"),
    ("2002-12-31T01:15:07-05:00", "2002-12-31T06:15:07.000Z"),
    ("2003-12-31", "2003-12-31T00:00:00.000Z"), ("2003-12", "2003-12-01T00:00:00.000Z"),
    ("2003", "2003-01-01T00:00:00.000Z"), ("2004-07-08 23:56:58.0", "2004-07-08T23:56:58.000Z"),
    ("2020/1/10 14:33:00", "2020-01-10T14:33:00.000Z"), ("2020.1.9", "2020-01-09T00:00:00.000Z"),
    ("20031231T101455Z", "2003-12-31T10:14:55.000Z"), ("20031231", "2003-12-31T00:00:00.000Z"),
    ("2003-335", "2003-12-01T00:00:00.000Z"), ("2003335", "2003-12-01T00:00:00.000Z"),
    ("2003-12-31T10:14:55 EST", "2003-12-31T15:14:55.000Z"),
    ("2020-1-5 3:04:05 PM", "2020-01-05T15:04:05.000Z"),
    ("Tue, 4 Mar 2014 12:04 AM EST", "2014-03-04T05:04:00.000Z"),
    ("2004-július-13T9:15-05:00", "2004-07-13T14:15:00.000Z"),
    ("Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00.000Z"),
    ("2004년 05월 28일  01:31:15", "2004-05-27T16:31:15.000Z"),
    ("2004-05-25 오후 11:23:17", "2004-05-25T14:23:17.000Z"),
    ("mer., 03 déc. 2014 10:00:00 +0100", "2014-12-03T09:00:00.000Z"),
    ("mar., 3 févr. 2015 10:00", "2015-02-03T10:00:00.000Z"),
    ("Mo, 01 Okt 2007", "2007-10-01T00:00:00.000Z"),
    ("Mon Sep 17 22:41:52 2012", "2012-09-17T22:41:52.000Z"),
    ("2026-11-20 T 09:00:00Z", "2026-11-20T09:00:00.000Z"),
    ("2026-11-20T 09:00:00 +01:00", "2026-11-20T08:00:00.000Z"),
    ("2026-11-20 T09:00Z", "2026-11-20T09:00:00.000Z"),
    ("2026-11-20T09:00:00+00:0", "2026-11-20T09:00:00.000Z"),
    ("Fri, 20 Nov 2026 09:00:00 -05:3", "2026-11-20T14:30:00.000Z"),
    ("Fri, 20 Nov 2026 10:11:12 GMT+0200", "2026-11-20T08:11:12.000Z"),
    ("Fri, 20 Nov 2026 10:11:12 UTC+1", "2026-11-20T09:11:12.000Z"),
    ("Thu, 05 Jan 2023 10:00:00 ET", "2023-01-05T15:00:00.000Z"),
    ("Thu, 05 Jan 2023 10:00:00 PT", "2023-01-05T18:00:00.000Z"),
    ("Thu, 05 Jan 2023 10:00:00 America/New_York", "2023-01-05T10:00:00.000Z"),
    ("Thu, 05 Jan 2023 10:00:00 Etc/GMT", "2023-01-05T10:00:00.000Z"),
    ("2023-01-05T10:00:00+01:00Z", "2023-01-05T09:00:00.000Z"),
    ("Thu, 05 Jan 2023 10:00:00 +0100 CET", "2023-01-05T09:00:00.000Z"),
    ("Thu, 05 Jan 2023 10:00:00 +0530 IST", "2023-01-05T04:30:00.000Z"),
    ("Thu, 05 Jan 2023 10:00:00 +0100 +0100", "2023-01-05T09:00:00.000Z"),
    ("Friday, December 22, 2017 - 3:09pm", "2017-12-22T15:09:00.000Z"),
    ("Mon, November 16, 2020, 11:12 PM EST", "2020-11-17T04:12:00.000Z"),
    ("Tue 16 Feb 2016, 23:16:00 EDT", "2016-02-17T03:16:00.000Z"),
    ("Mon, 09 Apr 2018, 16:04", "2018-04-09T16:04:00.000Z"),
    ("Mon, 16th Nov 2020 13:16:28 GMT", "2020-11-16T13:16:28.000Z"),
    ("November 1st, 2020", "2020-11-01T00:00:00.000Z"),
    ("Nov. 16, 2020, 10:57 a.m.", "2020-11-16T10:57:00.000Z"),
    ("Nov. 16, 2020, 10:57 p.m. EST", "2020-11-17T03:57:00.000Z"),
    ("Lundi, 16. Novembre 2020 - 15:54", "2020-11-16T15:54:00.000Z"),
    ("1520932969", "2018-03-13T09:22:49.000Z"),
    ("06 - Nov - 1994 08:49:37 GMT", "1994-11-06T08:49:37.000Z"),
    (
      "Fri Nov 20 2026 10:11:12 GMT+0200 (Central European Time)", "2026-11-20T08:11:12.000Z"
    ),
  ])
  func `Dates are read as feeds write them`(text: String, date: String) {
    #expect(LooseDate.parse(text).map(RFC3339.format) == date)
  }

  @Test(arguments: [
    "", "soon", "2003-13-01", "2003-02-30", "2003-366", "20031301", "2003-12-31T25:00:00Z",
    "13:00", "2003-12-31 1:2:3:4", "9520932969", "1520932", "15209329690", "16nth Nov 2020",
    "10:57 a.x.", "am am am", "1 Jan 2020 1:00 am am am",
    "2020-01-01T00:00:00Z and more", "Thu, 05 Jan 2023 10:00:00 +0100 +0200",
    "Wed, 30 Nov -0001 00:00:00 +0000", "Mon, 01 Jan 0001 00:00:00 +0000", "0001-01-01T00:00:00Z",
  ])
  func `Text that is not a date is refused`(text: String) {
    #expect(LooseDate.parse(text) == nil)
  }

  @Test(
    arguments: [
      ("two", "https://a.example/b/one", "https://a.example/b/two"),
      ("/two", "https://a.example/b/one?c#d", "https://a.example/two"),
      ("//b.example/x", "https://a.example/", "https://b.example/x"),
      ("?x=1", "https://a.example/b", "https://a.example/b?x=1"),
      (" https://a.example/\n x ", nil, "https://a.example/%20x"),
      ("HTTP://A.example/", nil, "HTTP://A.example/"),
      ("two", nil, nil), ("", "https://a.example/", nil),
      ("mailto:a@b.example", "https://a.example/", nil),
      ("javascript:alert(1)", "https://a.example/", nil), ("two", "ftp://a.example/", nil),
    ] as [(String, String?, String?)])
  func `References are resolved against their base`(
    reference: String, base: String?, address: String?
  ) {
    #expect(WebLink.resolved(reference, against: base) == address)
  }

  @Test(
    arguments: [
      ("AEDT", 11.0), ("JST", 9), ("MSK", 3), ("CEST", 2), ("CET", 1), ("ACST", 9.5), ("NZDT", 13),
      ("EST", -5), ("GMT", 0), ("IST", 0), ("BST", 0),
    ])
  func `A zone's name with one meaning counts`(name: String, hours: Double) throws {
    let utc = try #require(LooseDate.parse("Sat, 21 Nov 2026 10:00:00 GMT"))
    let expected = utc.addingTimeInterval(-hours * 3600)
    #expect(LooseDate.parse("Sat, 21 Nov 2026 10:00:00 \(name)") == expected)
    #expect(LooseDate.parse("2026-11-21 10:00:00 \(name)") == expected)
  }
}
