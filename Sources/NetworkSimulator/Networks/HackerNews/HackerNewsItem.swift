internal import TextFormats

/// A post in the form of Hacker News: a story, a question or a comment.
struct HackerNewsItem: Sendable {
  private enum Kind: Sendable { case story, show, ask, comment }

  let id: UInt64
  private let post: CorpusPost
  private let kind: Kind

  init(_ post: CorpusPost, query: String) {
    self.post = post
    id = Self.id(post.seconds, post.mark)
    kind = Self.kind(post.mark)
  }

  /// Ids grow with time; the digits after the seconds keep two queries apart.
  private static func id(_ seconds: Int, _ mark: UInt64) -> UInt64 {
    UInt64(max(0, seconds - 1_767_225_600)) * 100_000 + mark % 100_000
  }

  private static func kind(_ mark: UInt64) -> Kind {
    switch mark % 10 {
    case 0...2: .story
    case 3: .show
    case 4: .ask
    default: .comment
    }
  }

  /// The story that a comment is below, where it is in the corpus.
  private var story: CorpusPost.Earlier? {
    guard kind == .comment, let earlier = post.earlier, Self.kind(earlier.mark) != .comment else {
      return nil
    }
    return earlier
  }

  /// Its points; comments have none.
  var points: Int? { kind == .comment ? nil : post.likes }

  var tags: [String] {
    let author = "author_\(post.author.handle)"
    return switch kind {
    case .story: ["story", author, "story_\(id)"]
    case .show: ["story", author, "story_\(id)", "show_hn"]
    case .ask: ["story", author, "story_\(id)", "ask_hn"]
    case .comment: ["comment", author, "story_\(storyID)"]
    }
  }

  /// Returns a numeric attribute, for the filters.
  func number(_ attribute: String) -> Double? {
    switch attribute {
    case "created_at_i": Double(post.seconds)
    case "points": points.map(Double.init)
    case "num_comments": kind == .comment ? nil : Double(post.replies)
    case "story_id": Double(storyID)
    case "parent_id": kind == .comment ? Double(storyID) : nil
    default: nil
    }
  }

  private var storyID: UInt64 {
    if let story { return Self.id(story.milliseconds / 1000, story.mark) }
    // Ids of before 2026 begin at 0.
    return kind == .comment ? id - min(id, 3_600_000_000) : id
  }

  var json: JSONValue {
    .members([
      "_highlightResult": .members([
        "author": .members([
          "matchLevel": "none", "matchedWords": .emptyArray, "value": .string(post.author.handle),
        ])
      ]),
      "_tags": .texts(tags), "author": .string(post.author.handle),
      "children": post.replies > 0
        ? .array((1...min(3, post.replies)).map { .integer(id + UInt64($0) * 7) }) : nil,
      "comment_text": kind == .comment ? .string(html) : nil,
      "created_at": .string(DateForms.seconds(post.milliseconds)),
      "created_at_i": .integer(post.seconds),
      "num_comments": kind == .comment ? nil : .integer(post.replies),
      "objectID": .string("\(id)"), "parent_id": kind == .comment ? .integer(storyID) : nil,
      // Old items say null where new ones say nothing.
      "points": kind == .comment ? (post.has(7, percent: 30) ? .null : nil) : .integer(post.likes),
      "story_id": .integer(storyID), "story_text": kind == .ask ? .string(html) : nil,
      "story_title": kind == .comment
        ? .string(Self.plain(story?.titlePieces ?? post.titlePieces)) : nil,
      "story_url": kind == .comment ? "https://example.com/earlier" : nil,
      "title": title.map { .string($0) },
      "updated_at": .string(DateForms.seconds(post.milliseconds + 90_000)),
      "url": url.map { .string($0) },
    ])
  }

  private var url: String? {
    switch kind {
    case .story, .show: post.link ?? "https://example.com/\(id)"
    case .ask, .comment: nil
    }
  }

  private var title: String? {
    switch kind {
    case .story: Self.plain(post.titlePieces)
    case .show: "Show HN: " + Self.plain(post.titlePieces)
    case .ask: "Ask HN: " + Self.plain(post.titlePieces)
    case .comment: nil
    }
  }

  /// Returns a title without the sign of the hashtags.
  private static func plain(_ title: [TextPiece]) -> String {
    CorpusPost.line(title.map { if case .hashtag(let name) = $0 { .words(name) } else { $0 } })
  }

  /// The text as the site writes HTML: paragraphs begin with a lone tag, links say their address.
  private var html: String {
    var isBroken = false
    return post.pieces.map { piece in
      switch piece {
      case .words, .mention: Self.escaped(piece.plain)
      case .hashtag(let name): post.has(8, percent: 30) ? "<i>\(name)</i>" : Self.escaped(name)
      case .lineBreak:
        if isBroken { "" } else { Self.paragraph(&isBroken) }
      case .link(let address):
        "<a href=\"\(Self.escaped(address))\" rel=\"nofollow\">\(Self.escaped(address))</a>"
      }
    }.joined() + (post.has(9, percent: 10) ? "<p><pre><code>  let a = b &lt; c\n</code></pre>" : "")
  }

  private static func paragraph(_ isBroken: inout Bool) -> String {
    isBroken = true
    return "<p>"
  }

  private static func escaped(_ text: String) -> String {
    Markup.escaped(text).replacing("&#39;", with: "&#x27;").replacing("/", with: "&#x2F;")
  }
}
