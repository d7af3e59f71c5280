import SearchModel
import Testing

@Suite struct ServerAddressTests {
  @Test(
    arguments: [
      ("http://localhost:8080", true), ("http://127.0.0.1", true), ("http://127.255.0.9:1", true),
      ("http://[::1]:8080/x", true), ("https://LOCALHOST", true),
      // Names of other machines, whoever registers them.
      ("http://127.a.b.c", false), ("http://127.0.0.1.example", false), ("http://127.0.0", false),
      ("http://127.0.0.256", false), ("http://127..0.1", false), ("http://128.0.0.1", false),
      ("http://localhost.example", false), ("http://[::2]", false),
    ])
  func `Only the loopback block and its names are this machine`(
    address: String, isLoopback: Bool
  ) throws {
    // Credentials are sent over plain http to this machine only.
    #expect(try #require(ServerAddress(address)).isLoopback == isLoopback)
  }

  @Test(
    arguments: [
      ("https://a.example", "a.example", "a.example"),
      ("http://a-1.example:80/", "a-1.example", "a-1.example"),
      ("https://a.example:443/users/~amy@b.example", "a.example", "a.example"),
      ("https://a.example:8443/x_y/Z.html", "a.example", "a.example:8443"),
      ("http://10.0.0.1:65535", "10.0.0.1", "10.0.0.1:65535"),
      // What only a whole parser understands.
      ("HTTPS://A.Example:8443/x%20y", "a.example", "a.example:8443"),
      ("http://[2001:DB8::1]:8080", "2001:db8::1", "[2001:db8::1]:8080"),
      ("https://a_b.example/(x)", "a_b.example", "a_b.example"),
      ("https://a.example/{query}/x", "a.example", "a.example"),
    ])
  func `The host and its port are read of any address`(
    address: String, host: String, authority: String
  ) throws {
    let server = try #require(ServerAddress(address))
    #expect(server.host == host)
    #expect(server.authority == authority)
    #expect(server.isSecure == address.lowercased().hasPrefix("https:"))
    // Two spellings of one server would be two servers, each asked at its own pace.
    #expect(server.text.contains("://\(authority)"))
    let path = ServerAddress("HTTPS://A.Example/x%20Y/Z")
    #expect(path?.text == "https://a.example/x%20Y/Z")
  }

  @Test(
    arguments: [
      "a.example", "ftp://a.example", "https://", "https:///x", "https://:80", "http:/a.example",
      "https://amy@a.example", "https://amy:secret@a.example/x", "https://a.example/?q=1",
      "https://a.example/#x", "https://a.example/x y", "https://a.example:port",
      "https://a.example:65536x/", "https://ä.example/\u{7F}", "",
    ])
  func `Anything but a base address is none`(address: String) {
    #expect(ServerAddress(address) == nil)
  }

  @Test func `Addresses are equal if their texts are`() throws {
    let address = try #require(ServerAddress("https://a.example/x/"))
    #expect(address == ServerAddress("https://a.example/x"))
    #expect(Set([address, try #require(ServerAddress("https://a.example/x"))]).count == 1)
    #expect(address != ServerAddress("https://a.example/y"))
    // A query may contain a secret: it tells addresses apart, but is never shown.
    let whole = try #require(ServerAddress.whole("https://a.example/x?key=1"))
    #expect(whole != address && whole != ServerAddress.whole("https://a.example/x?key=2"))
    #expect(whole.description == "https://a.example/x")
  }
}
