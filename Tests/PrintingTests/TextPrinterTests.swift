import FoundationEssentials
import SearchModel
import TestSupport
import Testing

@testable import Printing

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
        2026-11-20T11:55:00.000Z  mastodon  @ada@mastodon.social (Ada 日本)  edited  #swiftlang, swift
            On engines
            First line about #swiftlang.
            Second "line".
            topics: C++
            1 picture, 1 attachment
            - A "parrot", green
              https://example.org/b.png
            - https://example.org/c
            3 likes, 2 reposts, 1 comment
            https://mastodon.social/@ada/1

        undated                   hackernews
            Just text.

        """)
  }

  @Test(arguments: [
    (Author(name: "Grace"), "(Grace)  in News"), (Author(handle: "g"), "@g  in News"),
    (Author(), "in News"), (Author(name: "News"), "(News)"),
  ])
  func `A post names its feed once`(author: Author, shown: String) throws {
    let post = Post(
      id: "1", source: "feed", server: try Samples.server(), uri: "1", author: author,
      feed: "News", text: "Text.")
    #expect(
      text([post]).split(separator: "\n").first == "undated                   feed  \(shown)")
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
        2026-11-20T11:55:00.000Z  mastodon  @ada@mastodon.social (Ada 日本)  \(mark)  edited  \
        #swiftlang, swift
            Text.
            topics: C++
            1 picture, 1 attachment
            - A "parrot", green
              https://example.org/b.png
            - https://example.org/c
            3 likes, 2 reposts, 1 comment
            https://mastodon.social/@ada/1

        """)
  }

  @Test(arguments: [
    (Author(handle: "22656", name: "Jon"), "(Jon)"), (Author(handle: "22656"), "@22656"),
    (Author(handle: "UCabcdefghijklmnopqrst_-", name: "A Channel"), "(A Channel)"),
    (Author(handle: "did:plc:abc", name: "Ada"), "(Ada)"),
    (Author(handle: "Old Name", name: "Old Name"), "(Old Name)"),
    (Author(handle: "007@a.example", name: "James"), "@007@a.example (James)"),
    (Author(name: "The Feed"), "(The Feed)"), (Author(handle: "1a", name: "x"), "@1a (x)"),
  ])
  func `An identifier is no handle: the name is shown instead`(author: Author, shown: String)
    throws
  {
    let post = try Samples.bare(author: author)
    #expect(text([post]).hasPrefix("undated                   hackernews  \(shown)\n"))
    #expect(screen([post], columns: 80).hasPrefix("hackernews  \(shown)  undated\n"))
    let name = author.shownHandle.map { "@\($0)" } ?? author.name ?? ""
    let style = TextStyle(now: Samples.now)
    #expect(
      Samples.written(by: CountPrinter([.author], as: .text, style: style), [post])
        .hasPrefix("\(name) (hackernews)"))
    for format in [OutputFormat.markdown, .html, .plain] {
      let written = Samples.written(by: format.printer(style: style), [post])
      let isShown = author.shownHandle != nil && format == .html
      #expect(written.contains("@\(author.handle)</") == isShown)
    }
    // For programs nothing is left out.
    let json = Samples.written(by: NDJSONPrinter(), [post])
    #expect(author.handle.isEmpty || json.contains("\"handle\":\"\(author.handle)\""))
  }

  @Test func `Attachments are counted by kind, and listed with their descriptions`() throws {
    let server = try Samples.server()
    let post = Post(
      id: "1", source: "x", server: server, url: "https://x.example/1", uri: "1", text: "Look.",
      attachments: [
        PostAttachment("https://x.example/a.png", kind: .image, description: "Two\ncats \u{1B}[1m"),
        PostAttachment("https://x.example/b.png", kind: .image),
        PostAttachment("https://x.example/c", kind: .audio), PostAttachment("https://x.example/d"),
        PostAttachment("https://x.example/e", kind: .file),
      ])
    #expect(
      text([post]) == """
        undated                   x
            Look.
            2 pictures, 1 sound file, 1 file, 1 attachment
            - Two cats\u{20}
              https://x.example/a.png
            - https://x.example/b.png
            - https://x.example/c
            - https://x.example/d
            - https://x.example/e
            https://x.example/1

        """)
    #expect(screen([post], columns: 40).contains("d\n    … 1 more\n    https://x.example/1\n"))
  }

  @Test func `Copies are listed by network, each once`() throws {
    var post = try Samples.bare(url: "https://hn.example/1")
    post.also = [
      PostCopy(source: "mastodon", address: "https://m.example/1"),
      PostCopy(source: "bluesky", address: "https://b.example/1"),
      PostCopy(source: "mastodon", address: "https://m.example/2"),
    ]
    #expect(text([post]).hasSuffix("    https://hn.example/1\n    also on mastodon, bluesky\n"))
  }

  @Test func `A content warning comes before the text, once, and a poll after it`() throws {
    let post = Post(
      id: "1", source: "mastodon", server: try Samples.server(), uri: "m:1",
      text: "spoilers\n\nWho wins?", isSensitive: true, contentWarning: "spoilers",
      poll: ["The \u{1B}[31mred\u{1B}[0m team", "The\nblue team"])
    let body = """
          content warning: spoilers
          Who wins?
          ○ The red team
          ○ The blue team

      """
    #expect(text([post]) == "undated                   mastodon  sensitive\n" + body)
    #expect(screen([post]) == "mastodon  undated  sensitive\n" + body)
  }

  @Test func `A poll counts among the lines of a long post`() throws {
    let post = try Samples.bare(
      text: (1...8).map { "line \($0)" }.joined(separator: "\n"),
      poll: (1...5).map { "option \($0)" })
    let lines = screen([post]).split(separator: "\n")
    #expect(lines.suffix(3) == ["    ○ option 2", "    ○ option 3", "    … 2 more lines"])
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
        hackernews
            in the future, 2026-11-20 13:00
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
    let header =
      onScreen
      ? "lemmy  @eve (Eve mastodon)  2 h ago, 10:00  #a"
      : "2026-11-20T10:00:00.000Z  lemmy  @eve (Eve mastodon)  #a"
    #expect(
      printed == """
        \(header)
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
    (-300.0, "just now, 12:05"), (0, "just now, 12:00"), (59, "just now, 11:59"),
    (60, "1 min ago, 11:59"), (3_599, "59 min ago, 11:00"), (3_600, "1 h ago, 11:00"),
    (43_200, "12 h ago, 00:00"), (43_201, "12 h ago, Thu 23:59"), (86_399, "23 h ago, Thu 12:00"),
    (86_400, "1 d ago, Thu 12:00"), (604_799, "6 d ago, Fri 12:00"),
    (604_800, "2026-11-13 12:00"),
  ])
  func `An age comes with the clock time, and with the weekday on another day`(
    secondsAgo: Double, words: String
  ) throws {
    var post = try Samples.bare()
    post.createdAt = Samples.now.addingTimeInterval(-secondsAgo)
    #expect(screen([post]).hasPrefix("hackernews  \(words)\n"))
  }

  @Test func `Text is wrapped by columns, not characters`() throws {
    let post = try Samples.bare(
      text: "Wide 速い茶色の狐が怠け者の犬を飛び越える and 👩‍👩‍👧‍👦👍🏽 then a long https://example.org/address/that/is/longer")
    #expect(
      screen([post], columns: 30) == """
        hackernews  undated
            Wide 速い茶色の狐が怠け者
            の犬を飛び越える and 👩‍👩‍👧‍👦👍🏽
            then a long
            https://example.org/address/that/is/longer

        """)
  }

  @Test func `Colors and links are used where they are allowed`() throws {
    let post = try Samples.full(title: nil, text: "Text.")
    #expect(
      screen([post], columns: 80, usesColor: true, usesLinks: true) == """
        \u{1B}[38;5;98mmastodon\u{1B}[0m  \u{1B}[1m@ada@mastodon.social\u{1B}[0m  \
        \u{1B}[38;5;243m5 min ago, 11:55\u{1B}[0m  \u{1B}[38;5;243medited\u{1B}[0m  \
        \u{1B}[38;5;243m#swiftlang, swift\u{1B}[0m
            Text.
            \u{1B}[38;5;243mtopics: C++\u{1B}[0m
            \u{1B}[38;5;243m1 picture, 1 attachment\u{1B}[0m
            \u{1B}[38;5;243m- A "parrot", green\u{1B}[0m
              \u{1B}]8;;https://example.org/b.png\u{1B}\\\
        \u{1B}[38;5;243mhttps://example.org/b.png\u{1B}[0m\u{1B}]8;;\u{1B}\\
            - \u{1B}]8;;https://example.org/c\u{1B}\\\
        \u{1B}[38;5;243mhttps://example.org/c\u{1B}[0m\u{1B}]8;;\u{1B}\\
            \u{1B}[38;5;243m3 likes, 2 reposts, 1 comment\u{1B}[0m
            \u{1B}]8;;https://mastodon.social/@ada/1\u{1B}\\\
        \u{1B}[38;5;243mhttps://mastodon.social/@ada/1\u{1B}[0m\u{1B}]8;;\u{1B}\\

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
    let rest = "5 min ago, 11:55  edited  #swiftlang, swift\n"
    let header = "mastodon  @ada@mastodon.social"
    #expect(screen([post], columns: 87).hasPrefix("\(header) (Ada 日本)  \(rest)"))
    #expect(screen([post], columns: 83).hasPrefix("\(header)  \(rest)"))
  }

  @Test func `A header that does not fit goes on below, and its parts are shortened`() throws {
    let post = try Samples.bare(author: Author(handle: String(repeating: "long", count: 12)))
    #expect(
      screen([post], columns: 40) == """
        hackernews
            @longlonglonglonglonglonglonglonglo…
            undated
            Just text.

        """)
  }

  @Test func `A title that equals the text is printed once`() throws {
    for post in [
      try Samples.full(title: "The same", text: "The  same\n"),
      try Samples.full(title: nil, text: "The same"),
    ] {
      for printed in [text([post]), screen([post], columns: 100)] {
        #expect(printed.split(separator: "\n").filter { $0.contains("same") }.count == 1)
      }
    }
  }

  @Test func `A long post ends with the number of lines left out, unless all are wanted`() throws {
    func lines(_ count: Int) -> String { (1...count).map { "line \($0)" }.joined(separator: "\n") }
    #expect(screen([try Samples.bare(text: lines(12))]).hasSuffix("    line 12\n"))
    #expect(
      screen([try Samples.bare(text: lines(59))])
        .hasSuffix("    line 10\n    line 11\n    … 48 more lines\n"))
    let style = TextStyle(columns: 40, isFull: true, now: Samples.now)
    #expect(
      Samples.written(by: TextPrinter(style: style), [try Samples.bare(text: lines(59))])
        .hasSuffix("    line 59\n"))
    #expect(text([try Samples.bare(text: lines(59))]).hasSuffix("    line 59\n"))
  }

  @Test func `An address wider than the line is shortened in a link to the whole of it`() throws {
    let url = "https://example.org/a/very/long/path/that/goes/on"
    let post = try Samples.bare(text: "See (\(url)), really.", url: url)
    #expect(
      screen([post], columns: 40, usesLinks: true) == """
        hackernews  undated
            See
            (\u{1B}]8;;\(url)\u{1B}\\https://example.org/a/very/long/…\u{1B}]8;;\u{1B}\\),
            really.
            \u{1B}]8;;\(url)\u{1B}\\https://example.org/a/very/long/pat…\u{1B}]8;;\u{1B}\\

        """)
    #expect(
      screen([post], columns: 40) == """
        hackernews  undated
            See (
            \(url)),
            really.
            \(url)

        """)
  }

  @Test(arguments: [
    ("#swift", "Swift, swiftly #SWIFT", "[Swift], swiftly #[SWIFT]"),
    (
      "\"data race\" -old lang:de from:amy", "a data-race, no old amy",
      "a [data]-[race], no old amy"
    ),
    ("犬", "怠け者の犬を飛", "怠け者の[犬]を飛"),
    ("swift", "https://swift.example/swift", "https://swift.example/swift"),
  ])
  func `Words of the queries are emphasized`(tag: String, text: String, marked: String) throws {
    var post = try Samples.bare(text: text)
    post.tags = [tag]
    let printed = screen([post], columns: 60, usesColor: true)
      .replacing("\u{1B}[1m", with: "[").replacing("\u{1B}[0m", with: "]")
    #expect(printed.split(separator: "\n").last == "    \(marked)")
  }

  @Test func `Colors contrast with black and with white`() {
    for color in TextColor.allCases {
      guard let index = color.paletteIndex else { continue }
      let levels = [0.0, 95, 135, 175, 215, 255]
      let parts =
        index >= 232
        ? Array(repeating: Double(8 + 10 * (index - 232)), count: 3)
        : [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map { levels[$0] }
      // WCAG 2.2, relative luminance.
      let linear = parts.map {
        $0 / 255 <= 0.03928 ? $0 / 255 / 12.92 : power(($0 / 255 + 0.055) / 1.055)
      }
      let luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
      #expect((luminance + 0.05) / 0.05 >= 4.2, "\(color) on black")
      #expect(1.05 / (luminance + 0.05) >= 4.2, "\(color) on white")
    }
  }

  /// A number to the power of 2.4.
  private func power(_ number: Double) -> Double {
    // The fifth root of the twelfth power, by Newton's method.
    let target = (0..<12).reduce(1.0) { product, _ in product * number }
    return (0..<60).reduce(1.0) { root, _ in
      root - (root * root * root * root * root - target) / (5 * root * root * root * root)
    }
  }

  // The number of groups of pieces for which other threads come first.
  @Test(arguments: [0, 1, Int.max])
  func `A big output comes in pieces that make the whole, whoever lays them out`(patience: Int)
    throws
  {
    let posts = try (0..<4_500).map {
      try Samples.bare("\($0)", text: "\($0) \(String(repeating: "x", count: 300))")
    }
    var pieces: [[UInt8]] = []
    var rest = patience
    TextPrinter(style: TextStyle(now: Samples.now)).write(
      RunResult(posts: posts[...], now: Samples.now),
      isPatient: {
        rest -= 1
        return rest >= 0
      }
    ) { pieces.append($0) }
    #expect(rest == patience - 3 && pieces.count == 18)
    #expect(pieces.allSatisfy { $0.count < 1 << 20 })
    #expect(
      String(decoding: pieces.joined(), as: UTF8.self)
        == posts.map { text([$0]) }.joined(separator: "\n"))
  }
}
