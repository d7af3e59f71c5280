import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// The requests of declarations: optional parts, languages, authors and the network's own syntax.
@Suite struct DeclaredRequestTests {
  private func url(
    _ template: String, _ members: String = "", query: String = "swift", since: String? = nil,
    until: String? = nil, languages: [String] = [], at server: String = "https://forum.example"
  ) throws -> String {
    let source = try forum(members, url: template)
    var page = try source.asking(query, at: server, since: since, until: until, wanted: 7)
    page.filter.languages = languages
    return try source.request(for: page).url
  }

  private static let range = "f={?from:{since:date}}{&,}{?until:{until:date}}"
  private static let since = "2026-11-20T12:00:30Z"
  private static let until = "2026-11-21T00:00:00Z"

  @Test(
    arguments: [
      (range, nil, nil, ""), (range, since, nil, "&f=from:2026-11-20"),
      (range, nil, until, "&f=until:2026-11-21"),
      (range, since, until, "&f=from:2026-11-20,until:2026-11-21"),
      ("f=x{?-{since:date}}", nil, nil, "&f=x"),
      ("f=[{since:date|1000-01-01}]", nil, nil, "&f=[1000-01-01]"),
      ("f=a{?[{since:YYYYMMDDhhmm|0}-{until:YYYYMMDDhhmm|9}]}", since, nil, "&f=a[202611201200-9]"),
      ("f=a{?[{since:date|0}-{until:date|9}]}", nil, nil, "&f=a"),
      ("f=a{?[{since:date|}:{until:date|}]}", nil, until, "&f=a[:2026-11-21]"),
      ("f={since:YYYY/hh}", since, nil, nil), ("f={?x}", nil, nil, nil),
      ("f={?{since}", nil, nil, nil),
      ("f={?{since:date}{?-{until:date}}}", since, nil, "&f=2026-11-20"),
      ("f={?{since:date}{?-{until:date}}}", nil, until, ""),
      ("{?f={since:epoch-seconds}}", since, nil, "&f=1795176030"), ("{?f={since}}", nil, nil, ""),
    ] as [(String, String?, String?, String?)])
  func `Optional parts are left out with the bounds that they need`(
    template: String, since: String?, until: String?, expected: String?
  ) throws {
    let source = "https://forum.example/s?q={query}&\(template)"
    guard let expected else {
      #expect(throws: (any Error).self) { try url(source, since: since, until: until) }
      return
    }
    #expect(
      try url(source, since: since, until: until) == "https://forum.example/s?q=swift\(expected)")
  }

  @Test func `The path has a number on later pages only`() throws {
    let source = try forum(
      #""page": {"size": 25}"#, url: "https://b.example/t/{tag:lower}{?/page/{page:later}}.json")
    var page = try source.asking("#Swift", at: "https://b.example")
    #expect(try source.request(for: page).url == "https://b.example/t/swift.json")
    page.cursor = source.secondPage(after: page)
    #expect(try source.request(for: page).url == "https://b.example/t/swift/page/2.json")
  }

  private static let languages = #""languages": ["en", "de", "pt-br", "no"], "language": "en""#

  @Test(
    arguments: [
      ("swift", [], "en"), ("swift", ["de", "fr"], "de"), ("swift", ["fr"], "en"),
      ("swift lang:de", ["en"], "de"), ("swift lang:fr", [], "en"),
      ("swift", ["fr", "de", "en"], "de"), ("swift", ["en", "de"], "en"),
      ("swift lang:nb", [], "no"), ("swift", ["nn", "nb"], "no"),
    ] as [(String, [String], String)])
  func `A language on the list reaches the host, and nothing else does`(
    query: String, wanted: [String], language: String
  ) throws {
    let template = "https://{lang}.wiki.example/s?q={words}&l={lang}"
    let found = try url(
      template, Self.languages, query: query, languages: wanted, at: "https://en.wiki.example")
    #expect(found == "https://\(language).wiki.example/s?q=swift&l=\(language)")
    // Another server has no languages.
    let own = try url(
      template, Self.languages, query: query, languages: wanted, at: "https://own.example")
    #expect(own == "https://own.example/s?q=swift&l=\(language)")
  }

  @Test func `Without a default a language is left out, and its posts have the one asked for`()
    throws
  {
    let template = "https://a.example/s?q={words}&l={lang}"
    let list = #""languages": ["de"]"#
    #expect(try url(template, list, at: "https://a.example") == "https://a.example/s?q=swift")
    let source = try forum(list, url: template)
    let page = try source.asking("swift lang:de", at: "https://a.example")
    #expect(page.split.local.isEmpty)
    let posts = try source.page(
      from: answer(#"{"posts": [{"id": 1, "text": "x"}]}"#), to: page
    ).posts
    #expect(posts.map(\.language) == ["de"])
    #expect(try source.asking("swift lang:fr", at: "https://a.example").split.local.count == 1)
  }

  @Test func `One author has a placeholder`() throws {
    let template = "https://a.example/s?q={words}&by={author}"
    let signs = #""author_signs": "_""#
    #expect(
      try url(template, signs, query: "swift from:a_b") == "https://forum.example/s?q=swift&by=a_b")
    #expect(try url(template, signs) == "https://forum.example/s?q=swift")
    let source = try forum(signs, url: template)
    #expect(source.canBeAuthor("a_b") && !source.canBeAuthor("a-b"))
    // Of several authors only this program finds the posts.
    #expect(
      try source.asking("swift from:a from:b", at: "https://a.example").split.local.count == 2)
  }

  @Test(arguments: [
    (#"{"word": "all:", "join": " AND ", "phrases": true}"#, "all%3Aa%20AND%20all%3A%22b%20c%22"),
    (#"{"word": "all:", "join": " AND "}"#, "all%3Aa%20AND%20all%3Ab%20AND%20all%3Ac"),
    (#"{"phrases": true, "exclude": "NOT "}"#, "a%20%22b%20c%22%20NOT%20d"),
    (#"{"plain": "+", "operators": ["a"], "phrases": true}"#, "%22a%22%20%22b%20c%22"),
  ])
  func `Terms are written in the syntax of the network`(syntax: String, expected: String) throws {
    let found = try url(
      "https://forum.example/s?q={terms}", #""syntax": \#(syntax)"#, query: #"a "b c" -d"#)
    #expect(found == "https://forum.example/s?q=\(expected)")
  }

  @Test(arguments: [
    ("words", "a b", ["a", "b"], []), ("whole", "a b", [], ["a", "b"]), ("trusted", "a b", [], []),
    ("longest", "a bcd", ["a", "bcd"], []),
  ])
  func `Posts are checked as much as the network needs`(
    match: String, query: String, local: [String], whole: [String]
  ) throws {
    let source = try forum(#""match": "\#(match)""#)
    let split = source.split(try #require(Query(query)), with: nil)
    #expect(split.local.map(\.value) == local && split.wholeWords.map(\.value) == whole)
    #expect(split.remote.map(\.value).last == query.split(separator: " ").last.map(String.init))
  }

  @Test func `A server of each user's own has no default`() throws {
    let source = try forum(url: "{server}/api/s?q={query}")
    #expect(source.traits.defaultServer == nil)
    let page = try source.asking("a", at: "https://git.example/base")
    #expect(try source.request(for: page).url == "https://git.example/base/api/s?q=a")
  }

  @Test func `A pace, connections and lateness are limits of the network`() throws {
    let traits = try forum(
      #""pace": {"requests": 1, "seconds": 3, "connections": 1}, "late_hours": 48, "newest_first": "roughly", "excerpts": true"#
    ).traits
    #expect(traits.pace == Pace(requests: 1, per: .seconds(3)) && traits.connections == 1)
    #expect(traits.lateness == 48 * 3600 && traits.order == .approximate && traits.givesExcerpts)
  }
}
