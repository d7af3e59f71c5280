import FoundationEssentials
import SearchModel
import TestSupport
import Testing
import TextFormats

@Suite struct PageDraftTests {
  private func draft() throws -> PageDraft {
    PageDraft(source: "forum", server: try #require(ServerAddress("https://a.example")))
  }

  /// The addresses of the bytes of a text.
  private func place(of text: TextRange, in draft: borrowing PageDraft) -> Range<UInt> {
    draft.read(text) { bytes in
      let start = UInt(bitPattern: bytes.baseAddress)
      return start..<start + UInt(bytes.count)
    }
  }

  @Test func `The posts of a page keep their own texts`() throws {
    var draft = try self.draft()
    for id in ["1", "2", "3"] {
      var post = PackedPost(id: draft.keep(id), uri: draft.keep("u:\(id)"))
      post.title = draft.keep(id == "2" ? nil : "title \(id)")
      post.text = draft.write { $0.append("text \(id)") }
      post.links = draft.list(["l\(id)", "m\(id)"])
      post.author = draft.keep(Author(handle: "h\(id)", name: nil, url: "https://h.example"))
      draft.add(post)
    }
    let posts = draft.posts()
    #expect(posts.map(\.id) == ["1", "2", "3"] && posts.map(\.uri) == ["u:1", "u:2", "u:3"])
    #expect(posts.map(\.title) == ["title 1", nil, "title 3"])
    #expect(posts.map(\.text) == ["text 1", "text 2", "text 3"])
    #expect(posts.map(\.links) == [["l1", "m1"], ["l2", "m2"], ["l3", "m3"]])
    #expect(posts.map(\.author.handle) == ["h1", "h2", "h3"])
    #expect(posts.allSatisfy { $0.author.name == nil && $0.author.url == "https://h.example" })
    #expect(posts.allSatisfy { $0.source == "forum" && $0.server.text == "https://a.example" })
  }

  @Test func `A text is joined with the end of another one`() throws {
    var draft = try self.draft()
    let (one, other) = (draft.keep("https://a.example/amy"), draft.keep("/i/status/1"))
    let joined = draft.join(one, other, from: 2)
    #expect(
      draft.read(joined) { String(decoding: $0, as: UTF8.self) } == "https://a.example/amy/status/1"
    )
    let whole = draft.join(one, other, from: 11)
    #expect(draft.read(whole) { String(decoding: $0, as: UTF8.self) } == "https://a.example/amy")
    #expect(draft.join(one, other, from: 12).isNone)
    #expect(draft.join(.none, other, from: 0).isNone && draft.join(one, .none, from: 0).isNone)
  }

  @Test func `An empty text is a text, and none is none`() throws {
    var draft = try self.draft()
    var post = PackedPost(id: .none, uri: draft.keep("u"))
    post.title = draft.keep("")
    post.language = draft.keep(nil as String?)
    post.author.handle = draft.keep("")
    post.contentWarning = draft.keep("")
    draft.add(post)
    let read = try #require(draft.posts().first)
    #expect(read.title == "" && read.language == nil && read.contentWarning == nil)
    #expect(read.id == "" && read.text == "")
    let same = Post(
      id: "", source: "forum", server: read.server, uri: "u", title: "", text: "")
    #expect(read == same && read.identityHash == same.identityHash)
  }

