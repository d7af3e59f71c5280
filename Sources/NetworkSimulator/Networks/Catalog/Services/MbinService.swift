internal import TextFormats

/// Mbin, version 1.9: entries or posts, with the comments on them.
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
    // Released versions look for magazines and users, too, unless a kind is asked for, and cannot show them.
    guard let type = call["type"] else { throw CatalogError(500, "Internal Server Error") }
    let found = call.posts(near: call["q"] ?? "").byRelevance.filter { post in
      kind(of: post).rawValue.hasPrefix(type)
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

  private enum Kind: String {
    case entry, post
    case comment = "entry_comment"
    case reply = "post_comment"
  }

  private func kind(of post: CorpusPost) -> Kind {
    let isOnEntry = post.has(131, percent: 60)
    guard post.has(132, percent: 30) else { return isOnEntry ? .entry : .post }
    return isOnEntry ? .comment : .reply
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let id = post.mark % 90_000_000 + 1
    let kind = kind(of: post)
    let isComment = kind == .comment || kind == .reply
    // A comment comes with the number of what it is on.
    let parent = isComment ? post.author.mark % 7 + 1 : id
    return .members([
      "itemType": .string(kind.rawValue), "commentId": isComment ? .integer(id) : nil,
      "entryId": kind == .entry || kind == .comment ? .integer(parent) : nil,
      "postId": kind == .post || kind == .reply ? .integer(parent) : nil,
      "magazine": .members(["name": "words"]),
      "user": .members([
        "userId": .integer(post.author.mark % 90_000), "username": .string(post.author.handle),
      ]), "title": kind == .entry ? .string(post.title) : nil,
      "url": kind == .entry ? post.link.map { .string($0) } ?? .null : nil,
      "body": .string(post.plainText), "lang": .text(post.language),
      "numComments": isComment ? nil : .integer(post.replies),
      "favourites": .integer(post.likes), "isAdult": .bool(post.isSensitive),
      "tags": post.hashtags.isEmpty ? .null : .texts(post.hashtags),
      "createdAt": .string(DateForms.offset(post.milliseconds, hours: 0)),
      "editedAt": post.shape == .edited
        ? .string(DateForms.offset(post.changed, hours: 0)) : .null,
      // What was written on the server itself has no address elsewhere.
      "apId": post.has(133, percent: 50)
        ? .null : .string("https://home.example/m/words/\(kind.rawValue)/\(id)"),
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
