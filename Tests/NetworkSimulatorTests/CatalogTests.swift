import Foundation
import NetworkSimulator
import Testing

/// The networks of the catalog, as they answer their documented requests.
@Suite struct CatalogTests {
  /// A search of each network, with `WORDS` for its query.
  static let targets = [
    "arxiv": "api/query?search_query=all:WORDS&sortBy=submittedDate&max_results=100",
    "crossref": "works?query=WORDS&sort=created&order=desc&rows=100",
    "openalex": "works?search=WORDS&sort=publication_date:desc&per-page=100",
    "europepmc":
      "europepmc/webservices/rest/search?query=WORDS&format=json&resultType=core&pageSize=100",
    "dblp": "search/publ/api?q=WORDS&format=json&h=100&c=0",
    "zenodo": "api/records?q=WORDS&sort=mostrecent&size=25",
    "doaj": "api/search/articles/WORDS?sort=created_date:desc&pageSize=100",
    "gitlab-projects": "api/v4/projects?search=WORDS&per_page=100",
    "gitlab-issues": "api/v4/issues?search=WORDS&scope=all&per_page=100",
    "codeberg": "api/v1/repos/issues/search?q=WORDS&state=all&limit=50",
    "gitea": "api/v1/repos/issues/search?q=WORDS&state=all&limit=50",
    "openvsx": "api/-/search?query=WORDS&sortBy=timestamp&size=50",
    "launchpad": "devel/ubuntu?ws.op=searchTasks&search_text=WORDS",
    "bugzilla": "rest/bug?quicksearch=ALL%20WORDS&order=bug_id%20DESC&limit=100",
    "hf-models": "api/models?search=WORDS&sort=createdAt&limit=100",
    "hf-datasets": "api/datasets?search=WORDS&sort=createdAt&limit=100",
    "gdelt": "api/v2/doc/doc?query=WORDS&mode=artlist&format=json&sort=datedesc&maxrecords=250",
    "govuk": "api/search.json?q=WORDS&fields=title&fields=link&order=-public_timestamp&count=100",
    "lore": "all/?q=WORDS&x=A", "public-inbox": "?q=WORDS&x=A",
    "wikipedia": "w/api.php?action=query&list=search&format=json&srsearch=WORDS&srlimit=100",
    "mediawiki":
      "api.php?action=query&list=search&format=json&srsearch=WORDS&srwhat=text&srlimit=100",
    "internetarchive":
      "advancedsearch.php?q=WORDS&output=json&fl[]=identifier&fl[]=title&sort[]=publicdate%20desc",
    "sepiasearch": "api/v1/search/videos?search=WORDS&sort=-publishedAt&count=100",
    "peertube": "api/v1/search/videos?search=WORDS&sort=-publishedAt&count=100",
    "media-ccc": "public/events/search?q=WORDS&per_page=100",
    "wordpress": "wp-json/wp/v2/posts?search=WORDS&per_page=100&_embed=true",
    "mbin": "api/search?q=WORDS&type=entry&perPage=100",
    "piefed": "api/alpha/search?q=WORDS&type_=Posts&sort=New&nsfw=Include&limit=50",
  ]

  private static func target(_ name: String, _ words: String) throws -> String {
    try "/\(name)/" + #require(targets[name]).replacing("WORDS", with: words)
  }

  @Test func `Each network has an example`() {
    #expect(Set(Simulator.catalog) == Set(Self.targets.keys).union(["flathub"]))
    #expect(Set(Simulator.catalog).isDisjoint(with: Simulator.sources))
  }

  @Test func `A search finds posts that hold its word`() async throws {
    try await withSimulator { fixture in
      for name in Self.targets.keys.sorted() {
        let response = try await fixture.client.send(Self.target(name, "swift"))
        #expect(response.status == 200, "\(name)")
        #expect(response.text.components(separatedBy: "swift").count > 20, "\(name)")
      }
    }
  }

  @Test func `A parameter that is not documented is refused`() async throws {
    try await withSimulator { fixture in
      for name in Self.targets.keys.sorted() {
        let response = try await fixture.client.send(Self.target(name, "swift") + "&nonsense=1")
        let isWiki = ["wikipedia", "mediawiki"].contains(name)
        #expect((400...422).contains(response.status) || isWiki, "\(name)")
        #expect(response.text.contains("nonsense"), "\(name)")
      }
    }
  }

