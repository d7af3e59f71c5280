import FoundationEssentials
import SearchModel
import TestSupport

/// Posts of all kinds, as a run would hand them to a printer.
enum Gallery {
  static func posts() throws -> [Post] {
    let long = (1...30).map { "Line \($0) of a long post about #swiftlang." }
      .joined(separator: "\n")
    var posts = [
      try post(
        1, "mastodon", Author(handle: "ada@mastodon.social", name: "Ada Lovelace"),
        "Trying #SwiftLang actors with libcurl: one thread owns every handle, and nothing is lost. "
          + "See https://example.org/articles/one-thread-owns-every-handle-and-nothing-is-ever-lost/index.html "
          + "for the whole story.", likes: 12, replies: 3),
      try post(
        2, "hackernews", Author(handle: "pg"), "Show HN: A news reader in Swift",
        title: "Show HN: A news reader in Swift", likes: 310, replies: 1),
      try post(
        3, "bluesky", Author(handle: "yuki.bsky.social", name: "雪 ❄️"),
        "速い茶色の狐が怠け者の犬を飛び越える。Swift の並行処理は楽しい! 👩‍👩‍👧‍👦👍🏽🇫🇷 e\u{301}te\u{301}", likes: 1),
      try post(
        4, "lemmy", Author(handle: "noor@lemmy.example", name: "نور"),
        "مرحبا بالعالم، هذا نص عن swift باللغة العربية. שלום עולם, זה טקסט בעברית."),
      try post(
        5, "mastodon", Author(handle: "eve@mastodon.social"), "Boosted words about swift.",
        repostedBy: Author(handle: "bob@mastodon.social")),
      try post(
        6, "reddit", Author(handle: "long_writer"), long, title: "A long story", isSensitive: true),
      try post(
        7, "github", Author(handle: "octo"),
        "Fixes #1, thanks @ada <script>alert(1)</script> [x](javascript:alert(1)) & `code`\n"
          + "# not a heading\n- not a list\n1. nor this\n::error::not a command\n| not | a table |",
        title: "=HYPERLINK(\"https://evil.example\")", url: "javascript:alert(1)"),
      try post(
        8, "stackexchange", Author(name: "<b>Bold</b> \u{202E}name"),
        "+1 \u{1B}[31mred\u{1B}[0m \u{9B}2J text\twith a tab", url: "https://so.example/\"><x>"),
    ]
    posts[3].tags = ["swift"]
    posts.insert(try poll(), at: 4)
    var undated = try Samples.bare(
      "9", source: "feed", text: "No date here.", url: "https://feed.example/9")
    undated.tags = ["#swiftlang"]
    let entry = Post(
      id: "12", source: "feed", server: try Samples.server("https://feed.example"),
      url: "https://feed.example/12", uri: "feed:12", author: Author(name: "Grace Hopper"),
      feed: "Notes on <Swift>", title: "One of many authors", text: "Of a feed that has a name.")
    var future = try post(10, "x", Author(handle: "soon"), "From tomorrow.")
    future.createdAt = Samples.now.addingTimeInterval(86_400)
    future.isFuture = true
    return posts + [future, undated, entry]
  }

  private static func poll() throws -> Post {
    var post = Post(
      id: "11", source: "mastodon", server: try Samples.server(),
      url: "https://mastodon.social/@ada/11",
      uri: "mastodon:11", author: Author(handle: "ada@mastodon.social"),
      text: "spoilers, <b>all</b> of them\n\nWhich one will swift get?",
      createdAt: Samples.now.addingTimeInterval(-80_000), isSensitive: true,
      contentWarning: "spoilers, <b>all</b> of them",
      poll: ["Typed throws @everywhere", "Macros\nfor #everyone", "=1+1"], visibility: .private)
    post.tags = ["swift"]
    return post
  }

  /// The text of the first names its topics, but for one.
  private static let topics = [
    1: ["SwiftLang", "libcurl"], 7: ["good first issue", "<b>bug</b>", "\u{1B}[31mred"],
  ]

  private static let pictures = [
    PostAttachment(
      "https://cdn.example/fox.jpg", type: "image/jpeg", description: "A quick\nbrown <fox>",
      thumbnail: "https://cdn.example/fox-small.jpg"),
    PostAttachment("https://cdn.example/dog.mp4", kind: .video),
  ]

  private static func post(
    _ number: Int, _ source: SourceName, _ author: Author, _ text: String, title: String? = nil,
    url: String? = nil, likes: Int? = nil, replies: Int? = nil, repostedBy: Author? = nil,
    isSensitive: Bool? = nil
  ) throws -> Post {
    var post = Post(
      id: "\(number)", source: source, server: try Samples.server("https://\(source).example"),
      url: url ?? "https://\(source).example/posts/\(number)", uri: "\(source):\(number)",
      author: author, title: title, text: text,
      createdAt: Samples.now.addingTimeInterval(Double(number * number * number) * -900),
      editedAt: number == 1 ? Samples.now : nil, language: number == 4 ? "ar" : "en",
      topics: topics[number] ?? [],
      links: number == 1 ? ["https://example.org/a", "https://example.org/b"] : [],
      attachments: number == 3 ? pictures : [],
      counts: Counts(likes: likes, replies: replies),
      repostOf: repostedBy == nil ? nil : "mastodon:0", repostedBy: repostedBy,
      isSensitive: isSensitive)
    post.tags = ["#swiftlang", "swift"]
    return post
  }
}
