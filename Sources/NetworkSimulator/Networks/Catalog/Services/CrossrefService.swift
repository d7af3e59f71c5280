internal import TextFormats

/// Crossref: the metadata of works. A cursor keeps its text while the server moves it. One of several words is enough,
/// and quotation marks mean nothing.
///
/// <https://api.crossref.org/swagger-ui/index.html>
struct CrossrefService: CatalogService {
  let name = "crossref"
  let routes = [["works"]]
  let parameters: [String: ParameterRule] = [
    "query": .text, "filter": .text, "rows": .integer(0...1000), "offset": .integer(0...10_000),
    "cursor": .text, "select": .text, "mailto": .text, "order": .choice(["asc", "desc"]),
    "sort": .choice([
      "score", "relevance", "updated", "deposited", "indexed", "published", "published-print",
      "published-online", "issued", "created", "is-referenced-by-count", "references-count",
    ]),
  ]
  let pace: (limit: Int, seconds: Int)? = (5, 1)

  private static let cursorStart = "DnF1ZXJ5"
  private static let filters = ["from-created-date", "until-created-date"]

  func state(of request: SimulatedRequest) -> String? {
    // Each new listing begins at `*`.
    Parameters(request.query)["cursor"].map { $0 == "*" ? request.query : $0 }
  }

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let moments = try Self.moments(call["filter"] ?? "")
    var found = call.posts(
      anyOf: (call["query"] ?? "").replacing("\"", with: " "), within: moments)
    if !["created", "published", "issued", "deposited", "indexed"].contains(call["sort"]) {
      found = found.byRelevance
    }
    if call["order"] == "asc" { found.reverse() }
    let (start, rows, cursor) = try place(of: call)
    let page = call.page(found, at: start, size: rows, namesNext: false)
    let items = call.world.items(
      page.shown.map(json), id: "DOI", text: ["title", "abstract"], date: "created")
    return .json(
      .members([
        "status": "ok", "message-type": "work-list", "message-version": "1.0.0",
        "message": .members([
          "facets": .object([]), "next-cursor": call.world.cursor(cursor),
          "total-results": .integer(page.shownTotal), "items": .array(items),
          "items-per-page": .integer(rows),
          "query": .members(["start-index": .integer(0), "search-terms": .text(call["query"])]),
        ]),
      ]), type: "application/json")
  }

  private static func moments(_ filter: String) throws(CatalogError) -> Range<Int> {
    var bounds: [String: String] = [:]
    for part in filter.split(separator: ",") {
      let halves = part.split(separator: ":", maxSplits: 1).map(String.init)
      guard halves.count == 2, filters.contains(halves[0]) else {
        throw CatalogError(
          400, "Filter \(part) specified but there is no such filter for this route.",
          code: "filter-not-available")
      }
      guard DateReading.day(halves[1]) != nil else {
        throw CatalogError(400, "Invalid date \(halves[1]).", code: "date-not-valid")
      }
      bounds[halves[0]] = halves[1]
    }
    return .moments(
      from: bounds[filters[0]].flatMap(FieldedQuery.dayStart),
      before: bounds[filters[1]].flatMap(FieldedQuery.dayEnd))
  }

  /// The number of works before the page and on it, and the cursor of the next one.
  private func place(
    of call: CatalogCall
  ) throws(CatalogError) -> (start: Int, rows: Int, cursor: String?) {
    let rows = call.integer("rows", default: 20)
    guard let cursor = call["cursor"] else {
      return (call.integer("offset", default: 0), rows, nil)
    }
    let turn = call.world.repetition
    if cursor == "*" {
      // Each listing has a cursor of its own, which keeps the size of its pages.
      let mark = StableHash.of(call.request.query, "\(turn)", seed: call.world.seed)
      return (0, rows, "\(Self.cursorStart)\(Alphabet.base62.random(40, seed: mark))-\(rows)")
    }
    guard cursor.hasPrefix(Self.cursorStart),
      let rows = cursor.split(separator: "-").last.flatMap({ Int($0) })
    else { throw CatalogError(404, "Cursor not found.", code: "cursor-not-found") }
    return ((call.world.paging == .selfCursor ? 1 : turn + 1) * rows, rows, cursor)
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let doi = "10.5555/\(post.author.ordinal).\(post.mark % 10_000_000_000)"
    return .members([
      "indexed": date(post.changed), "reference-count": .integer(post.replies),
      "publisher": "An Example Press",
      "abstract": post.has(131, percent: 60)
        ? .string(
          "<jats:title>Abstract</jats:title><jats:p>\(Markup.escaped(post.plainText))</jats:p>")
        : nil,
      "DOI": .string(doi), "type": "journal-article", "created": date(post.milliseconds),
      "source": "Crossref", "is-referenced-by-count": .integer(post.likes),
      "title": .texts([post.title] + (post.has(132, percent: 5) ? ["A second title"] : [])),
      "author": post.has(133, percent: 10) ? nil : .array(post.authors.map(author)),
      "container-title": .texts(["Journal of Examples"]),
      "language": post.has(134, percent: 40) ? post.language.map { .string($0) } : nil,
      "issued": .members([
        "date-parts": .array([
          post.has(135, percent: 20) ? .array([.null]) : dateParts(post.milliseconds)
        ])
      ]),
      "score": .number("21.5"), "URL": .string("https://doi.org/\(doi)"),
    ])
  }

  private func author(_ author: CorpusAuthor) -> JSONValue {
    let words = author.shownName.split(separator: " ")
    let given = words.dropLast().joined(separator: " ")
    return .members([
      "given": given.isEmpty ? nil : .string(given),
      "family": .string(words.last.map(String.init) ?? author.shownName), "sequence": "first",
      "affiliation": .emptyArray,
    ])
  }

  private func date(_ moment: Int) -> JSONValue {
    .members([
      "date-parts": .array([dateParts(moment)]), "date-time": .string(DateForms.seconds(moment)),
      "timestamp": .integer(moment / 1000 * 1000),
    ])
  }

  private func dateParts(_ moment: Int) -> JSONValue {
    .array(DateForms.day(moment).split(separator: "-").compactMap { Int($0) }.map { .integer($0) })
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    guard error.status < 500 else {
      return .html("<html><body><h1>\(error.message)</h1></body></html>", status: error.status)
    }
    return .json(
      .members([
        "status": "failed",
        "message-type": error.status == 404 ? "route-not-found" : "validation-failure",
        "message": .array([
          .members([
            "type": .string(error.code ?? "error"), "value": "", "message": .string(error.message),
          ])
        ]),
      ]), status: error.status)
  }

  func headers(stating level: QuotaLevel) -> [(name: String, value: String)] {
    [
      ("x-rate-limit-limit", "5"), ("x-rate-limit-interval", "1s"), ("x-concurrency-limit", "1"),
      ("x-api-pool", "public"),
    ]
  }
}
