internal import TextFormats

/// GitLab's headers and errors, which all its listings share.
///
/// <https://docs.gitlab.com/api/rest/>
protocol GitLabService: CatalogService {}

extension GitLabService {
  var pace: (limit: Int, seconds: Int)? { (400, 600) }

  static var listing: [String: ParameterRule] {
    [
      "search": .text, "page": .integer(1...500), "per_page": .integer(1...100),
      "sort": .choice(["asc", "desc"]),
    ]
  }

  /// Returns a page of the posts that are found.
  func answer(
    _ call: CatalogCall, _ found: [CorpusPost], text: [String], _ json: (CorpusPost) -> JSONValue
  ) -> SimulatedAnswer {
    let page = call.numberedPage(found, by: ("page", "per_page"), size: 20)
    let items = call.world.items(page.shown.map(json), id: "id", text: text, date: "created_at")
    let link = LinkHeader.value([
      "next": page.next.map { call.address(["page": "\($0)"]) },
      "first": call.address(["page": "1"]),
      "last": call.address(["page": "\(max(page.pages, 1))"]),
    ])
    return SimulatedAnswer.json(.array(items), type: "application/json").adding("Link", link)
      .adding("X-Next-Page", page.next.map { "\($0)" } ?? "").adding("X-Page", "\(page.number)")
      .adding("X-Per-Page", "\(page.size)").adding("X-Total", "\(page.total)")
      .adding("X-Total-Pages", "\(page.pages)")
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    let key = error.status == 400 ? "error" : "message"
    let words = error.status == 400 ? error.message : "\(error.status) \(error.message)"
    return .json(.object([JSONMember(key, .string(words))]), status: error.status)
  }

  func headers(stating level: QuotaLevel) -> [(name: String, value: String)] {
    [
      ("RateLimit-Limit", "\(level.quota.limit)"), ("RateLimit-Remaining", "\(level.remaining)"),
      ("RateLimit-Reset", "\(level.reset / 1000)"),
    ]
  }
}
