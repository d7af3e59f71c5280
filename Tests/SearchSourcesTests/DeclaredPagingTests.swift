import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// How the pages of declared sources follow one another, and never leave their server.
@Suite struct DeclaredPagingTests {
  private let server = "https://forum.example/base"

  /// The address of the page after a response; nil after the last.
  private func next(
    _ source: JSONNetwork, after body: String, headers: HTTPHeaders = [:], at cursor: Cursor? = nil
  ) throws -> (url: String?, page: Page) {
    var asked = try source.asking("a", at: server, wanted: 10, cursor: cursor)
    asked.pagesBefore = cursor == nil ? 0 : 1
    let page = try source.page(from: answer(body, headers: headers), to: asked)
    guard let next = page.next else { return (nil, page) }
    asked.cursor = next
    asked.pagesBefore = 1
    asked.wanted = 3
    return (try source.request(for: asked).url, page)
  }

  private func body(_ count: Int, _ members: String = "") -> String {
    let items = (0..<count).map { #"{"id": \#($0), "text": "x"}"# }.joined(separator: ",")
    return #"{"posts": [\#(items)]\#(members.isEmpty ? "" : ", \(members)")}"#
  }

  @Test
  func
    `A link in the head of a response is followed, whether the declaration speaks of pages or not`()
    throws
  {
    let headers: HTTPHeaders = ["Link": "<https://forum.example/base/s?q=a&after=9>; rel=\"next\""]
    let source = try forum()
    let (url, page) = try next(source, after: body(10), headers: headers)
    #expect(url == "\(server)/s?q=a&after=9")
    #expect(try next(source, after: body(10), at: page.next).url == nil)
  }

  @Test func `Numbers go on with the size of the first page until a page is empty`() throws {
    let source = try forum(url: "https://forum.example/s?q={query}&p={page}&n={limit}")
    let (url, page) = try next(source, after: body(10))
    #expect(url == "\(server)/s?q=a&p=2&n=10")
    #expect(try next(source, after: body(3), at: page.next).url == "\(server)/s?q=a&p=3&n=10")
    #expect(try next(source, after: body(0), at: page.next).url == nil)
  }

  @Test(arguments: [
    (#""more": "meta.more""#, #""meta": {"more": true}"#, true),
    (#""more": "meta.more""#, #""meta": {"more": false}"#, false),
    (#""more": "meta.more""#, #""meta": {}"#, false),
    (#""more": "meta.more""#, #""meta": {"more": "next"}"#, true),
    (#""more": "meta.more""#, #""meta": {"more": "1"}"#, true),
    (#""more": "meta.more""#, #""meta": {"more": "0"}"#, false),
    (#""more": "meta.more""#, #""meta": {"more": "false"}"#, false),
    (#""more": "meta.more""#, #""meta": {"more": "False"}"#, false),
    (#""more": "meta.more""#, #""meta": {"more": ""}"#, false),
    (#""pages": "count""#, #""count": 2"#, true), (#""pages": "count""#, #""count": 1"#, false),
    (#""pages": "count""#, #""count": "?""#, true),
  ])
  func `The response decides whether there are further pages`(
    key: String, said: String, goesOn: Bool
  )
    throws
  {
    let source = try forum(
      #""page": {\#(key)}"#, url: "https://forum.example/s?q={query}&p={page}")
    #expect((try next(source, after: body(5, said)).url != nil) == goesOn)
  }

  @Test func `Offsets count the items that came`() throws {
    let source = try forum(
      #""page": {"total": "total"}"#, url: "https://forum.example/s?q={query}&from={offset}")
    let (url, page) = try next(source, after: body(5, #""total": 8"#))
    #expect(url == "\(server)/s?q=a&from=5")
    #expect(try next(source, after: body(3, #""total": 8"#), at: page.next).url == nil)
    let second = try next(source, after: body(2, #""total": 8"#), at: page.next)
    #expect(second.url == "\(server)/s?q=a&from=7")
  }

  @Test func `A cursor is data, whatever it contains`() throws {
    let source = try forum(
      #""page": {"next": "next"}"#, url: "https://forum.example/s?q={query}&after={cursor}")
    #expect(
      try next(source, after: body(5, #""next": "a/b&x=https://evil.example/"# + #"\n""#)).url
        == "\(server)/s?q=a&after=a%2Fb%26x%3Dhttps%3A%2F%2Fevil.example%2F%0A")
    for number in ["17", "1.05", "1795176000.123456", "-0.5"] {
      #expect(
        try next(source, after: body(5, "\"next\": \(number)")).url
          == "\(server)/s?q=a&after=\(number)")
    }
    for end in [#""next": null"#, #""next": """#, #""x": 1"#] {
      let (url, page) = try next(source, after: body(5, end))
      #expect(url == nil && page.missing == nil && page.deadEnd == nil)
    }
    #expect(try next(source, after: body(0, #""next": 17"#)).url == "\(server)/s?q=a&after=17")
    #expect(try next(source, after: body(5, #""next": [17]"#)).page.deadEnd != nil)
    let long = String(repeating: "x", count: 9000)
    #expect(try next(source, after: body(5, #""next": "\#(long)""#)).page.deadEnd != nil)
  }

  @Test func `An empty page that names its own cursor is the last`() throws {
    let source = try forum(
      #""page": {"start": "*", "next": "next", "total": "x"}"#,
      url: "https://forum.example/s?q={query}&after={cursor}")
    let first = try next(source, after: body(0, #""next": "*""#)).page
    #expect(first == Page())
    // Posts that the network counts may be missing.
    var asked = try source.asking("a", at: server, cursor: Cursor(rawValue: "a"))
    (asked.pagesBefore, asked.itemsBefore) = (1, 5)
    func last(_ total: Int) throws -> Page {
      try source.page(from: answer(body(0, #""next": "a", "x": \#(total)"#)), to: asked)
    }
    #expect(try last(5) == Page())
    #expect(try last(7).deadEnd == "the response says that there is more, but not where")
    #expect(try next(source, after: body(5, #""next": "*""#)).page.next == Cursor(rawValue: "*"))
  }

  @Test func `A search that finds nothing although the network counts posts is incomplete`() throws
  {
    let source = try forum(
      #""page": {"total": "x"}"#,
      url: "https://forum.example/s?q={query}&p={page}&n={limit}")
    #expect(try next(source, after: body(0, #""x": 0"#)).page.gap == nil)
    let counted = try next(source, after: body(0, #""x": 3"#)).page
    #expect(counted.gap == "the network reports 3 posts but returned none")
    #expect(try next(source, after: body(3, #""x": 3"#)).page.gap == nil)
  }

  @Test(arguments: ["more", "pages", "total"])
  func `A response that says there is more is followed although it is empty`(key: String) throws {
    let declared = "\"page\": {\"\(key)\": \"x\"}"
    let numbered = try forum(declared, url: "https://forum.example/s?q={query}&p={page}&n={limit}")
    let (url, page) = try next(numbered, after: body(0, #""x": 30"#))
    #expect(url == "\(server)/s?q=a&p=2&n=10")
    #expect(try next(numbered, after: body(0, #""x": 0"#), at: page.next).url == nil)
    let offset = try forum(declared, url: "https://forum.example/s?q={query}&from={offset}")
    #expect(try next(offset, after: body(0, #""x": 30"#)).url == "\(server)/s?q=a&from=10")
  }

  @Test func `More without a cursor is a dead end`() throws {
    let source = try forum(
      #""page": {"next": "next", "more": "more"}"#,
      url: "https://forum.example/s?q={query}&after={cursor}")
    let (url, page) = try next(source, after: body(5, #""more": true"#))
    #expect(url == nil && page.deadEnd == "the response says that there is more, but not where")
  }

  private static let other = "the next page is on another server, so it was not requested"

  @Test(
    arguments: [
      ("https://forum.example/base/s?q=a&p=2", "https://forum.example/base/s?q=a&p=2", nil),
      ("HTTPS://FORUM.example:443/s?p=2", "https://forum.example/s?p=2", nil),
      ("/s?p=2", "https://forum.example/s?p=2", nil),
      ("//forum.example/s?p=2", "https://forum.example/s?p=2", nil),
      ("https://evil.example/s?p=2", nil, other), ("//evil.example/s", nil, other),
      ("http://forum.example/s", "https://forum.example/s", nil),
      ("?p=2", "https://forum.example/base?p=2", nil),
      ("./s?p=2", "https://forum.example/s?p=2", nil),
      ("http://forum.example:8080/s", nil, other), ("https://forum.example:8443/s", nil, other),
      ("https://forum.example@evil.example/s", nil, other),
      ("https://u:p@forum.example/s", nil, other),
      ("/\\evil.example/s", nil, other), ("javascript:alert(1)", nil, other),
      ("file:///etc/passwd", nil, other), ("https://forum.example//evil.example/s", nil, other),
      ("@evil.example/s", "https://forum.example/@evil.example/s", nil), ("/s\u{1}", nil, other),
    ] as [(String, String?, String?)])
  func `A link is followed only on the same server`(
    link: String, url: String?, missing: String?
  ) throws {
    let inHeader = try forum(#""page": {"by": "link"}"#)
    let headers: HTTPHeaders = [
      "Link":
        "<https://forum.example/first>; rel=\"first\", <\(link)>; title=\"a, b\"; rel=\"next\""
    ]
    let found = try next(inHeader, after: body(5), headers: headers)
    #expect(found.url == url && found.page.deadEnd == missing)
    #expect(found.page.posts.count == 5)
    let inBody = try forum(#""page": {"next": "links.next"}"#)
    let escaped = link.replacing("\\", with: "\\\\").replacing("\u{1}", with: "\\u0001")
    let other = try next(inBody, after: body(5, #""links": {"next": "\#(escaped)"}"#))
    #expect(other.url == url && other.page.deadEnd == missing)
  }

  @Test func `A page where a redirect led to is asked for on the configured server`() throws {
    let source = try forum(#""page": {"next": "next"}"#)
    let page = try source.asking("a", at: server)
    func next(_ address: String) throws -> Page {
      var response = answer(body(5, #""next": "\#(address)""#))
      response.url = "https://www.forum.example/base/s?q=a"
      return try source.page(from: response, to: page)
    }
    for address in ["https://www.forum.example/base/s?p=2", "?p=2", "s?p=2"] {
      let expected = address == "?p=2" || address == "s?p=2" ? "/base/s?p=2" : "/base/s?p=2"
      #expect(try next(address).next?.rawValue == expected, "\(address)")
    }
    #expect(try next("https://evil.example/s").deadEnd == Self.other)
    // A server behind a tunnel names its pages by its own address.
    #expect(try next("https://inside.example/base/s?p=2").next?.rawValue == "/base/s?p=2")
    #expect(try next("https://u:p@inside.example/base/s?p=2").deadEnd == Self.other)
  }

  @Test func `The declaration limits the number of pages`() throws {
    let source = try forum(
      #""page": {"most": 2}"#, url: "https://forum.example/s?q={query}&p={page}")
    let (url, page) = try next(source, after: body(5))
    #expect(url != nil)
    let last = try next(source, after: body(5), at: page.next)
    #expect(last.url == nil && last.page.missing?.contains("page.most") == true)
  }

  @Test func `Without a hint at another page, there is only one`() throws {
    let (url, page) = try next(forum(), after: body(5, #""next": "https://forum.example/2""#))
    #expect(url == nil && page.missing == nil && page.posts.count == 5)
  }
}
