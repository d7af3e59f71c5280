internal import TextFormats

/// Flathub: apps. The query is the body of a POST, and pages count from 1.
///
/// <https://flathub.org/api/v2/docs>
struct FlathubService: CatalogService {
  let name = "flathub"
  let method = "POST"
  let routes = [["api", "v2", "search"]]
  let parameters: [String: ParameterRule] = [
    "locale": .text, "query": .required, "page": .integer(1...Int.max),
    "hits_per_page": .integer(1...1000), "filters": .text,
  ]

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let found = call.posts(anyOf: call["query"] ?? "").byRelevance
    let page = call.numberedPage(found, by: ("page", "hits_per_page"), size: 21)
    let items = call.world.items(
      page.shown.map(json), id: "app_id", text: ["name", "summary", "description"],
      date: "added_at")
    return .json(
      .members([
        "hits": .array(items), "query": .string(call["query"] ?? ""),
        "processingTimeMs": .integer(3), "hitsPerPage": .integer(page.size),
        "page": .integer(page.number), "totalPages": .integer(page.pages),
        "totalHits": .integer(page.total), "facetDistribution": .object([]),
        "facetStats": .object([]),
      ]), type: "application/json")
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let id = "org.\(post.author.handle).Words\(post.mark % 1_000_000_000)"
    return .members([
      "name": .string(post.title),
      "keywords": post.has(131, percent: 80) ? .texts(post.hashtags) : .null,
      "summary": .string(post.title), "description": .string(post.plainText),
      "id": .string(id.replacing(".", with: "_")), "type": "desktop-application",
      "app_id": .string(id), "main_categories": "utility", "sub_categories": .emptyArray,
      "developer_name": post.has(132, percent: 90) ? .string(post.author.shownName) : .null,
      "verification_verified": .bool(false), "updated_at": .integer(post.changed / 1000),
      "arches": .texts(["x86_64"]), "added_at": .integer(post.seconds),
      "trending": .number("5.0"), "installs_last_month": .integer(post.likes),
      "favorites_count": post.has(133, percent: 50) ? .integer(post.reposts) : .null,
      "isMobileFriendly": .bool(false),
    ])
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(.members(["detail": .string(error.message)]), status: error.status)
  }
}
