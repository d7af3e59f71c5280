import Foundation
import Testing

@testable import QueuedHTTP

@Suite struct CacheRulesTests {
  private let clock = SetClock()

  private func stored(
    _ headers: HTTPHeaders, age: Double, status: Int = 200
  ) -> StoredResponse {
    let moment = clock.now - age
    return StoredResponse(
      status: status, headers: headers, body: HTTPBody(), requested: moment, received: moment)
  }

  /// What is stored, how many seconds ago, what the request says, what follows.
  static let uses: [(HTTPHeaders, Double, HTTPHeaders, CacheRules.Use)] = [
    (["Cache-Control": "max-age=60"], 59, [:], .answer(.stored)),
    (["Cache-Control": "max-age=60"], 60, [:], .fetch),
    (["Cache-Control": "max-age=60", "ETag": "\"a\""], 60, [:], .validate),
    (["Cache-Control": "MAX-AGE=\"60\" , private"], 59, [:], .answer(.stored)),
    (["Cache-Control": "max-age=60, max-age=10"], 11, [:], .fetch),
    (["Cache-Control": "max-age=x"], 1, [:], .fetch),
    (["Cache-Control": "max-age=-1"], 1, [:], .fetch),
    (["Cache-Control": "max-age=99999999999999999999"], 86_400 * 365, [:], .answer(.stored)),
    (["Cache-Control": "max-age=60", "Age": "30"], 29, [:], .answer(.stored)),
    (["Cache-Control": "max-age=60", "Age": "30"], 30, [:], .fetch),
    (["Cache-Control": "max-age=60", "Age": "nan"], 30, [:], .answer(.stored)),
    (["Cache-Control": "no-cache, max-age=60", "ETag": "\"a\""], 1, [:], .validate),
    (
      ["Cache-Control": "no-cache=\"Set-Cookie, X\", max-age=60", "ETag": "\"a\""], 1, [:],
      .validate
    ),
    (["ETag": "\"a\""], 0, [:], .validate),
    (["ETag": ""], 0, [:], .fetch),
    (["Last-Modified": "yesterday, or so"], 0, [:], .fetch),
    // A clock may step back a little.
    (["Cache-Control": "max-age=60"], -1, [:], .answer(.stored)),
    (["Cache-Control": "max-age=60"], -2, [:], .fetch),
    (["Cache-Control": "max-age=60"], 1, ["Cache-Control": "no-cache"], .fetch),
    (["Cache-Control": "max-age=60"], 1, ["Pragma": "no-cache"], .fetch),
    (["Cache-Control": "max-age=60"], 10, ["Cache-Control": "max-age=5"], .fetch),
    (["Cache-Control": "max-age=60"], 10, ["Cache-Control": "max-age=10"], .answer(.stored)),
    (
      ["Cache-Control": "max-age=60, immutable"], 10, ["Cache-Control": "max-age=0"],
      .answer(.stored)
    ),
    (["Cache-Control": "max-age=60"], 10, ["Cache-Control": "min-fresh=50"], .answer(.stored)),
    (["Cache-Control": "max-age=60"], 10, ["Cache-Control": "min-fresh=51"], .fetch),
    (["Cache-Control": "max-age=60"], 90, ["Cache-Control": "max-stale=30"], .answer(.stale)),
    (["Cache-Control": "max-age=60"], 91, ["Cache-Control": "max-stale=30"], .fetch),
    (["Cache-Control": "max-age=60"], 9999, ["Cache-Control": "max-stale"], .answer(.stale)),
    (
      ["Cache-Control": "max-age=60, must-revalidate"], 61, ["Cache-Control": "max-stale"], .fetch
    ),
    (["Cache-Control": "max-age=60"], 61, ["Cache-Control": "only-if-cached"], .refuse),
    (["Cache-Control": "max-age=60"], 1, ["Cache-Control": "only-if-cached"], .answer(.stored)),
  ]

