internal import TextFormats

/// A WordPress site: posts. A page past the end is an error.
///
/// <https://developer.wordpress.org/rest-api/reference/posts/>
struct WordPressService: CatalogService {
  let name = "wordpress"
  let routes = [["wp-json", "wp", "v2", "posts"]]
  let parameters: [String: ParameterRule] = [
    "search": .text, "per_page": .integer(1...100), "page": .integer(1...Int.max),
    "offset": .integer(0...Int.max), "order": .choice(["asc", "desc"]), "_embed": .text,
    "orderby": .choice(["author", "date", "id", "modified", "relevance", "slug", "title"]),
    "after": .text, "before": .text, "modified_after": .text, "modified_before": .text,
  ]

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let moments = Range.moments(
      from: try moment(call["after"], "after").map { $0 + 1 },
      before: try moment(call["before"], "before"))
    let text = call["search"] ?? ""
    let found =
      call["orderby"] == "relevance"
      ? call.posts(near: text, within: moments).byRelevance
      : call.posts(near: text, within: moments)
    let page = call.numberedPage(found, by: ("page", "per_page"), size: 10)
    guard page.number <= max(page.pages, 1) else {
      throw CatalogError(
        400, "The page number requested is larger than the number of pages available.",
        code: "rest_post_invalid_page_number")
    }
    let items = call.world.items(
      page.shown.map { json($0, embeds: call["_embed"] != nil) }, id: "id",
      text: ["title", "content"], date: "date_gmt")
    let answer = SimulatedAnswer.json(.array(items))
      .adding("X-WP-Total", "\(page.total)").adding("X-WP-TotalPages", "\(page.pages)")
      .adding("Link", "<https://blog.example/wp-json/>; rel=\"https://api.w.org/\"")
    guard let next = page.next else { return answer }
    return answer.adding("Link", LinkHeader.value(["next": call.address(["page": "\(next)"])]))
  }

  /// Reads ISO 8601, with a zone or without.
  private func moment(_ text: String?, _ name: String) throws(CatalogError) -> Int? {
    guard let text else { return nil }
    guard let moment = DateReading.rfc3339(text) ?? DateReading.rfc3339(text + "Z") else {
      throw CatalogError(400, "Invalid parameter(s): \(name)", code: "rest_invalid_param")
    }
    return moment
  }

  private func json(_ post: CorpusPost, embeds: Bool) -> JSONValue {
    let id = post.mark % 900_000_000 + 1
    func local(_ moment: Int) -> JSONValue { .string(String(DateForms.seconds(moment).dropLast())) }
    func terms(_ names: [String]) -> JSONValue {
      .array(names.map { .members(["id": .integer(7), "name": .string(Markup.escaped($0))]) })
    }
    return .members([
      "id": .integer(id), "date": local(post.milliseconds - 5 * 3_600_000),
      "date_gmt": local(post.milliseconds),
      "guid": .members(["rendered": .string("https://blog.example/?p=\(id)")]),
      "modified": local(post.changed - 5 * 3_600_000), "modified_gmt": local(post.changed),
      "slug": "words", "status": "publish", "type": "post",
      "link": .string("https://blog.example/2026/11/words-\(id)/"),
      "title": .members([
        "rendered": .string(post.has(131, percent: 5) ? "" : Markup.escaped(post.title))
      ]),
      "content": .members([
        "rendered": .string(Markup.paragraphs(post.pieces)), "protected": .bool(false),
      ]), "author": .integer(post.author.ordinal + 1), "categories": .array([.integer(7)]),
      "_embedded": embeds
        ? .members([
          "author": .array([
            .members([
              "id": .integer(post.author.ordinal + 1),
              "name": .string(Markup.escaped(post.author.shownName)),
              "link": .string("https://blog.example/author/\(post.author.handle)/"),
              "slug": .string(post.author.handle),
            ])
          ]), "wp:term": .array([terms(["Articles"]), terms(post.hashtags)]),
        ]) : nil,
    ])
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(
      .members([
        "code": .string(error.code ?? "rest_invalid_param"), "message": .string(error.message),
        "data": .members(["status": .integer(error.status)]),
      ]), status: error.status)
  }
}
