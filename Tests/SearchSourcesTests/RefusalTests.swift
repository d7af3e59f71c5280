import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// Rules for all sources.
struct RefusalTests {
  private func page(of source: any Source) throws -> PageRequest {
    try source.asking(
      "#swift", at: source.traits.defaultServer ?? "https://classic.example",
      credentials: source.traits.credentialNames.map { "secret-\($0)" })
  }

  @Test func `The pictures of an error page are not described`() throws {
    let source = try EverySource.named("mastodon")
    // GoToSocial while it starts.
    let response = answer(
      #"<html><body><img alt="A cartoon sloth smiling"><h1>Down for maintenance</h1></body></html>"#,
      status: 503)
    let failure = try source.failure(of: response, to: page(of: source))
    #expect(failure.message == "the server is unavailable (503): Down for maintenance")
  }

  @Test(arguments: [
    ("github", #"{"message":"Sorry. Your account was suspended.","status":"403"}"#),
    ("threads", #"{"error":{"message":"Permission is not granted","code":283}}"#),
    ("threads", #"{"error":{"message":"An access token is required","code":104}}"#),
    ("tumblr", #"{"meta":{"status":403,"msg":"Application suspended"}}"#),
    ("youtube", #"{"error":{"message":"m","details":[{"reason":"CONSUMER_SUSPENDED"}]}}"#),
    ("reddit", #"{"message":"Forbidden","error":403}"#),
  ])
  func `A credential that a network forbids is told from a wrong query`(
    name: String, body: String
  ) throws {
    let source = try EverySource.named(name)
    let failure = try source.failure(of: answer(body, status: 403), to: page(of: source))
    #expect(failure.kind == .credential, "\(failure)")
  }

  @Test func `A link in a message of Google is read as its text`() throws {
    let source = try EverySource.named("youtube")
    let body =
      #"{"error":{"code":400,"message":"See <a href=\"/youtube/v3/x\">the documentation</a>."}}"#
    let failure = try source.failure(of: answer(body, status: 400), to: page(of: source))
    #expect(failure.message.contains("See the documentation."), "\(failure)")
  }

  @Test func `A block of Threads ends by itself`() throws {
    let source = try EverySource.named("threads")
    let body = #"{"error":{"message":"Temporarily blocked for policies violations","code":368}}"#
    let fault = try source.fault(of: answer(body, status: 400), to: page(of: source))
    guard case .rateLimited = fault else {
      Issue.record("\(fault)")
      return
    }
  }

  @Test func `A network that wants a login of its own is told from a server that fails`() throws {
    let source = try EverySource.named("mastodon")
    let failure = try source.failure(of: answer("{}", status: 511), to: page(of: source))
    #expect(failure.message == "the internet connection requires a login (511)")
    #expect(failure.advice == "log in to the local network in a browser")
  }

  @Test func `The sources have a fixed order`() {
    #expect(
      Sources.all.prefix(5).map(\.name)
        == ["twitter-classic", "x", "bluesky", "mastodon", "hackernews"])
    #expect(Sources.named("bluesky")?.traits.serverWithCredentials == "https://bsky.social")
    #expect(Sources.named("myspace") == nil)
  }

  /// Whether a body is an object without an error.
  private static func isEmptyObject(_ body: String) -> Bool {
    body.hasPrefix("{") && !body.contains("error")
  }

  @Test(arguments: EverySource.names)
  func `A response without a page is a permanent failure`(name: String) throws {
    let source = try EverySource.named(name)
    for body in [
      "", " ", "<!DOCTYPE html><html><body>Hello</body></html>", "nul", "{}",
      "\"text\"",
      "12", "null", #"{"data":5,"results":5,"posts":5,"statuses":5,"hits":5}"#,
      #"{"error":"no","errors":[{"message":"no"}],"message":"no"}"#, "\u{1B}[31mred\nline\u{202E}",
    ] where !EverySource.withoutList.contains(name) || !Self.isEmptyObject(body) {
      let failure = try source.failure(of: answer(body), to: page(of: source))
      #expect(failure.kind == .permanent)
      #expect(failure.message.count <= 200)
      #expect(failure.message.contains("response") || failure.message.contains("error"))
      #expect(failure.advice == "check the server's address" || failure.message.contains("error"))
      #expect(!failure.message.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
    }
    let html = try source.failure(of: answer("<html>\n<body>"), to: page(of: source))
    let expected = EverySource.feeds.contains(name) ? "a feed" : "JSON"
    #expect(html.message == #"the response is not \#(expected) (it begins with "<html> <body>")"#)
    #expect(
      try source.failure(of: answer(""), to: page(of: source)).message == "the response is empty")
  }

  @Test(arguments: EverySource.names.filter { !EverySource.feeds.contains($0) })
  func `A response that was cut off is a temporary failure`(name: String) throws {
    let source = try EverySource.named(name)
    for body in ["{", "[1,", #"{"data": [{"text": "be"#, #"{"hits": [{"title": "a"}, {"#] {
      let failure = try source.failure(of: answer(body), to: page(of: source))
      #expect(failure.kind == .temporary)
      #expect(failure.message == "the response was cut off")
      #expect(failure.advice == "try again later")
      #expect(source.verdict(on: answer(" \(body)"), now: testNow) == .retry)
    }
  }

  @Test(arguments: ["", "[1]", #"{"a": {}} "#, "<p>{", "[1];", "{\"a\": 1}\n\0", "12", "{a"])
  func `A response that is whole, or no JSON at all, is not asked for again`(body: String) throws {
    let source = try EverySource.named("mastodon")
    #expect(source.verdict(on: answer(body), now: testNow) == .done)
  }

  @Test func `A response that was cut off waits for the quota that it used up`() throws {
    let source = try EverySource.named("github")
    let reset = testNow.addingTimeInterval(30)
    let response = answer(
      #"{"items": [{"#,
      headers: [
        "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": String(reset.timeIntervalSince1970),
      ])
    // The quota may be reset at any moment of the second that the server states.
    let end = reset.addingTimeInterval(1)
    #expect(source.verdict(on: response, now: testNow) == .coolDown(until: end))
  }

  @Test func `Statuses that usually pass are retried, and no other`() throws {
    let source = try EverySource.named("mastodon")
    for status in RetryPolicy.passingStatuses.subtracting([429]) {
      #expect(source.verdict(on: answer("", status: status), now: testNow) == .retry, "\(status)")
    }
    for status in [400, 404, 501, 505, 511, 525, 530] {
      #expect(source.verdict(on: answer("", status: status), now: testNow) == .done, "\(status)")
    }
  }

  @Test func `A missing credential is named like in the server's own settings`() throws {
    let source = try #require(Sources.named("github"))
    var page = try page(of: source)
    page.credentials = nil
    let usual = try source.failure(of: answer("{}", status: 401), to: page)
    #expect(usual.advice == "set GITHUB_TOKEN")
    page.credentialAdvice = "set WORK_TOKEN"
    let own = try source.failure(of: answer("{}", status: 401), to: page)
    #expect(own.advice == "set WORK_TOKEN")
  }

  @Test(arguments: EverySource.names)
  func `Each status has its meaning`(name: String) throws {
    let source = try EverySource.named(name)
    for (status, kind) in [
      (204, Failure.Kind.permanent), (302, .permanent), (400, .permanent), (401, .credential),
      (402, .permanent), (404, .permanent), (408, .temporary), (500, .temporary), (502, .temporary),
      (503, .temporary), (504, .temporary),
    ] {
      // There an unknown tag is not an error.
      if status == 404, ["lobsters", "lore", "public-inbox"].contains(name) { continue }
      let fault = try source.fault(of: answer("oops", status: status), to: page(of: source))
      guard case .failed(let failure) = fault else {
        Issue.record("\(status) is \(fault)")
        continue
      }
      #expect(failure.kind == kind, "\(status)")
      #expect(failure.status == status)
      #expect(failure.message.contains("(\(status)): oops"))
    }
    let limited = try source.fault(
      of: answer("", status: 429, headers: ["Retry-After": "60"]), to: page(of: source))
    guard case .rateLimited(let until, let failure) = limited else {
      Issue.record("429 is \(limited)")
      return
    }
    #expect(until == testNow.addingTimeInterval(60))
    #expect(failure.kind == .temporary)
    #expect(failure.message == "too many requests (429)")
    #expect(failure.advice == "try again later")
    let overloaded = try source.fault(
      of: answer("", status: 503, headers: ["Retry-After": "30"]), to: page(of: source))
    guard case .failed(let pause) = overloaded else {
      Issue.record("503 with Retry-After is \(overloaded)")
      return
    }
    #expect(pause.kind == .temporary)
    #expect(pause.message == "the server is unavailable (503)")
    #expect(pause.until == testNow.addingTimeInterval(30))
  }

  @Test(arguments: EverySource.names)
  func `Messages contain no secrets and have a limited length`(name: String) throws {
    let source = try EverySource.named(name)
    let page = try page(of: source)
    let secret = page.credentials?.token ?? ""
    let words = "\(secret) " + String(repeating: "é\\n", count: 5000)
    let failure = try source.failure(
      of: answer(#"{"error":"\#(words)","message":"x"}"#, status: 400), to: page)
    #expect(failure.message.count <= 200)
    #expect(secret.isEmpty || !failure.message.contains(secret))
    guard !secret.isEmpty else { return }
    // Servers may send back what they were sent, in any answer.
    let blanks = String(repeating: " ", count: 60)
    for body in [
      secret, "<html>Bearer \(secret)", blanks + "<p>" + secret, #"{"error":"\#(secret)"}"#,
      #"{"errors":[{"message":"\#(secret)"}],"message":"\#(secret)"}"#,
    ] {
      let failure = try source.failure(of: answer(body), to: page)
      #expect(!failure.message.contains("secret-"), "\(failure.message)")
    }
  }

  @Test(
    arguments: [
      (
        #"{"errors":[{"message":"'since_id' must be newer"}],"title":"Invalid Request","detail":"One or more"}"#,
        "Invalid Request: 'since_id' must be newer"
      ),
      (
        #"{"title":"Unauthorized","type":"about:blank","status":401,"detail":"Unauthorized"}"#,
        "Unauthorized"
      ),
      (
        #"{"error":"ExpiredToken","message":"Token has expired"}"#,
        "ExpiredToken: Token has expired"
      ),
      (#"{"error":"Record not found"}"#, "Record not found"),
      (#"{"error":{"code":5,"message":"m"}}"#, "5: m"),
      (#"{"message":"invalid filter"}"#, "invalid filter"),
      (
        #"{"status":"failed","message":[{"type":"integer-not-valid","value":"0","message":"Too small"}]}"#,
        "Too small"
      ),
      (#"{"errCode":400,"errMsg":"Bad query"}"#, "Bad query"),
      (#"{"result":"error","msg":"Bad query"}"#, "Bad query"),
      (#"{"result":null,"error_code":"ERR","error_info":"Bad query"}"#, "Bad query"),
      (#"{"errorMessages":["Bad query"],"errors":{}}"#, "Bad query"),
      (
        #"{"detail":[{"loc":["body","query"],"msg":"field required","type":"missing"}]}"#,
        "field required"
      ),
      (#"{"error":{"code":"badvalue","info":"Unknown sort"}}"#, "badvalue: Unknown sort"),
      (#"{"errors":[{"code":88,"message":"Rate limit exceeded"}]}"#, "Rate limit exceeded"),
      (#"{"error":7,"errors":{},"message":[],"title":null}"#, nil),
      (#"<html><body><h1>403 Forbidden</h1>by rules</body></html>"#, "403 Forbidden\n\nby rules"),
    ] as [(String, String?)])
  func `The network's own message is found in every form`(body: String, words: String?) {
    #expect(ErrorBody(answer(body, status: 400)).words == words)
  }
}
