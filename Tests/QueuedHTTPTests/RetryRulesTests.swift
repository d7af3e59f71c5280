import FoundationEssentials
import Testing

@testable import QueuedHTTP

@Suite struct RetryRulesTests {
  private let now = Date(timeIntervalSince1970: 1_445_412_480)  // Wed, 21 Oct 2015 07:28:00 GMT

  @Test func `The bound of the wait doubles up to the longest, and chance draws below it`() {
    let policy = RetryPolicy(firstWait: .milliseconds(500), longestWait: .seconds(3))
    let longest = (0...4).map { RetryRules.backOff(policy, retries: $0, chance: 1) }
    #expect(
      longest == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(3)])
    #expect(RetryRules.backOff(policy, retries: 2, chance: 0) == .zero)
    #expect(RetryRules.backOff(policy, retries: 2, chance: 0.25) == .milliseconds(500))
    #expect(RetryRules.backOff(policy, retries: 1_000, chance: 1) == .seconds(3))
  }

  @Test(arguments: [
    ("120", Duration.seconds(120)), ("1.5", .milliseconds(1500)), ("-3", nil), ("0", .zero),
    ("Wed, 21 Oct 2015 07:29:00 GMT", .seconds(60)), ("Wed, 21 Oct 2015 07:00:00 GMT", nil),
    ("nan", nil), ("inf", nil), ("soon", nil), ("", nil),
  ])
  func `Retry-After is read as seconds or as a date`(value: String, wait: Duration?) {
    #expect(RetryRules.retryAfter(["Retry-After": value], now: now) == wait)
  }

  @Test func `A 429 cools the lane down even for requests that are not repeated`() {
    let request = HTTPRequest(.post, url: "http://one.example/")
    let response = HTTPResponse(status: 429, headers: ["Retry-After": "5"])
    let plan = RetryRules.plan(for: response, to: request, now: now)
    #expect(plan == .init(isRepeated: false, wait: .seconds(5), coolsLane: true))
    #expect(RetryRules.plan(for: HTTPResponse(status: 200), to: request, now: now) == .end)
    #expect(RetryRules.plan(for: HTTPResponse(status: 404), to: request, now: now) == .end)
  }

  @Test func `A 503 cools the lane down if it says for how long`() {
    let request = HTTPRequest(url: "http://one.example/")
    let told = HTTPResponse(status: 503, headers: ["Retry-After": "5"])
    #expect(
      RetryRules.plan(for: told, to: request, now: now)
        == .init(isRepeated: true, wait: .seconds(5), coolsLane: true))
    #expect(
      RetryRules.plan(for: HTTPResponse(status: 503), to: request, now: now)
        == .init(isRepeated: true, wait: nil, coolsLane: false))
  }

  @Test func `A good response may cool the lane down for the others`() {
    let response = HTTPResponse(status: 200)
    let instant = Instant(moment: .zero, date: now)
    #expect(
      RetryRules.plan(
        for: .doneThenCoolDown(until: now.addingTimeInterval(5)), on: response, now: instant)
        == .init(isRepeated: false, wait: .seconds(5), coolsLane: true))
    #expect(
      RetryRules.plan(for: .doneThenCoolDown(until: now), on: response, now: instant) == .end)
  }

  @Test(arguments: [
    (999, "999 bytes"), (1, "1 byte"), (1024, "1,024 bytes"), (64 << 10, "64 KiB"),
    (64 << 20, "64 MiB"), (1_234_567, "1,234,567 bytes"),
  ])
  func `Amounts are written for people`(count: Int, text: String) {
    #expect(Wording.bytes(count) == text)
  }
}
