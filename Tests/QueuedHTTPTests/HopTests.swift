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

  @Test(arguments: [
    ("/c", "https://one.example/c"), ("c", "https://one.example/a/c"),
    ("?q", "https://one.example/a/b?q"),
    ("//two.example/c", "https://two.example/c"),
    ("/with blank", "https://one.example/with%20blank"),
    ("HTTPS://TWO.example/", "https://TWO.example/"),
  ])
  func `A location is relative to the current URL`(location: String, url: String) throws {
    #expect(try follow("https://one.example/a/b", to: location).address.text == url)
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
