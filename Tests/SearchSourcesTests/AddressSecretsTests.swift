import SearchSources
import Testing

/// Which parts of an address are hidden.
@Suite struct AddressSecretsTests {
  @Test(arguments: [
    ("https://a.example/s?q=x&key=s3cret", ["s3cret"]), ("https://a.example/s?key=", []),
    ("https://a.example/s?q={query}&api_key={MY_KEY}", []),
    ("https://a.example/s?{?token={MY_KEY}}", []),
    ("https://a.example/s?token={A}s3cret{B}", ["{A}s3cret{B}"]),
    ("https://a.example/s?token={A", ["{A"]),
    ("https://a.example/s?access_key=a&torrent_pass=b&rsskey=c", ["a", "b", "c"]),
    ("https://a.example/s?projectkey=A&passage=1", []),
  ])
  func `A variable in braces is no secret, and what stands beside one is`(
    address: String, secrets: [String]
  ) {
    #expect(AddressSecrets.values(in: address) == secrets)
  }
}
