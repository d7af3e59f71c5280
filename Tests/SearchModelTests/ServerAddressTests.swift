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
