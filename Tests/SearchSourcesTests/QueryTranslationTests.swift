import Foundation
import QueuedHTTP
import SearchModel
import TestSupport
import Testing

@testable import SearchSources

/// The remote terms of queries in the request of each network, and the local ones.
struct QueryTranslationTests {
  private func source(_ name: String) throws -> any Source { try EverySource.named(name) }

  private func credentials(of source: any Source, isAnonymous: Bool) -> Credentials? {
    let names = source.traits.credentialNames
    return isAnonymous || names.isEmpty ? nil : Credentials(names.map { _ in "t" })
  }

  /// The parameters of the request that choose, decoded, in their order.
  private func sent(
    _ query: Query, on source: any Source, isAnonymous: Bool = false
  ) throws -> String {
    let credentials = credentials(of: source, isAnonymous: isAnonymous)
    var page = try source.asking(
      "x", at: "https://h.example", wanted: 20, session: Session(accessToken: "s"))
    page.split = source.split(query, with: credentials)
    page.credentials = credentials
    #expect(
      source.skipReason(for: source.split(query, with: credentials), with: credentials) == nil,
      "\(source.name)")
    let request = try source.request(for: page)
    if let body = request.body { return String(decoding: body, as: UTF8.self) }
    let parts = request.url.split(separator: "?", maxSplits: 1)
    let path = parts[0].dropFirst("https://h.example".count)
    let names: Set = [
      "q", "query", "tags", "tag", "lang", "language", "search_term", "tagged", "nottagged", "user",
      "search", "srsearch", "search_query", "search_text", "quicksearch",
      "tags_exclude", "channelId", "search_mode", "author_username", "all[]", "none[]", "site",
    ]
    let pairs = (parts.count > 1 ? parts[1] : "").split(separator: "&").compactMap { pair in
      let decoded = pair.removingPercentEncoding ?? ""
      return names.contains(String(decoded.prefix { $0 != "=" })) ? decoded : nil
    }
    let isPath = ["lobsters", "mastodon"].contains(source.name.rawValue)
    let shownPath = isPath ? (String(path).removingPercentEncoding ?? "") + " " : ""
    return shownPath + pairs.joined(separator: " & ")
  }

  private func local(_ query: Query, on source: any Source, isAnonymous: Bool) -> String {
    let credentials = credentials(of: source, isAnonymous: isAnonymous)
    return source.split(query, with: credentials).local.map(\.description).joined(separator: " ")
  }

  /// All that the grammar has.
  private static let whole =
    #"swift "data race" -rust -"old news" #ios -#jobs from:amy -from:bob lang:de -lang:fr"#

  @Test(
    arguments: [
      (
        "x",
        #"query=swift "data race" -rust -"old news" #ios -#jobs -from:bob -lang:fr from:amy lang:de"#,
        ""
      ),
      (
        "twitter-classic",
        #"q=swift "data race" #ios & lang=de"#,
        #"-rust -"old news" -#jobs from:amy -from:bob -lang:fr lang:de"#
      ),
      (
        "bluesky", #"q=swift "data race" #ios from:amy.bsky.social & lang=de"#,
        #"-rust -"old news" -#jobs -from:bob -lang:fr"#
      ),
      (
        "mastodon",
        "/api/v2/search "
          + #"q=swift "data race" -rust -"old news" #ios -#jobs -from:bob -language:fr from:amy language:de"#,
        "from:amy -from:bob lang:de -lang:fr"
      ),
      (
        "hackernews",
        #"query=swift "data race" -rust -"old news" ios -jobs & tags=(story,comment),(author_amy)"#,
        #"-from:bob lang:de -lang:fr swift "data race" -rust -"old news" ios -jobs"#
      ),
      (
        "github",
        #"q=swift "data race" NOT rust NOT "old news" ios NOT jobs -author:bob author:amy"#
          + " is:public (is:issue OR is:pull-request)", "lang:de -lang:fr"
      ),
      (
        "lemmy", "q=swift",
        #"swift "data race" -rust -"old news" ios -jobs from:amy -from:bob lang:de -lang:fr"#
      ),
      (
        "stackexchange",
        #"site=stackoverflow & tagged=ios & nottagged=jobs & q=swift "data race" -rust -"old news""#,
        "from:amy -from:bob lang:de -lang:fr"
      ),
      (
        "lobsters", "/t/ios.json ",
        #"swift "data race" -rust -"old news" -#jobs from:amy -from:bob lang:de -lang:fr"#
      ),
      (
        "discourse", #"q=swift "data race" #ios @amy order:latest"#,
        #"-rust -"old news" -#jobs -from:bob lang:de -lang:fr"#
      ),
      (
        "reddit", #"q=swift "data race" -rust -"old news" ios -jobs -author:bob author:amy"#,
        "lang:de -lang:fr"
      ),
      (
        "misskey", #"{"tag":"ios","limit":20,"i":"t"}"#,
        #"swift "data race" -rust -"old news" -#jobs from:amy -from:bob lang:de -lang:fr"#
      ),
      (
        "youtube", #"q=swift "data race" -rust -"old news" ios -jobs"#,
        "from:amy -from:bob lang:de -lang:fr"
      ),
      (
        "devto", "tag=ios",
        #"swift "data race" -rust -"old news" -#jobs from:amy -from:bob lang:de -lang:fr"#
      ),
      (
        "tumblr", "tag=ios",
        #"swift "data race" -rust -"old news" -#jobs from:amy -from:bob lang:de -lang:fr"#
      ),
      (
        "threads", "q=ios & search_mode=TAG & author_username=amy",
        #"swift "data race" -rust -"old news" -jobs -from:bob lang:de -lang:fr"#
      ),
    ])
  func `Terms that a network cannot search for stay local`(
    name: String, sent: String, kept: String
  ) throws {
    let source = try source(name)
    let query = try #require(Query(Self.whole))
    // Outside of the expectation, so that a failure shows it.
    let request = try self.sent(query, on: source)
    #expect(request == sent)
    #expect(local(query, on: source, isAnonymous: false) == kept)
  }

  @Test(
    arguments: [
      ("mastodon", "#a #b -#c d", "/api/v1/timelines/tag/a all[]=b & none[]=c", "d #b -#c"),
      ("mastodon", "swift -rust", "/api/v1/timelines/tag/swift ", "-rust"),
      ("mastodon", "swift lang:de", "/api/v1/timelines/tag/swift ", "lang:de"),
      ("misskey", "#a #b", #"{"query":[["a","b"]],"limit":20}"#, ""),
      ("misskey", "a -b", #"{"tag":"a","limit":20}"#, "-b"),
      ("bluesky", "from:amy.dev", "q=from:amy.dev", ""),
      ("bluesky", "a from:did:plc:x1", "q=a did:plc:x1", ""),
      ("bluesky", "a from:b from:c", "q=a", "from:b from:c"),
      ("stackexchange", "a from:22656", "site=stackoverflow & user=22656 & q=a", ""),
      ("stackexchange", "a #b #c site:unix", "site=unix & q=[b] [c] a", ""),
      (
        "hackernews", "from:pg from:dang", "query= & tags=(story,comment),(author_pg,author_dang)",
        ""
      ),
      ("lemmy", "c++ (a) OR", "q=c++", "c++ (a) OR"),
      ("lemmy", #"a "big data lake" #io"#, "q=data", #"a "big data lake" io"#),
      ("searxng", #""css :is selector" "!wp !!g <3" x"#, #"q="css is selector" "!wp g 3" x"#, ""),
      ("searxng", #"a "b c" -d #e lang:de"#, #"q=a "b c" -d e & language=de"#, ""),
      ("youtube", "a | b", "q=a b", "|"),
      ("discourse", "swift -#b", "q=swift order:latest", "-#b"),
      (
        "github", "a from:dependabot[bot]",
        "q=a author:app/dependabot (is:issue OR is:pull-request)", ""
      ),
      (
        "github", "a -b -c -d -e -f",
        "q=a NOT b NOT c NOT d NOT e (is:issue OR is:pull-request)", "-f"
      ),
      ("lobsters", "vim -emacs", "/t/vim.json ", "-emacs"),
    ])
  func `Without a credential, and in special cases`(
    name: String, text: String, sent: String, kept: String
  ) throws {
    let source = try source(name)
    let query = try #require(Query(text))
    let isAnonymous = !source.traits.needsCredentials
    #expect(try self.sent(query, on: source, isAnonymous: isAnonymous) == sent)
    #expect(local(query, on: source, isAnonymous: isAnonymous) == kept)
  }

  @Test(
    arguments: [
      ("x", #"query=swift "OR" "(a" "b)" "c:d" "--e" "f"g" "and" "+h""#),
      ("twitter-classic", #"q=swift "OR" "(a" "b)" "c:d" "--e" "f"g" "and" "+h""#),
      ("bluesky", #"q=swift "OR" "(a" "b)" "c:d" "--e" "f"g" "and" "+h""#),
      ("mastodon", #"/api/v2/search q=swift "OR" "(a" "b)" "c:d" "--e" "f"g" "and" "+h""#),
      ("hackernews", #"query=swift OR (a b) c:d "--e" "fg" and +h & tags=(story,comment)"#),
      (
        "github",
        #"q=swift "OR" "(a" "b)" "c:d" "--e" "fg" "and" "+h" is:public (is:issue OR is:pull-request)"#
      ),
      ("reddit", #"q=swift "OR" "(a" "b)" "c:d" "--e" "fg" "and" "+h""#),
      ("discourse", #"q=swift "OR" "(a" "b)" c d "--e" "fg" "and" "+h" order:latest"#),
      ("searxng", #"q=swift "OR" "(a" "b)" "c:d" "--e" "fg" "and" "+h""#),
      ("youtube", #"q=swift "OR" "(a" "b)" "c:d" "--e" "fg" "and" "+h""#),
    ])
  func `A word never becomes an operator`(name: String, sent: String) throws {
    let query = try #require(Query(#"swift OR (a b) c:d --e f"g and +h"#))
    // A mark within a word is left out: no network tells how one is written between two others.
    #expect(
      try self.sent(query, on: source(name)) == sent.replacing(#""f"g""#, with: #""fg""#))
  }

  @Test(arguments: EverySource.names)
  func `Any input gives a request, or a reason to skip it`(name: String) throws {
    let source = try source(name)
    let pieces = [
      "a", "swift", "é日", "5", " ", " ", " ", "\"", "“", "-", "#", ":", "@", "from:", "lang:de",
      "lang:", "(", ")", "OR", "NOT", "and", "\\", "🚀", "_", "$", ".", "[", "]", "|", "!", "*", "'",
      "site:", "is:pr", "did:", "\u{301}", "+", "&", ";", ",", "/", "?", "%",
    ]
    let hasMarks = try writesMarks(source)
    var random = SeededRandom(seed: 11)
    var requests = 0
    for _ in 0..<300 {
      let count = Int.random(in: 1...14, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      guard let query = Query(text) else { continue }
      for isAnonymous in [true, false] {
        let credentials = credentials(of: source, isAnonymous: isAnonymous)
        if source.traits.needsCredentials, credentials == nil { continue }
        guard
          source.skipReason(for: source.split(query, with: credentials), with: credentials) == nil
        else { continue }
        let sent = try sent(query, on: source, isAnonymous: isAnonymous)
        requests += 1
        // Each mark has its other half, so that nothing runs into what we add.
        #expect(!hasMarks || marks(in: sent).isMultiple(of: 2), "\(text) is sent as \(sent)")
        // A term is remote or local or both, unless it is an invalid author.
        let split = source.split(query, with: credentials)
        let kept = split.remote.count + split.local.count
        let authors = query.terms.count { $0.kind == .author && !source.canBeAuthor($0.value) }
        let sites = query.terms.count { $0.value.hasPrefix("site:") }
        #expect(kept >= Set(query.terms).count - authors - sites, "\(text) becomes \(split)")
      }
    }
    #expect(requests > 20)
  }

  private func marks(in text: String) -> Int { text.unicodeScalars.count { $0 == "\"" } }

  /// True if a network's language has quotation marks: elsewhere they are characters like any other.
  private func writesMarks(_ source: any Source) throws -> Bool {
    let phrase = try #require(Query(#""swift lang""#))
    let word = try #require(Query("swift"))
    let credentials = credentials(of: source, isAnonymous: false)
    guard
      source.skipReason(for: source.split(phrase, with: credentials), with: credentials) == nil
    else { return false }
    return try marks(in: sent(phrase, on: source)) > marks(in: sent(word, on: source))
  }

  // A feed that cannot search is sent nothing.
  @Test(arguments: Sources.all.map(\.name.rawValue).filter { $0 != "feed" })
  func `A query in the network's own syntax is sent unchanged, and nothing is filtered`(
    name: String
  )
    throws
  {
    let source = try source(name)
    let isTagOnly = ["lobsters", "devto"].contains(name)
    let query = try #require(Query(isTagOnly ? "#c++" : #"a OR "b c" -d:e (f)"#)).raw
    let sent = try sent(query, on: source)
    #expect(
      sent.contains(query.text) || sent.contains(query.text.dropFirst())
        || sent.contains(query.text.replacing("\"", with: "\\\"")), "\(sent)")
    #expect(source.split(query, with: nil) == QuerySplit(query))
    let post = Post(
      id: "1", source: source.name, server: try #require(ServerAddress("https://h.example")),
      uri: "1", text: "without any of it")
    #expect(
      source.filtered(Page(posts: [post]), by: source.split(query, with: nil)).posts == [post])
  }

  @Test(arguments: EverySource.names)
  func `A query of exclusions only is skipped`(name: String) throws {
    let source = try source(name)
    for text in ["-swift", "lang:de", #"-"a b" -#c -from:d lang:en"#] {
      let reason = source.skipReason(
        for: source.split(try #require(Query(text)), with: Credentials(["a", "b"])),
        with: Credentials(["a", "b"]))
      #expect(reason?.contains("nothing to search for") == true, "\(text)")
    }
    // Signs are looked for by nobody.
    let credentials = Credentials(["a", "b"])
    let split = source.split(try #require(Query(":)")), with: credentials)
    #expect(source.skipReason(for: split, with: credentials) != nil)
  }

  @Test(arguments: [
    "x", "twitter-classic", "bluesky", "hackernews", "github", "discourse", "reddit", "threads",
    "tumblr", "devto", "lobsters",
  ])
  func `Invalid user names are never searched for`(name: String) throws {
    let source = try source(name)
    let credentials = credentials(of: source, isAnonymous: false)
    let query = try #require(Query("#swift from:amy@a.example"))
    #expect(
      source.skipReason(for: source.split(query, with: credentials), with: credentials)?.contains(
        "amy@a.example") == true)
    // One of two can be: then the other is left out.
    let two = try #require(Query("#swift from:amy@a.example from:bob1 -from:c@d.example"))
    #expect(source.skipReason(for: source.split(two, with: credentials), with: credentials) == nil)
    let split = source.split(two, with: credentials)
    #expect(!(split.remote + split.local).contains { $0.value.contains("@") })
  }

  @Test func `A search by author alone is skipped if the network does not support it`() throws {
    for name in ["lemmy", "lobsters", "devto", "tumblr", "threads", "youtube", "searxng"] {
      let source = try source(name)
      let credentials = credentials(of: source, isAnonymous: false)
      #expect(
        source.skipReason(
          for: source.split(try #require(Query("from:amy")), with: credentials), with: credentials)
          != nil)
    }
  }

  @Test func `Notes list the terms that were not applied`() throws {
    let server = try #require(ServerAddress("https://h.example"))
    let posts = [
      Post(
        id: "1", source: "lobsters", server: server, uri: "1", author: Author(handle: "amy"),
        text: "about vim"),
      Post(id: "2", source: "lobsters", server: server, uri: "2", text: "of nobody"),
      Post(
        id: "3", source: "lobsters", server: server, uri: "3", author: Author(handle: "amy"),
        text: "about both", topics: ["vim", "Emacs"]),
    ]
    let query = try #require(Query("#vim from:amy lang:de -#emacs"))
    let lobsters = try source("lobsters")
    let page = lobsters.filtered(Page(posts: posts), by: lobsters.split(query, with: nil))
    #expect(page.posts.map(\.id) == ["1"])
    #expect(
      page.notes == [
        "lang:de was ignored for posts without a language",
        "posts without an author were left out: from:amy",
      ])
    let devTo = try source("devto")
    let excerpt = devTo.filtered(
      Page(posts: Array(posts.prefix(2))),
      by: devTo.split(try #require(Query("#vim -x")), with: nil))
    #expect(excerpt.posts.count == 2)
    #expect(excerpt.notes == ["matched against excerpts only: -x"])
  }

  @Test func `Authors with numbers as handles are matched by name`() throws {
    let server = try #require(ServerAddress("https://h.example"))
    let post = Post(
      id: "1", source: "stackexchange", server: server, uri: "1",
      author: Author(handle: "22656", name: "Jon Skeet"), text: "x")
    let query = try #require(Query(#"x from:"jon skeet""#))
    let other = try #require(Query("x from:jon"))
    for name in ["stackexchange", "youtube"] {
      let source = try source(name)
      #expect(
        source.filtered(Page(posts: [post]), by: source.split(query, with: nil)).posts.count == 1)
      #expect(
        source.filtered(Page(posts: [post]), by: source.split(other, with: nil)).posts.isEmpty)
    }
    let lemmy = try source("lemmy")
    let found = lemmy.filtered(Page(posts: [post]), by: lemmy.split(query, with: nil))
    #expect(found.posts.isEmpty)
  }
}
