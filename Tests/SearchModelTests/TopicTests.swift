import SearchModel
import TestSupport
import Testing

/// The topics that networks give posts, and the hashtags of queries that they match.
@Suite struct TopicTests {
  private func post(
    _ text: String = "words", topics: [String] = [], tags: [String] = []
  ) throws -> Post {
    let server = try #require(ServerAddress("https://a.example"))
    var post = Post(
      id: text, source: "lobsters", server: server, uri: text, text: text, topics: topics)
    post.tags = tags
    return post
  }

  @Test(arguments: [
    ("machinelearning", "Machine Learning"), ("machine-learning", "machine_learning"),
    ("swift", "#Swift"), ("c++", "C++"), ("STRASSE", "straße"), ("ΟΔΟΣ", "οδος"),
    ("cafe\u{301}", "Caf\u{e9}"), ("東京", "東 京"), ("ai", "A\u{2010}I"), ("swift", "＃SWIFT"),
  ])
  func `A hashtag matches an equal topic, however it is spelled`(name: String, topic: String)
    throws
  {
    #expect(Topic.key(name) == Topic.key(topic))
    let posts = [try post(topics: ["other", topic]), try post("b", topics: [topic + "x"])]
    let query = [QueryTerm(.tag, name)]
    #expect(TermFilter(query).filter(posts).posts.map(\.id) == ["words"])
    let excluded = [QueryTerm(.tag, name, isExcluded: true)]
    #expect(TermFilter(excluded).filter(posts).posts.map(\.id) == ["b"])
    // Only a hashtag asks for topics.
    #expect(TermFilter([QueryTerm(.word, name)]).filter(posts).posts.isEmpty)
  }

  @Test func `Names in ASCII are the same exactly where their keys are`() {
    let names = [
      "", "#", "-", "a", "A", "#a", "##a", "a-b", "A_b", "a b", "ab", "abc", "a#b", "c++", "C", "é",
    ]
    for one in names {
      for other in names {
        let isSame = Array(one.utf8).withUnsafeBufferPointer { one in
          Array(other.utf8).withUnsafeBufferPointer { Topic.areSame(one, $0) }
        }
        let expected = one == "é" || other == "é" ? nil : Topic.key(one) == Topic.key(other)
        #expect(isSame == expected, "\(one) and \(other)")
      }
    }
  }

  @Test(arguments: ["swift", "##swift", "swift!", "", "-", "s"])
  func `Other names do not match`(name: String) throws {
    let posts = [try post(topics: ["swiftui", "-", "#"])]
    #expect(TermFilter([QueryTerm(.tag, name)]).filter(posts).posts.isEmpty)
  }

  @Test func `A hashtag is still found in the text`() throws {
    let posts = [try post("on #swift"), try post("on swift")]
    #expect(TermFilter([QueryTerm(.tag, "Swift")]).filter(posts).posts.map(\.id) == ["on #swift"])
  }

  @Test func `Topics are kept on one line each, once, and within bounds`() throws {
    let names = ["a", " b\nc\t", "", "a", " ", "A", String(repeating: "x", count: 1001)]
    #expect(try post(topics: names).topics == ["a", "b c", "A"])
    #expect(try post(topics: (0..<500).map(String.init)).topics.count == 200)
  }

  @Test func `Queries and topics are listed together without repeats`() throws {
    let post = try post(topics: ["Swift", "iOS", "data-race"], tags: ["#swift", "data race"])
    #expect(post.tagsAndTopics == ["#swift", "data race", "iOS"])
    #expect(try self.post(tags: ["#a"]).tagsAndTopics == ["#a"])
  }

  @Test func `The hashtags of a text are known by their keys`() {
    #expect(
      Topic.keys(ofHashtagsIn: "#Swift_Lang, x#y-z (＃東京、)  # #- ﷺ #café.")
        == ["swiftlang", "y", "yz", "東京", "café"])
  }

  @Test func `An attachment says what it is as far as its type says`() {
    #expect(PostAttachment("u", type: "Image/PNG; q=1").type == "image/png")
    #expect(PostAttachment("u", type: "image/png").kind == .image)
    #expect(PostAttachment("u", type: "application/pdf").kind == .file)
    #expect(PostAttachment("u", kind: .video, type: "image/png").kind == .video)
    for type in ["", "image", "image/", "/png", "a/b/c", "im age/png", "bild/öl"] {
      let attachment = PostAttachment("u", type: type, description: "")
      #expect(attachment == PostAttachment("u"), "\(type)")
    }
  }
}
