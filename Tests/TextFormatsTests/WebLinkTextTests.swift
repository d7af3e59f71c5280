import Testing
import TextFormats

struct WebLinkTextTests {
  @Test(arguments: [
    ("See https://a.example/x.", ["https://a.example/x"]),
    (
      "https://a.example/x?b=1&c=2#d, http://b.example!",
      [
        "https://a.example/x?b=1&c=2#d", "http://b.example",
      ]
    ),
    (
      "[text](https://a.example/b) and [more](https://c.example),then",
      [
        "https://a.example/b", "https://c.example",
      ]
    ),
    ("(https://a.example/b_(c))", ["https://a.example/b_(c)"]),
    ("[https://a.example](https://b.example)", ["https://a.example", "https://b.example"]),
    (
      "<https://a.example> \"https://b.example\" `https://c.example`",
      [
        "https://a.example", "https://b.example", "https://c.example",
      ]
    ),
    ("**https://a.example/b**", ["https://a.example/b"]),
    (#"https://a.example/b\_c"#, ["https://a.example/b_c"]),
    ("日本語https://a.example/x。次", ["https://a.example/x"]),
    ("https://a.example/käse", ["https://a.example/käse"]),
    (
      "https://web.example/2020/https://a.example/", ["https://web.example/2020/https://a.example/"]
    ),
    ("https://a.example/lo… https://b.example/lo...", []),
    ("ftp://a.example xhttps://b.example https:// https://) ://", []),
    ("no address", []),
  ]) func `URLs end where the sentence goes on`(text: String, urls: [String]) {
    #expect(WebLink.urls(in: text) == urls)
  }

  @Test func `A URL at the end of an excerpt may be cut off`() {
    let text = "https://a.example/x https://b.example/y"
    #expect(WebLink.urls(in: text, isExcerpt: true) == ["https://a.example/x"])
    #expect(WebLink.urls(in: text + ".", isExcerpt: true) == ["https://a.example/x"])
    #expect(WebLink.urls(in: text + " z", isExcerpt: true).count == 2)
  }
}
