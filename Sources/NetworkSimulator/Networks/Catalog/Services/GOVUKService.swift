internal import TextFormats

/// GOV.UK: what the government publishes. Only fields that are asked for come back. Of words without quotation marks
/// one is enough, or a part of many.
///
/// <https://github.com/alphagov/search-api/blob/main/lib/search/query_components/core_query.rb>
/// <https://github.com/alphagov/search-api/blob/main/docs/using-the-search-api.md>
struct GOVUKService: CatalogService {
  let name = "govuk"
  let routes = [["api", "search.json"]]
  let parameters: [String: ParameterRule] = [
    "q": .text, "fields": .text, "filter_public_timestamp": .text, "start": .integer(0...Int.max),
    "order": .choice(["public_timestamp", "-public_timestamp"]), "count": .integer(0...1500),
  ]

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let moments = try Self.moments(call["filter_public_timestamp"] ?? "")
    let text = call["q"] ?? ""
    var found = call.posts(anyOf: text, within: moments)
    if call["order"] == nil { found = found.byRelevance }
    if call["order"] == "public_timestamp" { found.reverse() }
    let start = call.integer("start", default: 0)
    let page = call.page(
      found, at: start, size: call.integer("count", default: 10), namesNext: false)
    let fields = Set(
      call.parameters.all("fields").flatMap { $0.split(separator: ",").map(String.init) })
    let items = call.world.items(
      page.shown.map { json($0, fields) }, id: "_id", text: ["title", "description"],
      date: "public_timestamp")
    return .json(
      .members([
        "results": .array(items), "total": .integer(page.total), "start": .integer(start),
        "facets": .object([]), "suggested_queries": .emptyArray,
      ]))
  }

  /// Reads `from:2026-11-01,to:2026-11-20`, either alone.
  private static func moments(_ filter: String) throws(CatalogError) -> Range<Int> {
    var (start, end): (Int?, Int?)
    for part in filter.split(separator: ",") {
      let halves = part.split(separator: ":", maxSplits: 1).map(String.init)
      guard halves.count == 2, let day = DateReading.day(halves[1]) else {
        throw CatalogError(422, "Invalid \"\(part)\" for date parameter \"public_timestamp\"")
      }
      switch halves[0] {
      case "from": start = day
      case "to": end = FieldedQuery.dayEnd(halves[1])
      default:
        throw CatalogError(422, "Invalid \"\(part)\" for date parameter \"public_timestamp\"")
      }
    }
    return .moments(from: start, before: end)
  }

  private func json(_ post: CorpusPost, _ fields: Set<String>) -> JSONValue {
    let link = "/government/publications/words-\(post.mark % 1_000_000_000)"
    let all: KeyValuePairs<String, JSONValue?> = [
      "title": .string(post.title), "description": .string(post.plainText), "link": .string(link),
      "organisations": .array([
        .members([
          "slug": "department", "link": "/government/organisations/department",
          "title": .string("Department of \(post.author.shownName)"), "acronym": "DE",
        ])
      ]), "public_timestamp": .string(DateForms.milliseconds(post.milliseconds)),
    ]
    let own: KeyValuePairs<String, JSONValue?> = [
      "index": "government", "es_score": .null, "_id": .string(link),
      "elasticsearch_type": "edition", "document_type": "edition",
    ]
    return .object(
      (all.filter { fields.contains($0.key) } + own.map { ($0.key, $0.value) })
        .compactMap { key, value in value.map { JSONMember(key, $0) } })
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    let status = error.status == 400 ? 422 : error.status
    return .json(.members(["error": .string(error.message)]), status: status)
  }
}
