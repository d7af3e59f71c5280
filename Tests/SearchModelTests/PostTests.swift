import SearchModel
import TestSupport
import Testing

@Suite struct PostTests {
  private func post(_ text: String) throws -> Post {
    Post(
      id: "1", source: "feed", server: try #require(ServerAddress("https://f.example")), uri: "u",
      author: Author(handle: text, name: text), title: text, text: text)
  }

  @Test(arguments: ["a", "é", "日", "😀"])
  func `A title, text or author of any length is cut at 256 KiB and says so`(
    character: String
  ) throws {
    let post = try post("x" + String(repeating: character, count: 300_000))
    for text in [post.title, post.text, post.author.name, post.author.handle].compactMap(\.self) {
      #expect(text.utf8.count <= 256 * 1024 && text.utf8.count > 256 * 1024 - 8)
      #expect(text.hasSuffix("\(character)…") && text.hasPrefix("x\(character)"))
    }
  }

  @Test func `Posts that differ in one property are not equal`() throws {
    let server = try #require(ServerAddress("https://f.example"))
    func post(
      replyTo: String? = nil, repostOf: String? = nil, isReply: Bool? = nil, isPinned: Bool = false,
      isSensitive: Bool? = nil, likes: Int? = nil, feed: String? = nil,
      contentWarning: String? = nil, poll: [String] = [], visibility: Visibility? = nil
    ) -> Post {
      Post(
        id: "1", source: "feed", server: server, uri: "u", feed: feed, text: "a",
        counts: Counts(likes: likes), replyTo: replyTo, repostOf: repostOf,
        isSensitive: isSensitive,
        contentWarning: contentWarning, poll: poll, isReply: isReply, isPinned: isPinned,
        visibility: visibility)
    }
    let others = [
      post(replyTo: "2", isReply: false), post(repostOf: "2"), post(isReply: true),
      post(isPinned: true), post(isSensitive: true), post(likes: 1),
      post(feed: "News"), post(contentWarning: "loud"), post(poll: ["yes"]),
      post(visibility: .public),
    ]
    #expect(post() == post() && others.allSatisfy { $0 != post() })
  }

  @Test(arguments: [
    ("loud\n\nMusic", "loud", "Music"), ("loud", "loud", ""), ("loud music", "loud", "loud music"),
    ("Music", "loud", "Music"), ("\n\nMusic", "", "\n\nMusic"), ("Music", nil, "Music"),
  ])
  func `The text is told apart from the warning before it`(
    text: String, warning: String?, rest: String
  ) throws {
    let post = Post(
      id: "1", source: "feed", server: try #require(ServerAddress("https://f.example")), uri: "u",
      text: text, contentWarning: warning)
    #expect(post.textAfterWarning == rest)
    #expect(post.contentWarning != "")
  }

  @Test func `An option of a poll is one line`() throws {
    let post = Post(
      id: "1", source: "feed", server: try #require(ServerAddress("https://f.example")), uri: "u",
      text: "", poll: ["a\nb\r\n", "c"])
    #expect(post.poll == ["a b", "c"])
  }

  @Test func `Searches look at the title, the text and the options of a poll`() throws {
    let server = try #require(ServerAddress("https://f.example"))
    let post = Post(
      id: "1", source: "feed", server: server, uri: "u", title: "Which?", text: "Choose one.",
      poll: ["Swift", "Zig"])
    #expect(post.searchableText == "Which?\nChoose one.\nSwift\nZig")
    let kept = TermFilter(Query("swift")?.terms ?? []).filter([post]).posts
    #expect(kept == [post])
    #expect(TermFilter(Query("-zig a")?.terms ?? []).filter([post]).posts == [])
  }

  @Test func `A text of just 256 KiB stays whole`() throws {
    let text = String(repeating: "é", count: 128 * 1024)
    let post = try post(text)
    #expect(post.text == text && post.title == text && post.author.name == text)
  }
}
