internal import TextFormats

/// The Internet Archive: items. Only fields that are asked for come back, a single value as a text and
/// several as a list.
///
/// <https://archive.org/advancedsearch.php>
struct InternetArchiveService: CatalogService {
  let name = "internetarchive"
  let routes = [["advancedsearch.php"]]
  let parameters: [String: ParameterRule] = [
    "q": .required, "fl[]": .text, "sort[]": .choice(["publicdate desc", "downloads desc"]),
    "rows": .integer(0...10_000), "page": .integer(1...Int.max), "output": .choice(["json"]),
  ]

  private static let most = 10_000

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let query = try FieldedQuery(
      call["q"] ?? "", field: "publicdate", start: FieldedQuery.dayStart, end: FieldedQuery.dayEnd)
    let found =
      call["sort[]"] == "publicdate desc"
      ? call.posts(query.words, within: query.moments)
      : call.relevantPosts(query.words, within: query.moments)
    let page = call.numberedPage(found, by: ("page", "rows"), size: 50, namesNext: false)
    guard page.number.multipliedReportingOverflow(by: page.size).partialValue <= Self.most,
      page.number <= Self.most
    else {
      // Plain text that calls itself JSON.
      return SimulatedAnswer(
        headers: [("Content-Type", "application/json")],
        body: Array(
          "[RANGE_OUT_OF_BOUNDS] paging is only supported through 10000 results".utf8))
    }
    let fields = Set(call.parameters.all("fl"))
    let items = call.world.items(
      page.shown.map { json($0, fields) }, id: "identifier", text: ["title", "description"],
      date: "publicdate")
    return .json(
      .members([
        "responseHeader": .members(["status": .integer(0), "QTime": .integer(36)]),
        "response": .members([
          "numFound": .integer(page.total), "start": .integer((page.number - 1) * page.size),
          "docs": .array(items),
        ]),
      ]), type: "application/json")
  }

  private func json(_ post: CorpusPost, _ fields: Set<String>) -> JSONValue {
    let all: KeyValuePairs<String, JSONValue?> = [
      "identifier": .string("words-\(post.author.handle)-\(post.mark % 1_000_000_000)"),
      "title": .string(post.title), "description": .string(post.plainText),
      "creator": one(of: post.authors.map(\.shownName)),
      "publicdate": post.has(131, percent: 5) ? nil : .string(DateForms.seconds(post.milliseconds)),
      "downloads": .integer(post.likes), "language": post.language.map { .string($0) },
      "subject": one(of: post.hashtags), "mediatype": "texts",
    ]
    return .object(
      all.filter { fields.contains($0.key) }
        .compactMap { key, value in value.map { JSONMember(key, $0) } })
  }

  private func one(of texts: [String]) -> JSONValue? {
    texts.count > 1 ? .texts(texts) : texts.first.map { .string($0) }
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(.members(["error": .string(error.message)]), status: error.status)
  }
}
