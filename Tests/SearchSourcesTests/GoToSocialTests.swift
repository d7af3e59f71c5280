import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// A GoToSocial server behind the source `mastodon`: whatever is asked, the posts are those that a
/// reader of all its posts would choose.
@Suite(.serialized) struct GoToSocialTests {
  private let source = Mastodon()
  private let server = "http://gts.example:8080"

  /// The posts of all pages of a query, as the engine keeps them, and what the pages said.
  private func found(_ query: Query, _ asking: SimulatedAsking) async throws
    -> (posts: [Post], notes: Set<String>)
  {
    var posts: [Post] = []
    var notes: Set<String> = []
    for answered in try await asking.walk(query) {
      let page = asking.source.filtered(
        try answered.page, by: answered.asked.split)
      posts += page.posts
      notes.formUnion(page.notes)
    }
    return (posts, notes)
  }

  /// The words of a text, in lower case.
  private func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private func holds(_ post: Post, _ phrase: String) -> Bool {
    words(post.text).contains(sequence: words(phrase))
  }

  private func isBy(_ name: String, _ post: Post) -> Bool {
    post.author.handle.hasPrefix(name + "@")
  }

  /// Whether a post matches a query.
  typealias Wish = @Sendable (GoToSocialTests, Post) -> Bool

  static let searches: [(String, Wish)] = [
    ("swift", { $0.holds($1, "swift") }),
    ("art", { $0.holds($1, "art") }),
    ("swift concurrency", { $0.holds($1, "swift") && $0.holds($1, "concurrency") }),
    ("concurrency swift", { $0.holds($1, "swift") && $0.holds($1, "concurrency") }),
    ("\"data race\"", { $0.holds($1, "data race") }),
    ("gadget \"data race\"", { $0.holds($1, "data race") && $0.holds($1, "gadget") }),
    ("gadget -widget", { $0.holds($1, "gadget") && !$0.holds($1, "widget") }),
    ("-widget gadget", { $0.holds($1, "gadget") && !$0.holds($1, "widget") }),
    ("gadget -\"a widget\"", { $0.holds($1, "gadget") && !$0.holds($1, "a widget") }),
    ("swift lang:de", { $0.holds($1, "swift") && [nil, "de"].contains($1.language) }),
    ("gadget -lang:de", { $0.holds($1, "gadget") && $1.language != "de" }),
    ("swift from:alice1", { $0.holds($1, "swift") && $0.isBy("alice1", $1) }),
    ("swift -from:alice1", { $0.holds($1, "swift") && !$0.isBy("alice1", $1) }),
    ("from:bob1", { $0.isBy("bob1", $1) }),
    ("überraschung", { $0.holds($1, "überraschung") }),
    ("\"l'art\"", { $0.holds($1, "l art") }),
    ("c++", { $1.text.contains("c++") }),
  ]

