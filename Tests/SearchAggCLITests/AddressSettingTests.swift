import Testing

@testable import Application
@testable import SearchAggCLI

@Suite struct AddressSettingTests {
  @Test(arguments: [
    ("https://example.org/a", "https://example.org/a"),
    ("http://ada:s3cret@example.org/a", "http://…@example.org/a"),
    ("ada:s3cret@example.org", "…@example.org"),
    ("http://ada:s3@cret@example.org", "http://…@example.org"),
    ("https://example.org/?token=s3cret", "https://example.org/…"),
    ("https://example.org/#s3cret", "https://example.org/…"),
  ])
  func `A refused address is shown without its secrets`(text: String, shown: String) {
    #expect(AddressText.censored(text) == shown)
  }

  @Test(arguments: [
    "http://127.0.0.1:8080", "https://proxy.example", "socks4://a:1", "socks4a://a:1", "socks5://a",
    "socks5h://127.0.0.1:1080", "proxy.example:3128", "http://ada:pass@proxy.example:3128",
    "http://[::1]:8080", "HTTP://proxy.example/", "",
  ])
  func `Every form of proxy that libcurl supports is accepted`(text: String) throws {
    #expect(try AddressSetting.proxy(text, from: .variable("SEARCHAGG_PROXY")) == text)
  }

  @Test(arguments: [
    "::::", "http://", "ftp://a", "http://a:99999", "http://a:b:c", "http://a/b", "a b",
    "http://[::1", "http://:80",
  ])
  func `A malformed proxy address is refused`(text: String) {
    #expect(throws: CommandFailure.self) { try AddressSetting.proxy(text, from: .option("proxy")) }
  }

  @Test func `A proxy password cannot be given as an option, and is not repeated`() {
    let failure = #expect(throws: CommandFailure.self) {
      try AddressSetting.proxy("http://ada:s3cret@proxy.example", from: .option("proxy"))
    }
    #expect(failure?.exitStatus == .usage)
    #expect(failure?.message.contains("SEARCHAGG_PROXY") == true)
    #expect(failure?.message.contains("s3cret") == false)
  }

  @Test(arguments: [
    ("https://a.example/x, https://b.example/", ["https://a.example/x", "https://b.example/"]),
    (
      "https://a.example/x,y.xml?c=1,2,http://b.example",
      ["https://a.example/x,y.xml?c=1,2", "http://b.example"]
    ),
    (" , https://a.example/,", ["https://a.example/"]), (",", []),
  ])
  func `A comma within the address of a document is its own`(text: String, addresses: [String]) {
    #expect(AddressText.list(text, areWhole: true) == addresses)
  }

  @Test func `A base address ends at each comma`() {
    #expect(
      AddressText.list("https://a.example,b", areWhole: false) == ["https://a.example", "b"])
  }

  @Test(arguments: [
    "https://ada:s3cret@f.example/x", "f.example/feed", "ftp://f.example/x",
    "https://f.example/a b",
  ])
  func `A malformed document address is refused without its secrets`(text: String) {
    let failure = #expect(throws: CommandFailure.self) {
      try AddressSetting.server(text, isWhole: true, from: .variable("SEARCHAGG_FEED_URL"))
    }
    #expect(failure?.message.contains("s3cret") == false)
  }
}
