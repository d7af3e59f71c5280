internal import TextFormats

/// Mbin: entries and posts of a server, of both kinds unless one is asked for.
///
/// <https://github.com/MbinOrg/mbin/blob/main/src/Controller/Api/Search/SearchRetrieveApi.php>
struct MbinService: CatalogService {
  let name = "mbin"
  let routes = [["api", "search"]]
  let parameters: [String: ParameterRule] = [
    "q": .required, "p": .integer(1...Int.max), "perPage": .integer(1...100),
    "type": .choice(["entry", "post"]), "authorId": .integer(1...Int.max),
    "magazineId": .integer(1...Int.max),
  ]
  let pace: (limit: Int, seconds: Int)? = (60, 60)

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let found = call.relevantPosts(call["q"] ?? "").filter { post in
      call["type"].map { ($0 == "entry") == isEntry(post) } ?? true
    }
    let page = call.numberedPage(found, by: ("p", "perPage"), size: 25, namesNext: false)
    let items = call.world.items(
      page.shown.map(json), id: "apId", text: ["title", "body"], date: "createdAt")
    return .json(
      .members([
        "items": .array(items),
        "pagination": .members([
          "count": .integer(page.total), "currentPage": .integer(page.number),
          "maxPage": .integer(max(page.pages, 1)), "perPage": .integer(page.size),
        ]),
      ]), type: "application/json")
  }

  private func isEntry(_ post: CorpusPost) -> Bool { post.has(131, percent: 60) }

  private func json(_ post: CorpusPost) -> JSONValue {
    let id = post.mark % 90_000_000 + 1
    let isEntry = isEntry(post)
    return .members([
      "itemType": isEntry ? "entry" : "post", "entryId": isEntry ? .integer(id) : nil,
      "postId": isEntry ? nil : .integer(id), "magazine": .members(["name": "words"]),
      "user": .members([
        "userId": .integer(post.author.mark % 90_000), "username": .string(post.author.handle),
      ]), "title": isEntry ? .string(post.title) : nil, "body": .string(post.plainText),
      "lang": .text(post.language), "numComments": .integer(post.replies),
      "favourites": .integer(post.likes), "isAdult": .bool(post.isSensitive),
      "tags": post.hashtags.isEmpty ? .null : .texts(post.hashtags),
      "createdAt": .string(DateForms.offset(post.milliseconds, hours: 0)),
      "editedAt": post.shape == .edited
        ? .string(DateForms.offset(post.changed, hours: 0)) : .null,
      "apId": .string("https://home.example/m/words/t/\(id)"),
    ])
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(
      .members([
        "type": "https://tools.ietf.org/html/rfc2616#section-10", "title": "An error occurred",
        "status": .integer(error.status), "detail": .string(error.message),
      ]), status: error.status, type: "application/problem+json")
  }

  func headers(stating level: QuotaLevel) -> [(name: String, value: String)] {
    [
      ("X-RateLimit-Remaining", "\(level.remaining)"),
      ("X-RateLimit-Retry-After", "\(level.reset / 1000)"),
      ("X-RateLimit-Limit", "\(level.quota.limit)"),
    ]
  }

  func slowDown(_ wait: Wait) -> SimulatedAnswer {
    failure(CatalogError(429, "Too Many Requests")).adding(
      "X-RateLimit-Retry-After", "\(wait.endSeconds)")
  }
}
