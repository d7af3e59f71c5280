internal import TextFormats

/// Sepia Search, the index of PeerTube's servers: videos.
///
/// <https://docs.joinpeertube.org/api-rest-reference.html#tag/Search/operation/searchVideos>
struct SepiaSearchService: CatalogService {
  let name: String
  let routes = [["api", "v1", "search", "videos"]]
  let parameters: [String: ParameterRule] = [
    "search": .required, "start": .integer(0...Int.max), "count": .integer(1...100),
    "nsfw": .choice(["true", "false", "both"]), "startDate": .moment, "endDate": .moment,
    "sort": .choice(["-publishedAt", "publishedAt", "-createdAt", "-match", "-views", "-likes"]),
    "languageOneOf": .text, "tagsOneOf": .text,
  ]

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let moments = Range.moments(
      from: call["startDate"].flatMap { DateReading.rfc3339($0) },
      before: call["endDate"].flatMap { DateReading.rfc3339($0) }.map { $0 + 1 })
    let text = call["search"] ?? ""
    var found =
      call["sort"]?.hasSuffix("publishedAt") == true
      ? call.posts(text, within: moments) : call.relevantPosts(text, within: moments)
    if call["sort"] == "publishedAt" { found.reverse() }
    if call["nsfw"] == "false" { found = found.filter { !$0.isSensitive } }
    let page = call.page(
      found, at: call.integer("start", default: 0), size: call.integer("count", default: 15),
      namesNext: false)
    let items = call.world.items(
      page.shown.map(json), id: "uuid", text: ["name", "description"], date: "publishedAt")
    return .json(.members(["total": .integer(page.total), "data": .array(items)]))
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let hexadecimal = Array(Alphabet.hexadecimal.random(32, seed: post.mark))
    let uuid = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(hexadecimal[$0]) }
      .joined(separator: "-")
    let host = "tube\(post.author.ordinal % 5).example"
    return .members([
      "id": .integer(post.mark % 90_000), "uuid": .string(uuid), "score": .integer(1),
      "createdAt": .string(DateForms.milliseconds(post.milliseconds - 60_000)),
      "updatedAt": .string(DateForms.milliseconds(post.milliseconds + 300_000)),
      "publishedAt": .string(DateForms.milliseconds(post.milliseconds)),
      "originallyPublishedAt": "1970-01-01T00:00:00.000Z",
      "category": .members(["id": .integer(15), "label": "Science & Technology"]),
      "language": .members(["id": .text(post.language), "label": "A language"]),
      "privacy": .members(["id": .integer(1), "label": "Public"]), "name": .string(post.title),
      "description": .string(String(post.plainText.prefix(250))), "duration": .integer(42),
      "tags": post.has(131, percent: 80) ? .texts(post.hashtags) : .null,
      "thumbnailUrl": .string("https://\(host)/thumbnails/\(uuid).jpg"),
      "url": .string("https://\(host)/videos/watch/\(uuid)"), "views": .integer(post.reposts * 9),
      "likes": .integer(post.likes), "dislikes": .integer(0), "comments": .integer(post.replies),
      "isLive": .bool(false), "nsfw": .bool(post.isSensitive),
      "account": .members([
        "id": .integer(4), "name": .string(post.author.handle),
        "displayName": .string(post.author.shownName), "host": .string(host),
        "url": .string("https://\(host)/accounts/\(post.author.handle)"),
      ]),
      "channel": .members(["id": .integer(3), "name": "channel", "host": .string(host)]),
    ])
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(
      .members([
        "type": "about:blank", "title": .string(ReasonPhrase.of(error.status)),
        "detail": .string(error.message), "status": .integer(error.status),
        "error": .string(error.message),
      ]), status: error.status, type: "application/problem+json; charset=utf-8")
  }
}
