internal import TextFormats

/// PieFed: posts of communities, by date.
///
/// <https://piefed.social/api/alpha/swagger>
struct PieFedService: CatalogService {
  let name = "piefed"
  let routes = [["api", "alpha", "search"]]
  let parameters: [String: ParameterRule] = [
    "q": .required, "type_": .choice(["Posts", "Comments", "Communities", "Users", "Url"]),
    "sort": .choice(["Active", "Hot", "New", "Top", "Scaled"]), "limit": .integer(1...100),
    "page": .integer(1...Int.max), "listing_type": .choice(["All", "Local", "Subscribed"]),
    "nsfw": .choice(["Exclude", "Include", "Only"]),
  ]

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    guard let type = call["type_"] else { throw CatalogError(400, "type_ is required") }
    let text = call["q"] ?? ""
    // Who has not signed in sees sensitive posts only on request.
    let found = (call["sort"] == "New" ? call.posts(text) : call.relevantPosts(text)).filter {
      call["nsfw"] == "Include" || $0.isSensitive == (call["nsfw"] == "Only")
    }
    let page = call.numberedPage(found, by: ("page", "limit"), size: 10, namesNext: false)
    let items = call.world.items(
      page.shown.map(json), id: "post", text: ["post"], date: "post")
    return .json(
      .members([
        "type_": .string(type), "posts": .array(type == "Posts" ? items : []),
        "comments": .emptyArray, "communities": .emptyArray, "users": .emptyArray,
      ]), type: "application/json")
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let id = post.mark % 90_000_000 + 1
    let home = "https://server\(post.author.ordinal % 4).example"
    return .members([
      "post": .members([
        "id": .integer(id), "title": .string(post.title), "body": .string(post.plainText),
        "ap_id": .string("\(home)/post/\(id)"), "url": post.link.map { .string($0) },
        "post_type": post.link == nil ? "Discussion" : "Link", "language_id": .integer(2),
        "published": .string(DateForms.microseconds(post.milliseconds)),
        "nsfw": .bool(post.isSensitive), "deleted": .bool(false), "removed": .bool(false),
        "tags": post.hashtags.isEmpty
          ? "" : .string(post.hashtags.joined(separator: ", ")),
      ]),
      "creator": .members([
        "id": .integer(post.author.mark % 90_000), "user_name": .string(post.author.handle),
        "title": post.author.name.isEmpty ? nil : .string(post.author.name),
        "actor_id": .string("\(home)/u/\(post.author.handle)"),
      ]), "community": .members(["id": .integer(7), "name": "words"]),
      "counts": .members([
        "comments": .integer(post.replies), "upvotes": .integer(post.likes),
        "downvotes": .integer(0), "score": .integer(post.likes),
      ]),
    ])
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(
      .members([
        "code": .integer(error.status), "message": .string(error.message),
        "status": .string(ReasonPhrase.of(error.status)),
      ]), status: error.status)
  }
}
