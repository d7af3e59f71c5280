internal import TextFormats

/// OpenAlex: works, by the day of their publication. Abstracts are an index of words.
///
/// <https://developers.openalex.org/>
struct OpenAlexService: CatalogService {
  let name = "openalex"
  let routes = [["works"]]
  let parameters: [String: ParameterRule] = [
    "search": .text, "filter": .text, "sort": .text, "per-page": .integer(1...200),
    "per_page": .integer(1...200), "page": .integer(1...10_000), "cursor": .text, "select": .text,
    "mailto": .text, "api_key": .text,
  ]
  let pace: (limit: Int, seconds: Int)? = (100, 86_400)

  private static let most = 10_000

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let moments = try Self.moments(call["filter"] ?? "")
    var found = call.posts(call["search"] ?? "", within: moments)
    switch call["sort"] {
    case "publication_date:desc": break
    case "publication_date", "publication_date:asc": found.reverse()
    case nil, "relevance_score:desc", "cited_by_count:desc":
      found = found.byRelevance
    default: throw CatalogError(403, "Invalid sort parameter.")
    }
    let size = parameterSize(call)
    let number = call.integer("page", default: 1)
    var start = (number - 1) * size
    if let cursor = call["cursor"] {
      guard let place = OffsetCursor.openAlex.offset(cursor, first: "*") else {
        throw CatalogError(403, "Cursor value is invalid.")
      }
      start = place
    } else if number * size > Self.most {
      throw CatalogError(403, "Maximum results size of 10,000 records is exceeded.")
    }
    let page = call.page(found, at: start, size: size, namesNext: call["cursor"] != nil)
    let items = call.world.items(
      page.shown.map(json), id: "id", text: ["title", "display_name"], date: "publication_date")
    let isByCursor = call["cursor"] != nil
    let next = page.next.map { OffsetCursor.openAlex.text($0) }
    return .json(
      .members([
        "meta": .members([
          "count": .integer(page.total), "db_response_time_ms": .integer(29),
          "page": isByCursor ? .null : .integer(number), "per_page": .integer(size),
          "next_cursor": isByCursor ? call.world.cursor(next) ?? .null : nil, "groups_count": .null,
        ]), "results": .array(items), "group_by": .emptyArray,
      ]), type: "application/json")
  }

  private func parameterSize(_ call: CatalogCall) -> Int {
    call.integer("per-page", default: call.integer("per_page", default: 25))
  }

  private static func moments(_ filter: String) throws(CatalogError) -> Range<Int> {
    var (start, end): (Int?, Int?)
    for part in filter.split(separator: ",") {
      let halves = part.split(separator: ":", maxSplits: 1).map(String.init)
      switch (halves.first, halves.count) {
      case ("from_publication_date", 2): start = FieldedQuery.dayStart(halves[1])
      case ("to_publication_date", 2): end = FieldedQuery.dayEnd(halves[1])
      default: throw CatalogError(403, "\(part) is not a valid field.")
      }
      guard DateReading.day(halves[1]) != nil else {
        throw CatalogError(403, "Value for param \(halves[0]) must be a valid date.")
      }
    }
    return .moments(from: start, before: end)
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let id = "https://openalex.org/W\(post.mark % 9_000_000_000 + 1)"
    let page =
      post.has(131, percent: 20) ? nil : "https://doi.org/10.5555/\(post.mark % 1_000_000_000)"
    return .members([
      "id": .string(id), "doi": .text(page), "title": .string(Markup.escaped(post.title)),
      "display_name": .string(Markup.escaped(post.title)), "relevance_score": .number("804.17926"),
      "publication_year": .integer(2026),
      "publication_date": .string(DateForms.day(post.milliseconds)),
      "language": .text(post.language),
      "primary_location": .members(["is_oa": .bool(false), "landing_page_url": .text(page)]),
      "type": "article",
      "authorships": .array(
        post.authors.map { author in
          .members([
            "author_position": "first",
            "author": .members([
              "id": .string("https://openalex.org/A\(author.mark % 9_000_000_000)"),
              "display_name": .string(author.shownName), "orcid": .null,
            ]), "raw_author_name": .string(author.shownName),
          ])
        }),
      "cited_by_count": .integer(post.likes),
      "keywords": names(post.hashtags, in: "keywords"),
      "topics": names(["Software Engineering"], in: "topics"),
      "concepts": names(["Computer science"], in: "concepts"),
      "abstract_inverted_index": post.has(132, percent: 60)
        ? .members(["An": .array([.integer(0)]), "abstract": .array([.integer(1)])]) : .null,
    ])
  }

  private func names(_ names: [String], in list: String) -> JSONValue {
    .array(
      names.map {
        .members([
          "id": .string("https://openalex.org/\(list)/1"), "display_name": .string($0),
          "score": .number("0.5"),
        ])
      })
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(
      .members(["error": "Invalid query parameters error.", "message": .string(error.message)]),
      status: error.status)
  }

  func headers(stating level: QuotaLevel) -> [(name: String, value: String)] {
    [
      ("X-RateLimit-Limit", "\(level.quota.limit)"),
      ("X-RateLimit-Remaining", "\(level.remaining)"), ("X-RateLimit-Reset", "3600"),
    ]
  }
}
