import Testing

@testable import QueuedHTTP

@Suite struct HopTests {
  private func follow(
    _ url: String, to location: String, headers: HTTPHeaders = [:], allowsDowngrade: Bool = false
  ) throws -> Hop {
    let request = HTTPRequest(
      url: url, headers: headers, secretHeaders: ["X-Key"], allowsDowngrade: allowsDowngrade)
    return try Hop(request).following(302, to: location, of: request)
  }

  @Test func `No redirect leads from https to http`() throws {
    let error = #expect(throws: HTTPError.self) {
      try follow("https://one.example/", to: "http://one.example/")
    }
    #expect(error?.code == .redirect)
    #expect(error?.reason == "the redirect from https to http is not allowed")
    #expect(try follow("http://one.example/", to: "https://one.example/").address.isSecure)
  }

  @Test func `An allowed redirect from https to http is followed without secrets`()
    throws
  {
    let hop = try follow(
      "https://one.example/", to: "http://one.example/a",
      headers: ["Authorization": "secret", "Cookie": "secret", "X-Key": "secret", "X-Other": "1"],
      allowsDowngrade: true)
    #expect(hop.address.text == "http://one.example/a")
    #expect(hop.headers == ["X-Other": "1"])
    // What was left behind does not come back with the way to https.
    let back = try hop.following(
      302, to: "https://one.example/", of: HTTPRequest(url: "https://one.example/"))
    #expect(back.headers == ["X-Other": "1"])
  }

  @Test(
    arguments: [
      ("", false), ("https://one.example/a", false), ("https://one.example:443/b", false),
      ("https://two.example/a", true), ("https://one.example:8443/a", true),
      ("http://one.example/a", true),
    ])
  func `A response from another origin is one without the credentials of the request`(
    url: String, isWithout: Bool
  ) {
    let response = HTTPResponse(status: 200, url: url)
    func leavesBehind(_ headers: HTTPHeaders) -> Bool {
      HTTPRequest(url: "https://one.example/a", headers: headers, secretHeaders: ["X-Key"])
        .leavesCredentialsBehind(before: response)
    }
    #expect(leavesBehind(["authorization": "secret"]) == isWithout)
    #expect(leavesBehind(["X-Key": "secret"]) == isWithout)
    #expect(!leavesBehind(["X-Other": "1"]))
  }

  @Test(arguments: [
    ("/c", "https://one.example/c"), ("c", "https://one.example/a/c"),
    ("?r", "https://one.example/a/b?r"),
    ("//two.example/c", "https://two.example/c"),
    ("/with blank", "https://one.example/with%20blank"),
    ("HTTPS://TWO.example/", "https://TWO.example/"), ("", "https://one.example/a/b?q"),
    ("#part", "https://one.example/a/b?q#part"),
  ])
  func `A location is relative to the current URL`(location: String, url: String) throws {
    #expect(try follow("https://one.example/a/b?q", to: location).address.text == url)
  }

  @Test(arguments: [
    ("http://ada:secret@one.example/a", "http://one.example/b", "http://ada:secret@one.example/b"),
    ("http://ada:secret@one.example/a", "http://eve@one.example/b", "http://eve@one.example/b"),
    ("http://ada:secret@one.example/a", "http://two.example/b", "http://two.example/b"),
    ("http://ada:secret@one.example", "http://one.example?q@", "http://ada:secret@one.example/?q@"),
  ])
  func `The user and password of a URL stay with its origin`(
    url: String, location: String, next: String
  ) throws {
    #expect(try follow(url, to: location).address.text == next)
  }

  @Test func `A request without content says nothing of any`() throws {
    let headers: HTTPHeaders = [
      "Expect": "100-continue", "Content-Language": "de", "Content-Type": "text/plain",
      "X-Other": "1",
    ]
    let request = HTTPRequest(
      .post, url: "http://one.example/", headers: headers, body: Array("text".utf8))
    let hop = try Hop(request)
    #expect(hop.headers["Expect"] == "100-continue")
    #expect(try hop.following(303, to: "/", of: request).headers == ["X-Other": "1"])
    #expect(try hop.following(307, to: "/", of: request).headers == headers)
    #expect(
      try Hop(HTTPRequest(url: "http://one.example/", headers: headers)).headers["Expect"] == nil)
  }

  @Test func `A download that resumes has no range of its own`() throws {
    let error = #expect(throws: HTTPError.self) {
      try Hop(
        HTTPRequest(
          url: "http://one.example/", headers: ["Range": "bytes=0-9"],
          destination: .file(path: "file", resumes: true)))
    }
    #expect(error?.code == .badRequest)
  }

  @Test(arguments: [
    ("https://one.example/x", true), ("https://ONE.example:443/x", true),
    ("https://one.example:444/x", false), ("https://two.example/x", false),
    ("https://one.example.two.example/x", false), ("https://one.example@two.example/x", false),
    ("https:\\\\two.example/x", false),
  ])
  func `Only the same scheme, host and port are the same origin`(location: String, isSame: Bool)
    throws
  {
    let headers: HTTPHeaders = ["Authorization": "secret", "x-key": "secret"]
    guard let hop = try? follow("https://one.example/", to: location, headers: headers) else {
      #expect(!isSame)
      return
    }
    // A location that is no address of its own stays on this server, where the secret belongs.
    let isHere = hop.address.origin == "https://one.example:443"
    #expect((hop.headers["Authorization"] != nil) == isHere)
    #expect((hop.headers["X-Key"] != nil) == isHere)
    if isSame { #expect(isHere) }
  }

  @Test func `An address is shown without its secrets`() throws {
    let address = try WebAddress("http://user:password@one.example:8080/path?token=1#part")
    #expect(address.censored == "http://one.example:8080/path")
    #expect(address.origin == "http://one.example:8080")
    #expect(try WebAddress("https://one.example").censored == "https://one.example/")
  }
}
