import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// What is odd about networks of the catalog, and was read wrongly by declarations before.
@Suite struct CatalogOddityTests {
  private func network(_ name: String) throws -> any DeclaredSource {
    try #require(Catalog.entry(named: name)).network()
  }

  private func asking(_ name: String, cursor: Cursor? = nil) throws -> PageRequest {
    let network = try network(name)
    return try network.asking(
      "#swift", at: network.traits.defaultServer ?? "https://server.example", cursor: cursor)
  }

  private func page(_ body: String, status: Int = 200, of name: String) throws -> Page {
    try network(name).read(answer(body, status: status), to: asking(name))
  }

  @Test(
    arguments: [
      ("dblp", 200, #"{"result":{"hits":{"@total":"0","@sent":"0"}}}"#), ("gdelt", 200, "{}"),
      ("lore", 404, "<html><body>no results</body></html>"),
      (
        "lore", 404,
        "<html><head><title>a - search results</title></head><body><pre>\n[No results found]</pre>"
      ),
      (
        "public-inbox", 404,
        "<html><head><title>nosuchword - search results</title><link\nrel=alternate\ntitle=\"Atom feed\""
      ),
      ("bugzilla", 200, #"{"bugs":[]}"#), ("gitlab-projects", 200, "[]"),
      ("wikipedia", 200, #"{"batchcomplete":"","query":{"search":[]}}"#),
      ("europepmc", 200, #"{"hitCount":0,"resultList":{"result":[]}}"#),
    ])
  func `Nothing found is no posts, and no failure`(
    name: String, status: Int, body: String
  ) throws {
    let page = try page(body, status: status, of: name)
    #expect(page.posts.isEmpty && page.brokenItems == 0 && page.next == nil)
  }

  @Test(arguments: [
    ("dblp", "{}"), ("dblp", #"{"result":{"status":{"@code":"500","text":"Error"}}}"#),
    ("dblp", #"{"result":{"hits":[]}}"#), ("gdelt", #"{"articles":{}}"#), ("gdelt", "[]"),
    ("europepmc", #"{"hitCount":0,"resultList":null}"#), ("wikipedia", #"{"batchcomplete":""}"#),
  ])
  func `Without what holds the list it is a failure, and not nothing found`(
    name: String, body: String
  ) throws {
    #expect(throws: SourceFault.self) { try page(body, of: name) }
  }

  // As MediaWiki 1.39 answers, which has no CirrusSearch of its own.
  @Test func `A wiki without CirrusSearch is searched as another source`() throws {
    let refused = answer(
      #"{"error":{"code":"badvalue","info":"Unrecognized value for parameter \"srsort\": last_edit_desc."}}"#
    )
    let failure = try network("wikipedia").failure(of: refused, to: asking("wikipedia"))
    #expect(failure.kind == .permanent)
    #expect(failure.advice == "if this wiki has no CirrusSearch, search it as the source mediawiki")

    let posts = try page(
      #"""
      {"batchcomplete":"","query":{"searchinfo":{"totalhits":1},"search":[{"ns":0,"title":"Page 1","pageid":2,"size":72,"wordcount":12,"snippet":"about <span class='searchmatch'>swift</span> &lt;b&gt;","timestamp":"2026-11-26T16:13:27Z"}]}}
      """#, of: "mediawiki"
    ).posts
    #expect(posts.map(\.url) == ["https://server.example/index.php?curid=2"])
    #expect(posts.map(\.text) == ["about swift <b>"] && posts.map(\.createdAt) == [nil])
    let request = try network("mediawiki").request(for: asking("mediawiki"))
    #expect(request.url.contains("srwhat=text"))
  }

  @Test func `A site of WordPress counts its pages in the head`() throws {
    let posts = #"[{"id":1,"link":"https://b.example/1","title":{"rendered":"a"}}]"#
    let wordpress = try network("wordpress")
    let asked = try asking("wordpress")
    #expect(try wordpress.request(for: asked).url.contains("&page=1&"))
    func next(of count: String?, after cursor: Cursor? = nil) throws -> Cursor? {
      let headers: HTTPHeaders = count.map { ["X-WP-TotalPages": $0] } ?? [:]
      return try wordpress.page(
        from: answer(posts, headers: headers), to: asking("wordpress", cursor: cursor)
      ).next
    }
    #expect(try next(of: "1") == nil)
    let second = try #require(try next(of: "2"))
    #expect(try next(of: "2", after: second) == nil)
    // A site behind a proxy that drops the field says with an error where its end is.
    #expect(try next(of: nil) == second)
    let end = answer(#"{"code":"rest_post_invalid_page_number","message":"m"}"#, status: 400)
    #expect(try wordpress.read(end, to: asking("wordpress", cursor: second)) == Page())
  }

  @Test(arguments: ["http", "https"])
  func `An entry of arXiv that is an error is a failure`(scheme: String) throws {
    let body =
      #"<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>\#(scheme)://arxiv.org/api/errors#x</id><title>Error</title><summary>incorrect id</summary></entry></feed>"#
    let failure = try network("arxiv").failure(of: answer(body), to: asking("arxiv"))
    #expect(failure.message.contains("incorrect id"))
  }

  @Test func `Beyond the last mail of public-inbox there are no posts, and no failure`() throws {
    for name in ["lore", "public-inbox"] {
      let later = try asking(name, cursor: Cursor(rawValue: "200"))
      let page = try network(name).read(answer("</feed>"), to: later)
      #expect(page.posts.isEmpty && page.next == nil)
      // The first page has a feed.
      #expect(throws: SourceFault.self) { try self.page("</feed>", of: name) }
    }
  }

  // The first one is public-inbox's own, which has no such archive; the second one that of nginx.
  @Test(arguments: [
    "404 Not Found \n",
    "<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1>",
  ])
  func `An archive that is not there is a failure, and not nothing found`(body: String) throws {
    for name in ["lore", "public-inbox"] {
      let failure = try network(name).failure(of: answer(body, status: 404), to: asking(name))
      #expect(failure.kind == .permanent)
      #expect(failure.message == "refused (404): 404 Not Found")
      #expect(failure.advice == "check the address of the archive")
    }
  }

  @Test func `An error beside a missing list stays an error`() throws {
    for name in ["dblp", "gdelt"] {
      #expect(throws: SourceFault.self, "\(name)") {
        try page(#"{"error":"the index is not available"}"#, of: name)
      }
    }
  }

  @Test(arguments: [
    (
      "crossref",
      #"{"message":{"items":[{"DOI":"10.5/a","URL":"https://doi.org/10.5/a","title":[],"created":{"date-time":"2026-11-20T10:00:00Z"}}]}}"#
    ),
    (
      "openalex",
      #"{"results":[{"id":"https://openalex.org/W1","title":null,"publication_date":"2026-11-20"}]}"#
    ),
    (
      "europepmc",
      #"{"resultList":{"result":[{"id":"1","source":"MED","firstPublicationDate":"2026-11-20"}]}}"#
    ),
  ])
  func `A work without a title is a post`(name: String, body: String) throws {
    let page = try page(body, of: name)
    let post = try #require(page.posts.first)
    #expect(post.title == nil && post.text == "" && post.createdAt != nil && post.url != nil)
    #expect(page.brokenItems == 0)
  }

  @Test(arguments: [("hf-models", ""), ("hf-datasets", "/datasets")])
  func `Links to Hugging Face keep their slash`(name: String, folder: String) throws {
    func link(_ id: String) throws -> String? {
      let item = #"[{"id":"\#(id)","createdAt":"2026-11-20T10:00:00.000Z"}]"#
      return try page(item, of: name).posts.first?.url
    }
    #expect(try link("org/name.v1") == "https://huggingface.co\(folder)/org/name.v1")
    #expect(try link("plain") == "https://huggingface.co\(folder)/plain")
    #expect(try link("org/a b?c#d") == "https://huggingface.co\(folder)/org/a%20b%3Fc%23d")
    for id in ["org/../name", "../name", "/org/name", "org//name", #"org/a\\b"#, #"org/a\u0000b"#] {
      #expect(try link(id) == nil, "\(id)")
    }
  }

  @Test func `The author of a model is the part of its id before the slash`() throws {
    func author(_ id: String) throws -> String? {
      try page(#"[{"id":"\#(id)"}]"#, of: "hf-models").posts.first?.author.handle
    }
    #expect(try author("org/name") == "org")
    #expect(try author("gpt2") == "")
  }

  @Test func `Comments of Mbin are posts of their own`() throws {
    let common = #""magazine":{"name":"words@far.example"},"body":"b","apId":null"#
    let items = [
      #"{"itemType":"entry","entryId":5,"title":"t","url":"https://a.example/","# + common + "}",
      #"{"itemType":"post","postId":5,\#(common)}"#,
      #"{"itemType":"entry_comment","commentId":7,"entryId":5,\#(common)}"#,
      #"{"itemType":"entry_comment","commentId":8,"entryId":5,\#(common)}"#,
      #"{"itemType":"post_comment","commentId":8,"postId":5,\#(common)}"#,
    ]
    let page = try page(#"{"items":[\#(items.joined(separator: ","))]}"#, of: "mbin")
    #expect(page.posts.map(\.id) == ["5", "5", "7", "8", "8"])
    let magazine = "https://server.example/m/words%40far.example"
    #expect(
      page.posts.map { $0.url ?? "" } == [
        "\(magazine)/t/5", "\(magazine)/p/5", "\(magazine)/t/5/-/comment/7",
        "\(magazine)/t/5/-/comment/8", "\(magazine)/p/5/-/reply/8",
      ])
    #expect(page.posts.first?.links == ["https://a.example/"])
  }

  @Test func `Mbin names the moment of its next answer in a header of its own`() throws {
    let moment = testNow.addingTimeInterval(40).timeIntervalSince1970.rounded(.down)
    let limited = answer(
      #"{"title":"An error occurred","status":429,"detail":"Too Many Requests"}"#, status: 429,
      headers: ["X-RateLimit-Retry-After": String(Int(moment))])
    guard
      case .rateLimited(let until?, _) = try network("mbin").fault(
        of: limited, to: asking("mbin"))
    else {
      Issue.record("it names no moment")
      return
    }
    #expect((39...42).contains(until.timeIntervalSince(testNow)))
  }

  @Test func `PieFed's tags are one text, and its pinned posts say nothing of the order`() throws {
    let post = #""ap_id":"https://a.example/post/1","title":"t","tags":"Swift, open source""#
    let page = try page(
      #"{"posts":[{"post":{\#(post),"instance_sticky":true},"creator":{"user_name":"ada","title":"Ada"}}]}"#,
      of: "piefed")
    let found = try #require(page.posts.first)
    #expect(found.topics == ["Swift", "open source"] && found.isPinned)
    #expect(found.author.handle == "ada" && found.author.name == "Ada")
  }

  @Test func `What a network does not return beyond its ceiling is missing`() throws {
    let articles = (0..<250).map { #"{"url":"https://n.example/\#($0)","title":"t"}"# }
    func page(_ count: Int) throws -> Page {
      try self.page(
        #"{"articles":[\#(articles.prefix(count).joined(separator: ","))]}"#, of: "gdelt")
    }
    #expect(try page(249).missing == nil)
    #expect(try page(250).missing?.contains("at most 250 articles") == true)

    let doaj = try network("doaj")
    var asked = try asking("doaj", cursor: Cursor(rawValue: "10/100"))
    asked.itemsBefore = 900
    let results = (0..<100).map { #"{"id":"\#($0)","bibjson":{"title":"t"}}"# }
      .joined(separator: ",")
    for (total, isCut) in [(1000, false), (1001, true)] {
      let last = try doaj.read(
        answer(#"{"total":\#(total),"results":[\#(results)]}"#), to: asked)
      #expect(last.next == nil && (last.missing != nil) == isCut)
    }
  }

  @Test func `A page of arXiv without entries is the end only if the total says so`() throws {
    let arxiv = try network("arxiv")
    func next(_ total: Int) throws -> Cursor? {
      let feed = """
        <feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" \
        xmlns="http://www.w3.org/2005/Atom"><id>https://arxiv.org/</id>
        <opensearch:totalResults>\(total)</opensearch:totalResults></feed>
        """
      return try arxiv.read(answer(feed), to: asking("arxiv", cursor: Cursor(rawValue: "20/20")))
        .next
    }
    #expect(try next(500) == Cursor(rawValue: "40/20"))
    #expect(try next(20) == nil)
    #expect(try next(0) == nil)
  }

  @Test func `More of Wikipedia that cannot be asked for is missing`() throws {
    func page(_ members: String) throws -> Page {
      try self.page(
        #"{\#(members)"query":{"search":[{"pageid":1,"title":"t"}]}}"#, of: "wikipedia")
    }
    #expect(try page(#""continue":{"sroffset":10,"continue":"-||"},"#).next != nil)
    #expect(try page(#""continue":{"sroffset":{},"continue":"-||"},"#).deadEnd != nil)
    #expect(try page(#""continue":{"continue":"-||"},"#).deadEnd != nil)
    #expect(try page(#""batchcomplete":"","#).deadEnd == nil)
  }

  @Test func `Older forms of an address still give one`() throws {
    func link(_ item: String, in list: (String, String), of name: String) throws -> String? {
      try page(list.0 + item + list.1, of: name).posts.first?.url
    }
    let zenodo = (#"{"hits":{"hits":["#, "]}}")
    #expect(
      try link(
        #"{"id":1,"links":{"html":"https://zenodo.org/record/1"},"metadata":{"title":"t"}}"#,
        in: zenodo, of: "zenodo") == "https://zenodo.org/record/1")
    #expect(
      try link(#"{"id":1,"metadata":{"title":"t"}}"#, in: zenodo, of: "zenodo")
        == "https://zenodo.org/records/1")
    #expect(
      try link(#"{"link":"/a","title":"t"}"#, in: (#"{"results":["#, "]}"), of: "govuk")
        == "https://www.gov.uk/a")
  }

  @Test func `A limit that Wikipedia states in a 200 means later`() throws {
    let limited = answer(#"{"error":{"code":"ratelimited","info":"Please wait."}}"#)
    let wikipedia = try network("wikipedia")
    guard
      case .rateLimited(_, let failure) = try wikipedia.fault(
        of: limited, to: asking("wikipedia"))
    else {
      Issue.record("it is no limit")
      return
    }
    #expect(failure.kind == .temporary)
    #expect(wikipedia.verdict(on: limited, now: testNow) != .done)
    let other = answer(#"{"error":{"code":"badvalue","info":"Unknown sort."}}"#)
    let error = try wikipedia.failure(of: other, to: asking("wikipedia"))
    #expect(error.kind == .permanent && error.message.contains("Unknown sort."))
  }

  @Test(arguments: [200, 429])
  func `A limit that GDELT states in words means later`(status: Int) throws {
    let words = answer(
      "Please limit requests to one every 5 seconds or contact us.\n", status: status)
    let gdelt = try network("gdelt")
    guard case .rateLimited = try gdelt.fault(of: words, to: asking("gdelt")) else {
      Issue.record("it is no limit")
      return
    }
    let short = answer("The specified phrase is too short.\n", status: 200)
    let failure = try gdelt.failure(of: short, to: asking("gdelt"))
    #expect(failure.kind == .permanent)
    #expect(failure.message.contains("The specified phrase is too short."))
  }

  @Test(arguments: [200, 400])
  func `An entry of arXiv that is an error is a failure`(status: Int) throws {
    let entry = """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv Search Results</title><entry>
      <id>https://arxiv.org/api/errors#incorrect_id_format_for_x</id><title>Error</title>
      <updated>2026-11-20T12:00:00Z</updated><summary>incorrect id format for x</summary>
      <link href="https://arxiv.org/api/errors#incorrect_id_format_for_x" rel="alternate"/>
      <author><name>arXiv api core</name></author></entry></feed>
      """
    let failure = try network("arxiv").failure(
      of: answer(entry, status: status), to: asking("arxiv"))
    #expect(failure.kind == .permanent)
    #expect(failure.message.contains("incorrect id format for x"))
  }

  @Test func `A page past the end of a WordPress site is the end`() throws {
    let body = #"{"code":"rest_post_invalid_page_number","message":"x","data":{"status":400}}"#
    let wordpress = try network("wordpress")
    let first = try page(
      #"[{"id":1,"title":{"rendered":"a"},"link":"https://server.example/1"}]"#, of: "wordpress")
    #expect(first.posts.count == 1)
    let linked = HTTPResponse(
      status: 200,
      headers: [
        "Link": "<https://server.example/wp-json/wp/v2/posts?page=2>; rel=\"next\""
      ],
      body: HTTPBody(Array(#"[{"id":1,"title":{"rendered":"a"}}]"#.utf8)))
    let next = try #require(
      try wordpress.read(linked, to: asking("wordpress")).next)
    let end = try wordpress.read(
      answer(body, status: 400), to: asking("wordpress", cursor: next))
    #expect(end.posts.isEmpty && end.next == nil)
    #expect(throws: SourceFault.self) { try page(body, status: 400, of: "wordpress") }
  }

  @Test func `One author of dblp and several are read, and entities decoded`() throws {
    func authors(_ json: String) throws -> String? {
      try page(
        #"{"result":{"hits":{"@total":"1","hit":[{"info":{"key":"a/b","title":"It&apos;s.","authors":{"author":\#(json)}}}]}}}"#,
        of: "dblp"
      ).posts.first?.author.name
    }
    #expect(try authors(#"{"@pid":"1","text":"Ada O&apos;Hara"}"#) == "Ada O'Hara")
    #expect(
      try authors(#"[{"@pid":"1","text":"Ada"},{"@pid":"2","text":"Grace 0001"}]"#)
        == "Ada, Grace 0001")
    #expect(try authors(#"["Ada", "Grace"]"#) == "Ada, Grace")
  }

  /// The titles of the posts that match a query.
  private func found(_ query: String, _ body: String, of name: String) throws -> [String?] {
    let network = try network(name)
    let asked = try network.asking(
      query, at: network.traits.defaultServer ?? "https://server.example")
    return network.filtered(try network.read(answer(body), to: asked), by: asked.split).posts
      .map(\.title)
  }

  // Its search looks at authors and journals, too, and takes any of several words.
  @Test(arguments: [
    ("Boettiger", ["A: On Boettiger", "B", "C"]), ("Boettiger ecology", ["B"]),
    (#""On Boettiger""#, ["A: On Boettiger"]), ("-Boettiger ecology", ["B", "C"]),
  ])
  func `A work of Crossref is found by its author, and by its subtitle`(
    query: String, titles: [String]
  ) throws {
    let body =
      #"{"message":{"items":[{"DOI":"1","title":["A"],"subtitle":["On Boettiger"]},{"DOI":"2","title":["B"],"abstract":"ecology","author":[{"given":"Carl","family":"Boettiger"}]},{"DOI":"3","title":["C"],"container-title":["Ecology Letters"]}]}}"#
    #expect(try found(query, body, of: "crossref") == titles)
  }

  @Test func `A talk is found by its speaker, and not by a word one letter away`() throws {
    let body =
      #"{"events":[{"guid":"1","title":"Shift left"},{"guid":"2","title":"Swift 6"},{"guid":"3","title":"A talk","persons":["Taylor Swift"]}]}"#
    #expect(try found("swift", body, of: "media-ccc") == ["Swift 6", "A talk"])
  }

  @Test(arguments: [
    ("govuk", "data race", "q=%22data%22%20%22race%22&"),
    ("govuk", #""data race""#, "q=%22data%20race%22&"),
    ("openalex", #"wh?t "data race""#, "search=%22wh%3Ft%22%20%22data%20race%22&"),
    ("openalex", "cats OR dogs", "search=cats%20%22OR%22%20dogs&"),
  ])
  func `Words and phrases are asked for as they are meant`(
    name: String, query: String, expected: String
  ) throws {
    let network = try network(name)
    let asked = try network.asking(query, at: #require(network.traits.defaultServer))
    #expect(try network.request(for: asked).url.contains(expected))
  }

  @Test(arguments: [
    ("bugzilla", "why?", "quicksearch=ALL%20%22why%20%22&"),
    ("bugzilla", "users' settings", "%22users%27%22%20settings&"),
    ("wordpress", #""-Wall""#, "search=Wall&"), ("flathub", #""gcc -Wall""#, "gcc Wall"),
    ("launchpad", "apt NOT dpkg", "search_text=apt%20not%20dpkg&"),
    ("peertube", "std::vector", "search=std%20vector&"),
    ("peertube", "the node.js course", "search=node.js&"),
    ("gitea", "swift concurrency", "q=concurrency&"), ("wordpress", "AT&T", "search=AT%20T&"),
    ("wordpress", "foo->bar a+b", "search=foo-%20bar%20a%2Bb&"), ("mbin", "swift", "&type=entry&"),
    ("public-inbox", "v5.0..v5.1 perf", "q=%22v5.0..v5.1%22%20perf"),
  ])
  func `Signs that a network would take for something else do not reach it`(
    name: String, query: String, expected: String
  ) throws {
    let network = try network(name)
    let asked = try network.asking(
      query, at: network.traits.defaultServer ?? "https://server.example")
    let request = try network.request(for: asked)
    let sent = request.url + " " + String(decoding: request.body ?? [], as: UTF8.self)
    #expect(sent.contains(expected), "\(sent)")
  }

  // It answers an offset between two pages with nothing.
  @Test func `A page of Open VSX begins at a multiple of its size`() throws {
    let network = try network("openvsx")
    var asked = try network.asking("#swift", at: #require(network.traits.defaultServer), wanted: 50)
    let items = (0..<49).map { #"{"url":"u\#($0)","name":"swift \#($0)"}"# }
    let body = #"{"totalSize":999,"extensions":[\#(items.joined(separator: ","))]}"#
    asked.cursor = try network.read(answer(body), to: asked).next
    #expect(try network.request(for: asked).url.contains("&offset=50"))
  }

  @Test func `A tag is a word where a network has no tags, or a topic`() throws {
    let body =
      #"{"total":3,"data":[{"uuid":"1","name":"Swiss shift"},{"uuid":"2","name":"Swift 6"},{"uuid":"3","name":"A talk","tags":["swift"]}]}"#
    #expect(try found("#swift", body, of: "peertube") == ["Swift 6", "A talk"])
  }

  // GitLab finds words in longer ones and without their signs, and Forgejo similar words.
  @Test(arguments: [
    ("gitlab-issues", "c++", ["C++ and clang"]), ("gitlab-projects", "go web", ["A go web"]),
    ("gitea", "swift concurrency", ["Concurrency in Swift"]),
    // A comment may have the word.
    (
      "gitea", "actor",
      ["C++ and clang", "Cloning", "A go web", "Google web", "Concurrency in Swift", "Swift 6"]
    ),
  ])
  func `What a search of code finds by chance is left out`(
    name: String, query: String, titles: [String]
  ) throws {
    let named = [
      "C++ and clang", "Cloning", "A go web", "Google web", "Concurrency in Swift", "Swift 6",
    ]
    let key = name == "gitlab-projects" ? "name" : "title"
    let items = named.enumerated().map { #"{"id":\#($0.offset),"\#(key)":"\#($0.element)"}"# }
    #expect(try found(query, "[\(items.joined(separator: ","))]", of: name) == titles)
  }

  @Test(arguments: [
    ("dblp", "king", ["Making networks", "A king"]),
    ("dblp", #""alice king""#, ["Making networks"]),
    ("zenodo", #"from:"Roe, Rick" networks"#, ["Making networks"]),
    ("zenodo", #"-from:"Roe, Rick" a"#, ["A king", "Kingdoms"]),
    ("zenodo", "-from:rick a", ["Making networks", "A king", "Kingdoms"]),
    ("doaj", #"from:"Alice King" networks"#, ["Making networks"]),
    ("doaj", #"-from:"Alice King" a"#, ["A king", "Kingdoms"]),
    ("internetarchive", #"from:"Roe, Rick" networks"#, ["Making networks"]),
  ])
  func `Each of several authors is known by name`(
    name: String, query: String, titles: [String]
  ) throws {
    let names =
      name == "doaj" || name == "dblp" ? ["Alice King", "Rick Roe"] : ["King, Alice", "Roe, Rick"]
    func item(_ id: Int, _ title: String, _ authors: [String]) -> String {
      let objects = authors.map { #"{"name":"\#($0)","text":"\#($0)"}"# }.joined(separator: ",")
      let words = authors.map { #""\#($0)""# }.joined(separator: ",")
      return switch name {
      case "dblp":
        #"{"info":{"key":"\#(id)","title":"\#(title)","authors":{"author":[\#(objects)]}}}"#
      case "zenodo": #"{"id":\#(id),"metadata":{"title":"\#(title)","creators":[\#(objects)]}}"#
      case "doaj": #"{"id":"\#(id)","bibjson":{"title":"\#(title)","author":[\#(objects)]}}"#
      default: #"{"identifier":"\#(id)","title":"\#(title)","creator":[\#(words)]}"#
      }
    }
    let items = [
      item(1, "Making networks", names), item(2, "A king", ["Someone Else"]),
      item(3, "Kingdoms", ["Nobody"]),
    ].joined(separator: ",")
    let body =
      switch name {
      case "dblp": #"{"result":{"hits":{"@total":"3","hit":[\#(items)]}}}"#
      case "zenodo": #"{"hits":{"total":3,"hits":[\#(items)]}}"#
      case "doaj": #"{"total":3,"results":[\#(items)]}"#
      default: #"{"response":{"numFound":3,"docs":[\#(items)]}}"#
      }
    #expect(try found(query, body, of: name) == titles)
  }

  @Test(arguments: ["peertube", "mbin"])
  func `An author with a server is one on networks whose handles have servers`(name: String) throws
  {
    let body =
      name == "mbin"
      ? #"{"items":[{"entryId":1,"title":"Swift A","user":{"username":"@bob@far.example"}},{"entryId":2,"title":"Swift B","user":{"username":"bob"}}]}"#
      : #"{"total":2,"data":[{"uuid":"1","name":"Swift A","account":{"name":"bob","host":"far.example"}},{"uuid":"2","name":"Swift B","account":{"name":"bob","host":"near.example"}}]}"#
    #expect(try found("swift from:bob@far.example", body, of: name) == ["Swift A"])
    #expect(try found("swift -from:@bob@far.example", body, of: name) == ["Swift B"])
    let authors = try page(body, of: name).posts.map(\.author.handle)
    #expect(authors.first == "bob@far.example")
  }

  @Test(arguments: ["wikipedia", "mediawiki"])
  func `A search of a wiki that timed out is incomplete`(name: String) throws {
    let warning = "The search timed out, only partial results are available."
    let hits = [#"{"pageid":1,"title":"t","snippet":"s"}"#, ""]
    for hit in hits {
      let page = try page(
        #"{"batchcomplete":true,"warnings":{"search":{"warnings":"\#(warning)"}},"query":{"searchinfo":{"totalhits":0},"search":[\#(hit)]}}"#,
        of: name)
      #expect(page.gap == "the search of the wiki timed out")
      #expect(page.posts.count == (hit.isEmpty ? 0 : 1))
    }
    let sound = try page(
      #"{"warnings":{"search":{"warnings":"Unrecognized parameter: srx."}},"query":{"search":[]}}"#,
      of: name)
    #expect(sound.gap == nil)
  }

  @Test func `What Zenodo does not return beyond its ceiling is missing`() throws {
    let zenodo = try network("zenodo")
    var asked = try asking("zenodo", cursor: Cursor(rawValue: "/api/records?page=400"))
    asked.itemsBefore = 9_975
    let items = (1...25).map { #"{"id":\#($0),"metadata":{"title":"t"}}"# }.joined(separator: ",")
    for (total, isCut) in [(10_000, false), (23_456, true)] {
      let last = try zenodo.read(
        answer(#"{"hits":{"total":\#(total),"hits":[\#(items)]},"links":{}}"#), to: asked)
      #expect(last.next == nil && (last.missing != nil) == isCut)
    }
  }

  @Test func `A GitLab that answers nobody without a token says so`() throws {
    let body = #"{"message":"User must be authenticated to use search"}"#
    let failure = try network("gitlab-issues").failure(
      of: answer(body, status: 422), to: asking("gitlab-issues"))
    #expect(failure.kind == .credential)
  }

  @Test(arguments: [
    "Your query was too short or too long.", "Timespan is too short.",
    "Parentheses may only be used around OR'd statements.",
  ])
  func `What GDELT says of a query is told`(words: String) throws {
    let failure = try network("gdelt").failure(of: answer(words), to: asking("gdelt"))
    #expect(failure.message.contains(words))
  }

  @Test(arguments: [
    ("europepmc", #"{"hitCount":1234,"resultList":{"result":[]}}"#),
    ("openalex", #"{"meta":{"count":1234,"next_cursor":null},"results":[]}"#),
  ])
  func `A count without posts is not nothing found`(name: String, body: String) throws {
    let page = try page(body, of: name)
    #expect(page.gap == "the network reports 1234 posts but returned none")
  }

  @Test func `An e-mail address of Bugzilla is never shown`() throws {
    let page = try page(
      #"{"bugs":[{"id":7,"summary":"s","creator":"ada@mail.example","creator_detail":{"real_name":"","nick":"","email":"ada@mail.example","name":"ada@mail.example"}}]}"#,
      of: "bugzilla")
    let author = try #require(page.posts.first?.author)
    #expect(author == Author(handle: "", name: nil, url: nil))
  }
}
