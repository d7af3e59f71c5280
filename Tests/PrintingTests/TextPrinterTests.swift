import FoundationEssentials
import Printing
import SearchModel
import Testing

@Suite struct TextPrinterTests {
  private func text(_ posts: [Post]) -> String {
    Samples.written(by: TextPrinter(style: TextStyle(now: Samples.now)), posts)
  }

  private func screen(
    _ posts: [Post], columns: Int = 40, usesColor: Bool = false, usesLinks: Bool = false
  ) -> String {
    Samples.written(
      by: TextPrinter(
        style: TextStyle(
          columns: columns, usesColor: usesColor, usesLinks: usesLinks, relativeTimes: true,
          now: Samples.now)), posts)
  }

  @Test func `A post names when, where, who and what found it; the text follows, then the address`()
    throws
  {
    #expect(
      text([try Samples.full(), try Samples.bare()]) == """
        2026-11-20T11:55:00.000Z  mastodon  @ada@mastodon.social (Ada 日本)  #swiftlang, swift
            On engines
            First line about #swiftlang.
            Second "line".
            https://mastodon.social/@ada/1

        undated                   hackernews
            Just text.

        """)
  }

  @Test(arguments: [
    (Author(handle: "bob", name: "Bob"), "reposted by @bob"),
    (Author(name: "Bob \u{1B}[1m"), "reposted by Bob "), (Author(), "repost"), (nil, "repost"),
  ])
  func `A repost is marked, with its text under its author's name`(by: Author?, mark: String)
    throws
  {
    #expect(
      text([try Samples.full(title: nil, text: "Text.", repostOf: "8", repostedBy: by)]) == """
        2026-11-20T11:55:00.000Z  mastodon  @ada@mastodon.social (Ada 日本)  \(mark)  #swiftlang, swift
            Text.
            https://mastodon.social/@ada/1

        """)
  }

  @Test func `Copies are told by their networks, each once`() throws {
    var post = try Samples.bare(url: "https://hn.example/1")
    post.also = [
      PostCopy(source: "mastodon", address: "https://m.example/1"),
      PostCopy(source: "bluesky", address: "https://b.example/1"),
      PostCopy(source: "mastodon", address: "https://m.example/2"),
    ]
    #expect(text([post]).hasSuffix("    https://hn.example/1\n    also on mastodon, bluesky\n"))
  }

  @Test func `No post is no output`() {
    #expect(text([]).isEmpty)
  }

  @Test func `A future post says so beside its date`() throws {
    var post = try Samples.bare()
    post.createdAt = Samples.now.addingTimeInterval(3_600)
    post.isFuture = true
    #expect(
      text([post]) == """
        2026-11-20T13:00:00.000Z  in the future  hackernews
            Just text.

        """)
    #expect(
      screen([post]) == """
        in the future, 2026-11-20  hackernews
            Just text.

        """)
  }

  @Test func `A sensitive post says so, and empty lines inside a text stay`() throws {
    let post = try Samples.bare(
      text: "\n\nfirst\n\n  second \n\n", author: Author(name: "Only A Name"), isSensitive: true)
    #expect(
      text([post]) == """
        undated                   hackernews  (Only A Name)  sensitive
            first

              second

        """)
  }

  @Test(arguments: [false, true])
  func `Hostile text commands nothing and passes for no other post`(onScreen: Bool) throws {
    let printed =
      onScreen ? screen([try Samples.hostile()], columns: 60) : text([try Samples.hostile()])
    let date = onScreen ? "2 h ago   " : "2026-11-20T10:00:00.000Z"
    #expect(
      printed == """
        \(date)  lemmy  @eve (Eve mastodon)  #a
            click
            me
            ared
            b
            c
            de fghi
            https://lemmy.example/post

        """)
    for scalar in printed.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control)
      #expect(!scalar.properties.isBidiControl)
    }
  }

  @Test(arguments: [
    (-300.0, "just now  "), (0, "just now  "), (59, "just now  "), (60, "1 min ago "),
    (3_599, "59 min ago"), (3_600, "1 h ago   "), (86_399, "23 h ago  "), (86_400, "1 d ago   "),
    (604_799, "6 d ago   "), (604_800, "2026-11-13"),
  ])
  func `Times are told as people tell them`(secondsAgo: Double, words: String) throws {
    var post = try Samples.bare()
    post.createdAt = Samples.now.addingTimeInterval(-secondsAgo)
    #expect(screen([post]).hasPrefix("\(words)  hackernews\n"))
  }

  @Test func `Text is wrapped by columns, not characters`() throws {
    let post = try Samples.bare(
      text: "Wide 速い茶色の狐が怠け者の犬を飛び越える and 👩‍👩‍👧‍👦👍🏽 then a long https://example.org/address/that/is/longer")
    #expect(
      screen([post], columns: 30) == """
        undated     hackernews
            Wide 速い茶色の狐が怠け者
            の犬を飛び越える and 👩‍👩‍👧‍👦👍🏽
            then a long
            https://example.org/addres
            s/that/is/longer

        """)
  }

  @Test func `Colors and links stand out where they are allowed`() throws {
    let post = try Samples.full(title: nil, text: "Text.")
    #expect(
      screen([post], columns: 80, usesColor: true, usesLinks: true) == """
        \u{1B}[2m5 min ago \u{1B}[0m  \u{1B}[35mmastodon\u{1B}[0m  \
        \u{1B}[1m@ada@mastodon.social\u{1B}[0m (Ada 日本)  \u{1B}[2m#swiftlang, swift\u{1B}[0m
            Text.
            \u{1B}]8;;https://mastodon.social/@ada/1\u{1B}\\\
        \u{1B}[2mhttps://mastodon.social/@ada/1\u{1B}[0m\u{1B}]8;;\u{1B}\\

        """)
  }

  @Test(arguments: [
    "javascript:alert(1)", "file:///etc/passwd", "https://e.example/\u{7}x",
    "https://e.example/a b",
    "https://e.example/é", "https://e.example/\u{9C}",
  ])
  func `Only plain http and https addresses become links`(url: String) throws {
    let post = try Samples.bare(url: url)
    #expect(!screen([post], usesLinks: true).contains("\u{1B}"))
  }

  @Test func `An author's name is left out where the header would not fit the terminal`() throws {
    let post = try Samples.full()
    let header = "5 min ago   mastodon  @ada@mastodon.social"
    #expect(screen([post], columns: 72).hasPrefix("\(header) (Ada 日本)  #swiftlang, swift\n"))
    #expect(screen([post], columns: 71).hasPrefix("\(header)  #swiftlang, swift\n"))
  }

  @Test func `A big output comes in pieces that make the whole`() throws {
    let posts = try (0..<3_000).map {
      try Samples.bare("\($0)", text: String(repeating: "x", count: 300))
    }
    var pieces: [[UInt8]] = []
    TextPrinter(style: TextStyle(now: Samples.now))
      .write(RunResult(posts: posts[...], now: Samples.now)) { pieces.append($0) }
    #expect(pieces.count > 2)
    #expect(pieces.allSatisfy { $0.count < 1 << 20 })
    let one = text([posts[0]])
    #expect(
      String(decoding: pieces.joined(), as: UTF8.self)
        == Array(repeating: one, count: 3_000).joined(separator: "\n"))
  }
}
