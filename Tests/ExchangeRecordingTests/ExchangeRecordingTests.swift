import FoundationEssentials
import Glibc
import QueuedHTTP
import SearchEngine
import Synchronization
import TestSupport
import Testing
import TextFormats

@testable import ExchangeRecording

@Suite(.timeLimit(.minutes(2))) struct ExchangeRecordingTests {
  private let secret = "s3cret/token value"

  /// Answers from a closure, as a server would.
  private struct Answering: Transport {
    let answer: @Sendable (HTTPRequest) throws(HTTPError) -> HTTPResponse

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      try answer(request)
    }
    func cancel(group: RequestGroup) {}
    func cancelWaiting(group: RequestGroup) {}
    func beginCancelAll() {}
  }

  private func recorder(
    in folder: Folder, _ answer: @escaping @Sendable (HTTPRequest) throws(HTTPError) -> HTTPResponse
  ) throws -> ExchangeRecorder {
    try ExchangeRecorder(
      over: Answering(answer: answer), to: folder["exchanges.har"],
      creator: ("searchagg", "1"), redacting: Redaction([secret]),
      clock: { Date(timeIntervalSince1970: 1_700_000_000) })
  }

  /// Records requests, the response of each of which one search uses.
  private func record(_ names: [String], with recorder: ExchangeRecorder) async throws {
    for (search, name) in names.enumerated() {
      _ = try? await recorder.send(HTTPRequest(url: "https://example.org/\(name)"), for: search)
      await recorder.note(RunStep(search, .pages(of: [search])))
    }
    try await recorder.finish()
  }

  /// A replay that does not give up the order.
  private func replay(
    in folder: Folder, patience: Duration = .seconds(1_000_000)
  ) throws -> ExchangeReplay {
    try ExchangeReplay(
      reading: folder["exchanges.har"], redacting: Redaction(["another secret"]),
      patience: patience)
  }

  @Test(arguments: [1, 40, 200])
  func `Of an archive whose last entry was cut off, the others are replayed`(cut: Int) async throws
  {
    let folder = try Folder()
    let recorder = try recorder(in: folder) { _ throws(HTTPError) in
      HTTPResponse(
        status: 999,
        headers: HTTPHeaders((0..<1500).map { HTTPHeaders.Field(name: "X-\($0)", value: "1") }),
        body: HTTPBody(Array("text".utf8)))
    }
    try await record(["one", "two"], with: recorder)
    let path = folder["exchanges.har"]
    let text = try folder.text(of: "exchanges.har")
    let end = try #require(text.utf8.lastIndex(of: UInt8(ascii: ",")))
    #expect(truncate(path, text.utf8.distance(from: text.utf8.startIndex, to: end) - cut) == 0)
    let replay = try replay(in: folder, patience: .zero)
    let one = try await replay.send(HTTPRequest(url: "https://example.org/one"), for: 0)
    #expect(one.status == 999 && one.headers.fields.count == 1500 && one.body.text == "text")
    await #expect(throws: HTTPError.self) {
      try await replay.send(HTTPRequest(url: "https://example.org/two"), for: 1)
    }
  }

  @Test func `A recorded response is replayed with its status, header fields and bytes`()
    async throws
  {
    let folder = try Folder()
    let recorder = try recorder(in: folder) { request throws(HTTPError) in
      HTTPResponse(
        status: 201, headers: ["X-Page": "2", "Content-Type": "text/plain"],
        body: HTTPBody(
          request.url.hasSuffix("binary") ? [0xFF, 0, 0x80] : Array("grüße\u{2028}".utf8)),
        url: "https://example.org/final")
    }
    _ = try await recorder.send(HTTPRequest(url: "https://example.org/text"))
    _ = try await recorder.send(HTTPRequest(url: "https://example.org/binary"))
    try await recorder.finish()

    let replay = try replay(in: folder)
    let text = try await replay.send(HTTPRequest(url: "https://example.org/text"))
    #expect(text.status == 201)
    #expect(text.headers["x-page"] == "2")
    #expect(text.body.text == "grüße\u{2028}")
    #expect(text.url == "https://example.org/final")
    let binary = try await replay.send(HTTPRequest(url: "https://example.org/binary"))
    #expect(binary.body.withUnsafeBytes { Array($0) } == [0xFF, 0, 0x80])
  }

  @Test func `An error is replayed with its code, reason and moment`() async throws {
    let folder = try Folder()
    let moment = Date(timeIntervalSince1970: 1_700_000_123.25)
    let recorder = try recorder(in: folder) { _ throws(HTTPError) in
      throw HTTPError(
        .coolingDown, reason: "asked for a pause", address: "https://example.org",
        retryMoment: moment)
    }
    await #expect(throws: HTTPError.self) {
      try await recorder.send(HTTPRequest(url: "https://example.org/"))
    }
    try await recorder.finish()
    let replay = try replay(in: folder)
    let error = await #expect(throws: HTTPError.self) {
      try await replay.send(HTTPRequest(url: "https://example.org/"))
    }
    #expect(error?.code == .coolingDown)
    #expect(error?.reason == "asked for a pause")
    #expect(error?.address == "https://example.org")
    #expect(error?.retryMoment == moment)
    #expect(error?.hasConnected == false)
  }

  @Test func `No spelling of a secret reaches the file, and requests still match without it`()
    async throws
  {
    let folder = try Folder()
    let secret = secret
    let recorder = try recorder(in: folder) { _ throws(HTTPError) in
      HTTPResponse(
        status: 200, headers: ["Set-Cookie": "id=1234"],
        body: HTTPBody(Array("echo \(secret)".utf8)))
    }
    func request(_ key: String) -> HTTPRequest {
      var request = HTTPRequest(
        .post, url: "https://example.org/?key=\(PercentEncoding.encode(key))",
        headers: ["Authorization": "Bearer \(key)", "X-Own": key])
      request.body = Array(#"{"i":"\#(key)"}"#.utf8)
      return request
    }
    _ = try await recorder.send(request(secret))
    try await recorder.finish()
    let text = try folder.text(of: "exchanges.har")
    #expect(!text.contains(secret))
    #expect(!text.contains(PercentEncoding.encode(secret)))
    #expect(!text.contains("s3cret"))
    #expect(!text.contains("id=1234"))

    let replay = try replay(in: folder)
    #expect(try await replay.send(request("another secret")).body.text == "echo ***")
  }

  @Test func `A short secret is hidden where it is a word of its own only`() {
    let redaction = Redaction(["ab"])
    #expect(redaction.apply(to: "cab?key=ab&x=abc") == "cab?key=***&x=abc")
  }

  @Test func `A secret is hidden as addresses spell it`() {
    let redaction = Redaction(["SEC/RET+Y=="])
    for spelling in [
      "SEC/RET+Y==", "SEC%2FRET%2BY%3D%3D", "SEC%2fRET%2bY%3d%3d", "SEC/RET%2BY%3D=",
      "%53%45%43/RET+Y==",
    ] {
      #expect(redaction.apply(to: "?key=\(spelling)&x") == "?key=***&x")
    }
  }

  @Test func `A secret is hidden as JSON and HTML spell it, and in Base64`() {
    let redaction = Redaction([#"S'cre"t/T&k+n\=%41"#])
    for spelling in [
      #"S'cre"t/T&k+n\=%41"#, #"S'cre\"t\/T&k+n\\=%41"#,
      #"S\u0027cre\u0022t/T\u0026k\u002Bn\\\u003d%41"#,
      #"\u0053'cre\\\"t\\\/T&k+n\\\\=%41"#, "S&#39;cre&quot;t/T&amp;k+n\\=%41",
      "S&#x27;cre&#34;t&#x2F;T&amp;k&#43;n&#92;=%2541", "UydjcmUidC9UJmsrblw9JTQx",
    ] {
      #expect(redaction.apply(to: "<\(spelling)>") == "<***>", "\(spelling)")
    }
    #expect(redaction.apply(to: #"S'cre"t/T&k+n\=A"#) == #"S'cre"t/T&k+n\=A"#)
    // A text that nearly has it, again and again, takes no longer.
    let marks = String(repeating: "\\", count: 5000)
    #expect(Redaction([String(repeating: "\\", count: 40) + "x"]).apply(to: marks) == marks)
  }

  @Test func `Nothing remains of a secret that begins with another one`() {
    let redaction = Redaction(["token-12", "token-1234"])
    #expect(redaction.apply(to: "a token-1234 and token-12") == "a *** and ***")
  }

  @Test func `Of a login only the result is recorded, and the error of one that failed`()
    async throws
  {
    let folder = try Folder()
    let recorder = try recorder(in: folder) { request throws(HTTPError) in
      HTTPResponse(
        status: request.url.contains("good") ? 200 : 401,
        body: HTTPBody(Array(#"{"accessJwt":"opened"}"#.utf8)))
    }
    for host in ["good", "bad", "good"] {
      var login = HTTPRequest(.post, url: "https://\(host).example.org/login")
      login.body = Array("password=hunter2".utf8)
      login.cachePolicy = .ignore
      login.lane = Lane(rawValue: "reddit https://\(host).example.org")
      _ = try await recorder.send(login)
    }
    try await recorder.finish()
    let text = try folder.text(of: "exchanges.har")
    #expect(!text.contains("hunter2"))
    #expect(text.components(separatedBy: "opened").count == 2)
    let replay = try replay(in: folder)
    func succeeds(_ host: String) -> Bool {
      let server = "https://\(host).example.org"
      return replay.nextLoginSucceeds(on: Lane(rawValue: "reddit \(server)"), at: server)
    }
    #expect(!succeeds("bad"))
    #expect(succeeds("good") && succeeds("good") && succeeds("other"))
  }

  @Test func `A login that is answered with a page has failed, and is repeated`() async throws {
    let folder = try Folder()
    let recorder = try recorder(in: folder) { _ throws(HTTPError) in
      HTTPResponse(status: 200, body: HTTPBody(Array(" <html>Just a moment</html>".utf8)))
    }
    var login = HTTPRequest(.post, url: "https://a.example.org/login")
    login.cachePolicy = .ignore
    login.lane = Lane(rawValue: "reddit https://a.example.org")
    _ = try await recorder.send(login)
    try await recorder.finish()
    let replay = try replay(in: folder)
    #expect(
      !replay.nextLoginSucceeds(
        on: Lane(rawValue: "reddit https://a.example.org"), at: "https://a.example.org"))
    #expect(try await replay.send(login).body.text.contains("Just a moment"))
  }

  @Test func `The archive is private and a whole document after every entry`() async throws {
    let folder = try Folder()
    let recorder = try recorder(in: folder) { _ throws(HTTPError) in HTTPResponse(status: 204) }
    for count in 1...3 {
      _ = try await recorder.send(HTTPRequest(url: "https://example.org/"))
      let document = try JSONValue(reading: Array(try folder.text(of: "exchanges.har").utf8))
      guard case .array(let entries)? = document["log"]?["entries"] else {
        Issue.record("no entries")
        return
      }
      #expect(entries.count == count)
    }
    #expect(try folder.mode(of: "exchanges.har") == 0o600)
    #expect(throws: (any Error).self) {
      try self.recorder(in: folder) { _ throws(HTTPError) in HTTPResponse(status: 204) }
    }
  }

  @Test func `A response that was recorded later waits for the earlier one`() async throws {
    let folder = try Folder()
    let recorder = try recorder(in: folder) { _ throws(HTTPError) in HTTPResponse(status: 200) }
    try await record(["first", "second"], with: recorder)
    let replay = try replay(in: folder)
    let hasArrived = Mutex(false)
    let second = Task {
      let response = try await replay.send(
        HTTPRequest(url: "https://example.org/second"), for: 1)
      hasArrived.withLock { $0 = true }
      return response.status
    }
    let first = try await replay.send(HTTPRequest(url: "https://example.org/first"), for: 0)
    #expect(!hasArrived.withLock { $0 })
    await replay.note(RunStep(0, .pages(of: [0])))
    #expect(try await [first.status, second.value] == [200, 200])
  }

  @Test func `What no search waits for alone is delivered at once, and holds nothing back`()
    async throws
  {
    let folder = try Folder()
    let recorder = try recorder(in: folder) { _ throws(HTTPError) in HTTPResponse(status: 200) }
    // As the first answer of a search leads to a question about the server's software.
    _ = try await recorder.send(HTTPRequest(url: "https://example.org/page"), for: 0)
    _ = try await recorder.send(HTTPRequest(url: "https://example.org/nodeinfo"))
    await recorder.note(RunStep(0, .pages(of: [0])))
    try await recorder.finish()
    let replay = try replay(in: folder)
    let page = try await replay.send(HTTPRequest(url: "https://example.org/page"), for: 0)
    let question = try await replay.send(HTTPRequest(url: "https://example.org/nodeinfo"))
    #expect([page.status, question.status] == [200, 200])
  }

  @Test func `The token of a session is hidden where a server repeats it`() async throws {
    let folder = try Folder()
    let recorder = try recorder(in: folder) { request throws(HTTPError) in
      let token = "tok-0123456789"
      return HTTPResponse(
        status: 200, headers: ["X-Echo": token], body: HTTPBody(Array("you sent \(token)".utf8)))
    }
    for field in ["Bearer tok-0123456789", "tok-0123456789"] {
      _ = try await recorder.send(
        HTTPRequest(url: "https://example.org/", headers: ["Authorization": field]))
    }
    try await recorder.finish()
    let text = try folder.text(of: "exchanges.har")
    #expect(text.contains("you sent ***"))
    #expect(!text.contains("0123456789"))
  }

  @Test func `The credentials of a login are hidden where a server repeats them`() async throws {
    let folder = try Folder()
    let pair = "aWQtMDEyMzpzZWNyZXQ="
    let recorder = try recorder(in: folder) { request throws(HTTPError) in
      HTTPResponse(
        status: 400, headers: ["X-Echo": pair],
        body: HTTPBody(Array("you sent Basic \(pair)".utf8)))
    }
    var login = HTTPRequest(
      .post, url: "https://example.org/token", headers: ["Authorization": "Basic \(pair)"])
    login.cachePolicy = .ignore
    login.lane = Lane(rawValue: "reddit https://example.org")
    _ = try await recorder.send(login)
    try await recorder.finish()
    let text = try folder.text(of: "exchanges.har")
    #expect(text.contains("you sent Basic ***"))
    #expect(!text.contains(pair))
  }

  @Test func `A response does not wait forever for a request that is not made again`() async throws
  {
    let folder = try Folder()
    let recorder = try recorder(in: folder) { _ throws(HTTPError) in HTTPResponse(status: 200) }
    try await record(["never", "second"], with: recorder)
    let replay = try replay(in: folder, patience: .milliseconds(10))
    let second = try await replay.send(HTTPRequest(url: "https://example.org/second"), for: 1)
    #expect(second.status == 200)
  }

  @Test
  func `The schedule delivers in order, past what was canceled and past what nobody asks for`() {
    func request(_ name: String) -> RecordedExchange.Request {
      RecordedExchange.Request(method: "GET", url: name, body: [])
    }
    func exchanges(_ names: String...) -> [RecordedExchange] {
      names.map { name in
        RecordedExchange(
          request: request(name), result: .success(HTTPResponse(status: 200)),
          started: .distantPast,
          arrived: .distantPast)
      }
    }
    var schedule = ReplaySchedule(exchanges("a", "b", "c", "a"))
    #expect(schedule.claim(request("c")) == 2)
    schedule.wait(2)
    #expect(schedule.due() == [])
    #expect(schedule.claim(request("a")) == 0)
    schedule.wait(0)
    #expect(schedule.due() == [.deliver(0)])
    #expect(schedule.claim(request("b")) == 1)
    schedule.skip(1)
    #expect(schedule.due() == [.deliver(2)])
    #expect(schedule.claim(request("a")) == 3)
    #expect(schedule.claim(request("a")) == nil)

    var stalled = ReplaySchedule(exchanges("never", "late", "x"))
    #expect(stalled.claim(request("x")) == 2)
    stalled.wait(2)
    stalled.giveUpOrder(for: 2)
    #expect(stalled.due() == [.deliver(2)])
    #expect(stalled.claim(request("late")) == 1)
    stalled.wait(1)
    #expect(stalled.due() == [.deliver(1)])
  }

  @Test func `A request that was not recorded is an error that names it without its secrets`()
    async throws
  {
    let folder = try Folder()
    let recorder = try recorder(in: folder) { _ throws(HTTPError) in HTTPResponse(status: 200) }
    try await recorder.finish()
    let replay = try replay(in: folder)
    let error = await #expect(throws: HTTPError.self) {
      try await replay.send(HTTPRequest(url: "https://example.org/?key=another%20secret"))
    }
    #expect(error?.reason == "not in the recording: GET https://example.org/?key=***")
  }

  @Test func `Canceling ends a wait for its turn at once`() async throws {
    let folder = try Folder()
    let recorder = try recorder(in: folder) { _ throws(HTTPError) in HTTPResponse(status: 200) }
    try await record(["first", "second"], with: recorder)
    let replay = try replay(in: folder)
    let second = Task {
      try await replay.send(HTTPRequest(url: "https://example.org/second"), for: 1)
    }
    replay.beginCancelAll()
    let result = await second.result
    #expect(throws: HTTPError.self) { try result.get() }
  }

  @Test func `Canceling a group ends those requests that were canceled when they were recorded`()
    async throws
  {
    let folder = try Folder()
    let recorder = try recorder(in: folder) { request throws(HTTPError) in
      guard !request.url.hasSuffix("canceled") else {
        throw HTTPError(.cancelled, reason: "canceled", address: request.url)
      }
      return HTTPResponse(status: 200)
    }
    try await record(["canceled", "first", "answered"], with: recorder)
    let replay = try replay(in: folder)
    let group = RequestGroup(rawValue: "lane")
    let hasEnded = Mutex(false)
    func request(_ name: String) -> HTTPRequest {
      var request = HTTPRequest(url: "https://example.org/\(name)")
      request.group = group
      return request
    }
    let requests = ["canceled", "answered", "first"].map(request)
    let canceled = Task {
      defer { hasEnded.withLock { $0 = true } }
      return try await replay.send(requests[0], for: 0)
    }
    let answered = Task { try await replay.send(requests[1], for: 2) }
    // Long enough for both to wait, and for a response that nothing holds back.
    try await Task.sleep(for: .milliseconds(100))
    #expect(!hasEnded.withLock { $0 })
    replay.cancel(group: group)
    await #expect(throws: HTTPError.self) { try await canceled.value }
    #expect(try await replay.send(requests[2], for: 1).status == 200)
    await replay.note(RunStep(1, .pages(of: [1])))
    #expect(try await answered.value.status == 200)
  }

  @Test(arguments: [
    ("", "line 1"), ("[]", "log.entries"),
    (#"{"log":{"entries":[{}]}}"#, "log.entries[0].request: missing"),
    (
      #"{"log":{"entries":[{"request":{"method":"GET","url":"u"},"startedDateTime":"x"}]}}"#,
      "startedDateTime"
    ),
    (
      #"{"log":{"entries":[{"request":{"method":"GET","url":"u"},"startedDateTime":"2026-01-01T00:00:00Z","response":{"status":99}}]}}"#,
      "response.status: expected a whole number from 100 to 999"
    ),
    (
      #"{"log":{"entries":[{"request":{"method":"GET","url":"u"},"startedDateTime":"2026-01-01T00:00:00Z","response":{"status":200,"content":{"text":"*","encoding":"base64"}}}]}}"#,
      "Base64"
    ),
  ])
  func `A damaged archive is refused with the member that is wrong`(_ text: String, _ part: String)
    async throws
  {
    let folder = try Folder()
    let path = try folder.write(text, to: "exchanges.har")
    let fault = #expect(throws: ExchangeReplay.UnreadableArchive.self) {
      try self.replay(in: folder)
    }
    #expect(fault.map { "\($0)".contains(path) } == true)
    #expect(fault.map { "\($0)".contains(part) } == true, "\(String(describing: fault))")
  }
}
