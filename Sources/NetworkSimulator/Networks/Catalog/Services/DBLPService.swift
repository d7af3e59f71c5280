internal import TextFormats

/// dblp: publications of computer science. Without hits there is no list, one author is no list, and
/// numbers are texts.
///
/// <https://dblp.org/faq/How+to+use+the+dblp+search+API.html>
struct DBLPService: CatalogService {
  let name = "dblp"
  let routes = [["search", "publ", "api"]]
  let parameters: [String: ParameterRule] = [
    "q": .required, "format": .choice(["xml", "json", "jsonp"]), "h": .integer(0...1000),
    "f": .integer(0...10_000), "c": .integer(0...1000),
  ]
  let pace: (limit: Int, seconds: Int)? = (60, 60)

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    guard call["format"] == "json" else {
      return SimulatedAnswer(
        headers: [("Content-Type", "text/xml; charset=utf-8")], body: Array("<result/>".utf8))
    }
    let found = call.relevantPosts(call["q"] ?? "")
    let start = call.integer("f", default: 0)
    let page = call.page(found, at: start, size: call.integer("h", default: 30), namesNext: false)
    let hits = call.world.items(
      page.shown.map(json), id: "info", text: ["info"], date: "@score")
    return .json(
      .members([
        "result": .members([
          "query": .string((call["q"] ?? "") + "*"),
          "status": .members(["@code": "200", "text": "OK"]),
          "time": .members(["@unit": "msecs", "text": "2.93"]),
          "completions": .members([
            "@total": "1", "@computed": "1", "@sent": .string(call["c"] == "0" ? "0" : "1"),
          ]),
          "hits": .members([
            "@total": .string("\(page.total)"), "@computed": .string("\(page.total)"),
            "@sent": .string("\(hits.count)"), "@first": .string("\(start)"),
            "hit": hits.isEmpty ? nil : .array(hits),
          ]),
        ])
      ]), type: "application/json; charset=utf-8")
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let key = "conf/ex/\(post.author.handle)\(post.mark % 1_000_000_000)"
    let authors = post.authors.map { author in
      JSONValue.members([
        "@pid": .string("\(author.ordinal)/\(author.mark % 10_000)"),
        "text": .string(author.shownName + (author.ordinal % 9 == 0 ? " 0001" : "")),
      ])
    }
    let ee =
      post.has(131, percent: 80) ? "https://doi.org/10.5555/\(post.mark % 1_000_000_000)" : nil
    return .members([
      "@score": "5", "@id": .string("\(post.mark % 9_000_000)"),
      "info": .members([
        "authors": .members(["author": authors.count == 1 ? authors[0] : .array(authors)]),
        "title": .string(Markup.escaped(post.title).replacing("&#39;", with: "&apos;") + "."),
        "venue": "Symposium on Examples", "year": "2026",
        "type": "Conference and Workshop Papers", "access": "closed", "key": .string(key),
        "ee": ee.map { .string($0) }, "url": .string("https://dblp.org/rec/\(key)"),
      ]), "url": .string("URL#\(post.mark % 9_000_000)"),
    ])
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .html(
      "<html><head><title>\(error.status) \(Markup.escaped(error.message))</title></head></html>",
      status: error.status)
  }
}
