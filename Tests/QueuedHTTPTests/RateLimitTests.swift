import FoundationEssentials
import QueuedHTTP
import Testing

@Suite struct RateLimitTests {
  /// 2026-11-21T10:00:00Z, a Saturday.
  private let now = Date(timeIntervalSince1970: 1_795_255_200)

  @Test(
    arguments: [
      (["Retry-After": "30"], 30), (["retry-after": "1.5"], 1.5), (["Retry-After": "0"], 0),
      (["Retry-After": "Sat, 21 Nov 2026 10:01:00 GMT"], 60),
      (["Retry-After": "Sat, 21 Nov 2026 09:59:00 GMT"], -60),
      (["x-rate-limit-reset": "1795255260"], 61),
      (["RateLimit-Reset": "1795255260"], 61), (["RateLimit-Reset": "60"], 60),
      (["X-RateLimit-Reset": "2026-11-21T10:01:00.290188Z"], 60.290188),
      (["X-RateLimit-Reset": "2026-11-21T10:01:00Z"], 61),
      (["X-RateLimit-Reset": "2026-11-21T11:01:00+01:00"], 61),
      (["X-RateLimit-Reset": "2026-11-21T10:01:00.5"], 60.5),
      (["X-RateLimit-Reset": "Sat, 21 Nov 2026 10:01:00 GMT"], 61),
      (["X-Ratelimit-Reset": "323"], 323), (["X-Ratelimit-Reset": "323.5"], 323.5),
      (["X-RateLimit-Reset": "1795255260000"], 61), (["X-RateLimit-Reset": "1795255260.25"], 60.25),
      (["X-RateLimit-Reset-After": "2.5"], 2.5),
      (["X-RateLimit-Retry-After": "1795255260"], 61),
      (["x-rate-limit-reset": "1795255100"], -99),
      (["RateLimit": "limit=100, remaining=0, reset=50"], 50),
      (["RateLimit": #""default";r=0;t=50"#], 50),
      (["RateLimit": #""day";r=9;t=5000, "hour" ; r=2; t=70, "minute";r=3;t=1"#], 70),
      (["Retry-After": "30", "X-RateLimit-Reset": "600"], 30),
      (["Retry-After": "soon", "X-RateLimit-Reset": "600"], 600),
      (["x-rate-limit-reset": "later", "ratelimit-reset": "7"], 7),
      (["X-Rate-Limit-Limit": "5", "X-Rate-Limit-Interval": "1s"], 1),
      (["X-Rate-Limit-Interval": "60", "X-Rate-Limit-Reset": "7"], 7),
    ] as [(HTTPHeaders, Double)])
  func `The moment is read from every form of every field`(headers: HTTPHeaders, wait: Double)
    throws
  {
    let moment = try #require(RateLimit(headers, now: now).retryMoment)
    #expect(abs(moment.timeIntervalSince(now) - wait) < 0.001)
  }

  @Test(
    arguments: [
      (["x-rate-limit-reset": "1795255260"], true), (["X-RateLimit-Reset": "1795255260.25"], false),
      (["X-RateLimit-Reset": "2026-11-21T10:01:00.000Z"], true),
      (["X-RateLimit-Reset": "2026-11-21T10:01:00.576Z"], false),
      (["X-RateLimit-Reset": "60"], false), (["RateLimit": "limit=1, reset=60"], false),
    ] as [(HTTPHeaders, Bool)])
  func `A reset in whole seconds may come a second later`(headers: HTTPHeaders, isLater: Bool)
    throws
  {
    let limit = RateLimit(headers, now: now)
    let reset = try #require(limit.reset)
    #expect(limit.isResetInWholeSeconds == isLater)
    #expect(limit.retryMoment == (isLater ? reset.addingTimeInterval(1) : reset))
    #expect(RateLimit(["Retry-After": "60"], now: now).retryMoment == now.addingTimeInterval(60))
  }

  @Test(
    arguments: [
      "", " ", "-5", "1e300", "nan", "inf", "0x10", "1e3", "later", "31536001", "9999999999",
      "99999999999", "179525526000000000000", "9999-12-31T23:59:59Z", "2026-13-45T10:00:00Z",
      "Fri, 31 Dec 9999 23:59:59 GMT", "1.2.3", "T", String(repeating: "9", count: 100_000),
      "2026-11-21T10:01:00Z" + String(repeating: "0", count: 10_000), "\u{0}60", "٣",
    ])
  func `Nonsensical values are ignored`(value: String) {
    for name in ["X-RateLimit-Reset", "RateLimit-Reset", "X-RateLimit-Reset-After"] {
      #expect(RateLimit([name: value], now: now).reset == nil)
    }
    #expect(RateLimit(["Retry-After": value], now: now).retryMoment == nil)
    #expect(RateLimit(["RateLimit": "\"a\";r=0;t=\(value)"], now: now).reset == nil)
    #expect(RateLimit(["RateLimit": "limit=1, reset=\(value)"], now: now).reset == nil)
  }

  @Test(
    arguments: [
      (["X-RateLimit-Limit": "300", "X-RateLimit-Remaining": "299"], 300, 299),
      (["x-rate-limit-limit": "450", "x-rate-limit-remaining": "0"], 450, 0),
      (["X-Ratelimit-Remaining": "99.5", "X-Ratelimit-Used": "1"], nil, 99.5),
      (["X-Ratelimit-Remaining": "0.5"], nil, 0.5),
      (["RateLimit-Limit": "100, 100;w=60", "RateLimit-Remaining": "3"], 100, 3),
      (["RateLimit": "limit=100, remaining=50, reset=30"], 100, 50),
      (["RateLimit": "remaining=50,reset=30", "RateLimit-Policy": "100;w=60"], 100, 50),
      (
        [
          "RateLimit": #""day";r=9;t=5000, "hour";r=2;t=70"#,
          "RateLimit-Policy": #""day";q=1000;w=86400, "hour";q=50;w=3600"#,
        ], 50, 2
      ),
      (["RateLimit-Policy": #""default";q=100;w=60"#], 100, nil),
      (["X-RateLimit-Limit": "-1", "X-RateLimit-Remaining": "many"], nil, nil),
      (["RateLimit": ";;=,=;\"", "RateLimit-Policy": ",;="], nil, nil),
      ([:], nil, nil),
    ] as [(HTTPHeaders, Double?, Double?)])
  func `How much there is and is left is read from every form`(
    headers: HTTPHeaders, limit: Double?, remaining: Double?
  ) {
    let found = RateLimit(headers, now: now)
    #expect(found.limit == limit)
    #expect(found.remaining == remaining)
    #expect(found.isSpent == (remaining.map { $0 < 1 } ?? false))
  }
}
