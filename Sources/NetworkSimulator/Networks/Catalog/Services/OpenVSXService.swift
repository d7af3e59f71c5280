internal import TextFormats

/// Open VSX: extensions of editors. The offset in its answers stays 0.
///
/// <https://open-vsx.org/swagger-ui/index.html>,
/// <https://github.com/eclipse/openvsx/blob/master/server/src/main/java/org/eclipse/openvsx/search/ElasticSearchService.java>
struct OpenVSXService: CatalogService {
  let name = "openvsx"
  let routes = [["api", "-", "search"]]
  let parameters: [String: ParameterRule] = [
    "query": .text, "category": .text, "targetPlatform": .text, "size": .integer(0...100),
    "offset": .integer(0...Int.max), "sortOrder": .choice(["asc", "desc"]),
    "sortBy": .choice(["relevance", "timestamp", "rating", "downloadCount"]),
    "includeAllVersions": .text,
  ]

  private static let most = 10_000

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let text = call["query"] ?? ""
    var found = call["sortBy"] == "timestamp" ? call.posts(text) : call.relevantPosts(text)
    if call["sortOrder"] == "asc" { found.reverse() }
    let offset = call.integer("offset", default: 0)
    let size = call.integer("size", default: 18)
    // It fetches the two pages around an offset between them, and cuts them by the whole offset; and it has no more
    // than the window of its search engine.
    if size > 0, offset % size > 0 && offset >= 2 * size || offset + size > Self.most {
      return .json(
        .members(["offset": .integer(0), "totalSize": .integer(0), "extensions": .emptyArray]))
    }
    let page = call.page(found, at: offset, size: size, namesNext: false)
    // Extensions without an active version are left out after paging.
    let active = page.shown.filter { !$0.has(133, percent: 2) }
    let items = call.world.items(
      active.map(json), id: "url", text: ["displayName", "description", "name", "namespace"],
      date: "timestamp")
    return .json(
      .members([
        "offset": .integer(0), "totalSize": .integer(page.total), "extensions": .array(items),
      ]), type: "application/json")
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let name = "words-\(post.mark % 1_000_000_000)"
    let address = "https://open-vsx.org/api/\(post.author.handle)/\(name)"
    let isReviewed = post.has(131, percent: 40)
    return .members([
      "url": .string(address),
      "files": .members(["download": .string("\(address)/1.0.0/file/\(name).vsix")]),
      "name": .string(name), "namespace": .string(post.author.handle), "version": "1.0.0",
      "timestamp": .string(DateForms.microseconds(post.milliseconds)), "verified": .bool(true),
      "averageRating": isReviewed ? .number("4.5") : nil,
      "reviewCount": isReviewed ? .integer(post.replies) : nil,
      "downloadCount": .integer(post.likes), "displayName": .string(post.title),
      "description": post.has(132, percent: 90) ? .string(post.plainText) : nil,
      "deprecated": .bool(false),
    ])
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(.members(["error": .string(error.message)]), status: error.status)
  }
}
