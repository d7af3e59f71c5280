internal import TextFormats

/// Zenodo: records of research, 25 on a page for anonymous clients.
///
/// <https://developers.zenodo.org/>
struct ZenodoService: CatalogService {
  let name = "zenodo"
  let routes = [["api", "records"]]
  let parameters: [String: ParameterRule] = [
    "q": .text, "size": .text, "page": .integer(1...Int.max), "status": .text,
    "sort": .choice(["bestmatch", "mostrecent", "-mostrecent", "newest", "oldest"]),
    "all_versions": .text, "type": .text, "subtype": .text, "communities": .text,
  ]
  let pace: (limit: Int, seconds: Int)? = (30, 60)

  private static let largest = 25

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let size = call.integer("size", default: 10)
    guard (1...Self.largest).contains(size) else {
      throw CatalogError(
        400,
        "Page size cannot be greater than 25. Please use authenticated requests to increase "
          + "the limit to 100.")
    }
    let query = try FieldedQuery(
      call["q"] ?? "", field: "created", start: FieldedQuery.dayStart, end: FieldedQuery.dayEnd)
    let found =
      call["sort"] == "mostrecent"
      ? call.posts(query.words, within: query.moments)
      : call.relevantPosts(query.words, within: query.moments)
    let number = call.integer("page", default: 1)
    let page = call.page(
      found, at: (number - 1).multipliedReportingOverflow(by: size).partialValue, size: size)
    let items = call.world.items(
      page.shown.map(json), id: "id", text: ["metadata"], date: "created")
    let isStuck = call.world.paging == .selfCursor && number > 1
    return .json(
      .members([
        "hits": .members(["hits": .array(items), "total": .integer(page.total)]),
        "aggregations": .object([]),
        "links": .members([
          "self": .string(call.address(["page": "\(number)"])),
          "next": page.next.map { _ in
            .string(call.address(["page": "\(isStuck ? number : number + 1)"]))
          },
        ]),
      ]), type: "application/json")
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let id = post.mark % 90_000_000 + 1
    return .members([
      "created": .string(Self.date(post.milliseconds)),
      "modified": .string(Self.date(post.changed)),
      "id": .integer(id), "doi": .string("10.5281/zenodo.\(id)"),
      "metadata": .members([
        "title": .string(post.title),
        "publication_date": .string(DateForms.day(post.milliseconds)),
        "description": .string(Markup.paragraphs(post.pieces)), "access_right": "open",
        "creators": .array(post.authors.map { .members(["name": .string($0.shownName)]) }),
        "keywords": post.hashtags.isEmpty ? nil : .texts(post.hashtags),
        "language": post.has(131, percent: 50)
          ? post.language.flatMap { EuropePMCService.languages[$0] }.map { .string($0) } : nil,
      ]), "title": .string(post.title),
      "links": .members([
        "self": .string("https://zenodo.org/api/records/\(id)"),
        "self_html": .string("https://zenodo.org/records/\(id)"),
      ]), "updated": .string(Self.date(post.changed)), "recid": .string("\(id)"),
      "stats": .members([
        "downloads": .integer(post.replies), "unique_downloads": .integer(post.replies),
        "views": .integer(post.likes), "unique_views": .integer(post.likes),
      ]),
    ])
  }

  /// `2024-02-12T13:33:18.199167+00:00`
  private static func date(_ moment: Int) -> String {
    DateForms.microseconds(moment).dropLast() + "+00:00"
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(
      .members(["status": .integer(error.status), "message": .string(error.message)]),
      status: error.status)
  }

  func headers(stating level: QuotaLevel) -> [(name: String, value: String)] {
    [
      ("X-RateLimit-Limit", "\(level.quota.limit)"),
      ("X-RateLimit-Remaining", "\(level.remaining)"),
      ("X-RateLimit-Reset", "\(level.reset / 1000)"),
    ]
  }
}
