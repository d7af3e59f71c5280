import FoundationEssentials
import SearchModel
import TestSupport
import Testing

@testable import Printing

/// The formats for readers of pages, digests and feeds.
@Suite struct DigestFormatTests {
  private func written(_ printer: any PostPrinter, _ posts: [Post]) throws -> String {
    Samples.written(
      by: printer, posts, outcomes: try Samples.outcomes(), isIncomplete: true)
  }

  @Test(arguments: [
    ("@ada and #1", "\\@\u{2060}ada and \\#\u{2060}1"), ("a@b", "a\\@\u{2060}b"),
    ("# title", "\\# title"), ("<b>&amp;", "\\<b\\>\\&amp;"),
    ("*a* _b_ `c`", "\\*a\\* \\_b\\_ \\`c\\`"),
    ("[x](javascript:alert(1))", "\\[x\\](javascript:alert(1))"), ("1. one", "1\\. one"),
    ("- one", "\\- one"), (" - one", "\\- one"), ("  1) one", "1\\) one"), ("a - b", "a - b"),
    ("| a |", "\\| a \\|"), ("    code", "code"),
    ("www.evil.example", "w\u{2060}ww.evil.example"), ("GH-1", "G\u{2060}H-1"),
    ("see https://a.example/x_y_z.", "see <https://a.example/x_y_z>."),
  ])
  func `Nothing comes alive in Markdown`(text: String, escaped: String) throws {
    let printed = try written(MarkdownPrinter(), [try Samples.bare(text: text)])
    #expect(printed.contains("\n> \(escaped)\n"))
  }

  @Test func `A title is bold whatever blanks surround it`() throws {
    func printed(title: String) throws -> String {
      try written(MarkdownPrinter(), [try Samples.bare(text: "b", title: title)])
    }
    #expect(try printed(title: " A title\u{1B}[0m ").contains("\n**A title**\\\n"))
    #expect(try !printed(title: " ").contains("****"))
  }

  @Test func `A control sequence in Markdown ends with the text that it is in`() throws {
    var post = try Samples.bare(
      text: "b", author: Author(handle: "ada\u{1B}[", name: "Ada\u{1B}"))
    post.tags = ["#a\u{1B}", "#b"]
    let line = try written(MarkdownPrinter(), [post]).split(separator: "\n").first {
      $0.contains("Ada")
    }
    #expect(line?.contains(" · Ada (\\@\u{2060}ada) · ") == true)
    #expect(line?.hasSuffix(" · \\#\u{2060}a · \\#\u{2060}b") == true)
  }

  @Test func `A quotation keeps its lines and paragraphs`() throws {
    let printed = try written(MarkdownPrinter(), [try Samples.bare(text: "\n\na\nb\n\nc\n")])
    #expect(printed.contains("\n> a\\\n> b\n>\n> c\n\n"))
  }

  @Test func `A digest has a heading for each day, in pieces too`() throws {
    let posts = try (0..<3_000).map { number in
      var post = try Samples.bare("\(number)")
      post.createdAt = Samples.now.addingTimeInterval(Double(number) * -100)
      return post
    }
    let printed = try written(MarkdownPrinter(), posts)
    let days = printed.split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(
      days == [
        "## 2026-11-20", "## 2026-11-19", "## 2026-11-18", "## 2026-11-17", "## What is missing",
      ])
  }

