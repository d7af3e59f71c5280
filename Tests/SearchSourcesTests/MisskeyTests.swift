import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct MisskeyTests {
  private let source = Misskey()
  private let server = "https://misskey.io"

  private func sent(_ query: String, cursor: String? = nil, token: String? = nil) throws
    -> (url: String, body: String)
  {
    let request = try source.request(
      for: source.asking(
        query, at: server, wanted: 20, cursor: cursor.map(Cursor.init),
        credentials: token.map { [$0] }))
    #expect(request.method == .post && request.headers["Content-Type"] == "application/json")
    return (request.url, String(decoding: request.body ?? [], as: UTF8.self))
  }

  @Test func `Hashtags and lone words are searched for by tag`() throws {
    let tag = try sent("#日本", cursor: "9abc")
    #expect(tag.url == "https://misskey.io/api/notes/search-by-tag")
    #expect(tag.body == #"{"tag":"日本","limit":20,"untilId":"9abc"}"#)
    #expect(try sent("swift").body == #"{"tag":"swift","limit":20}"#)
  }

  @Test func `A full page of a search for words may lack newer notes, and says so`() throws {
    let notes = (1...20).map {
      #"{"id":"\#($0)","text":"a b","user":{"username":"a"},"createdAt":"2026-11-20T10:00:00.000Z"}"#
    }
    func page(_ query: String, _ count: Int) throws -> Page {
      let asked = try source.asking(query, at: server, wanted: 20, credentials: ["t"])
      return try source.page(
        from: answer("[\(notes.prefix(count).joined(separator: ","))]"), to: asked)
    }
    #expect(try page("a b", 20).notes.first?.contains("Meilisearch") == true)
    #expect(try page("a b", 19).notes.isEmpty && page("#a", 20).notes.isEmpty)
  }

  @Test func `A note may be a poll alone, and a renote of a deleted note is passed over`() throws {
    let page = try source.page(
      from: answer(
        #"""
        [{"id":"1","text":null,"poll":{"choices":[{"text":"Yes","votes":1},{"text":"No","votes":2}]},"user":{"username":"a"},"createdAt":"2026-11-20T10:00:00.000Z"},
         {"id":"2","text":null,"renoteId":"9","user":{"username":"b"},"createdAt":"2026-11-20T10:00:00.000Z"},
         {"id":"3","text":null,"user":{"username":"c"},"createdAt":"2026-11-20T10:00:00.000Z"}]
        """#), to: source.asking("#a", at: server))
    #expect(page.posts.map(\.id) == ["1"] && page.posts[0].poll == ["Yes", "No"])
    // Its server could not take the files of the last one over.
    #expect(page.passedOver == 2 && page.brokenItems == 0)
  }

  @Test func `A note whose files are gone is passed over`() throws {
    let page = try source.page(
      from: answer(
        #"""
        [{"id":"1","text":null,"fileIds":["a"],"files":[],"user":{"username":"a"},"createdAt":"2026-11-20T10:00:00.000Z"},
         {"id":"2","text":null,"fileIds":[],"files":[],"renoteId":"1","renote":{"id":"1","text":null,"fileIds":["a"],"files":[],"user":{"username":"a"},"createdAt":"2026-11-20T10:00:00.000Z"},"user":{"username":"b"},"createdAt":"2026-11-20T10:00:00.000Z"},
         {"id":"3","text":"said","fileIds":["a"],"files":[],"user":{"username":"c"},"createdAt":"2026-11-20T10:00:00.000Z"}]
        """#), to: source.asking("#a", at: server))
    #expect(page.posts.map(\.id) == ["3"])
    #expect(page.passedOver == 2 && page.brokenItems == 0)
  }

  @Test(
    arguments: [
      (#"{"total":10,"remaining":0,"reset":1795255260,"resetMs":1795255260500}"#, 60.5),
      (#"{"resetMs":2000}"#, 2), (#"{"reset":1795255260}"#, 60), (#"{"resetSec":3}"#, 3),
      (#"{"resetMs":1e300}"#, nil), (#"{"reset":1795255100}"#, nil), ("{}", nil), ("null", nil),
    ] as [(String, Double?)])
  func `The end of a limit stands in the error`(info: String, wait: Double?) {
    let body =
      #"{"error":{"message":"m","code":"RATE_LIMIT_EXCEEDED","id":"x","kind":"client","info":\#(info)}}"#
    #expect(
      source.verdict(on: answer(body, status: 429), now: testNow)
        == .coolDown(until: wait.map { testNow.addingTimeInterval($0) }))
  }

  @Test func `Words need a token`() throws {
    let words = try sent("two \"words\"", token: "tok")
    #expect(words.url == "https://misskey.io/api/notes/search")
    // The search is for a text: two words in another order would not be found.
    #expect(words.body == #"{"query":"words","limit":20,"i":"tok"}"#)
    #expect(try sent("swift", token: "tok").url.hasSuffix("/search"))
    #expect(try sent("#swift", token: "tok").url.hasSuffix("/search-by-tag"))
    let query = try #require(Query("two words"))
    #expect(
      source.unsupportedReason(for: source.split(query, with: nil), with: nil)?.contains(
        "MISSKEY_TOKEN") == true)
    #expect(throws: Failure.self) { try sent("two words") }
    for text in ["node.js", "c#"] {
      let split = source.split(try #require(Query(text)), with: nil)
      #expect(source.unsupportedReason(for: split, with: nil)?.contains("punctuation") == true)
    }
    let plus = source.split(try #require(Query("c++")), with: nil)
    #expect(source.unsupportedReason(for: plus, with: nil) == nil)
  }

  @Test(arguments: [#""cw":"look","poll":null"#, #""poll":{"choices":[{"text":"tea"}]}"#])
  func `A note that adds a warning or a poll to another one is a quote`(content: String) throws {
    let item =
      #"{"id":"3","text":null,\#(content),"user":{"username":"amy"},"renote":{"id":"6","text":"b"}}"#
    let page = try source.page(from: answer("[\(item)]"), to: source.asking("#a", at: server))
    #expect(page.posts.map(\.author.handle) == ["amy@misskey.io"])
    #expect(page.posts.first?.repostedBy == nil && page.posts.first?.text != "b")
  }

  @Test func `Notes that their authors hide from strangers are counted, and not broken`() throws {
    let items = """
      [{"id":"4","text":null,"files":[],"cw":null,"isHidden":true,"user":{"username":"amy"}},
       {"id":"3","text":null,"user":{"username":"b"},"renote":{"id":"1","text":null,"isHidden":true}},
       {"id":"2","text":"seen","user":{"username":"b"},"renote":{"id":"1","text":null,"isHidden":true}}]
      """
    let page = try source.page(from: answer(items), to: source.asking("#a", at: server))
    #expect(page.hiddenFromStrangers == 2 && page.brokenItems == 0 && page.posts.count == 1)
    #expect(page.next == Cursor(rawValue: "2"))
    let known = try source.asking("#a", at: server, credentials: ["t"])
    let own = try source.page(from: answer(items), to: known)
    #expect(own.hiddenFromStrangers == 0 && own.passedOver == 2 && own.brokenItems == 0)
  }

  @Test func `Notes, quotes and renotes are read`() throws {
    let page = try source.page(
      from: answer(
        #"""
        [{"id":"9a","createdAt":"2026-11-20T09:00:00.123Z","text":"hi $[x 2]","cw":"careful","poll":{"multiple":false,"choices":[{"text":"tea","votes":1},{"text":"coffee","votes":2}]},"user":{"username":"amy","name":null,"host":null},"files":[{"url":"https://f.example/1.png","isSensitive":false}],"reactions":{"❤":2,":a:":3},"renoteCount":1,"repliesCount":4,"replyId":"8z"},
         {"id":"99","createdAt":"2026-11-20T08:00:00.000Z","text":"yes!","cw":null,"user":{"username":"bob","name":"Bob","host":"o.example"},"uri":"https://o.example/notes/99","url":"https://o.example/@bob/99","renote":{"id":"7","text":"quoted"}},
         {"id":"98","text":null,"user":{"username":"bob","host":"o.example"},"renote":{"id":"6","text":"passed on","uri":"https://p.example/6","reactionCount":9}},
         {"id":"97","text":null}, {"text":"no id"}, 5]
        """#), to: source.asking("#a", at: server))
    #expect(page.brokenItems == 3)
    #expect(page.next == Cursor(rawValue: "97"))
    let note = page.posts[0]
    #expect(note.text == "careful\n\nhi $[x 2]" && note.isSensitive == true)
    #expect(note.contentWarning == "careful" && note.poll == ["tea", "coffee"])
    #expect(note.uri == "https://misskey.io/notes/9a" && note.url == note.uri)
    #expect(note.author == Author(handle: "amy@misskey.io", url: "https://misskey.io/@amy"))
    #expect(note.createdAt == (try moment("2026-11-20T09:00:00.123Z")))
    #expect(note.media == ["https://f.example/1.png"] && note.replyTo == "8z")
    #expect(note.counts == Counts(likes: 5, reposts: 1, replies: 4))
    let quote = page.posts[1]
    #expect(quote.text == "yes!" && quote.repostOf == nil && quote.isSensitive == false)
    #expect(quote.uri == "https://o.example/notes/99" && quote.url == "https://o.example/@bob/99")
    #expect(
      quote.author
        == Author(handle: "bob@o.example", name: "Bob", url: "https://misskey.io/@bob@o.example"))
    let renote = page.posts[2]
    #expect(renote.author == Author() && renote.repostedBy?.handle == "bob@o.example")
    #expect(page.posts.prefix(2).allSatisfy { $0.repostedBy == nil })
    #expect(quote.contentWarning == nil && quote.poll.isEmpty)
    #expect(renote.text == "passed on" && renote.repostOf == "https://p.example/6")
    #expect(renote.counts.likes == 9)
  }

  @Test(arguments: ["#swift", "two words"])
  func `Dates bound the first page, always with an end`(query: String) throws {
    func body(_ since: String?, _ until: String?, cursor: String? = nil) throws -> String {
      let page = try source.asking(
        query, at: server, since: since, until: until, cursor: cursor.map(Cursor.init),
        credentials: ["t"])
      return String(decoding: try source.request(for: page).body ?? [], as: UTF8.self)
    }
    let (since, until) = ("2026-11-20T09:00:00.000Z", "2026-11-20T10:00:00.000Z")
    #expect(
      try body(since, until).contains(#""sinceDate":1795165199999,"untilDate":1795168800000"#))
    let ended = try body(nil, until)
    #expect(ended.contains(#""untilDate":1795168800000"#) && !ended.contains("sinceDate"))
    // Without an end the oldest would come first; a day from now is after all that can come.
    #expect(
      try body(since, nil).contains(#""sinceDate":1795165199999,"untilDate":1795341600000"#))
    #expect(try !body(nil, nil).contains("Date"))
    #expect(try !body(since, until, cursor: "9abc").contains("Date"))
  }

  @Test func `An author of the server itself has its host and port`() throws {
    let asked = try source.asking("#a", at: "http://127.0.0.1:3000")
    let page = try source.page(
      from: answer(#"[{"id":"9a","text":"x","user":{"username":"amy","host":null}}]"#), to: asked)
    #expect(page.posts.map(\.author.handle) == ["amy@127.0.0.1:3000"])
  }

  @Test func `Pages continue until one is empty`() throws {
    let asked = try source.asking("#a", at: server, cursor: Cursor(rawValue: "9"))
    #expect(try source.page(from: answer("[]"), to: asked) == Page())
    // The engine decides what to make of a page that leads to itself.
    let same = answer(#"[{"id":"9","text":"a"}]"#)
    #expect(try source.page(from: same, to: asked).next == Cursor(rawValue: "9"))
  }

  @Test(
    arguments: [
      ("UNAVAILABLE", 400, .permanent), ("CREDENTIAL_REQUIRED", 401, .credential),
      ("AUTHENTICATION_FAILED", 401, .credential), ("PERMISSION_DENIED", 403, .credential),
      ("INVALID_PARAM", 400, .permanent), ("INTERNAL_ERROR", 500, .temporary),
      ("RATE_LIMIT_EXCEEDED", 429, .temporary),
    ] as [(String, Int, Failure.Kind)])
  func `Errors are recognized by their code`(code: String, status: Int, kind: Failure.Kind) throws {
    let body = #"{"error":{"message":"words","code":"\#(code)","id":"x","kind":"client"}}"#
    let failure = try source.failure(
      of: answer(body, status: status), to: source.asking("#a", at: server))
    #expect(failure.kind == kind)
    #expect(failure.message.contains("\(code): words"))
  }

  @Test func `Words are found over the wire by those with a token`() async throws {
    try await SimulatedAsking.with("misskey") { asking in
      let answered = try await asking.page("swift crash")
      #expect(try answered.page.posts.count > 20)
    }
  }

  @Test(arguments: Recorded.all)
  func `The error of a recorded response says what to do`(recorded: Recorded) throws {
    let response = try recorded.answer("misskey/literal_error_unavailable.json", status: 400)
    let failure = try source.failure(of: response, to: source.asking("a", at: server))
    #expect(failure.advice?.contains("hashtag") == true)
  }
}
