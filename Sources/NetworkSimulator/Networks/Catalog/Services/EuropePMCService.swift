internal import TextFormats

/// Europe PMC: articles of the life sciences. A sort order that it does not know finds nothing.
///
/// <https://europepmc.org/RestfulWebService>
struct EuropePMCService: CatalogService {
  let name = "europepmc"
  let routes = [["europepmc", "webservices", "rest", "search"]]
  let parameters: [String: ParameterRule] = [
    "query": .required, "format": .choice(["json", "xml", "dc"]),
    "resultType": .choice(["idlist", "lite", "core"]), "pageSize": .integer(1...1000),
    "cursorMark": .text, "sort": .text, "synonym": .text,
  ]
  let pace: (limit: Int, seconds: Int)? = (10, 1)

  private static let sorts = ["P_PDATE_D desc", "P_PDATE_D asc", "CITED desc", "CITED asc"]

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    guard call["format"] == "json" else {
      return SimulatedAnswer(
        headers: [("Content-Type", "application/xml;charset=UTF-8")],
        body: Array("<responseWrapper/>".utf8))
    }
    let query = try FieldedQuery(
      call["query"] ?? "", field: "FIRST_PDATE", start: FieldedQuery.dayStart,
      end: FieldedQuery.dayEnd)
    let sort = call["sort"] ?? ""
    var found =
      sort.hasPrefix("P_PDATE_D")
      ? call.posts(query.words, within: query.moments)
      : call.relevantPosts(query.words, within: query.moments)
    if sort.hasSuffix("asc") { found.reverse() }
    if !sort.isEmpty, !Self.sorts.contains(sort) { found = [] }
    guard let start = OffsetCursor.solr.offset(call["cursorMark"] ?? "*", first: "*") else {
      throw CatalogError(400, "Unable to parse 'cursorMark'")
    }
    let size = call.integer("pageSize", default: 25)
    let page = call.page(found, at: start, size: size)
    let isCore = call["resultType"] == "core"
    let items = call.world.items(
      page.shown.map { json($0, isCore: isCore) }, id: "id", text: ["title", "abstractText"],
      date: "firstPublicationDate")
    return .json(
      .members([
        "version": "6.9", "hitCount": .integer(page.total),
        "nextCursorMark": call.world.cursor(page.next.map { OffsetCursor.solr.text($0) }),
        "request": .members([
          "queryString": .string(call["query"] ?? ""), "resultType": .text(call["resultType"]),
          "cursorMark": .string(call["cursorMark"] ?? "*"), "pageSize": .integer(size),
          "sort": .string(sort), "synonym": .bool(false),
        ]), "resultList": .members(["result": .array(items)]),
      ]), type: "application/json;charset=UTF-8")
  }

  private func json(_ post: CorpusPost, isCore: Bool) -> JSONValue {
    let id = "\(post.mark % 90_000_000 + 1)"
    let names = post.authors.map(\.shownName)
    return .members([
      "id": .string(id), "source": .string(post.has(131, percent: 20) ? "PPR" : "MED"),
      // Markup in a title is escaped once more.
      "title": .string(Markup.escaped(post.title) + "."),
      "authorString": .string(names.joined(separator: ", ") + "."),
      "authorList": isCore
        ? .members([
          "author": .array(names.map { .members(["fullName": .string($0)]) })
        ]) : nil,
      "pubYear": "2026", "abstractText": isCore ? .string(Markup.paragraphs(post.pieces)) : nil,
      "language": isCore ? .text(post.language.flatMap { Self.languages[$0] }) : nil,
      "citedByCount": .integer(post.likes), "isOpenAccess": "N",
      "firstIndexDate": .string(DateForms.day(post.milliseconds)),
      "firstPublicationDate": .string(DateForms.day(post.milliseconds)),
    ])
  }

  static let languages = [
    "en": "eng", "de": "ger", "ja": "jpn", "es": "spa", "fr": "fre", "pt": "por",
  ]

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(
      .members(["errCode": .integer(error.status), "errMsg": .string(error.message)]),
      status: error.status)
  }
}
