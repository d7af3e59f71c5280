import TestSupport
import Testing

@testable import QueuedHTTP

struct PlainAddressTests {
  /// Pieces that make up addresses, most of them ordinary and some of them traps.
  private static let schemes = ["http://", "https://", "HTTP://", "http:/", "ftp://"]
  private static let hosts = [
    "one.example", "localhost", "127.0.0.1", "a", "xn--fiqs8s", "a-b.c-d.example", "x1.y2",
    "One.example", "127.1", "0127.0.0.1", "256.0.0.1", "0x7f.1", "2130706433", "one.example.",
    ".example", "a..b", "[::1]", "user@one.example", "1e100.net", "a%41", "ex_ample", "-a", "",
  ]
  private static let ports = [
    "", ":80", ":443", ":8080", ":1", ":65535", ":", ":0", ":080", ":65536", ":99999999", ":8a",
  ]
  private static let paths = [
    "/", "/a/b", "/a?q=1&r=%20", "/search?q=a/../b", "/a//b", "/~x/$,;:@!*()", "", "?q", "/a#b",
    "/a/../b", "/./a", "/a/.b", "/a/%2e%2e/b", "/a/%2E/b", "/a/b.c", "/a/..", "/\u{e9}", "/a b",
    "/a\\b", "/%7Ea", "/a%2fb", "/a?x#y",
  ]

  @Test func `A plain address has the parts that libcurl reads in it`() throws {
    var plain = 0
    for scheme in Self.schemes {
      for host in Self.hosts {
        for port in Self.ports {
          for path in Self.paths {
            let text = scheme + host + port + path
            guard PlainAddress(text) != nil else { continue }
            plain += 1
            #expect(try Parts(WebAddress(text)) == Parts(WebAddress(parsing: text)), "\(text)")
          }
        }
      }
    }
    #expect(plain > 500)
  }

  @Test func `Random changes to an address never make its parts differ from libcurl's`() throws {
    var random = SeededRandom(seed: 7)
    let base = "https://api.one.example:8443/v1/search.json?q=swift%20lang&page=2"
    let bytes = Array("/.:?#@%[]\\ -_~0159azAZ&=+".utf8)
    var plain = 0
    for _ in 0..<20_000 {
      var text = Array(base.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        guard let byte = bytes.randomElement(using: &random) else { continue }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text[place] = byte
        case 1: text.insert(byte, at: place)
        default: text.remove(at: place)
        }
      }
      let address = String(decoding: text, as: UTF8.self)
      guard PlainAddress(address) != nil else { continue }
      plain += 1
      #expect(try Parts(WebAddress(address)) == Parts(WebAddress(parsing: address)), "\(address)")
    }
    #expect(plain > 2_000)
  }

  @Test(arguments: [
    "http://one.example/", "https://hn.algolia.com/api/v1/search?query=swift",
    "http://127.0.0.1:41803/mastodon/api/v1/timelines/tag/swift?limit=40",
  ])
  func `Ordinary addresses need no parser`(text: String) {
    #expect(PlainAddress(text) != nil)
  }

  /// A handle keeps the parsed origin, and every request changes path and query.
  @Test func `The server is sent the path and query of each address, whatever came before it`()
    async throws
  {
    let servers = try [LoopbackServer { _ in .ok("x") }, LoopbackServer { _ in .ok("x") }]
    defer { for server in servers { server.close() } }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 1
    let client = HTTPClient(configuration: configuration)
    let targets = [
      "/", "/a?b=1", "/a", "/a/b/c?d=%20&e", "/?q=1", "/a?", "/a?b?c=/d", "/?", "/%7Ea", "/a?x=y",
      "/", "//a", "/a?x=http://b.example/", "/~a$,;:@!*()?;", "/a%2fb",
      "/a%2FB", "/a?q=%3E%3D%C3%A9", "/a?q=%3e%3d%c3%a9",
      "/long/" + String(repeating: "a", count: 600),
    ]
    var expected: [[String]] = [[], []]
    var random = SeededRandom(seed: 11)
    for _ in 0..<200 {
      let number = Int.random(in: 0...1, using: &random)
      guard let host = ["127.0.0.1", "localhost"].randomElement(using: &random),
        let target = targets.randomElement(using: &random)
      else { continue }
      expected[number].append(target)
      let url = "http://\(host):\(servers[number].port)\(target)"
      let response = try await client.send(patient(url: url))
      #expect(response.url == url)
    }
    #expect(servers.map(\.targets) == expected)
    await client.shutdown()
  }
}

/// Everything that an address says, however it was read.
private struct Parts: Equatable {
  private let texts: [String]
  private let flags: [Bool]

  init(_ address: WebAddress) {
    texts = [address.text, address.host, address.port, address.origin, address.censored]
    flags = [address.isSecure, address.hasCredentials]
  }
}
