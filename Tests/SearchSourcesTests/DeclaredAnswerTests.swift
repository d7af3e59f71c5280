import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// The answers of declared networks: lists, links, dates, errors and ceilings.
@Suite struct DeclaredAnswerTests {
  private let server = "https://forum.example/base"

  private func posts(
    _ fields: String, _ item: String, _ members: String = ""
  ) throws -> [Post] {
    let more = members.isEmpty ? "" : ", \(members)"
    let source = try declared(
      #"{"url": "https://forum.example/?q={query}", "fields": {"id": "id", "title": "t", \#(fields)}\#(more)}"#
    )
    return try source.page(
      from: answer(#"[{"id": 1, \#(item), "t": "x"}]"#), to: source.asking("a", at: server)
    ).posts
  }

  @Test(arguments: [
    (#""by.*.name""#, #""by": [{"name": "A"}, {"name": ""}, 5, {"name": "B"}]"#, "A, B"),
    (#""by.*.name""#, #""by": {"name": "A"}"#, "A"), (#""by.*""#, #""by": "A""#, "A"),
    (#""by.*""#, #""by": ["A", "B"]"#, "A, B"), (#""by.*""#, #""by": []"#, nil),
    (#""{?{given}}{& }{family}""#, #""given": "G", "family": "F/&""#, "G F/&"),
    (#""{?{given}}{& }{family}""#, #""family": "F""#, "F"),
    (#""{given} {family}""#, #""family": "F""#, nil),
    (
      #"{"each": "by", "text": ["{?{g}}{& }{f}", "name"], "join": "; "}"#,
      #""by": [{"g": "G", "f": "F"}, {"f": "F2"}, {"name": "N"}, {"x": 1}]"#, "G F; F2; N"
    ),
    (
      #"{"each": "by", "when": {"role": "author"}, "text": "name"}"#,
      #""by": [{"role": "editor", "name": "E"}, {"role": "author", "name": "A"}]"#, "A"
    ),
    (#"{"each": "p", "split": "/", "at": 0}"#, #""p": "org/name""#, "org"),
    (#"{"each": "p", "split": "/", "at": 0}"#, #""p": "name""#, nil),
    (#"{"each": "p", "split": ",", "join": "+"}"#, #""p": "a,b""#, "a+b"),
    (#"["none", "by.*.*.name"]"#, #""by": [[{"name": "A"}], [{"name": "B"}]]"#, "A, B"),
  ])
  func `Several values make one name`(field: String, item: String, expected: String?) throws {
    #expect(try posts(#""author_name": \#(field)"#, item).first?.author.name == expected)
  }

  @Test func `Without handles authors are known by their names`() throws {
    #expect(try forum().knowsAuthorsByName == false)
    let source = try declared(
      #"{"url": "https://a.example/?q={query}", "fields": {"id": "id", "text": "t", "author_name": "by"}}"#
    )
    #expect(source.knowsAuthorsByName)
  }

  @Test(arguments: [
    ("org/na me", "https://h.example/org/na%20me"), ("name", "https://h.example/name"),
    ("a/../b", nil), ("../b", nil), ("a//b", nil), ("a/", nil), ("/evil.example", nil),
    (#"a\u0001"#, nil), (#"a\\b"#, nil), ("a?b#c", "https://h.example/a%3Fb%23c"),
  ])
  func `A link keeps the slashes of a path that leads nowhere else`(
    value: String, link: String?
  ) throws {
    let found = try posts(#""url": "https://h.example/{p:path}""#, #""p": "\#(value)""#)
    #expect(found.first?.url == link)
  }

  @Test func `A link is below the server, or on its host`() throws {
    let found = try posts(
      #""url": "{server}/s/{n}", "links": ["/t/{n}", "own"]"#, #""n": "a/b", "own": "/z""#)
    #expect(found.first?.url == "https://forum.example/base/s/a%2Fb")
    #expect(found.first?.links == ["https://forum.example/t/a%2Fb", "https://forum.example/z"])
  }

  @Test(
    arguments: [
      ("/a", "https://forum.example/a"), ("?p=1", "https://forum.example/base/?p=1"),
      ("./a", "https://forum.example/base/a"), ("//other.example/a", "https://other.example/a"),
      (" https://forum.example/a ", "https://forum.example/a"), ("n/a", nil),
      ("javascript:alert(1)", nil), (" javascript:alert(1)", nil), ("", nil),
    ] as [(String, String?)])
  func `An address that begins like a relative one is relative to the server`(
    address: String, url: String?
  ) throws {
    let found = try posts(#""url": "link""#, #""link": "\#(address)""#)
    #expect(found.first?.url == url)
  }

  @Test(
    arguments: [
      #""20261120120000""#, "20261120120000", #""2026-11-20 12:00:00+00""#,
      #""2026-11-20 12:00:00 +0000 UTC""#, #""2026-11-20 07:00:00 -0500""#, "1795176000",
      #""1795176000000""#,
    ])
  func `A date is found out in the forms that networks write`(text: String) throws {
    let found = try posts(#""created_at": "at""#, #""at": \#(text)"#)
    #expect(found.first?.createdAt == (try moment("2026-11-20T12:00:00Z")))
    let day = try posts(#""created_at": "at""#, #""at": "20261120""#)
    #expect(day.first?.createdAt == (try moment("2026-11-20T00:00:00Z")))
  }

  @Test(arguments: [
    ("YYYYMMDDThhmmssZ", "20261120T120000Z", true), ("YYYYMMDD hh", "20261120 12", true),
    ("YYYYMMDDThhmmssZ", "20261120T120000", false), ("YYYYMMDDThhmmssZ", "20261320T120000Z", false),
  ])
  func `A date is read by its pattern`(pattern: String, text: String, isRead: Bool) throws {
    let found = try posts(
      #""created_at": "at""#, #""at": "\#(text)""#, #""dates": "\#(pattern)""#)
    #expect(found.first?.createdAt == (isRead ? try moment("2026-11-20T12:00:00Z") : nil))
  }

  @Test(arguments: PostField.declared)
  func `Each field that may be declared is read`(field: PostField) throws {
    let value =
      switch field.place {
      case .text, .handle, .list, .addresses: #""https://forum.example/\#(field)""#
      case .created, .date: #""2026-11-20T12:00:00Z""#
      case .number: "7"
      case .flag: "true"
      case .visibility: #""unlisted""#
      case .attachments, .context: "null"
      }
    var paths = ["id": "n", "text": "t"]
    paths[field.description.declaredName] = "v"
    let fields = paths.map { #""\#($0)": "\#($1)""# }.joined(separator: ", ")
    let source = try declared(
      #"""
      {"url": "https://forum.example/search?q={query}", "items": "posts", "fields": {\#(fields)}}
      """#)
    let page = try source.page(
      from: answer(#"{"posts": [{"n": "1", "t": "words", "v": \#(value)}]}"#),
      to: source.asking("a", at: server))
    let post = try #require(page.posts.first)
    // Identifier, address and text are always there.
    switch field.place {
    case .text(let slot):
      let text = post.readValues { $0.text(slot).map { String(decoding: $0, as: UTF8.self) } }
      #expect(text == "https://forum.example/\(field)")
    default: #expect(post.readValues { $0.hasValue(at: field.place) })
    }
  }

  @Test func `Texts with escaped signs, replies and pins are read`() throws {
    let found = try posts(
      #""author_name": "n", "text": "b.*", "is_reply": "r", "pinned": "p""#,
      #""t": "&lt;i&gt;y&lt;/i&gt; &amp;amp; z", "n": "A &amp; B", "b": ["x &lt;i&gt;", "z"], "r": 1, "p": true"#,
      #""entities": ["text", "title"], "html": ["author_name", "title"]"#)
    #expect(found.first?.title == "y & z")
    #expect(found.first?.author.name == "A & B" && found.first?.text == "x <i>\nz")
    #expect(found.first?.isReply == true && found.first?.isPinned == true)
  }

  @Test func `An item is passed over when one of its values is there`() throws {
    let source = try forum(#""skip": ["gone", "kind.other"]"#)
    let body = #"""
      {"posts": [{"id": 1, "text": "x", "gone": true}, {"id": 2, "text": "x", "gone": false},
        {"id": 3, "text": "x", "kind": {"other": "y"}}, {"id": 4}]}
      """#
    let page = try source.page(from: answer(body), to: source.asking("a", at: server))
    #expect(page.posts.map(\.id) == ["2"] && page.passedOver == 2 && page.brokenItems == 1)
  }

  @Test func `No list means no posts where the declaration says so`() throws {
    let source = try forum(#""items_optional": true"#)
    let page = try source.asking("a", at: server)
    #expect(try source.read(answer("{}"), to: page) == Page())
    #expect(try source.read(answer(#"{"posts": null}"#), to: page) == Page())
    for body in [#"{"posts": 5}"#, "[]", #"{"error": "bad"}"#] {
      #expect(throws: SourceFault.self, "\(body)") { try source.read(answer(body), to: page) }
    }
  }

  private static let rules = #"""
    "errors": [
      {"status": 404, "means": "none", "note": "no such thing"},
      {"status": 400, "path": "code", "is": ["too_far", "7"], "means": "end"},
      {"path": "error.code", "is": "ratelimited", "means": "later", "wait_seconds": 5},
      {"status": 403, "path": "quota", "means": "later"},
      {"status": 200, "body": "Please limit", "means": "later"},
      {"status": 200, "body": "The phrase", "means": "error"},
      {"path": "ok", "is": false, "means": "temporary"},
      {"path": "error.code", "is": "internal_*", "means": "temporary"},
      {"status": 200, "contains": "are closed", "means": "credential"},
      {"status": [500, 403], "means": "credential", "note": "ask for a key"}
    ]
    """#

  @Test(arguments: [
    (404, "", "none"), (400, #"{"code": "too_far"}"#, "refused"), (404, "x", "none"),
    (200, #"{"error": {"code": "ratelimited", "info": "slow"}}"#, "later"),
    (429, #"{"error": {"code": "ratelimited"}}"#, "later"), (403, #"{"quota": true}"#, "later"),
    (200, "\n Please limit requests to one every 5 seconds", "later"),
    (200, "The phrase is too short.", "error"), (403, "{}", "credential"),
    (200, #"{"ok": false, "posts": []}"#, "temporary"),
    (200, #"{"ok": true, "posts": []}"#, "page"),
    (200, #"{"error": {"code": "internal_api_error_DB"}}"#, "temporary"),
    (200, "<p>We are closed</p>", "credential"),
    (500, "", "credential"), (200, "The", "other"), (200, #"{"posts": []}"#, "page"),
  ])
  func `A documented error has its own meaning`(status: Int, body: String, means: String) throws {
    let source = try forum(Self.rules)
    let page = try source.asking("a", at: server)
    let response = answer(body, status: status)
    let result = Result { try source.read(response, to: page) }
    switch result {
    case .success(let page):
      #expect(means == (page.notes.isEmpty ? "page" : "none") && page.posts.isEmpty)
    case .failure(SourceFault.rateLimited): #expect(means == "later")
    case .failure(SourceFault.failed(let failure)):
      let kind =
        failure.kind == .temporary
        ? "temporary"
        : failure.kind == .credential
          ? "credential"
          : failure.message.contains("error: The phrase is too short.")
            ? "error" : failure.message.contains("refused") ? "refused" : "other"
      #expect(means == kind, "\(failure)")
      #expect(means != "credential" || status == 200 || failure.advice == "ask for a key")
    case .failure(let error): throw error
    }
  }

  @Test(
    arguments: [
      (
        #"{"error": {"code": "ratelimited"}}"#, [:], .coolDown(until: testNow.addingTimeInterval(5))
      ),
      (
        #"{"error": {"code": "ratelimited"}}"#, ["Retry-After": "2"],
        .coolDown(until: testNow.addingTimeInterval(2))
      ),
      ("Please limit requests", [:], .coolDown(until: nil)),
      (#"{"ok": false}"#, [:], .retry), ("The phrase is too short.", [:], .done),
      (#"{"posts": []}"#, [:], .done),
    ] as [(String, HTTPHeaders, Verdict)])
  func `What a 200 says will pass is asked for again`(
    body: String, headers: HTTPHeaders, verdict: Verdict
  ) throws {
    let response = answer(body, headers: headers)
    #expect(try forum(Self.rules).verdict(on: response, now: testNow) == verdict)
  }

  @Test func `A later page beyond the last is the end, and a missing one an error`() throws {
    let source = try forum(Self.rules, url: "https://forum.example/s?q={query}&p={page}")
    let page = try source.asking("a", at: server, cursor: Cursor(rawValue: "2/50"))
    #expect(try source.read(answer(#"{"code": 7}"#, status: 400), to: page) == Page())
    #expect(throws: SourceFault.self) { try source.read(answer("", status: 404), to: page) }
  }

  @Test func `The first cursor has a value, and totals may be texts`() throws {
    let source = try forum(
      #""page": {"start": "*", "next": "next"}"#,
      url: "https://forum.example/s?q={query}&c={cursor}")
    let page = try source.asking("a", at: "https://forum.example")
    #expect(try source.request(for: page).url == "https://forum.example/s?q=a&c=%2A")
    let counted = try forum(
      #""page": {"total": "n"}"#, url: "https://forum.example/s?q={query}&o={offset}")
    let first = try counted.asking("a", at: server)
    let body = #"{"posts": [{"id": 1, "text": "x"}], "n": "1"}"#
    #expect(try counted.read(answer(body), to: first).next == nil)
    #expect(
      try counted.read(answer(body.replacing(#""1""#, with: #""2""#)), to: first).next
        == Cursor(rawValue: "1/50"))
  }

  @Test func `Beyond its ceiling a network has nothing, and the search says so`() throws {
    let source = try forum(
      #""page": {"size": 2, "ceiling": 4, "beyond": "only four"}"#,
      url: "https://forum.example/s?q={query}&p={page}&n={limit}")
    #expect(source.traits.ceiling == 4)
    let body = #"{"posts": [{"id": 1, "text": "x"}, {"id": 2, "text": "x"}]}"#
    let first = try source.read(answer(body), to: source.asking("a", at: server))
    #expect(first.next == Cursor(rawValue: "2/2") && first.missing == nil)
    let second = try source.read(
      answer(body), to: source.asking("a", at: server, cursor: first.next))
    #expect(second.next == nil && second.missing == "only four")
  }
}
