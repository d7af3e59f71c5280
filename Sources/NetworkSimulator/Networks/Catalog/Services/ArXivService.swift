internal import TextFormats

/// arXiv: papers as an Atom feed.
///
/// An error is an entry, too. <https://info.arxiv.org/help/api/user-manual.html>
struct ArXivService: CatalogService {
  let name = "arxiv"
  let routes = [["api", "query"]]
  let parameters: [String: ParameterRule] = [
    "search_query": .text, "id_list": .text, "start": .integer(0...30_000),
    "max_results": .integer(0...2000),
    "sortBy": .choice(["relevance", "lastUpdatedDate", "submittedDate"]),
    "sortOrder": .choice(["ascending", "descending"]),
  ]
  let pace: (limit: Int, seconds: Int)? = (1, 3)

  private static let prefixes = ["all:", "ti:", "abs:", "au:", "cat:"]

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let query = try FieldedQuery(
      call["search_query"] ?? "", field: "submittedDate", start: Self.minute, end: Self.minute)
    // Without a field a word finds what any other finds; `AND` is between all of them.
    let words = query.words.split(separator: " ").map { word in
      let bare = word.drop { $0 == "(" }
      let prefix = Self.prefixes.first(where: bare.hasPrefix) ?? ""
      return bare.dropFirst(prefix.count)
    }
    let found =
      call["sortBy"] == "submittedDate"
      ? call.posts(words.joined(separator: " "), within: query.moments)
      : call.relevantPosts(words.joined(separator: " "), within: query.moments)
    let start = call.integer("start", default: 0)
    let page = call.page(
      found, at: start, size: call.integer("max_results", default: 10), namesNext: false)
    let entries = call.world.items(
      page.shown.map(Self.entry), id: "id", text: ["title", "summary"], date: "published")
    return feed(
      entries.map(Self.xml), title: "arXiv Query", total: page.total, start: start)
  }

  /// Reads `YYYYMMDDhhmm`.
  private static func minute(_ text: String) -> Int? {
    text.utf8.count == 12 ? DateReading.digits(text + "00") : nil
  }

  private static func entry(_ post: CorpusPost) -> JSONValue {
    let month = 10 + post.mark % 2
    // Versions keep papers apart whose numbers are equal by chance.
    let version = 1 + post.mark / 89_999 % 30
    let number = "26\(month).\(10_000 + post.mark % 89_999)v\(version)"
    return .members([
      "id": .string("http://arxiv.org/abs/\(number)"), "title": .string(post.title),
      "updated": .string(DateForms.seconds(post.changed)),
      "link": .string("https://arxiv.org/abs/\(number)"),
      "pdf": .string("https://arxiv.org/pdf/\(number)"),
      "summary": .string(post.plainText),
      "category": .texts(["cs.SE"] + (post.has(97, percent: 30) ? ["cs.PL"] : [])),
      "published": .string(DateForms.seconds(post.milliseconds)),
      "author": .texts(post.authors.map(\.shownName)),
    ])
  }

  private static func xml(_ entry: JSONValue) -> String {
    AtomElement.entry(entry) { entry in
      [
        entry.element("id"), entry.element("title"), entry.element("updated"),
        entry.link("link", rel: "alternate"), entry.link("pdf", rel: "related"),
        entry.element("summary"),
        entry.texts("category").map {
          "<category term=\"\($0)\" scheme=\"http://arxiv.org/schemas/atom\"/>"
        }
        .joined(separator: "\n"),
        entry.element("published"), "<arxiv:primary_category term=\"cs.SE\"/>",
        entry.texts("author").map { "<author>\n<name>\($0)</name>\n</author>" }
          .joined(separator: "\n"),
      ]
    }
  }

  private func feed(
    _ entries: [String], title: String, total: Int, start: Int, status: Int = 200
  ) -> SimulatedAnswer {
    let text = """
      <?xml version='1.0' encoding='UTF-8'?>
      <feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" \
      xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
      <id>https://arxiv.org/</id>
      <title>\(title)</title>
      <updated>2026-11-20T12:00:00Z</updated>
      <opensearch:itemsPerPage>\(entries.count)</opensearch:itemsPerPage>
      <opensearch:totalResults>\(total)</opensearch:totalResults>
      <opensearch:startIndex>\(start)</opensearch:startIndex>
      \(entries.joined(separator: "\n"))
      </feed>

      """
    return SimulatedAnswer(
      status: status, headers: [("Content-Type", "application/atom+xml; charset=utf-8")],
      body: Array(text.utf8))
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    guard error.status == 400 else {
      return .html("<html><body><h1>\(error.message)</h1></body></html>", status: error.status)
    }
    let id = "https://arxiv.org/api/errors#\(error.message.lowercased().replacing(" ", with: "_"))"
    let entry = """
      <entry>
      <id>\(Markup.escaped(id))</id>
      <title>Error</title>
      <updated>2026-11-20T12:00:00Z</updated>
      <link href="\(Markup.escaped(id))" rel="alternate" type="text/html"/>
      <summary>\(Markup.escaped(error.message))</summary>
      <author>
      <name>arXiv api core</name>
      </author>
      </entry>
      """
    return feed([entry], title: "arXiv Search Results", total: 1, start: 0, status: 400)
  }
}