  @Test(
    arguments: [
      ("arxiv", "max_results=2001"), ("crossref", "rows=1001"), ("openalex", "per-page=201"),
      ("europepmc", "pageSize=1001"), ("dblp", "h=1001"), ("doaj", "pageSize=101"),
      ("zenodo", "size=26"), ("gitlab-projects", "per_page=101"), ("codeberg", "limit=51"),
      ("openvsx", "size=-1"), ("bugzilla", "limit=10001"), ("hf-models", "sort=new"),
      ("gdelt", "maxrecords=251"), ("govuk", "count=1501"), ("sepiasearch", "count=101"),
      ("media-ccc", "per_page=257"), ("wordpress", "per_page=101"), ("mbin", "perPage=101"),
      ("piefed", "limit=101"), ("codeberg", "since=yesterday"), ("crossref", "filter=from:2026"),
      ("govuk", "filter_public_timestamp=from:yesterday"), ("mbin", "type="),
      ("wordpress", "after=yesterday"), ("bugzilla", "creation_time=yesterday"),
    ])
  func `An illegal value is refused`(name: String, parameter: String) async throws {
    try await withSimulator { fixture in
      let key = parameter.prefix { $0 != "=" }
      let target = try Self.target(name, "swift").split(separator: "&")
        .filter { !$0.hasPrefix("\(key)=") }.joined(separator: "&")
      let joint = target.contains("?") ? "&" : "?"
      let response = try await fixture.client.send(target + joint + parameter)
      #expect(
        (400...422).contains(response.status), "\(response.status) \(response.text.prefix(80))")
    }
  }

  @Test(
    arguments: [
      ("dblp", 200, #""@first":"0"}}}"#), ("gdelt", 200, "{}"), ("lore", 404, "No results"),
      ("arxiv", 200, "<opensearch:totalResults>0<"), ("crossref", 200, #""items":[]"#),
      ("europepmc", 200, #""hitCount":0,"request""#), ("bugzilla", 200, #"{"bugs":[]}"#),
      ("gitlab-projects", 200, "[]"), ("hf-models", 200, "[]"),
      ("wikipedia", 200, #"{"batchcomplete":"","query":"#), ("wordpress", 200, "[]"),
    ])
  func `Nothing found has the network's own form`(
    name: String, status: Int, text: String
  ) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send(Self.target(name, "nothing"))
      #expect(response.status == status)
      #expect(response.text.contains(text), "\(response.text)")
    }
  }

  @Test func `An unknown archive of public-inbox is another 404 than nothing found`() async throws {
    try await withSimulator { fixture in
      let unknown = try await fixture.client.send("/lore/none/?q=swift&x=A")
      #expect(unknown.status == 404)
      #expect(unknown.text == "404 Not Found \n")
    }
  }

  @Test
  func `A wiki without CirrusSearch sorts by relevance only, and looks at titles unless told`()
    async throws
  {
    try await withSimulator { fixture in
      let target = try Self.target("mediawiki", "swift")
      let sorted = try await fixture.client.send(target + "&srsort=last_edit_desc")
      #expect(sorted.text.contains(#""code":"badvalue""#))
      let titles = try await fixture.client.send(target.replacing("&srwhat=text", with: ""))
      let texts = try await fixture.client.send(target)
      let hits = { (response: RawResponse) in
        response.json["query"]["searchinfo"]["totalhits"].integer ?? -1
      }
      #expect(hits(titles) == 0 && hits(texts) > 20)
    }
  }

  @Test func `Beyond the last mail of public-inbox a feed is its end tag, with status 200`()
    async throws
  {
    try await withSimulator { fixture in
      for name in ["lore", "public-inbox"] {
        let beyond = try await fixture.client.send(Self.target(name, "swift") + "&o=100000")
        #expect(beyond.status == 200 && beyond.text == "</feed>")
        let nothing = try await fixture.client.send(Self.target(name, "nothing") + "&o=200")
        #expect(nothing.status == 404 && nothing.text.contains("nothing - search results</title>"))
      }
    }
  }

  @Test func `A cursor of Crossref keeps its text and brings other works`() async throws {
    try await withSimulator { fixture in
      let base = "/crossref/works?query=swift&sort=created&rows="
      var cursor = "*"
      var works: [String] = []
      for number in 0..<3 {
        // The size of the first page holds for all.
        let rows = number == 0 ? 20 : 7
        let target = "\(base)\(rows)&cursor=\(cursor)"
        let message = try await fixture.client.send(target).json["message"]
        let next = try #require(message["next-cursor"].string)
        #expect(number == 0 || next == cursor)
        cursor = next
        works += message["items"].elements.compactMap { $0["DOI"].string }
      }
      #expect(works.count == 60 && Set(works).count == 60)
      let other = try await fixture.client.send(base + "20&cursor=*").json["message"]
      #expect(other["next-cursor"].string != cursor)
      #expect(other["items"].elements.first?["DOI"].string == works.first)
      #expect(try await fixture.client.send(base + "20&cursor=nonsense").status == 404)
    }
  }

  @Test func `The last page of a listing names no next one`() async throws {
    try await withSimulator { fixture in
      for name in ["gitlab-projects", "hf-models", "media-ccc", "codeberg", "launchpad"] {
        var target = try Self.target(name, "swift")
        var pages = 0
        while pages < 20 {
          let response = try await fixture.client.send(target)
          pages += 1
          let link =
            response.json["next_collection_link"].string
            ?? response.header("link")?.components(separatedBy: ",")
            .first { $0.contains("rel=\"next\"") }?.split(separator: ">").first
            .map { String($0.drop { $0 != "<" }.dropFirst()) }
          guard let link, let slash = link.firstRange(of: "/\(name)/") else { break }
          target = String(link[slash.lowerBound...])
        }
        #expect((2..<20).contains(pages), "\(name)")
      }
      let far = try await fixture.client.send(Self.target("wordpress", "swift") + "&page=9")
      #expect(far.status == 400)
      #expect(far.json["code"].string == "rest_post_invalid_page_number")
    }
  }

  @Test func `Oddities are as recorded`() async throws {
    try await withSimulator { fixture in
      let dblp = try await fixture.client.send(Self.target("dblp", "swift")).json
      let authors = dblp["result"]["hits"]["hit"].elements.map { $0["info"]["authors"]["author"] }
      #expect(authors.contains { $0["text"].string != nil })
      #expect(authors.contains { $0.elements.count == 2 })
      #expect(dblp["result"]["hits"]["@total"].string != nil)

      let error = try await fixture.client.send("/arxiv/api/query?max_results=x")
      #expect(error.status == 400 && error.text.contains("<title>Error</title>"))
      #expect(error.text.contains("https://arxiv.org/api/errors#"))

      let limited = try await fixture.client.send("/~retry-after=5" + Self.target("wikipedia", "a"))
      #expect(limited.status == 200 && limited.json["error"]["code"].string == "ratelimited")

      let words = try await fixture.client.send("/~retry-after=5" + Self.target("gdelt", "a"))
      #expect(words.status == 200 && words.text.hasPrefix("Please limit requests"))

      let range = try await fixture.client.send(
        Self.target("internetarchive", "a") + "&rows=50&page=201")
      #expect(range.status == 200 && range.text.hasPrefix("[RANGE_OUT_OF_BOUNDS]"))
    }
  }

  @Test func `Flathub takes its query as a body, with pages from 1`() async throws {
    try await withSimulator { fixture in
      func names(_ body: String) async throws -> (Int, [String]) {
        let response = try await fixture.client.send(
          "/flathub/api/v2/search?locale=en", method: "POST",
          headers: ["Content-Type": "application/json"], body: body)
        return (response.status, response.json["hits"].elements.compactMap { $0["app_id"].string })
      }
      let first = try await names(#"{"query":"swift","page":1,"hits_per_page":50}"#)
      let second = try await names(#"{"query":"swift","page":2,"hits_per_page":50}"#)
      #expect(first.1.count == 50 && Set(first.1).isDisjoint(with: second.1) && !second.1.isEmpty)
      #expect(try await names(#"{"query":"swift","page":0}"#).0 == 400)
      #expect(try await names("swift").0 == 400)
      #expect(try await fixture.client.send("/flathub/api/v2/search?query=swift").status == 404)
    }
  }

  @Test func `Dates restrict what is found`() async throws {
    try await withSimulator { fixture in
      let day = "2026-11-19"
      for (name, range) in [
        ("crossref", "&filter=from-created-date:\(day),until-created-date:\(day)"),
        ("openalex", "&filter=from_publication_date:\(day),to_publication_date:\(day)"),
        ("gitlab-issues", "&created_after=\(day)T00:00:00Z&created_before=\(day)T23:59:59Z"),
        ("govuk", "&fields=public_timestamp&filter_public_timestamp=from:\(day),to:\(day)"),
        ("gdelt", "&startdatetime=20261119000000&enddatetime=20261119235959"),
        ("wordpress", "&after=\(day)T00:00:00&before=\(day)T23:59:59"),
        ("sepiasearch", "&startDate=\(day)T00:00:00Z&endDate=\(day)T23:59:59Z"),
      ] {
        let response = try await fixture.client.send(Self.target(name, "swift") + range)
        #expect(response.status == 200, "\(name)")
        let compact = day.replacing("-", with: "")
        #expect(response.text.contains(day) || response.text.contains(compact), "\(name)")
        for other in ["2026-11-16", "20261116T"] {
          #expect(!response.text.contains(other), "\(name)")
        }
      }
      for (name, query) in [
        ("europepmc", "swift%20AND%20(FIRST_PDATE:[\(day)%20TO%20\(day)])"),
        ("zenodo", "(swift)%20AND%20created:[\(day)%20TO%20\(day)]"),
        ("internetarchive", "swift%20AND%20publicdate:[\(day)%20TO%20\(day)]&fl[]=publicdate"),
        ("arxiv", "swift%20AND%20submittedDate:[202611190000%20TO%20202611200000]"),
      ] {
        let response = try await fixture.client.send(Self.target(name, query))
        #expect(response.status == 200 && response.text.contains(day), "\(name)")
        #expect(!response.text.contains("2026-11-16"), "\(name)")
      }
    }
  }
}
