import FoundationEssentials
import QueuedHTTP
import Testing

@testable import SearchSources

struct SlowDownTests {
  @Test(
    arguments: [
      (["Retry-After": "30"], 30.0),
      (["retry-after": "1.5"], 1.5),
      (["Retry-After": "Sat, 21 Nov 2026 10:01:00 GMT"], 60),
      // Cut to whole seconds.
      (["x-rate-limit-reset": "1795255260"], 61),
      (["RateLimit-Reset": "1795255260"], 61),
      (["X-RateLimit-Reset": "2026-11-21T10:01:00.000Z"], 61),
      (["X-RateLimit-Reset": "2026-11-21T10:01:00.290188Z"], 60.29),
      (["X-Ratelimit-Reset": "323"], 323),
      (["X-Ratelimit-Reset": "323.5"], 323.5),
      (["X-RateLimit-Reset": "1795255260000"], 61),
      (["Retry-After": "30", "X-RateLimit-Reset": "600"], 30),
      (["Retry-After": "soon", "X-RateLimit-Reset": "600"], 600),
    ] as [(HTTPHeaders, Double)])
  func `The end of a limit is read from every header that networks use`(
    headers: HTTPHeaders, wait: Double
  ) throws {
    let moment = try #require(RateLimit(headers, now: testNow).retryMoment)
    #expect(abs(moment.timeIntervalSince(testNow) - wait) < 0.001)
    let verdict = HackerNews.network.verdict(
      on: HTTPResponse(status: 429, headers: headers), now: testNow)
    #expect(verdict == .coolDown(until: moment))
  }

  @Test(
    arguments: [
      [:], ["Retry-After": ""], ["Retry-After": "-5"], ["Retry-After": "1e300"],
      ["Retry-After": "nan"],
      ["X-RateLimit-Reset": "later"],
      ["Retry-After": "Sat, 21 Nov 2026 09:59:00 GMT"], ["x-rate-limit-reset": "1795255100"],
      ["Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"], ["x-rate-limit-reset": "99999999999"],
      ["x-rate-limit-reset": "179525526000000000000"], ["RateLimit-Reset": "-1"],
      ["X-RateLimit-Reset": "9999-12-31T23:59:59Z"],
    ] as [HTTPHeaders])
  func `Without a moment in the future there is no end`(headers: HTTPHeaders) {
    let verdict = HackerNews.network.verdict(
      on: HTTPResponse(status: 429, headers: headers), now: testNow)
    #expect(verdict == .coolDown(until: nil))
  }

  @Test(
    arguments: [
      (["x-rate-limit-remaining": "0", "x-rate-limit-reset": "1795255260"], 61),
      (["RateLimit": "limit=10, remaining=0, reset=30"], 30),
      (["X-Ratelimit-Remaining": "0.0", "X-Ratelimit-Reset": "12"], 12),
      (["X-Ratelimit-Remaining": "1", "X-Ratelimit-Reset": "12"], nil),
      (["X-Ratelimit-Remaining": "0"], nil), (["X-Ratelimit-Reset": "12"], nil), ([:], nil),
    ] as [(HTTPHeaders, Double?)])
  func `A posts' response that calls its quota spent is the last before the reset`(
    headers: HTTPHeaders, wait: Double?
  ) {
    let response = HTTPResponse(status: 200, headers: headers, body: HTTPBody(#"{"hits":[]}"#.utf8))
    let until = wait.map { testNow.addingTimeInterval($0) }
    #expect(
      HackerNews.network.verdict(on: response, now: testNow)
        == until.map { .doneThenCoolDown(until: $0) } ?? .done)
  }

  @Test(arguments: ["0", "Sat, 21 Nov 2026 10:00:00 GMT", "Sat, 21 Nov 2026 09:59:58 GMT"])
  func `A wait that is over already leads to another request`(wait: String) {
    let verdict = HackerNews.network.verdict(
      on: HTTPResponse(status: 429, headers: ["Retry-After": wait]), now: testNow)
    #expect(verdict == .extendCoolDown(until: testNow.addingTimeInterval(1)))
  }

  @Test func `A reset that has just passed belongs to the pause before`() throws {
    // The server's clock is behind by what is left of the second, and a little more.
    let response = answer(
      "{}", status: 429,
      headers: [
        "x-rate-limit-reset": "1795255197", "X-RateLimit-Reset": "1795255197",
        "X-RateLimit-Remaining": "0",
      ])
    let again = testNow.addingTimeInterval(1)
    for source in [X(), GitHub(), HackerNews.network] as [any Source] {
      #expect(source.verdict(on: response, now: testNow) == .extendCoolDown(until: again))
    }
  }

  @Test(
    arguments: [
      (200, .done), (204, .done), (304, .done), (400, .done), (401, .done), (402, .done),
      (403, .done), (404, .done), (408, .retry),
      (420, .coolDown(until: testNow.addingTimeInterval(30))), (500, .retry), (501, .done),
      (502, .retry), (503, .coolDown(until: testNow.addingTimeInterval(30))), (504, .retry),
    ] as [(Int, Verdict)])
  func `Each status has its verdict`(status: Int, verdict: Verdict) {
    let response = HTTPResponse(status: status, headers: ["Retry-After": "30"])
    #expect(HackerNews.network.verdict(on: response, now: testNow) == verdict)
  }

  @Test func `A reset header on a server error does not ask for a pause`() {
    let response = HTTPResponse(status: 503, headers: ["X-RateLimit-Reset": "300"])
    #expect(HackerNews.network.verdict(on: response, now: testNow) == .retry)
  }

  @Test func `Bluesky's name for too many requests counts with another status too`() throws {
    let body = #"{"error":"RateLimitExceeded","message":"Rate Limit Exceeded"}"#
    let response = answer(body, status: 400, headers: ["RateLimit-Reset": "1795255260"])
    let moment = testNow.addingTimeInterval(61)
    #expect(Bluesky().verdict(on: response, now: testNow) == .coolDown(until: moment))
    let fault = try Bluesky().fault(
      of: response, to: Bluesky().asking("x", at: "https://api.bsky.app"))
    guard case .rateLimited(moment, _) = fault else {
      Issue.record("\(fault)")
      return
    }
    let other = answer(#"{"error":"InvalidRequest"}"#, status: 400, headers: ["Retry-After": "9"])
    #expect(Bluesky().verdict(on: other, now: testNow) == .done)
  }

  @Test func `Spent monthly quotas are not retried`() {
    let capped = answer(
      #"{"title":"UsageCapExceeded","period":"Monthly","type":"https://api.x.com/2/problems/usage-capped"}"#,
      status: 429, headers: ["x-rate-limit-reset": "1795255260"])
    #expect(X().verdict(on: capped, now: testNow) == .done)
    #expect(X().verdict(on: answer("{}", status: 402), now: testNow) == .done)
    let calm = answer("{}", status: 420, headers: ["Retry-After": "9"])
    #expect(
      TwitterClassic().verdict(on: calm, now: testNow)
        == .coolDown(until: testNow.addingTimeInterval(9)))
  }
}