  @Test func `Each post has its own rare fields`() throws {
    let created = Date(timeIntervalSince1970: 1_763_000_000)
    var draft = try self.draft()
    for index in 0..<6 {
      var post = PackedPost(id: draft.keep("\(index)"), uri: draft.keep("u:\(index)"))
      post.createdAt = created
      if index % 2 == 1 {
        post.editedAt = created.addingTimeInterval(Double(index))
        post.feed = draft.keep("feed \(index)")
        post.furtherLanguages = draft.list(["l\(index)"])
        post.repostOf = draft.keep("of \(index)")
        post.repostedBy = draft.keep(Author(handle: "h\(index)", name: "n\(index)"))
        post.contentWarning = draft.keep("warning \(index)")
        post.poll = draft.list(lines: ["a \(index)", "b \(index)"])
        post.firstID = draft.keep("first \(index)")
      }
      draft.add(post)
    }
    for (index, post) in draft.posts().enumerated() {
      if index % 2 == 1 {
        #expect(post.editedAt == created.addingTimeInterval(Double(index)))
        #expect(post.feed == "feed \(index)" && post.furtherLanguages == ["l\(index)"])
        #expect(post.repostOf == "of \(index)" && post.contentWarning == "warning \(index)")
        #expect(post.repostedBy == Author(handle: "h\(index)", name: "n\(index)"))
        #expect(post.poll == ["a \(index)", "b \(index)"] && post.firstID == "first \(index)")
      } else {
        #expect(post.editedAt == nil && post.feed == nil && post.furtherLanguages.isEmpty)
        #expect(post.repostOf == nil && post.contentWarning == nil && post.repostedBy == nil)
        #expect(post.poll.isEmpty && post.firstID == post.id)
      }
    }
  }

