internal import TextFormats

/// The Directory of Open Access Journals: articles. The query is in the path, without wildcards.
///
/// <https://doaj.org/api/docs>
struct DOAJService: CatalogService {
  let name = "doaj"
  let routes = [["api", "search", "articles", "*"]]
  let parameters: [String: ParameterRule] = [
    "page": .integer(1...Int.max), "pageSize": .integer(1...100), "sort": .text,
  ]
  let pace: (limit: Int, seconds: Int)? = (5, 2)

  private static let mostArticles = 1000

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let query = call.segments[0]
    guard !query.contains(where: { "*~/?".contains($0) }) else {
      throw CatalogError(400, "Query contains disallowed Lucene features")
    }
    _ = try FieldedQuery(query, field: "", start: { _ in nil }, end: { _ in nil })
    let found: [CorpusPost]
    switch call["sort"] {
    case "created_date:desc": found = call.posts(query)
    case nil: found = call.relevantPosts(query)
    default: throw CatalogError(400, "Sort parameter is malformed")
    }
    let size = call.integer("pageSize", default: 10)
    let number = call.integer("page", default: 1)
    let start = (number - 1).multipliedReportingOverflow(by: size).partialValue
    guard start < Self.mostArticles else {
      throw CatalogError(400, "You cannot access results beyond 1000 records via this API.")
    }
    let page = call.page(found, at: start, size: size)
    let items = call.world.items(
      page.shown.map(json), id: "id", text: ["bibjson"], date: "created_date")
    let isStuck = call.world.paging == .selfCursor && number > 1
    let next = page.next.map { _ in
      call.address(["page": "\(isStuck ? number : number + 1)", "pageSize": "\(size)"])
    }
    let answer = SimulatedAnswer.json(
      .members([
        "total": .integer(page.total), "page": .integer(number), "pageSize": .integer(size),
        "timestamp": .string(DateForms.microseconds(call.world.now)), "query": .string(query),
        "results": .array(items), "next": next.map { .string($0) },
      ]), type: "application/json")
    return answer.adding("x-total-count", "\(page.total)")
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let links: [JSONValue] =
      post.has(131, percent: 15)
      ? []
      : [
        .members([
          "content_type": "HTML", "type": "fulltext",
          "url": .string("https://journal.example/article/\(post.mark % 1_000_000_000)"),
        ])
      ]
    return .members([
      "last_updated": .string(DateForms.seconds(post.changed)),
      "bibjson": .members([
        "identifier": .array([.members(["id": "10.5555/1", "type": "doi"])]),
        "journal": .members([
          "language": .texts(post.language.map { [$0.uppercased()] } ?? []),
          "title": "Journal of Examples",
        ]), "year": "2026",
        "author": .array(post.authors.map { .members(["name": .string($0.shownName)]) }),
        // Texts hold markup and entities.
        "link": .array(links), "abstract": .string(Markup.escaped(post.plainText)),
        "keywords": post.hashtags.isEmpty ? nil : .texts(post.hashtags.map { "<i>\($0)</i>" }),
        "title": .string("<i>\(Markup.escaped(post.title))</i>"),
      ]), "id": .string(Alphabet.hexadecimal.random(32, seed: post.mark)),
      "created_date": .string(DateForms.seconds(post.milliseconds)),
    ])
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(
      .members(["status": "bad_request", "error": .string(error.message)]), status: error.status)
  }
}
