import Testing

@testable import QueuedHTTP

@Suite struct ProxyChoiceTests {
  private func place(
    _ url: String, proxy: String? = nil, noProxy: String? = nil,
    environment: [String: String] = [:]
  ) throws -> String? {
    var configuration = HTTPClient.Configuration()
    configuration.proxy = proxy
    configuration.noProxy = noProxy
    return ProxyChoice(for: try WebAddress(url), configuration) { environment[$0] }?.place
  }

  @Test func `The client's own proxy counts before the environment's`() throws {
    let environment = ["http_proxy": "http://a:1", "no_proxy": "one.example"]
    #expect(try place("http://one.example/", proxy: "b:2", environment: environment) == nil)
    #expect(try place("http://two.example/", proxy: "b:2", environment: environment) == "b:2")
    #expect(try place("http://two.example/", environment: environment) == "a:1")
    #expect(try place("http://two.example/", proxy: "", environment: environment) == nil)
    #expect(
      try place("http://one.example/", proxy: "b:2", noProxy: "", environment: environment)
        == "b:2")
  }

  @Test(
    arguments: [
      ("http://x.example/", ["http_proxy": "a:1"], "a:1"),
      ("http://x.example/", ["HTTP_PROXY": "a:1"], nil),
      ("https://x.example/", ["http_proxy": "a:1"], nil),
      ("https://x.example/", ["HTTPS_PROXY": "a:1"], "a:1"),
      ("https://x.example/", ["all_proxy": "socks5h://u:p@a:1"], "a:1"),
      ("http://x.example/", ["ALL_PROXY": "a:1", "http_proxy": "b:2"], "b:2"),
      ("http://x.example/", [:], nil),
    ] as [(String, [String: String], String?)])
  func `The environment's proxy is that of the scheme, else that of all`(
    url: String, environment: [String: String], expected: String?
  ) throws {
    #expect(try place(url, environment: environment) == expected)
  }

  @Test func `The variable that names the proxy is known`() throws {
    func variable(_ proxy: String?, _ environment: [String: String]) throws -> String? {
      var configuration = HTTPClient.Configuration()
      configuration.proxy = proxy
      return ProxyChoice(for: try WebAddress("http://x.example/"), configuration) {
        environment[$0]
      }?.variable
    }
    #expect(try variable(nil, ["http_proxy": "", "ALL_PROXY": "a b"]) == "ALL_PROXY")
    #expect(try variable("a:1", ["http_proxy": "b:1"]) == nil)
  }

  @Test(
    arguments: [
      ("http://proxy.example:1", nil, "localhost,127.0.0.1,127.0.0.0/8,::1"),
      ("127.evil.example:1", "a.example", "a.example,localhost,127.0.0.1,127.0.0.0/8,::1"),
      ("http://127.0.0.1:1", nil, nil), ("http://[::1]:1", "a.example", "a.example"),
      ("http://LOCALHOST:1", nil, nil), ("http://proxy.example:1", "*", "*"), ("", nil, nil),
    ] as [(String, String?, String?)])
  func `This machine is not reached by way of another one`(
    proxy: String, noProxy: String?, expected: String?
  ) {
    var configuration = HTTPClient.Configuration()
    configuration.noProxy = noProxy
    let hosts = ProxyChoice.exemptHosts(of: configuration) { ["http_proxy": proxy][$0] }
    #expect(hosts == expected)
    configuration.proxy = proxy
    #expect(ProxyChoice.exemptHosts(of: configuration) { _ in nil } == expected)
  }

  @Test(arguments: [
    ("*", true), ("x.example", true), ("X.EXAMPLE.", true), (".example", true), ("example", true),
    ("a, x.example", true), ("10.0.0.0/8", false), ("ample", false), ("y.example", false),
    ("", false), (",", false),
  ])
  func `A host is exempt by its name or its domain`(list: String, isExempt: Bool) throws {
    #expect(try place("http://x.example/", proxy: "a:1", noProxy: list) == (isExempt ? nil : "a:1"))
  }

  @Test(arguments: [
    ("127.0.0.0/8", true), ("127.0.0.2/32", true), ("127.0.0.0/30", true), ("0.0.0.0/0", true),
    ("127.0.0.4/30", false), ("127.0.0.0/33", false), ("127.0.0/8", false), ("/8", false),
  ])
  func `An address is exempt by its block`(list: String, isExempt: Bool) throws {
    #expect(try place("http://127.0.0.2/", proxy: "a:1", noProxy: list) == (isExempt ? nil : "a:1"))
  }

  @Test func `A proxy for https alone is bypassed for this machine, too`() {
    let own = "localhost,127.0.0.1,127.0.0.0/8,::1"
    let variables = ["HTTPS_PROXY": "http://proxy.example:1"]
    #expect(ProxyChoice.exemptHosts(of: HTTPClient.Configuration()) { variables[$0] } == own)
    let local = variables.merging(["http_proxy": "http://127.0.0.1:1"]) { $1 }
    #expect(ProxyChoice.exemptHosts(of: HTTPClient.Configuration()) { local[$0] } == nil)
  }
}