  @Test func `Every field that few posts have is known as rare`() {
    let rare = PostField.allCases.filter(\.place.isRare)
    #expect(
      rare == [
        .feed, .editedAt, .furtherLanguages, .repostOf, .reposterHandle, .reposterName,
        .reposterURL,
        .contentWarning, .poll,
      ])
    #expect(MemoryLayout<Post>.stride <= 32)
  }

  @Test(arguments: [
    ("7", "https://a.example/7", true), ("example/7", "https://a.example/7", true),
    ("https://a.example/7", "https://a.example/7", true), ("8", "https://a.example/7", false),
    ("a.example", "https://a.example/7", false),
    ("https://a.example/71", "https://a.example/7", false), ("", "https://a.example/7", false),
  ])
  func `A text shares the bytes of an earlier one that ends with it`(
    text: String, other: String, isShared: Bool
  ) throws {
    var draft = try self.draft()
    let url = draft.keep(other)
    var post = PackedPost(id: .none, uri: draft.keep("u"))
    var copy = text
    post.id = copy.withUTF8 { draft.keep($0, endOf: url) }
    let (place, places) = (place(of: post.id, in: draft), place(of: url, in: draft))
    #expect(places.contains(place.lowerBound) == isShared)
    draft.add(post)
    #expect(draft.posts().map(\.id) == [text])
  }

  @Test func `A text that ends no earlier one is kept, and nil stays nil`() throws {
    var draft = try self.draft()
    var text = "7"
    let kept = text.withUTF8 { draft.keep($0, endOf: .none) }
    #expect(!kept.isNone && draft.keep(nil, endOf: kept).isNone)
  }

  @Test(arguments: [(60.0, true), (0, false), (-60, false), (nil, true)])
  func `A post whose last change is not later than the post was not edited`(
    seconds: Double?, isEdited: Bool
  ) throws {
    let created = Date(timeIntervalSince1970: 1_763_000_000)
    let edited = seconds.map { created.addingTimeInterval($0) } ?? created
    var draft = try self.draft()
    var post = PackedPost(id: draft.keep("1"), uri: draft.keep("u"))
    post.createdAt = seconds == nil ? nil : created
    post.editedAt = edited
    draft.add(post)
    #expect(draft.posts().map(\.editedAt) == [isEdited ? edited : nil])
  }

  @Test func `An account without any name makes a repost nevertheless`() throws {
    var draft = try self.draft()
    var post = PackedPost(id: draft.keep("1"), uri: draft.keep("u"))
    #expect(post.repostedBy == nil)
    post.repostedBy = PackedAuthor()
    draft.add(post)
    post.repostedBy = nil
    draft.add(post)
    #expect(draft.posts().map(\.repostedBy) == [Author(), nil])
  }

  @Test(
    arguments: [
      [], ["a"], ["a", "b", "a"], ["", "a"], ["two words", " a "], ["é"], ["a\n"],
      [String(repeating: "a", count: 1001), "b"], (0..<201).map { "t\($0)" },
      (0..<200).map { "t\($0)" }, Array(repeating: "a", count: 300) + ["b"],
    ])
  func `Topics as UTF-8 are kept like topics as texts`(topics: [String]) throws {
    var draft = try self.draft()
    for isText in [true, false] {
      var post = PackedPost(id: draft.keep("\(isText)"), uri: draft.keep("u"))
      // Those of the post before must not count.
      post.links = draft.list(["a", "b"])
      if isText {
        post.topics = draft.list(topics: topics)
      } else {
        let bytes = topics.map { Array($0.utf8) }
        post.topics = withBuffers(of: bytes[...], []) { draft.list(topics: $0) }
      }
      post.text = draft.keep("text")
      draft.add(post)
    }
    let posts = draft.posts()
    #expect(posts[0].topics == posts[1].topics)
    #expect(posts.allSatisfy { $0.links == ["a", "b"] && $0.text == "text" })
  }

  private func withBuffers<Result>(
    of texts: ArraySlice<[UInt8]>, _ buffers: [UnsafeBufferPointer<UInt8>],
    _ body: ([UnsafeBufferPointer<UInt8>]) -> Result
  ) -> Result {
    guard let first = texts.first else { return body(buffers) }
    return first.withUnsafeBufferPointer {
      withBuffers(of: texts.dropFirst(), buffers + [$0], body)
    }
  }

  @Test func `A post that another answer had is left out`() throws {
    var known = SeenHashes()
    func ids(_ posts: [(id: String, uri: String, first: String?)]) throws -> [String] {
      var draft = try self.draft()
      var added: [String] = []
      for entry in posts {
        var post = PackedPost(id: draft.keep(entry.id), uri: draft.keep(entry.uri))
        post.firstID = draft.keep(entry.first)
        if draft.add(&post, unlessIn: &known) { added.append(entry.id) }
      }
      let ids = draft.posts().map(\.id)
      #expect(added == ids)
      return ids
    }
    #expect(try ids([("1", "u", nil), ("1", "u", nil), ("2", "u", nil)]) == ["1", "2"])
    // A later version of a post has the first one's identity.
    #expect(try ids([("3", "u", "1"), ("1", "v", nil), ("4", "u", "4")]) == ["1", "4"])
  }

  @Test func `Posts that say the same in other ways are equal`() throws {
    func posts(_ isReply: Bool?, _ replyTo: String?, _ isPinned: Bool?) throws -> [Post] {
      var draft = try self.draft()
      var post = PackedPost(id: draft.keep("1"), uri: draft.keep("u"))
      (post.isReply, post.isMarkedAsPinned) = (isReply, isPinned)
      post.replyTo = draft.keep(replyTo)
      draft.add(post)
      return draft.posts()
    }
    #expect(try posts(true, "0", false) == posts(nil, "0", nil))
    #expect(try posts(false, nil, nil) == posts(nil, nil, false))
    #expect(try posts(true, nil, nil) != posts(nil, nil, nil))
    #expect(try posts(false, "0", nil) != posts(nil, "0", nil))
    #expect(try posts(nil, nil, true) != posts(nil, nil, false))
  }

  @Test func `Lists follow their rules`() throws {
    var draft = try self.draft()
    var post = PackedPost(id: draft.keep("1"), uri: draft.keep("u"))
    post.links = draft.list(["a\nb", "a\nb", ""], .plain)
    post.poll = draft.list(["a\nb", "c"], .lines)
    post.topics = draft.list(["a\nb", "a b", "", "c"], .topics)
    draft.add(post)
    let read = try #require(draft.posts().first)
    #expect(read.links == ["a\nb", "a\nb", ""])
    #expect(read.poll == ["a b", "c"] && read.topics == ["a b", "c"])
  }

  @Test func `A text that is too long is cut, and the others stay`() throws {
    var draft = try self.draft()
    var post = PackedPost(id: draft.keep("1"), uri: draft.keep("u"))
    post.text = draft.keep(String(repeating: "é", count: 200_000))
    post.url = draft.keep("https://a.example/1")
    draft.add(post)
    let read = try #require(draft.posts().first)
    #expect(read.text.utf8.count <= 256 * 1024 && read.text.hasSuffix("é…"))
    #expect(read.url == "https://a.example/1" && read.uri == "u")
  }
}
