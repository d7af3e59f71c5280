import FoundationEssentials
import Printing
import SearchModel
import TestSupport
import Testing
import TextFormats

@Suite struct NDJSONPrinterTests {
  private func lines(
    _ posts: [Post], outcomes: [SearchOutcome] = [], isIncomplete: Bool = false
  ) -> [String] {
    Samples.written(
      by: NDJSONPrinter(), posts, outcomes: outcomes, isIncomplete: isIncomplete
    )
    .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `A full post has all keys in their order`() throws {
    #expect(
      lines([
        try Samples.full(
          repostOf: "8",
          repostedBy: Author(handle: "bob", name: "Bob", url: "https://mastodon.social/@bob"))
      ]).first == #"""
        {"id":"10765432100123456789","source":"mastodon","server":"https://mastodon.social",\#
        "url":"https://mastodon.social/@ada/1",\#
        "uri":"https://mastodon.social/users/ada/statuses/1",\#
        "author":{"handle":"ada@mastodon.social","name":"Ada 日本",\#
        "url":"https://mastodon.social/@ada"},"title":"On engines",\#
        "text":"First line about #swiftlang.\nSecond \"line\".",\#
        "created_at":"2026-11-20T11:55:00.000Z","edited_at":"2026-11-20T11:58:59.500Z",\#
        "language":"en","tags":["#swiftlang","swift"],"topics":["Swift Lang","C++"],\#
        "links":["https://example.org/a"],\#
        "media":["https://example.org/b.png","https://example.org/c"],\#
        "attachments":[{"url":"https://example.org/b.png","kind":"image","type":"image/png",\#
        "description":"A \"parrot\", green","thumbnail":"https://example.org/b-small.png"},\#
        {"url":"https://example.org/c"}],\#
        "counts":{"likes":3,"reposts":2,"replies":1,"views":0},\#
        "reply_to":"7","repost_of":"8",\#
        "reposted_by":{"handle":"bob","name":"Bob","url":"https://mastodon.social/@bob"},\#
        "sensitive":false}
        """#)
  }

  @Test func `A content warning and a poll follow the mark of a sensitive post`() throws {
    let post = Post(
      id: "1", source: "x", server: try Samples.server("https://x.example"), uri: "x:1",
      text: "Who wins?", isSensitive: true, contentWarning: "spoilers",
      poll: ["Red \u{1B}[31m", "Blue"])
    #expect(
      lines([post]).first == #"""
        {"id":"1","source":"x","server":"https://x.example","uri":"x:1","text":"Who wins?",\#
        "created_at":null,"sensitive":true,"content_warning":"spoilers",\#
        "poll":["Red \u001b[31m","Blue"]}
        """#)
  }

  @Test func `Copies come last, each by its address`() throws {
    var post = try Samples.full()
    post.also = [
      PostCopy(source: "lemmy", address: "https://l.example/1"),
      PostCopy(source: "x", address: "https://x.example/2"),
    ]
    let line = try #require(lines([post]).first)
    #expect(
      line.hasSuffix(
        #""sensitive":false,"also":["https://l.example/1","https://x.example/2"]}"#))
  }

  @Test func `Posts left out are counted if the run had filters`() throws {
    var tally = FilterTally([.reposts, .languages, .languageUnknown])
    tally.count(.reposts)
    tally.count(.reposts)
    tally.count(.languageUnknown)
    let written = Samples.written(by: NDJSONPrinter(), [], excluded: tally)
    #expect(
      written == #"{"outcomes":[],"incomplete":false,"excluded":{"reposts":2,"languages":0,"#
        + #""language_unknown":1}}"# + "\n")
  }

  @Test func `What is absent is left out, but the date is null`() throws {
    #expect(
      lines([try Samples.bare()]) == [
        #"{"id":"1","source":"hackernews","server":"https://hn.example","uri":"hn:1","#
          + #""text":"Just text.","created_at":null}"#,
        #"{"outcomes":[],"incomplete":false}"#, "",
      ])
  }

  @Test func `A future post says so, and a date that cannot be written is null`() throws {
    var future = try Samples.bare("1")
    future.createdAt = Samples.now.addingTimeInterval(3_600)
    future.isFuture = true
    var strange = try Samples.bare("2", editedAt: Date(timeIntervalSince1970: 1e300))
    strange.createdAt = Date(timeIntervalSince1970: .nan)
    let printed = lines([future, strange])
    #expect(printed[0].hasSuffix(#""created_at":"2026-11-20T13:00:00.000Z","future":true}"#))
    #expect(printed[1].hasSuffix(#""created_at":null}"#))
  }

  @Test func `The last line tells how each search ended`() throws {
    #expect(
      lines([], outcomes: try Samples.outcomes(), isIncomplete: true).first == #"""
        {"outcomes":[\#
        {"tag":"#a","source":"mastodon","server":"https://mastodon.social",\#
        "outcome":"completed"},\#
        {"tag":"#a","source":"x","server":"https://api.x.com","outcome":"completed",\#
        "notes":["not found: post 9"]},\#
        {"tag":"#a","source":"reddit","outcome":"skipped","message":"needs a credential"},\#
        {"tag":"#b","source":"mastodon","server":"https://mastodon.social",\#
        "outcome":"partial","status":500,"message":"page 2 is missing: answered 500",\#
        "advice":"try again later","broken_items":2},\#
        {"tag":"#c","source":"github","server":"https://api.github.com",\#
        "outcome":"rate_limited","status":403,"message":"the quota is spent",\#
        "advice":"set GITHUB_TOKEN","until":"2026-11-20T12:01:30.000Z"},\#
        {"tag":"#d\u202e","source":"bluesky","outcome":"failed","status":400,\#
        "message":"bad \u001b[31mquery"},\#
        {"tag":"#e","source":"lemmy","outcome":"cancelled"}],"incomplete":true}
        """#)
  }

  @Test func `Hostile text leaves no control but line feeds, and reads back as it was`() throws {
    let post = try Samples.hostile()
    let printed = lines([post])
    for scalar in printed.joined().unicodeScalars {
      #expect(scalar.properties.generalCategory != .control)
      #expect(!scalar.properties.isBidiControl)
    }
    #expect(printed[0].contains(#"e\u2069\tf"#))
    let bytes = Array(printed[0].utf8) + [UInt8](repeating: 0, count: JSON.spareBytes)
    let (id, name, text) = try bytes.withUnsafeBytes { buffer in
      try JSON.read(padded: UnsafeRawBufferPointer(rebasing: buffer.dropLast(JSON.spareBytes))) {
        ($0["id"]?.string, $0["author"]?["name"]?.string, $0["text"]?.string)
      }
    }
    #expect(id == post.id)
    #expect(name == post.author.name)
    #expect(text == post.text)
  }

  @Test func `A big output comes in pieces, and a fault ends it`() throws {
    struct Full: Error {}
    let posts = try (0..<3_000).map {
      try Samples.bare("\($0)", text: String(repeating: "x", count: 300))
    }
    var pieces: [Int] = []
    NDJSONPrinter().write(RunResult(posts: posts[...], now: Samples.now)) {
      pieces.append($0.count)
    }
    #expect(pieces.count > 2)
    #expect(pieces.allSatisfy { $0 < 1 << 20 })
    var calls = 0
    #expect(throws: Full.self) {
      try NDJSONPrinter().write(RunResult(posts: posts[...], now: Samples.now)) { _ throws(Full) in
        calls += 1
        throw Full()
      }
    }
    #expect(calls == 1)
  }
}