  @Test(arguments: uses)
  func `What is stored is used as long as both sides let it`(
    headers: HTTPHeaders, age: Double, wish: HTTPHeaders, use: CacheRules.Use
  ) {
    let request = HTTPRequest(url: "http://a/", headers: wish)
    let found = CacheRules.use(
      of: stored(headers, age: age), for: request, guesses: true, now: clock.now)
    #expect(found == use)
  }

  @Test(arguments: [
    (CachePolicy.useCache, CacheRules.Use.validate, CacheRules.Use.fetch),
    (.reload, .fetch, .fetch), (.onlyCached, .answer(.stale), .refuse), (.ignore, .fetch, .fetch),
  ])
  func `A policy decides before age does`(
    policy: CachePolicy, stale: CacheRules.Use, nothing: CacheRules.Use
  ) {
    var request = HTTPRequest(url: "http://a/")
    request.cachePolicy = policy
    let old = stored(["ETag": "\"a\"", "Cache-Control": "no-cache"], age: 1000)
    #expect(CacheRules.use(of: old, for: request, guesses: true, now: clock.now) == stale)
    #expect(CacheRules.use(of: nil, for: request, guesses: true, now: clock.now) == nothing)
  }

  @Test func `Without a word of the server's a tenth of the age is guessed, a day at most`() {
    func lifetime(_ headers: HTTPHeaders, guesses: Bool = true) -> Double {
      Freshness(stored(headers, age: 0), guesses: guesses, now: clock.now).lifetime
    }
    let date = clock.httpDate()
    #expect(lifetime(["Date": date, "Last-Modified": clock.httpDate(-1000)]) == 100)
    #expect(lifetime(["Last-Modified": clock.httpDate(-1000)]) == 100)
    #expect(lifetime(["Date": date, "Last-Modified": clock.httpDate(-9_999_999)]) == 86_400)
    #expect(lifetime(["Date": date, "Last-Modified": clock.httpDate(1000)]) == 0)
    #expect(lifetime(["Last-Modified": clock.httpDate(-1000)], guesses: false) == 0)
    #expect(lifetime(["Last-Modified": clock.httpDate(-1000), "Expires": "0"]) == 0)
    #expect(lifetime(["Date": date, "Expires": clock.httpDate(70)]) == 70)
    #expect(lifetime(["Date": clock.httpDate(-10), "Expires": clock.httpDate(70)]) == 80)
    #expect(
      lifetime(["Date": date, "Expires": clock.httpDate(70), "Cache-Control": "max-age=5"]) == 5)
    #expect(lifetime([:]) == 0)
  }

  @Test func `An age counts what was spent on the way and in other caches`() {
    let headers: HTTPHeaders = ["Date": clock.httpDate(-40), "Age": "10"]
    let response = StoredResponse(
      status: 200, headers: headers, body: HTTPBody(), requested: clock.now - 25,
      received: clock.now - 20)
    // By the date it was 20 old when it came, by the other caches 10 and the 5 that it took.
    #expect(Freshness(response, guesses: true, now: clock.now).age == 40)
    var slow = response
    slow.requested = clock.now - 100
    #expect(Freshness(slow, guesses: true, now: clock.now).age == 110)
  }

  @Test(
    arguments: [
      (200, [:], ""), (203, [:], ""), (404, [:], ""), (410, [:], ""), (300, [:], ""),
      (200, ["Vary": "Accept-Language, X-A"], "accept-language,x-a"),
      (200, ["Vary": "b,a ,, B"], "a,b"),
      (200, ["Vary": "a, *"], nil), (200, ["Cache-Control": "No-Store"], nil),
      (200, ["Cache-Control": "max-age=9, no-store=\"x\""], nil),
      (206, [:], nil), (204, [:], nil), (301, [:], nil), (302, [:], nil), (304, [:], nil),
      (403, [:], nil), (500, [:], nil), (599, [:], nil),
    ] as [(Int, HTTPHeaders, String?)])
  func `Complete responses are stored unless the server forbids it`(
    status: Int, headers: HTTPHeaders, names: String?
  ) {
    let response = HTTPResponse(status: status, headers: headers, url: "http://a/")
    let found = CacheRules.variantNames(of: response, at: "http://a/")
    #expect(found?.joined(separator: ",") == names)
    #expect(CacheRules.variantNames(of: response, at: "http://b/") == nil)
  }

  @Test func `Only a plain GET into memory takes part`() {
    let plain = HTTPRequest(url: "http://a/")
    #expect(CacheRules.concerns(plain))
    func change(_ make: (inout HTTPRequest) -> Void) -> Bool {
      var request = plain
      make(&request)
      return CacheRules.concerns(request)
    }
    #expect(!change { $0.method = .post })
    #expect(!change { $0.method = .head })
    #expect(!change { $0.body = [1] })
    #expect(!change { $0.upload = .file("/dev/null") })
    #expect(!change { $0.destination = .file(path: "/dev/null") })
    #expect(!change { $0.cachePolicy = .ignore })
    #expect(!change { $0.headers["Range"] = "bytes=0-1" })
    #expect(!change { $0.headers["if-none-match"] = "\"a\"" })
    #expect(!change { $0.headers["Cache-Control"] = "no-store" })
    #expect(change { $0.headers["Cache-Control"] = "no-cache" })
  }

  @Test func `A 304 updates the fields, except those of the body`() {
    let old = stored(
      [
        "Content-Type": "a/b", "Content-Length": "5", "ETag": "\"1\"", "X": "old", "Y": "kept",
        "Date": clock.httpDate(-1000), "Age": "9",
      ], age: 0)
    let fields = old.freshened(by: [
      "etag": "\"1\"", "x": "new", "Content-Length": "0", "Content-Type": "c/d",
      "Cache-Control": "max-age=5",
    ])
    #expect(fields.values(of: "X") == ["new"])
    #expect(fields["Y"] == "kept")
    #expect(fields["Content-Type"] == "a/b")
    #expect(fields["Content-Length"] == "5")
    #expect(fields["Cache-Control"] == "max-age=5")
    #expect(fields["Age"] == nil)
    #expect(fields["Date"] == nil)
    #expect(fields.values(of: "ETag") == ["\"1\""])
  }

  @Test func `A key tells apart all that tells answers apart`() {
    func key(
      _ url: String, _ headers: HTTPHeaders = [:], secret: Set<String> = [], number: UInt64 = 1,
      names: [String] = [], identity: [String] = []
    ) throws -> CacheKey {
      let request = HTTPRequest(url: url, headers: headers, secretHeaders: secret)
      let address = try WebAddress(url)
      return CacheKey(
        address: url, origin: address.origin, variants: .init(number: number, names: names),
        request: request, userAgent: "agent", identity: identity)
    }
    #expect(throws: Never.self) {
      let plain = try key("http://host/a?b")
      #expect(try key("http://HOST:80/a?b#c") == plain)
      #expect(try key("http://host/a?b", ["X": "1"]) == plain)
      #expect(try key("http://host") == key("http://host/"))
      #expect(try key("http://host?q") == key("http://host/?q"))
      let others = [
        try key("https://host/a?b"), try key("http://host:81/a?b"), try key("http://host/a"),
        try key("http://u:p@host/a?b"), try key("http://host/a?b", number: 2),
        try key("http://host/a?b", ["authorization": "Bearer 1"]),
        try key("http://host/a?b", ["authorization": "Bearer 2"]),
        try key("http://host/a?b", ["Cookie": "Bearer 1"]),
        try key("http://host/a?b", ["X-Key": "1"], secret: ["x-key"]),
        try key("http://host/a?b", ["X-Key": "1"], names: ["x-key"]),
        try key("http://host/a?b", ["X-Key": ""], names: ["x-key"]),
        try key("http://host/a?b", names: ["x-key"]),
        try key("http://host/a?b", names: ["user-agent"]),
        try key("http://host/a?b", identity: ["me.pem"]),
      ]
      #expect(Set(others + [plain]).count == others.count + 1)
      #expect("\(plain)" == "a cache key")
    }
  }
}