  @Test func `A page holds no live markup of a post, and only safe addresses`() throws {
    let html = try written(HTMLPrinter(), try Gallery.posts() + [try Samples.hostile()])
    #expect(html.components(separatedBy: "<script").count == 2)
    #expect(!html.contains("href=\"javascript:"))
    #expect(!html.contains("<x>"))
    #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    for address in html.matches(of: /(?:href|src)="([^"]*)"/) {
      #expect(address.1.hasPrefix("https://") || address.1 == "#missing")
    }
    #expect(!html.contains(" style=") && !html.contains(" src="))
    for scalar in html.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control)
    }
  }

  @Test func `A page loads a picture only on a click, and only over https`() throws {
    let post = Post(
      id: "1", source: "x", server: try Samples.server(), uri: "1", text: "Look.",
      attachments: [
        PostAttachment(
          "https://x.example/a.png", kind: .image, description: "\"A\" <cat>",
          thumbnail: "https://x.example/s"),
        PostAttachment("http://x.example/b.png", kind: .image),
        PostAttachment("https://x.example/c", kind: .video, thumbnail: "https://x.example/t"),
        PostAttachment("javascript:alert(1)", kind: .image),
        PostAttachment("https://x.example/\"><img src=x>", kind: .image),
      ])
    let html = try written(HTMLPrinter(), [post])
    #expect(
      html.contains(
        """
        <ul class="media">
        <li><a href="https://x.example/a.png" rel="noopener noreferrer nofollow" dir="auto" \
        data-picture="https://x.example/a.png">1 picture: &quot;A&quot; &lt;cat&gt;</a></li>
        <li><a href="http://x.example/b.png" rel="noopener noreferrer nofollow" dir="auto">1 picture</a></li>
        <li><a href="https://x.example/c" rel="noopener noreferrer nofollow" dir="auto" \
        data-picture="https://x.example/t">1 video</a></li>
        </ul>
        """))
    #expect(html.contains("default-src 'none';") && html.contains("img-src https:;"))
    #expect(html.contains("picture.referrerPolicy = 'no-referrer';"))
    #expect(!html.contains("<img") && !html.contains("javascript:"))
    let markdown = try written(MarkdownPrinter(), [post])
    #expect(
      markdown.contains("\n4 pictures, 1 video:\n\n- \"A\" \\<cat\\>: <https://x.example/a.png>\n"))
  }

  @Test func `Feeds have attachments, a JSON Feed only those with a type`() throws {
    let atom = try written(AtomPrinter(), [try Samples.full()])
    #expect(
      atom.contains(
        """
        <link rel="enclosure" href="https://example.org/b.png" type="image/png" \
        title="A &quot;parrot&quot;, green"/>
        <link rel="enclosure" href="https://example.org/c"/>
        """))
    #expect(atom.contains("<category term=\"swift\"/>\n<category term=\"C++\"/>\n<content"))
    let feed = try written(JSONFeedPrinter(), [try Samples.full()])
    #expect(feed.contains(##""tags":["#swiftlang","swift","C++"]"##))
    #expect(
      feed.contains(
        #""attachments":[{"url":"https://example.org/b.png","mime_type":"image/png","title":"A \"parrot\", green"}]"#
      ))
  }

  @Test func `Digests are written as the standards say`() {
    // RFC 9562, appendix A.4.
    #expect(
      ContentDigest.policySource(of: "abc")
        == "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='")
    #expect(
      ContentDigest.uuid(of: "http://example.com/") == "0a300ee9-f9e4-5697-a51a-efc7fafaba67")
  }

  @Test func `A feed has the same identifier whatever was found, and another for other tags`()
    throws
  {
    func identifier(_ posts: [Post], _ outcomes: [SearchOutcome]) -> String {
      FeedIdentity(RunResult(posts: posts[...], outcomes: outcomes, now: Samples.now)).feed
    }
    let outcomes = try Samples.outcomes()
    let one = identifier(try Gallery.posts(), outcomes)
    #expect(one == identifier([], outcomes.reversed()))
    #expect(one != identifier([], Array(outcomes.dropLast())))
    #expect(one.hasPrefix("urn:uuid:"))
  }

  @Test func `A feed was updated when its newest post was written`() throws {
    let printed = try written(AtomPrinter(), try Gallery.posts())
    #expect(printed.contains("<updated>2026-11-20T11:45:00.000Z</updated>\n<generator>"))
  }

  @Test func `Each search not completed becomes an annotation, and no post reaches the output`()
    throws
  {
    #expect(
      try written(GitHubPrinter(), try Gallery.posts()) == """
        ::error title=searchagg::bluesky: #d: bad query (400)
        ::warning title=searchagg::reddit: #a: skipped: needs a credential
        ::warning title=searchagg::mastodon (https://mastodon.social): #b: incomplete: 2 items could not \
        be read: page 2 is missing: answered 500: try again later
        ::warning title=searchagg::github (https://api.github.com): #c: rate limited until \
        2026-11-20T12:01:30Z: the quota is spent (403): set GITHUB_TOKEN
        ::warning title=searchagg::lemmy: #e: canceled

        """)
  }

  @Test func `Annotations are escaped, and there are ten of a kind at most`() throws {
    #expect(GitHubPrinter.escaped("50%\r\n::x, y") == "50%25%0D%0A::x, y")
    #expect(GitHubPrinter.escaped("a:b,c", isProperty: true) == "a%3Ab%2Cc")
    let outcomes = (1...30).map { number in
      SearchOutcome(
        tag: "#a", source: SourceName(rawValue: "s\(number)"), server: nil,
        ending: .failed(Failure(.permanent, message: "no")))
    }
    let lines = Samples.written(by: GitHubPrinter(), [], outcomes: outcomes).split(separator: "\n")
    #expect(lines.count == 10)
    #expect(lines.last == "::error title=searchagg::and 21 more like these")
  }

  @Test func `A job summary fits its limit, and says what was left out`() throws {
    let posts = try (0..<100).map {
      try Samples.bare("\($0)", text: String(repeating: "x", count: 300))
    }
    let result = RunResult(
      posts: posts[...], outcomes: try Samples.outcomes(), isIncomplete: true, now: Samples.now)
    let all = GitHubPrinter.summary(of: result)
    let cut = GitHubPrinter.summary(of: result, limit: 10_000)
    #expect(
      all
        == Array(
          Samples.written(
            by: MarkdownPrinter(), posts, outcomes: result.outcomes, isIncomplete: true
          ).utf8))
    #expect(cut.count <= 10_000 && cut.count > 9_000)
    let text = String(decoding: cut, as: UTF8.self)
    #expect(text.contains(/_\d+ more posts did not fit into the summary\._/))
    #expect(text.contains("## What is missing"))
    #expect(GitHubPrinter.summary(of: result, limit: 300).count <= 300)
  }
}