  @Test(arguments: ["gotosocial", "gotosocial-proxied"], searches.indices)
  func `A search finds the matching posts of the account`(network: String, place: Int)
    async throws
  {
    let (text, wish) = Self.searches[place]
    try await SimulatedAsking.with("mastodon", at: network) { asking in
      let all = try await found(#require(Query("<p>")).raw, asking).posts
      #expect(all.count > 100)
      let wanted = all.filter { wish(self, $0) }
      #expect(!wanted.isEmpty && wanted.count < all.count, "the test proves nothing")
      let (posts, notes) = try await found(#require(Query(text)), asking)
      #expect(posts.map(\.uri) == wanted.map(\.uri))
      #expect(notes.contains(GoToSocialQuery.note))
    }
  }

  static let tags: [(String, Wish)] = [
    ("#swiftlang", { _, _ in true }),
    ("#swift from:alice1", { $0.isBy("alice1", $1) }),
    ("#SwiftLang from:carol", { $0.isBy("carol", $1) }),
    ("#swift -from:alice1 lang:de", { !$0.isBy("alice1", $1) && $1.language == "de" }),
    ("#swift \"data race\"", { $0.holds($1, "data race") }),
    ("#gadgets from:bob1 widget", { $0.isBy("bob1", $1) && $0.holds($1, "widget") }),
  ]

  @Test(arguments: ["gotosocial", "gotosocial-proxied"], tags.indices)
  func `A hashtag's posts are everybody's, and the other terms are local`(
    network: String, place: Int
  )
    async throws
  {
    let (text, wish) = Self.tags[place]
    let tag = String(text.prefix { $0 != " " })
    try await SimulatedAsking.with("mastodon", at: network) { asking in
      let all = try await found(#require(Query(tag)), asking).posts
      #expect(all.count > 10)
      let wanted = all.filter { wish(self, $0) }
      #expect(!wanted.isEmpty, "the test proves nothing")
      let posts = try await found(#require(Query(text)), asking).posts
      #expect(posts.map(\.uri) == wanted.map(\.uri))
    }
  }

  @Test func `A hashtag that nobody has used has no posts`() async throws {
    try await SimulatedAsking.with("mastodon", at: "gotosocial") { asking in
      let page = try await asking.page("#neverused").page
      #expect(page == Page())
    }
  }

  @Test func `A missing token is named as the cause`() async throws {
    try await SimulatedAsking.with("mastodon", at: "gotosocial") { asking in
      let answered = try await asking.page("#swift", isAnonymous: true)
      let failure = try asking.source.failure(of: answered.response, to: answered.asked)
      #expect(failure.kind == .credential && failure.message.contains("token not supplied"))
      #expect(failure.advice == "set MASTODON_ACCESS_TOKEN")
    }
  }

  @Test func `A server that is starting is unavailable for now`() async throws {
    try await SimulatedAsking.with("mastodon", at: "gotosocial") { asking in
      let answered = try await asking.page("#swift", fault: "~status=503")
      let failure = try asking.source.failure(of: answered.response, to: answered.asked)
      #expect(failure.kind == .temporary && failure.status == 503)
    }
  }

  @Test(arguments: [
    ("a party in Berlin", "Berlin"), ("\"don't panic\" &c", "panic"), ("#c++ x", "c++"),
    ("https://a.example/b", "a.example"), ("Ünterwelt", "nterwelt"), ("привет", "ривет"),
    ("from:amy", "from:amy"), ("from:amy@gts.example:8080", "from:amy"),
    ("from:amy@other.example", "from:amy@other.example"), ("日本語 x", "日本語"),
    // `#foo-bar` is a link to the hashtag foo, and text after it.
    ("foo-barn", "barn"),
  ])
  func `The longest word that HTML does not change is sent`(query: String, asked: String) throws {
    var page = try source.asking(query, at: server, credentials: ["t"])
    page.software = ServerSoftware(name: "GoToSocial")
    let request = try source.request(for: page)
    let encoded = PercentEncoding.query([("q", asked)])
    #expect(
      request.url == "\(server)/api/v2/search?\(encoded)&type=statuses&limit=40",
      "\(GoToSocialQuery(page.query, on: page.server, canBeAuthor: { _ in true }).text ?? "")")
  }

  @Test func `Several authors without a word are unsupported`() throws {
    var page = try source.asking("from:amy from:bob", at: server, credentials: ["t"])
    page.software = ServerSoftware(name: "gotosocial")
    #expect(throws: Failure.self) { try source.request(for: page) }
  }

  @Test(arguments: ["swift", "a swift", "swift -a"])
  func `Unknown software matters only if it may need another form`(
    query: String
  ) throws {
    let page = try source.asking(query, at: "https://m.example", credentials: ["t"])
    let isSame = query == "swift"
    let nothing = answer(#"{"accounts":[],"statuses":[],"hashtags":[]}"#)
    var again = page
    again.cursor = try source.page(from: nothing, to: page).next
    #expect((again.cursor == MastodonCursor.again) == !isSame)
    // Some software finds posts with any of several words.
    if case .ask = source.softwareNeed(for: page), query != "a swift" {
      Issue.record("asked before it matters")
    }
    guard !isSame else { return }
    guard case .ask(let request, .program) = source.softwareNeed(for: again) else {
      Issue.record("nothing is asked")
      return
    }
    #expect(request.url == "https://m.example/.well-known/nodeinfo")
    #expect(request.headers["Authorization"] == nil)
    // Whatever the result, the request is repeated only once.
    #expect(try goesOn(source.page(from: nothing, to: again)))
    #expect(try source.request(for: again).url == source.request(for: page).url)
    // Known software is not looked up, nor is that of the network's own server.
    let shown = answer(
      #"{"accounts":[],"statuses":[],"hashtags":[]}"#, headers: ["server": "Mastodon"])
    #expect(try goesOn(source.page(from: shown, to: page)))
    let own = try source.asking(query, at: "https://mastodon.social", credentials: ["t"])
    #expect(try goesOn(source.page(from: nothing, to: own)))
  }

  /// True for an empty page behind which the search goes on in the same form.
  private func goesOn(_ page: Page) -> Bool {
    page.posts.isEmpty && page.next.map { MastodonCursor($0).isBehindEmptyPage } ?? false
  }

  @Test(arguments: Recorded.all)
  func `Recorded responses reveal the software and are read completely`(recorded: Recorded) throws {
    let token = ["t"]
    let word = try source.asking("gadget", at: server, credentials: token)
    let page = try source.page(from: recorded.answer("gotosocial/search-word.json"), to: word)
    #expect(page.posts.count == 3 && page.brokenItems == 0)
    #expect(page.next?.rawValue.hasPrefix("gotosocial:max_id=01M") == true)
    for name in ["search-two-words", "search-lang"] {
      let asked = try source.asking("gadget widget lang:de", at: server, credentials: token)
      let page = try source.page(from: recorded.answer("gotosocial/\(name).json"), to: asked)
      #expect(page == .redirect(to: Cursor(rawValue: "gotosocial:")))
    }
    let tag = try source.asking("#swiftlang", at: server, credentials: token)
    let timeline = try source.page(from: recorded.answer("gotosocial/tag.json"), to: tag)
    #expect(timeline.posts.count == 3 && timeline.brokenItems == 0)
    #expect(timeline.next == Cursor(rawValue: "limit=3&max_id=\(timeline.posts.last?.id ?? "")"))
    #expect(timeline.posts.first?.author.handle.hasSuffix("@gts.example") == true)
    let unknown = try recorded.answer("gotosocial/tag-unknown.json", status: 404)
    #expect(try source.read(unknown, to: tag) == Page())
    let refused = try recorded.answer("gotosocial/no-token.json", status: 401)
    #expect(try source.failure(of: refused, to: tag).kind == .credential)
  }
}

extension Array where Element: Equatable {
  fileprivate func contains(sequence other: [Element]) -> Bool {
    guard !other.isEmpty, other.count <= count else { return false }
    return (0...(count - other.count)).contains { Array(self[$0..<$0 + other.count]) == other }
  }
}
